// The worker of one rival. Each rival has its own worker, so that its garbage and its type feedback do not slow down
// another rival.

import { makeQueries, type QuerySet } from '../../../test/bench/queries.ts';
import type { Rival } from '../../../test/bench/rivals/rival.ts';
import type { ScenarioContext, Session, Verdict } from '../../../test/bench/scenarios/scenario.ts';
import { clusteredScene, uniformScene } from '../../../test/bench/scenes/random-scenes.ts';
import type { Scene } from '../../../test/bench/scenes/scene.ts';
import { selectedScenarios } from './selected-scenarios.ts';
import type { BeginCommand, PageCommand, WorkerReply } from './messages.ts';
import { REFERENCE } from './names.ts';
import { makers } from './rivals.ts';
import { runRound, warmUp } from './round-timing.ts';

class RivalContext implements ScenarioContext {
  readonly scene: Scene;
  readonly queries: QuerySet;
  readonly make: () => Rival;
  readonly makeReference = makers[REFERENCE];
  readonly warmUpMs: number;
  private builtRival: Rival | undefined;
  private builtReference: Rival | undefined;

  constructor({ rival, scene, bodies, warmUpMs }: BeginCommand) {
    this.warmUpMs = warmUpMs;
    this.scene = scene === 'clustered' ? clusteredScene(bodies) : uniformScene(bodies);
    this.queries = makeQueries(this.scene);
    this.make = makers[rival];
  }

  get staticRival(): Rival {
    return (this.builtRival ??= this.built(this.make()));
  }

  get staticReference(): Rival {
    return (this.builtReference ??= this.built(this.makeReference()));
  }

  private built(rival: Rival): Rival {
    rival.build(this.scene.boxes, 'static');
    return rival;
  }
}

/** Runs the scenarios on command, one round at a time. */
class ScenarioRunner {
  private readonly context: RivalContext;
  private session: Session | null = null;
  private calls = 0;
  private firstVerdict: Verdict | null = null;

  constructor(context: RivalContext) {
    this.context = context;
  }

  open(name: string): WorkerReply {
    const scenario = selectedScenarios.find((one) => one.name === name);
    this.session = scenario?.open(this.context) ?? null;
    if (this.session === null) return { kind: 'unsupported' };
    this.calls = warmUp(this.session, this.context.warmUpMs);
    this.firstVerdict = this.session.check();
    return { kind: 'opened' };
  }

  round(): WorkerReply {
    return { kind: 'measured', ms: runRound(this.session!, this.calls) };
  }

  /** Checks the results again after the rounds. */
  close(): WorkerReply {
    const [first, last] = [this.firstVerdict, this.session!.check()];
    this.session!.close?.();
    this.session = null;
    return {
      kind: 'closed',
      verdict: first && last ? { wrong: first.wrong + last.wrong, checked: first.checked + last.checked } : last,
    };
  }
}

let runner: ScenarioRunner | undefined;

function handleCommand(command: PageCommand): WorkerReply {
  if (command.kind === 'begin') {
    runner = new ScenarioRunner(new RivalContext(command));
    return { kind: 'ready', bodies: command.bodies };
  }
  if (!runner)
    return { kind: 'failed', message: `The worker received the command ${command.kind} before the command begin.` };
  return command.kind === 'open'
    ? runner.open(command.scenario)
    : command.kind === 'round'
      ? runner.round()
      : runner.close();
}

addEventListener('message', ({ data }: MessageEvent<PageCommand>) => {
  let reply: WorkerReply;
  try {
    reply = handleCommand(data);
  } catch (error) {
    reply = { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
  postMessage(reply);
});
