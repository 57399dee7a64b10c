/** The build, and the memory of an index. */

import { newMotion } from '../motion.ts';
import type { CountedScenario, ScenarioContext, TimedScenario } from './scenario.ts';
import type { Use } from '../rivals/rival.ts';

/** Ticks before memory is counted, so that what an index allocates for moves is included. */
const TICKS = 20;

export const build: TimedScenario = {
  name: 'build',
  unit: 'ms',
  open({ make, scene }) {
    let rival = make();
    if (rival.hasNoIndex) return null;
    return {
      operationsPerCall: 1,
      minCalls: 1,
      prepare() {
        rival.dispose?.();
        rival = make();
        rival.prepare?.(scene.boxes);
      },
      call: () => rival.build(scene.boxes, 'static'),
      check: () => null,
      close: () => rival.dispose?.(),
    };
  },
};

/** Milliseconds after a collection until a helper thread of V8 has freed the buffers that the collection found. */
const SWEEP_MS = 50;
const neverNotified = new Int32Array(new SharedArrayBuffer(4));

function heapBytes(): number {
  for (let pass = 0; pass < 3; pass++) {
    globalThis.gc?.();
    Atomics.wait(neverNotified, 0, 0, SWEEP_MS);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Bytes per body of everything that the rival holds, its copies of the bounds and its result lists included. */
function memory(name: string, use: Use): CountedScenario {
  return {
    name,
    unit: 'bytes',
    count({ make, scene, queries }: ScenarioContext) {
      const rival = make();
      const motion = use === 'moving' ? newMotion(scene, 1) : null;
      if (rival.hasUncountedMemory || (motion && !rival.move)) return null;
      rival.prepare?.(scene.boxes);
      const before = heapBytes();
      rival.build(scene.boxes, use);
      rival.cull?.(queries.tickView);
      if (motion) {
        for (let tick = 0; tick < TICKS; tick++) {
          motion.step();
          rival.move!(motion.moving, motion.batch);
          rival.cull?.(queries.tickView);
        }
      }
      const bytes = heapBytes() - before;
      rival.dispose?.();
      return bytes / (scene.boxes.length / 6);
    },
  };
}

export const memoryScenarios = [
  memory('memory a still body', 'static'),
  memory('memory a moving body', 'moving'),
] as const;
