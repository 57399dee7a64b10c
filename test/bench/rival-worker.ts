/**
 * Runs inside the process of one rival. The rival has the process to itself, so that no other rival's garbage or types
 * slow it down.
 */

import type { Command, Reply } from './messages.ts';
import { measureRound, runWarmUpSession, warmUp } from './measure.ts';
import { makeQueries, type QuerySet } from './queries.ts';
import { buildRival } from './rivals/build-rival.ts';
import type { Rival } from './rivals/rival.ts';
import { loadRival, maxBodies, REFERENCE } from './rivals/rivals.ts';
import { scenarios } from './scenarios/scenarios.ts';
import type { ScenarioContext, Session, TimedScenario, Verdict } from './scenarios/scenario.ts';
import { loadScene, type SceneChoice } from './scenes/load-scene.ts';
import type { Scene } from './scenes/scene.ts';

class RivalContext implements ScenarioContext {
  readonly scene: Scene;
  readonly queries: QuerySet;
  readonly make: () => Rival;
  readonly makeReference: () => Rival;
  private builtRival: Rival | undefined;
  private builtReference: Rival | undefined;

  constructor(scene: Scene, make: () => Rival, makeReference: () => Rival) {
    this.scene = scene;
    this.queries = makeQueries(scene);
    this.make = make;
    this.makeReference = makeReference;
  }

  get staticRival(): Rival {
    this.builtRival ??= buildRival(this.make, this.scene.boxes, 'static');
    return this.builtRival;
  }

  get staticReference(): Rival {
    this.builtReference ??= buildRival(this.makeReference, this.scene.boxes, 'static');
    return this.builtReference;
  }
}

/** Sums the verdicts before and after the rounds. */
function addVerdicts(a: Verdict | null, b: Verdict | null): Verdict | null {
  return a && b ? { wrong: a.wrong + b.wrong, checked: a.checked + b.checked } : (a ?? b);
}

/**
 * Compiles the code in a session of its own, so that the measured session starts from the initial state of the scene.
 */
function compileInOwnSession(scenario: TimedScenario, context: ScenarioContext): void {
  const session = scenario.open(context);
  if (!session) return;
  runWarmUpSession(session);
  session.close?.();
}

function send(reply: Reply): void {
  process.send!(reply);
}

/** Executes commands until the main process disconnects. */
export async function runRivalWorker(name: string, choice: SceneChoice): Promise<void> {
  const context = new RivalContext(loadScene(choice), await loadRival(name), await loadRival(REFERENCE));
  const bodies = context.scene.boxes.length / 6;
  const hasTooManyBodies = bodies > (maxBodies[name] ?? Infinity);
  let session: Session | null = null;
  let calls = 0;
  let firstVerdict: Verdict | null = null;

  const execute = (command: Command): Reply => {
    if (command.kind === 'open') {
      const scenario = scenarios.find((one) => one.name === command.scenario);
      if (hasTooManyBodies) return { kind: 'unsupported' };
      if (!scenario) throw new Error(`no scenario "${command.scenario}"`);
      if (scenario.unit === 'bytes') {
        const value = scenario.count(context);
        return value === null ? { kind: 'unsupported' } : { kind: 'counted', value };
      }
      if (scenario.needsWarmUpSession) compileInOwnSession(scenario, context);
      session = scenario.open(context);
      if (!session) return { kind: 'unsupported' };
      calls = warmUp(session);
      firstVerdict = session.check();
      globalThis.gc?.();
      return { kind: 'opened' };
    }
    if (!session) throw new Error('no session is open');
    if (command.kind === 'round') return { kind: 'measured', ms: measureRound(session, calls) };
    const verdict = addVerdicts(firstVerdict, session.check());
    session.close?.();
    session = null;
    return { kind: 'closed', verdict };
  };

  process.on('message', (command) => send(execute(command as Command)));
  process.on('disconnect', () => process.exit(0));
  send({ kind: 'ready', bodies });
}
