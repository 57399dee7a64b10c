// What moves by itself at the fair, at a given time.

import type { Object3D } from 'three';

export interface Mover {
  /** What moves, with all below it. */
  readonly objects: readonly Object3D[];
  /** Places the objects. @param seconds Since the fair began. */
  move(seconds: number): void;
}

/**
 * 0 to 1 and back in each period: rests at 0, goes, rests at 1 and comes back, a quarter of the period each. It starts
 * and stops gently.
 */
export function thereAndBack(seconds: number, period: number): number {
  const phase = 4 * (seconds / period - Math.floor(seconds / period));
  const share = phase < 1 ? 0 : phase < 2 ? phase - 1 : phase < 3 ? 1 : 4 - phase;
  return share * share * (3 - 2 * share);
}
