/**
 * The tests of two bodies: whether they touch or are within a distance of each other, by their exact bounds, and which
 * of them comes first in a pair.
 */

import { BOX_STRIDE, boxesOverlap } from '../../math/box.ts';
import { boxesWithin } from '../../math/within.ts';
import { spheresTouch, sphereTouchesBox } from '../../math/sphere.ts';
import type { BodyArrays } from '../../tree/storage/body-arrays.ts';

export class WithinTest {
  /** The distance, in world units; 0 for bodies that touch. */
  private readonly distance = new Float64Array(1);
  private readonly boxA = new Float64Array(BOX_STRIDE);
  private readonly boxB = new Float64Array(BOX_STRIDE);
  private readonly sphere = new Float64Array(4);
  /** The centre of the second sphere, with radius 0. */
  private readonly center = new Float64Array(4);

  /** @param distance From 0 to MAX_RADIUS. */
  set(distance: number): void {
    this.distance[0] = distance;
  }

  accepts(bodies: BodyArrays, a: number, b: number): boolean {
    const { distance, boxA, boxB, sphere, center } = this;
    if (distance[0] === 0) return bodiesTouch(bodies, a, b, boxA, boxB);
    if (!boxesWithin(bodies.readBox(a, boxA), 0, bodies.readBox(b, boxB), 0, distance, 0)) return false;
    const isSphereA = bodies.isSphere(a);
    const isSphereB = bodies.isSphere(b);
    if (!isSphereA && !isSphereB) return true;
    const { bounds } = bodies;
    const atA = a * BOX_STRIDE;
    const atB = b * BOX_STRIDE;
    // Enlarges the first sphere by the distance, and by the second radius if there is one, and tests it against the
    // second centre or box.
    copyCenter(bounds, isSphereA ? atA : atB, sphere);
    if (isSphereA && isSphereB) {
      copyCenter(bounds, atB, center);
      sphere[3] = bounds[atA + 3] + bounds[atB + 3] + distance[0];
      return spheresTouch(sphere, 0, center, 0);
    }
    sphere[3] = bounds[(isSphereA ? atA : atB) + 3] + distance[0];
    return sphereTouchesBox(sphere, 0, isSphereA ? boxB : boxA, 0);
  }
}

/** Whether two bodies touch. `boxA` and `boxB` are working memory. */
export function bodiesTouch(bodies: BodyArrays, a: number, b: number, boxA: Float64Array, boxB: Float64Array): boolean {
  const { bounds } = bodies;
  const isSphereA = bodies.isSphere(a);
  const isSphereB = bodies.isSphere(b);
  const atA = a * BOX_STRIDE;
  const atB = b * BOX_STRIDE;
  if (!isSphereA && !isSphereB) return boxesOverlap(bounds, atA, bounds, atB);
  // First: it costs less than their boxes, and rejects more.
  if (isSphereA && isSphereB && !spheresTouch(bounds, atA, bounds, atB)) return false;
  if (!boxesOverlap(bodies.readBox(a, boxA), 0, bodies.readBox(b, boxB), 0)) return false;
  if (isSphereA && isSphereB) return true;
  return isSphereA ? sphereTouchesBox(bounds, atA, boxB, 0) : sphereTouchesBox(bounds, atB, boxA, 0);
}

function copyCenter(bounds: Float64Array, at: number, target: Float64Array): void {
  target[0] = bounds[at];
  target[1] = bounds[at + 1];
  target[2] = bounds[at + 2];
}

/** The two bodies, a and b, do not form a pair. */
export const NEITHER = 0;
/** Only a can come first. */
export const FORWARD = 1;
/** Only b can come first. */
const BACKWARD = 2;
/** Both orders are possible. Then the smaller index comes first. */
export const EITHER = FORWARD | BACKWARD;

/**
 * The order of two bodies with the categories `a` and `b`, if the first body of a pair must have one of `categories`,
 * and the second one of `otherCategories`. For the categories of two nodes: NEITHER if no body of one forms a pair with
 * a body of the other.
 */
export function pairOrder(a: number, b: number, categories: number, otherCategories: number): number {
  const isForward = (a & categories) !== 0 && (b & otherCategories) !== 0;
  const isBackward = (b & categories) !== 0 && (a & otherCategories) !== 0;
  return (isForward ? FORWARD : 0) | (isBackward ? BACKWARD : 0);
}
