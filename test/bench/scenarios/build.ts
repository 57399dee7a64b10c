import { newMotion } from '../motion.ts';
import type { CountedScenario, Stage, TimedScenario } from './scenario.ts';
import type { Use } from '../rivals/rival.ts';

const TICKS = 20;

export const build: TimedScenario = {
  name: 'build',
  unit: 'ms',
  open({ make, scene }) {
    let rival = make();
    if (rival.hasNoIndex) return null;
    return {
      per: 1,
      least: 1,
      prepare() {
        rival.dispose?.();
        rival = make();
        rival.prepare?.(scene.boxes);
      },
      call: () => rival.build(scene.boxes, 'still'),
      check: () => null,
      close: () => rival.dispose?.(),
    };
  },
};

/** Buffers are given back by a helper thread, some time after the collection that found them. */
const SWEEP_MS = 50;
const alarm = new Int32Array(new SharedArrayBuffer(4));

function heapBytes(): number {
  for (let pass = 0; pass < 3; pass++) {
    globalThis.gc?.();
    Atomics.wait(alarm, 0, 0, SWEEP_MS);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Everything the rival holds, its copies of the bounds and its lists included. */
function memory(name: string, use: Use): CountedScenario {
  return {
    name,
    unit: 'bytes',
    count({ make, scene, questions }: Stage) {
      const rival = make();
      const motion = use === 'moving' ? newMotion(scene, 1) : null;
      if (rival.hidesMemory || (motion && !rival.move)) return null;
      rival.prepare?.(scene.boxes);
      const before = heapBytes();
      rival.build(scene.boxes, use);
      rival.cull?.(questions.flight);
      if (motion) {
        for (let tick = 0; tick < TICKS; tick++) {
          motion.step();
          rival.move!(motion.moving, motion.batch);
          rival.cull?.(questions.flight);
        }
      }
      const bytes = heapBytes() - before;
      rival.dispose?.();
      return bytes / (scene.boxes.length / 6);
    },
  };
}

export const memoryScenarios = [memory('memory a still body', 'still'), memory('memory a moving body', 'moving')] as const;
