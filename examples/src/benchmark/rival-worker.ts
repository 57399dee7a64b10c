// The worker of one rival: it alone runs here, so that neither its garbage nor its types slow down another.

import { makeQuestions, type QueryRunner } from '../../../test/bench/queries.ts';
import type { Rival } from '../../../test/bench/rivals/rival.ts';
import type { Session, Stage, Verdict } from '../../../test/bench/scenarios/scenario.ts';
import { clusteredScene, uniformScene } from '../../../test/bench/scenes/random-scenes.ts';
import type { Scene } from '../../../test/bench/scenes/scene.ts';
import { chosenScenarios } from './chosen-scenarios.ts';
import type { Begin, PageOrder, WorkerReport } from './messages.ts';
import { JUDGE } from './names.ts';
import { makers } from './rivals.ts';
import { runRound, warmUp } from './round-timing.ts';

class RivalStage implements Stage {
  readonly scene: Scene;
  readonly questions: QueryRunner;
  readonly make: () => Rival;
  readonly makeJudge = makers[JUDGE];
  private builtStill: Rival | undefined;
  private builtJudge: Rival | undefined;

  constructor({ rival, scene, bodies }: Begin) {
    this.scene = scene === 'clustered' ? clusteredScene(bodies) : uniformScene(bodies);
    this.questions = makeQuestions(this.scene);
    this.make = makers[rival];
  }

  get still(): Rival {
    return (this.builtStill ??= this.built(this.make()));
  }

  get judge(): Rival {
    return (this.builtJudge ??= this.built(this.makeJudge()));
  }

  private built(rival: Rival): Rival {
    rival.build(this.scene.boxes, 'still');
    return rival;
  }
}

/** Plays the scenarios it is told to, a round at a time. */
class ScenarioRunner {
  private readonly stage: RivalStage;
  private session: Session | null = null;
  private calls = 0;
  private firstVerdict: Verdict | null = null;

  constructor(stage: RivalStage) {
    this.stage = stage;
  }

  open(name: string): WorkerReport {
    const scenario = chosenScenarios.find((one) => one.name === name);
    this.session = scenario?.open(this.stage) ?? null;
    if (this.session === null) return { kind: 'lacks' };
    this.calls = warmUp(this.session);
    this.firstVerdict = this.session.check();
    return { kind: 'opened' };
  }

  round(): WorkerReport {
    return { kind: 'played', ms: runRound(this.session!, this.calls) };
  }

  /** Checks once more, after all that was done in the rounds. */
  close(): WorkerReport {
    const [first, last] = [this.firstVerdict, this.session!.check()];
    this.session!.close?.();
    this.session = null;
    return { kind: 'closed', verdict: first && last ? { wrong: first.wrong + last.wrong, asked: first.asked + last.asked } : last };
  }
}

let runner: ScenarioRunner | undefined;

function handleOrder(order: PageOrder): WorkerReport {
  if (order.kind === 'begin') {
    runner = new ScenarioRunner(new RivalStage(order));
    return { kind: 'ready', bodies: order.bodies };
  }
  if (!runner) return { kind: 'failed', message: `The worker was told to ${order.kind} before it was told to begin.` };
  return order.kind === 'open' ? runner.open(order.scenario) : order.kind === 'round' ? runner.round() : runner.close();
}

addEventListener('message', ({ data }: MessageEvent<PageOrder>) => {
  let report: WorkerReport;
  try {
    report = handleOrder(data);
  } catch (error) {
    report = { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
  postMessage(report);
});
