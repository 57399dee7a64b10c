/** Ticks of a scene in motion: some bodies change, then one camera culls. */

import { createRandom } from '../../support/random.ts';
import { newMotion } from '../motion.ts';
import { buildRival } from '../rivals/build-rival.ts';
import type { Rival } from '../rivals/rival.ts';
import type { Scene } from '../scenes/scene.ts';
import { bodiesOf, sameBodies } from './agreement.ts';
import type { ScenarioContext, TimedScenario, Verdict } from './scenario.ts';

const FIRST_TICKS = 5;
/** Bodies replaced per tick, at most a tenth of the scene. */
const REPLACED = 1000;
/** The long run is measured after this number of ticks, or after `LONG_MS` milliseconds. */
const LONG_TICKS = 200;
const LONG_MS = 20_000;

/** Compares the culls of all near views after the changes. */
function checkViews({ queries, makeReference }: ScenarioContext, rival: Rival, boxes: Float64Array): Verdict {
  const reference = buildRival(makeReference, boxes, 'moving');
  const wrong = queries.near.filter((view) => {
    const visible = bodiesOf(rival, rival.cull!(view));
    return !sameBodies(visible, bodiesOf(reference, reference.cull!(view)));
  });
  return { wrong: wrong.length, checked: queries.near.length };
}

function canTick({ staticRival }: ScenarioContext, change: 'move' | 'replace'): boolean {
  return staticRival[change] !== undefined && staticRival.cull !== undefined;
}

/**
 * @param ticksBefore Ticks before the measurement. They use up the margins of the bodies, so that the measured ticks
 *   renew margins all the time.
 */
function moves(name: string, share: number, ticksBefore = 0): TimedScenario {
  return {
    name,
    unit: 'ms',
    // The ticks before the measurement compile the same code.
    needsWarmUpSession: ticksBefore === 0,
    open(context) {
      if (!canTick(context, 'move')) return null;
      const rival = buildRival(context.make, context.scene.boxes, 'moving');
      const motion = newMotion(context.scene, share);
      const begin = performance.now();
      for (let tick = 0; tick < ticksBefore && performance.now() - begin < LONG_MS; tick++) {
        motion.step();
        rival.move!(motion.moving, motion.batch);
      }
      return {
        operationsPerCall: 1,
        minCalls: 5,
        prepare: () => motion.step(),
        call() {
          rival.move!(motion.moving, motion.batch);
          rival.cull!(context.queries.tickView);
        },
        check: () => checkViews(context, rival, motion.boxes),
        close: () => rival.dispose?.(),
      };
    },
  };
}

/** The first ticks after the build and one cull, in which a tenth of the bodies start to move. */
const firstTicks: TimedScenario = {
  name: `10 % move, first ${FIRST_TICKS} ticks`,
  unit: 'ms',
  needsWarmUpSession: true,
  open(context) {
    if (!canTick(context, 'move')) return null;
    let rival = buildRival(context.make, context.scene.boxes, 'moving');
    let motion = newMotion(context.scene, 0.1);
    let ticks = 0;
    const restart = (): void => {
      rival.dispose?.();
      rival = buildRival(context.make, context.scene.boxes, 'moving');
      motion = newMotion(context.scene, 0.1);
      rival.cull!(context.queries.tickView);
      // Collects the garbage of the build here, outside the measured ticks.
      globalThis.gc?.();
      ticks = 0;
    };
    return {
      operationsPerCall: 1,
      minCalls: FIRST_TICKS,
      prepare() {
        if (ticks % FIRST_TICKS === 0) restart();
        ticks++;
        motion.step();
      },
      call() {
        rival.move!(motion.moving, motion.batch);
        rival.cull!(context.queries.tickView);
      },
      check: () => checkViews(context, rival, motion.boxes),
      close: () => rival.dispose?.(),
    };
  },
};

const replaced: TimedScenario = {
  name: `${REPLACED} added, ${REPLACED} removed, one cull`,
  unit: 'ms',
  needsWarmUpSession: true,
  open(context) {
    if (!canTick(context, 'replace')) return null;
    const rival = buildRival(context.make, context.scene.boxes, 'changing');
    const replacements = new Replacements(context.scene);
    return {
      operationsPerCall: 1,
      minCalls: 5,
      prepare: () => replacements.step(),
      call() {
        rival.replace!(replacements.bodies, replacements.batch);
        rival.cull!(context.queries.tickView);
      },
      check: () => checkViews(context, rival, replacements.boxes),
      close: () => rival.dispose?.(),
    };
  },
};

/** Each step replaces other bodies. A new body has the size of a random body of the scene and appears near it. */
class Replacements {
  /** All bodies after the step. */
  readonly boxes: Float64Array;
  /** The replaced bodies, and their new bounds in the same order. */
  readonly bodies: Uint32Array;
  readonly batch: Float64Array;
  private readonly random = createRandom(6);
  private turn = 0;

  constructor({ boxes }: Scene) {
    this.boxes = boxes.slice();
    this.bodies = new Uint32Array(Math.min(REPLACED, boxes.length / 60));
    this.batch = new Float64Array(this.bodies.length * 6);
  }

  step(): void {
    const { boxes, bodies, batch, random } = this;
    const count = boxes.length / 6;
    for (let k = 0; k < bodies.length; k++) {
      // Equal steps through the body numbers spread the bodies over memory, and over space: numbers are in random
      // spatial order.
      const body = (this.turn + k * Math.floor(count / bodies.length)) % count;
      const template = random.below(count);
      bodies[k] = body;
      for (let axis = 0; axis < 3; axis++) {
        const shift = random.between(-8, 8);
        batch[k * 6 + axis] = Math.fround(boxes[template * 6 + axis] + shift);
        batch[k * 6 + axis + 3] = Math.fround(boxes[template * 6 + axis + 3] + shift);
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
