// How the bodies move. Every setting gets the same moves: the centres of a round are computed once.

import { createRandom } from '../../../test/support/random.ts';
import type { Bodies } from './scenes.ts';

/** Ticks from one frame of a file to the next. */
const TICKS_PER_FRAME = 16;
const SEED = 3;

export interface Motion {
  /** Advances by one tick and writes the centres of the moving bodies, three numbers each. */
  step(centres: Float64Array): void;
}

/** @param moving The first bodies of the scene move. */
export function createMotion(
  bodies: Bodies,
  moving: number,
  { min, max }: { readonly min: readonly number[]; readonly max: readonly number[] },
): Motion {
  return bodies.frames.length > 1
    ? new FrameMotion(bodies.frames)
    : new LineMotion(centresOf(bodies, moving), bodies.speed, min, max);
}

/** The centres of the first bodies, three numbers each. */
export function centresOf({ kind, bounds }: Bodies, count: number): Float64Array {
  const centres = new Float64Array(count * 3);
  for (let k = 0; k < count; k++) {
    for (let axis = 0; axis < 3; axis++)
      centres[k * 3 + axis] =
        kind === 'box' ? (bounds[k * 6 + axis] + bounds[k * 6 + 3 + axis]) / 2 : bounds[k * 4 + axis];
  }
  return centres;
}

/** Straight lines that are reflected where a centre would leave the scene. */
class LineMotion implements Motion {
  private readonly centres: Float64Array;
  private readonly velocities: Float64Array;
  private readonly min: readonly number[];
  private readonly max: readonly number[];

  constructor(centres: Float64Array, speed: readonly number[], min: readonly number[], max: readonly number[]) {
    const random = createRandom(SEED);
    this.centres = centres;
    this.velocities = Float64Array.from(centres, (_, k) => random.between(-1, 1) * speed[k % 3]);
    this.min = min;
    this.max = max;
  }

  step(target: Float64Array): void {
    const { centres, velocities, min, max } = this;
    for (let k = 0; k < centres.length; k++) {
      const next = centres[k] + velocities[k];
      if (next < min[k % 3] || next > max[k % 3]) velocities[k] = -velocities[k];
      centres[k] += velocities[k];
    }
    target.set(centres);
  }
}

/** Linear interpolation between the frames of a file, from the first to the last and back again. */
class FrameMotion implements Motion {
  private readonly frames: Bodies['frames'];
  private tick = 0;

  constructor(frames: Bodies['frames']) {
    this.frames = frames;
  }

  step(target: Float64Array): void {
    const { frames } = this;
    const last = frames.length - 1;
    const phase = (++this.tick / TICKS_PER_FRAME) % (2 * last);
    const at = phase > last ? 2 * last - phase : phase;
    const [from, to, share] = [frames[Math.floor(at)], frames[Math.ceil(at)], at % 1];
    for (let k = 0; k < target.length; k++) target[k] = from[k] + (to[k] - from[k]) * share;
  }
}
