/**
 * The bodies of a benchmark, as boxes. Every world is about 4096 units wide, so that the same queries fit every scene.
 */

import { createRandom, type Random } from '../../support/random.ts';

/** World units. */
export const WORLD = 4096;

export interface Scene {
  readonly name: string;
  /** Six numbers per body. Each is exact in 32 bits, so that rivals with Float32 bounds store the same bodies. */
  readonly boxes: Float64Array;
  /** Extent of the world along each axis, from 0. */
  readonly size: readonly [number, number, number];
  /** Centres of the bodies at successive moments, three numbers per body. Empty: bodies move along straight lines. */
  readonly frames: readonly Float32Array[];
}

/**
 * Scales the bodies to the range 0 to `WORLD` and shuffles them, so that no rival profits from the order of the data.
 */
export function fitScene(name: string, boxes: Float64Array, frames: readonly Float32Array[] = []): Scene {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let at = 0; at < boxes.length; at += 6) {
    for (let axis = 0; axis < 3; axis++) {
      low[axis] = Math.min(low[axis], boxes[at + axis]);
      high[axis] = Math.max(high[axis], boxes[at + axis + 3]);
    }
  }
  const extent = low.map((value, axis) => high[axis] - value);
  const scale = WORLD / Math.max(...extent);
  const order = shuffled(boxes.length / 6, createRandom(4));
  const fitted = new Float64Array(boxes.length);
  for (let k = 0; k < order.length; k++) {
    for (let i = 0; i < 6; i++) fitted[k * 6 + i] = Math.fround((boxes[order[k] * 6 + i] - low[i % 3]) * scale);
  }
  const fitFrame = (frame: Float32Array): Float32Array => {
    return frame.map((_, i) => (frame[order[Math.floor(i / 3)] * 3 + (i % 3)] - low[i % 3]) * scale);
  };
  return {
    name,
    boxes: fitted,
    size: [extent[0] * scale, extent[1] * scale, extent[2] * scale],
    frames: frames.map(fitFrame),
  };
}

/** The numbers 0 to count - 1 in random order (Fisher-Yates). */
export function shuffled(count: number, random: Random): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, k) => k);
  for (let k = count - 1; k > 0; k--) {
    const other = random.below(k + 1);
    [order[k], order[other]] = [order[other], order[k]];
  }
  return order;
}
