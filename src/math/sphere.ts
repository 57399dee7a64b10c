/**
 * Exact tests of spheres against boxes and spheres, on flat arrays. A sphere is four numbers: centre x y z and radius.
 * Arguments are offsets, not numbers: V8 may allocate an object for a double that is an argument or a return value of a
 * call, and these tests run for every candidate.
 *
 * Source of the box test: Arvo, "A Simple Method for Box-Sphere Intersection Testing", Graphics Gems, 1990.
 */

import type { Boxes } from './box.ts';

/** Numbers of one sphere. */
export const SPHERE_STRIDE = 4;

/**
 * World units. Queries limit their radius to it before they square it. A sphere of this radius about any valid centre
 * contains every valid coordinate, and its squared radius is far from overflow.
 */
export const MAX_RADIUS = 2 ** 54;

/** Whether the sphere at offset `sphere` of `spheres` touches the box at offset `at`. */
export function sphereTouchesBox(spheres: Float64Array, sphere: number, boxes: Boxes, at: number): boolean {
  const radius = spheres[sphere + 3];
  writeDistanceSqToBox(spheres, sphere, boxes, at, sphereTouchesBox_distanceSq);
  return sphereTouchesBox_distanceSq[0] <= radius * radius;
}
const sphereTouchesBox_distanceSq = /* @__PURE__ */ new Float64Array(1);

/** Writes the squared distance of the centre of a sphere from a box, 0 inside, to `target[0]`. */
export function writeDistanceSqToBox(
  spheres: Float64Array,
  sphere: number,
  boxes: Boxes,
  at: number,
  target: Float64Array,
): void {
  const x = spheres[sphere];
  const y = spheres[sphere + 1];
  const z = spheres[sphere + 2];
  const belowX = boxes[at] - x;
  const belowY = boxes[at + 1] - y;
  const belowZ = boxes[at + 2] - z;
  const aboveX = x - boxes[at + 3];
  const aboveY = y - boxes[at + 4];
  const aboveZ = z - boxes[at + 5];
  // The distance along each axis, without unpredictable branches: v + |v| is 2 v, or 0 if v is negative. At most one of
  // two is positive.
  const dx = (belowX + Math.abs(belowX) + (aboveX + Math.abs(aboveX))) * 0.5;
  const dy = (belowY + Math.abs(belowY) + (aboveY + Math.abs(aboveY))) * 0.5;
  const dz = (belowZ + Math.abs(belowZ) + (aboveZ + Math.abs(aboveZ))) * 0.5;
  target[0] = dx * dx + dy * dy + dz * dz;
}

/**
 * Whether the box around the sphere at offset `sphere` touches the box at offset `at`. The box around the sphere is the
 * one that `BodyArrays.readBox` computes.
 */
export function boxOfSphereTouchesBox(spheres: Float64Array, sphere: number, boxes: Boxes, at: number): boolean {
  const x = spheres[sphere];
  const y = spheres[sphere + 1];
  const z = spheres[sphere + 2];
  const radius = spheres[sphere + 3];
  return (
    x - radius <= boxes[at + 3] &&
    x + radius >= boxes[at] &&
    y - radius <= boxes[at + 4] &&
    y + radius >= boxes[at + 1] &&
    z - radius <= boxes[at + 5] &&
    z + radius >= boxes[at + 2]
  );
}

/**
 * Writes the box of bounds at offset `at` to `target`: the box around a sphere, or the box itself. For bounds that come
 * from users, in any array. `BodyArrays` computes the same sums in loops of its own, which read its Float64 bounds.
 */
export function writeBoxOf(bounds: ArrayLike<number>, at: number, isSphere: boolean, target: Float64Array): void {
  for (let axis = 0; axis < 3; axis++) {
    target[axis] = isSphere ? bounds[at + axis] - bounds[at + 3] : bounds[at + axis];
    target[axis + 3] = isSphere ? bounds[at + axis] + bounds[at + 3] : bounds[at + axis + 3];
  }
}

/** Whether a sphere contains all corners of a box. */
export function sphereContainsBox(spheres: Float64Array, sphere: number, boxes: Boxes, at: number): boolean {
  const x = spheres[sphere];
  const y = spheres[sphere + 1];
  const z = spheres[sphere + 2];
  const radius = spheres[sphere + 3];
  const dx = Math.max(x - boxes[at], boxes[at + 3] - x);
  const dy = Math.max(y - boxes[at + 1], boxes[at + 4] - y);
  const dz = Math.max(z - boxes[at + 2], boxes[at + 5] - z);
  return dx * dx + dy * dy + dz * dz <= radius * radius;
}

/** Whether two spheres touch. */
export function spheresTouch(as: Float64Array, a: number, bs: Float64Array, b: number): boolean {
  const dx = as[a] - bs[b];
  const dy = as[a + 1] - bs[b + 1];
  const dz = as[a + 2] - bs[b + 2];
  const radii = as[a + 3] + bs[b + 3];
  return dx * dx + dy * dy + dz * dz <= radii * radii;
}
