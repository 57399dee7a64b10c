/**
 * How far two shapes are from touching or, if they touch, from parting; or from being within a distance. It tells how
 * far they may move before the exact test has to run again. Numbers stay in arrays: V8 may box a double that crosses a
 * call.
 */

import { MIN_SLACK, SLACK_LOWERED, SPHERE_TOLERANCE } from './tolerances.ts';

/**
 * If each number of a sphere changes by less than d, the distance of its surface from a point changes by less than
 * (sqrt(3) + 1) d; for a box it is sqrt(3) d.
 */
const SPHERE_PART = 1 / 3;
/** Just below 1 / sqrt(3). */
const BOX_PART = 0.577350269;

/**
 * Writes a distance d to `target[0]`: as long as each number of the first shape changes by less than d1, and each of
 * the second by less than d2, with d1 + d2 <= d, the exact test of the two gives the same result: whether they are
 * within the distance in `within[0]`, 0 for touching. Shapes are min and max of a box, or centre and radius of a
 * sphere.
 */
export function writeSlack(
  as: Float64Array,
  a: number,
  isSphereA: boolean,
  bs: Float64Array,
  b: number,
  isSphereB: boolean,
  within: Float64Array,
  target: Float64Array,
): void {
  const { abs, max } = Math;
  if (!isSphereA && !isSphereB && within[0] === 0) {
    const gapX = max(as[a] - bs[b + 3], bs[b] - as[a + 3]);
    const gapY = max(as[a + 1] - bs[b + 4], bs[b + 1] - as[a + 4]);
    const gapZ = max(as[a + 2] - bs[b + 5], bs[b + 2] - as[a + 5]);
    target[0] = abs(max(gapX, gapY, gapZ)) * SLACK_LOWERED;
    return;
  }
  let largest = 0;
  let distanceSq = 0;
  for (let axis = 0; axis < 3; axis++) {
    const minA = as[a + axis];
    const maxA = isSphereA ? minA : as[a + axis + 3];
    const minB = bs[b + axis];
    const maxB = isSphereB ? minB : bs[b + axis + 3];
    // Between the centres, between a centre and the box, or between the boxes; 0 inside.
    const gap = max(minA - maxB, minB - maxA, 0);
    distanceSq += gap * gap;
    largest = max(largest, abs(minA), abs(maxA), abs(minB), abs(maxB));
  }
  const radii = (isSphereA ? as[a + 3] : 0) + (isSphereB ? bs[b + 3] : 0) + within[0];
  const slack =
    (abs(Math.sqrt(distanceSq) - radii) - SPHERE_TOLERANCE * (largest + radii)) * SPHERE_PART * SLACK_LOWERED;
  target[0] = slack > MIN_SLACK ? slack : 0;
}

/** The distance of shapes that touch. */
const TOUCHING = /* @__PURE__ */ new Float64Array(1);

/** As `writeSlack`, for a second shape that does not change: d2 is 0. */
export function writeSlackToStill(
  as: Float64Array,
  a: number,
  isSphereA: boolean,
  bs: Float64Array,
  b: number,
  isSphereB: boolean,
  target: Float64Array,
): void {
  writeSlack(as, a, isSphereA, bs, b, isSphereB, TOUCHING, target);
  // `writeSlack` used SPHERE_PART because one shape is a sphere. Only the box changes here, so the larger BOX_PART is
  // enough.
  if (!isSphereA && isSphereB) target[0] *= (BOX_PART / SPHERE_PART) * SLACK_LOWERED;
}
