/** The tests of two bodies: whether they touch or are within a distance by their exact bounds, and their categories. */

import { BOX_STRIDE, boxesOverlap } from '../../math/box.ts';
import { writeDistanceSqToBox } from '../../math/sphere.ts';
import { DISTANCE_RAISED, UNDERFLOW_LENGTH } from '../../math/tolerances.ts';
import type { BodyArrays } from '../../tree/storage/body-arrays.ts';

export class PairTest {
  /** The distance, in world units, from 0 to MAX_RADIUS; 0 for bodies that touch. In an array of length 1. */
  readonly distance = new Float64Array(1);
  private readonly boxA = new Float64Array(BOX_STRIDE);
  private readonly boxB = new Float64Array(BOX_STRIDE);
  /** Output of `writeDistanceSqToBox`. */
  private readonly distanceSq = new Float64Array(1);

  accepts(bodies: BodyArrays, a: number, b: number): boolean {
    const { distance, boxA, boxB, distanceSq } = this;
    const reach = distance[0];
    const { bounds } = bodies;
    const isSphereA = bodies.isSphere(a);
    const isSphereB = bodies.isSphere(b);
    const atA = a * BOX_STRIDE;
    const atB = b * BOX_STRIDE;
    if (!isSphereA && !isSphereB) return areWithin(bounds, atA, bounds, atB, distance);
    if (isSphereA && isSphereB) {
      // First: it costs less than their boxes, and rejects more.
      const dx = bounds[atA] - bounds[atB];
      const dy = bounds[atA + 1] - bounds[atB + 1];
      const dz = bounds[atA + 2] - bounds[atB + 2];
      const radii = bounds[atA + 3] + bounds[atB + 3] + reach;
      if (!(dx * dx + dy * dy + dz * dz <= radii * radii)) return false;
    }
    if (!areWithin(bodies.readBox(a, boxA), 0, bodies.readBox(b, boxB), 0, distance)) return false;
    if (isSphereA && isSphereB) return true;
    const at = isSphereA ? atA : atB;
    const radius = bounds[at + 3] + reach;
    writeDistanceSqToBox(bounds, at, isSphereA ? boxB : boxA, 0, distanceSq);
    return distanceSq[0] <= radius * radius;
  }
}

/**
 * Whether two boxes are within `distance[0]` of each other. The gap on an axis is the distance between their two
 * intervals, 0 if these overlap; the squared length of the three gaps is compared with the squared distance. In an
 * array, because V8 may box a double that is an argument.
 */
function areWithin(as: Float64Array, a: number, bs: Float64Array, b: number, distance: Float64Array): boolean {
  if (distance[0] === 0) return boxesOverlap(as, a, bs, b);
  const dx = as[a] > bs[b + 3] ? as[a] - bs[b + 3] : bs[b] > as[a + 3] ? bs[b] - as[a + 3] : 0;
  const dy = as[a + 1] > bs[b + 4] ? as[a + 1] - bs[b + 4] : bs[b + 1] > as[a + 4] ? bs[b + 1] - as[a + 4] : 0;
  const dz = as[a + 2] > bs[b + 5] ? as[a + 2] - bs[b + 5] : bs[b + 2] > as[a + 5] ? bs[b + 2] - as[a + 5] : 0;
  return dx * dx + dy * dy + dz * dz <= distance[0] * distance[0];
}

/**
 * The margin for filters: if two boxes are within `distance` by `PairTest`, no axis has a gap larger than this.
 *
 * @param distance World units, from 0. 0 has no margin: bodies within 0 touch.
 */
export function withinMargin(distance: number): number {
  return distance === 0 ? 0 : distance * DISTANCE_RAISED + UNDERFLOW_LENGTH;
}

/**
 * The categories of the bodies that may form a pair with a body of the categories `mask`, if one body of a pair must
 * have one of `categories`, and the other one of `otherCategories`.
 */
export function categoriesOfOther(mask: number, categories: number, otherCategories: number): number {
  return ((mask & categories) === 0 ? 0 : otherCategories) | ((mask & otherCategories) === 0 ? 0 : categories);
}
