/**
 * Exact tests whether two bodies are within a distance of each other, on flat arrays. The rule for boxes: the gap on an
 * axis is the distance between their two intervals, 0 if these overlap; the squared length of the three gaps is
 * compared with the squared distance. Arguments are offsets, not numbers: V8 may allocate an object for a double that
 * is an argument of a call.
 */

import type { Boxes } from './box.ts';
import { DISTANCE_RAISED, UNDERFLOW_LENGTH } from './tolerances.ts';

/**
 * The margin for filters: if two boxes are within `distance` by `boxesWithin`, no axis has a gap larger than this.
 *
 * @param distance World units, from 0. 0 has no margin: bodies within 0 touch.
 */
export function withinMargin(distance: number): number {
  return distance === 0 ? 0 : distance * DISTANCE_RAISED + UNDERFLOW_LENGTH;
}

/** Whether the boxes at offsets `a` and `b` are within the distance at `distances[at]`. */
export function boxesWithin(as: Boxes, a: number, bs: Boxes, b: number, distances: Float64Array, at: number): boolean {
  const dx = as[a] > bs[b + 3] ? as[a] - bs[b + 3] : bs[b] > as[a + 3] ? bs[b] - as[a + 3] : 0;
  const dy = as[a + 1] > bs[b + 4] ? as[a + 1] - bs[b + 4] : bs[b + 1] > as[a + 4] ? bs[b + 1] - as[a + 4] : 0;
  const dz = as[a + 2] > bs[b + 5] ? as[a + 2] - bs[b + 5] : bs[b + 2] > as[a + 5] ? bs[b + 2] - as[a + 5] : 0;
  return dx * dx + dy * dy + dz * dz <= distances[at] * distances[at];
}
