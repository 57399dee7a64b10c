// The worker of one rival: it alone runs here, so that neither its garbage nor its types slow down another.

import { makeQueries, type QuerySet } from '../../../test/bench/queries.ts';
import type { Rival } from '../../../test/bench/rivals/rival.ts';
import type { ScenarioContext, Session, Verdict } from '../../../test/bench/scenarios/scenario.ts';
import { clusteredScene, uniformScene } from '../../../test/bench/scenes/random-scenes.ts';
import type { Scene } from '../../../test/bench/scenes/scene.ts';
import { chosenScenarios } from './chosen-scenarios.ts';
import type { Begin, PageOrder, WorkerReport } from './messages.ts';
import { JUDGE } from './names.ts';
import { makers } from './rivals.ts';
import { runRound, warmUp } from './round-timing.ts';

class RivalContext implements ScenarioContext {
  readonly scene: Scene;
  readonly queries: QuerySet;
  readonly make: () => Rival;
  readonly makeReference = makers[JUDGE];
  private builtRival: Rival | undefined;
  private builtReference: Rival | undefined;

  constructor({ rival, scene, bodies }: Begin) {
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

/** Plays the scenarios it is told to, a round at a time. */
class ScenarioRunner {
  private readonly stage: RivalContext;
  private session: Session | null = null;
  private calls = 0;
  private firstVerdict: Verdict | null = null;

  constructor(stage: RivalContext) {
    this.stage = stage;
  }

  open(name: string): WorkerReport {
    const scenario = chosenScenarios.find((one) => one.name === name);
    this.session = scenario?.open(this.stage) ?? null;
    if (this.session === null) return { kind: 'unsupported' };
    this.calls = warmUp(this.session);
    this.firstVerdict = this.session.check();
    return { kind: 'opened' };
  }

  round(): WorkerReport {
    return { kind: 'measured', ms: runRound(this.session!, this.calls) };
  }

  /** Checks once more, after all that was done in the rounds. */
  close(): WorkerReport {
    const [first, last] = [this.firstVerdict, this.session!.check()];
    this.session!.close?.();
    this.session = null;
    return { kind: 'closed', verdict: first && last ? { wrong: first.wrong + last.wrong, checked: first.checked + last.checked } : last };
  }
}

let runner: ScenarioRunner | undefined;

function handleOrder(order: PageOrder): WorkerReport {
  if (order.kind === 'begin') {
    runner = new ScenarioRunner(new RivalContext(order));
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
