/** Scenes in motion: some bodies change, then the camera asks what it sees. */

import { createRandom } from '../../support/random.ts';
import { newMotion } from '../motion.ts';
import { built } from '../rivals/built.ts';
import type { Rival } from '../rivals/rival.ts';
import type { Scene } from '../scenes/scene.ts';
import { bodiesOf, sameBodies } from './agreement.ts';
import type { Stage, TimedScenario, Verdict } from './scenario.ts';

const FIRST_TICKS = 5;
const CHANGED = 1000;
/** So long the bodies have moved when the long run begins, or so many milliseconds. */
const LONG_TICKS = 200;
const LONG_MS = 20_000;

/** All cameras look at what the rival made of the changes. */
function checkViews({ questions, makeJudge }: Stage, rival: Rival, boxes: Float64Array): Verdict {
  const judge = built(makeJudge, boxes, 'moving');
  const wrong = questions.near.filter((view) => {
    const mine = bodiesOf(rival, rival.cull!(view));
    return !sameBodies(mine, bodiesOf(judge, judge.cull!(view)));
  });
  return { wrong: wrong.length, asked: questions.near.length };
}

function can({ still }: Stage, change: 'move' | 'replace'): boolean {
  return still[change] !== undefined && still.cull !== undefined;
}

/** @param ticksBefore Ticks that are not measured: by then what an index has prepared for moves is used up and has to be renewed all the time. */
function moves(name: string, share: number, ticksBefore = 0): TimedScenario {
  return {
    name,
    unit: 'ms',
    // Those ticks compile as much as a rehearsal.
    isRehearsed: ticksBefore === 0,
    open(stage) {
      if (!can(stage, 'move')) return null;
      const rival = built(stage.make, stage.scene.boxes, 'moving');
      const motion = newMotion(stage.scene, share);
      const begin = performance.now();
      for (let tick = 0; tick < ticksBefore && performance.now() - begin < LONG_MS; tick++) {
        motion.step();
        rival.move!(motion.moving, motion.batch);
      }
      return {
        per: 1,
        least: 5,
        prepare: () => motion.step(),
        call() {
          rival.move!(motion.moving, motion.batch);
          rival.cull!(stage.questions.flight);
        },
        check: () => checkViews(stage, rival, motion.boxes),
        close: () => rival.dispose?.(),
      };
    },
  };
}

/** A scene that has been looked at for a while, in which a tenth of the bodies start to move. */
const firstTicks: TimedScenario = {
  name: `10 % move, first ${FIRST_TICKS} ticks`,
  unit: 'ms',
  isRehearsed: true,
  open(stage) {
    if (!can(stage, 'move')) return null;
    let rival = built(stage.make, stage.scene.boxes, 'moving');
    let motion = newMotion(stage.scene, 0.1);
    let ticks = 0;
    const begin = (): void => {
      rival.dispose?.();
      rival = built(stage.make, stage.scene.boxes, 'moving');
      motion = newMotion(stage.scene, 0.1);
      rival.cull!(stage.questions.flight);
      // What the build left behind is not to be cleared away in the ticks.
      globalThis.gc?.();
      ticks = 0;
    };
    return {
      per: 1,
      least: FIRST_TICKS,
      prepare() {
        if (ticks % FIRST_TICKS === 0) begin();
        ticks++;
        motion.step();
      },
      call() {
        rival.move!(motion.moving, motion.batch);
        rival.cull!(stage.questions.flight);
      },
      check: () => checkViews(stage, rival, motion.boxes),
      close: () => rival.dispose?.(),
    };
  },
};

const replaced: TimedScenario = {
  name: `${CHANGED} added, ${CHANGED} removed, one cull`,
  unit: 'ms',
  isRehearsed: true,
  open(stage) {
    if (!can(stage, 'replace')) return null;
    const rival = built(stage.make, stage.scene.boxes, 'changing');
    const changes = new Changes(stage.scene);
    return {
      per: 1,
      least: 5,
      prepare: () => changes.step(),
      call() {
        rival.replace!(changes.bodies, changes.batch);
        rival.cull!(stage.questions.flight);
      },
      check: () => checkViews(stage, rival, changes.boxes),
      close: () => rival.dispose?.(),
    };
  },
};

/** Each step another thousand bodies make way for new ones, which appear where others are. */
class Changes {
  readonly boxes: Float64Array;
  readonly bodies: Uint32Array;
  readonly batch: Float64Array;
  private readonly random = createRandom(6);
  private turn = 0;

  constructor({ boxes }: Scene) {
    this.boxes = boxes.slice();
    this.bodies = new Uint32Array(Math.min(CHANGED, boxes.length / 60));
    this.batch = new Float64Array(this.bodies.length * 6);
  }

  step(): void {
    const { boxes, bodies, batch, random } = this;
    const count = boxes.length / 6;
    for (let k = 0; k < bodies.length; k++) {
      // Bodies spread over memory and over the scene: the data is in random order.
      const body = (this.turn + k * Math.floor(count / bodies.length)) % count;
      const like = random.below(count);
      bodies[k] = body;
      for (let axis = 0; axis < 3; axis++) {
        const shift = random.between(-8, 8);
        batch[k * 6 + axis] = Math.fround(boxes[like * 6 + axis] + shift);
        batch[k * 6 + axis + 3] = Math.fround(boxes[like * 6 + axis + 3] + shift);
      }
    }
    for (let k = 0; k < bodies.length; k++) boxes.set(batch.subarray(k * 6, k * 6 + 6), bodies[k] * 6);
    this.turn++;
  }
}

export const tickScenarios: readonly TimedScenario[] = [
  moves('1 % move, one cull', 0.01),
  moves('10 % move, one cull', 0.1),
  moves('100 % move, one cull', 1),
  moves(`100 % move, after ${LONG_TICKS} ticks`, 1, LONG_TICKS),
  firstTicks,
  replaced,
];
