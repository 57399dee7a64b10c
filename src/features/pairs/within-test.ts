/** Whether two bodies touch, or are within a distance of each other, by their exact bounds. */

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
    // Enlarges the first sphere by the distance, and by the second radius if there is one, and tests it against the second centre or box.
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
