/** Bodies to measure with, all as boxes in a world about 4096 wide, so that the same questions fit every scene. */

import { createRandom, type Random } from '../../support/random.ts';

export const WORLD = 4096;

export interface Scene {
  readonly name: string;
  /** Six numbers a body, each one exact in 32 bits: rivals with Float32 bounds get the same bodies. */
  readonly boxes: Float64Array;
  /** Extent of the world along each axis, from 0. */
  readonly size: readonly [number, number, number];
  /** Of bodies whose ways are known: their centres at one moment after the other, three numbers a body. Others fly straight. */
  readonly frames: readonly Float32Array[];
}

/** Makes room for everything from 0 to 4096, in random order: no rival profits from an order that the data came in. */
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
    for (let lane = 0; lane < 6; lane++) fitted[k * 6 + lane] = Math.fround((boxes[order[k] * 6 + lane] - low[lane % 3]) * scale);
  }
  const fitFrame = (frame: Float32Array): Float32Array => {
    return frame.map((_, lane) => (frame[order[Math.floor(lane / 3)] * 3 + (lane % 3)] - low[lane % 3]) * scale);
  };
  return { name, boxes: fitted, size: [extent[0] * scale, extent[1] * scale, extent[2] * scale], frames: frames.map(fitFrame) };
}

export function shuffled(count: number, random: Random): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, k) => k);
  for (let k = count - 1; k > 0; k--) {
    const other = random.below(k + 1);
    [order[k], order[other]] = [order[other], order[k]];
  }
  return order;
}
