/** The process of one rival: it alone runs here, so that neither its garbage nor its types slow down another. */

import type { Order, Report } from './messages.ts';
import { playLong, playRound, warmUp } from './measure.ts';
import { makeQuestions, type QueryRunner } from './queries.ts';
import { built } from './rivals/built.ts';
import type { Rival } from './rivals/rival.ts';
import { JUDGE, loadRival, mostBodies } from './rivals/rivals.ts';
import { scenarios } from './scenarios/scenarios.ts';
import type { Session, Stage, TimedScenario, Verdict } from './scenarios/scenario.ts';
import { loadScene, type SceneChoice } from './scenes/load-scene.ts';
import type { Scene } from './scenes/scene.ts';

class OneRival implements Stage {
  readonly scene: Scene;
  readonly questions: QueryRunner;
  readonly make: () => Rival;
  readonly makeJudge: () => Rival;
  private builtStill: Rival | undefined;
  private builtJudge: Rival | undefined;

  constructor(scene: Scene, make: () => Rival, makeJudge: () => Rival) {
    this.scene = scene;
    this.questions = makeQuestions(scene);
    this.make = make;
    this.makeJudge = makeJudge;
  }

  get still(): Rival {
    this.builtStill ??= built(this.make, this.scene.boxes, 'still');
    return this.builtStill;
  }

  get judge(): Rival {
    this.builtJudge ??= built(this.makeJudge, this.scene.boxes, 'still');
    return this.builtJudge;
  }
}

/** Adds up what the two checks of a session found. */
function both(a: Verdict | null, b: Verdict | null): Verdict | null {
  return a && b ? { wrong: a.wrong + b.wrong, asked: a.asked + b.asked } : (a ?? b);
}

/** Plays a session that is thrown away, so that the next one can begin at the beginning with compiled code. */
function rehearse(scenario: TimedScenario, stage: Stage): void {
  const session = scenario.open(stage);
  if (!session) return;
  playLong(session);
  session.close?.();
}

function send(report: Report): void {
  process.send!(report);
}

/** Obeys until the leading process ends the connection. */
export async function serveRival(name: string, choice: SceneChoice): Promise<void> {
  const stage = new OneRival(loadScene(choice), await loadRival(name), await loadRival(JUDGE));
  const bodies = stage.scene.boxes.length / 6;
  const sitsOut = bodies > (mostBodies[name] ?? Infinity);
  let session: Session | null = null;
  let calls = 0;
  let firstVerdict: Verdict | null = null;

  const obey = (order: Order): Report => {
    if (order.kind === 'open') {
      const scenario = scenarios.find((one) => one.name === order.scenario);
      if (sitsOut) return { kind: 'lacks' };
      if (!scenario) throw new Error(`no scenario "${order.scenario}"`);
      if (scenario.unit === 'bytes') {
        const value = scenario.count(stage);
        return value === null ? { kind: 'lacks' } : { kind: 'counted', value };
      }
      if (scenario.isRehearsed) rehearse(scenario, stage);
      session = scenario.open(stage);
      if (!session) return { kind: 'lacks' };
      calls = warmUp(session);
      firstVerdict = session.check();
      globalThis.gc?.();
      return { kind: 'opened' };
    }
    if (!session) throw new Error('no session is open');
    if (order.kind === 'round') return { kind: 'played', ms: playRound(session, calls) };
    const verdict = both(firstVerdict, session.check());
    session.close?.();
    session = null;
    return { kind: 'closed', verdict };
  };

  process.on('message', (order) => send(obey(order as Order)));
  process.on('disconnect', () => process.exit(0));
  send({ kind: 'ready', bodies });
}
