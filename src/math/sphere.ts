/**
 * Exact tests of spheres against boxes and spheres, on flat arrays, and the filter of sphere queries. A sphere is four
 * numbers: centre x y z and radius. Arguments are offsets, not numbers: V8 may allocate an object for a double that is
 * an argument or a return value of a call, and these tests run for every candidate.
 *
 * Source of the box test: Arvo, "A Simple Method for Box-Sphere Intersection Testing", Graphics Gems, 1990.
 */

import { type Boxes, BOX_STRIDE, type KeptBoxes } from './box.ts';
import { FLOAT32_MIN_POSITIVE } from './float32.ts';
import {
  HALF_RAISED,
  MIN_SQUARE32,
  SQUARES_LOWERED_QUARTER,
  SQUARES_RAISED,
  SQUARES_TOLERANCE32,
  SUM_TOLERANCE,
  SUM_TOLERANCE32,
  UNDERFLOW_LENGTH,
  UNDERFLOW_LENGTH32,
} from './tolerances.ts';

/** Numbers of one sphere. */
export const SPHERE_STRIDE = 4;

/** Numbers of the bounds of a body, a sphere or a box. */
export function strideOf(isSphere: boolean): number {
  return isSphere ? SPHERE_STRIDE : BOX_STRIDE;
}

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

/**
 * The sphere of a sphere query, for boxes. Its filter is conservative: it keeps a box if any box inside it touches the
 * sphere by the exact test of sphere.ts, and sometimes a box that misses the sphere by a rounding error.
 */
export class QuerySphere {
  private x = 0;
  private y = 0;
  private z = 0;
  private radiusSq = 0;
  /** Maximum magnitude among the coordinates of the centre, in world units. */
  private largest = 0;
  /**
   * Bound of the part of the rounding error of a distance that depends on the centre, in world units. The other parts
   * are relative to the size of the box, which HALF_RAISED covers, or to the distance, which the factors on squares
   * cover: the coordinates of a box's centre are at most those of the sphere's centre plus the distance.
   */
  private tolerance = 0;

  /** Sets the sphere: centre and radius. */
  set(values: Float64Array): void {
    this.x = values[0];
    this.y = values[1];
    this.z = values[2];
    this.radiusSq = values[3] * values[3];
    this.largest = Math.max(Math.abs(this.x), Math.abs(this.y), Math.abs(this.z));
    this.tolerance = SUM_TOLERANCE * this.largest + UNDERFLOW_LENGTH;
  }

  /**
   * Writes six numbers for tests in Float32: the squared distance beyond which a box is outside, the centre x y z, the
   * tolerance of a distance, and the squared distance up to which a box is contained.
   */
  writeVolume(target: Float32Array): void {
    const { x, y, z, radiusSq, largest } = this;
    target[0] = radiusSq * (1 + SQUARES_TOLERANCE32) + FLOAT32_MIN_POSITIVE;
    target[1] = x;
    target[2] = y;
    target[3] = z;
    // The second term is a length whose square does not underflow. Without it a box could count as contained because
    // its squared distance underflows to 0.
    target[4] = SUM_TOLERANCE32 * largest + UNDERFLOW_LENGTH32;
    target[5] = radiusSq > MIN_SQUARE32 ? radiusSq * (1 - SQUARES_TOLERANCE32) : 0;
  }

  /**
   * Appends each box of [begin, end) that may touch the sphere to `kept`, with the overlap 0 (contained) if it lies
   * inside the sphere and 1 (intersecting) otherwise. If containment depends on rounding, the overlap is 1.
   *
   * Faster than an exact test: it computes with centre and half edge, without branches. An exact test branches on the
   * side of each slab that the centre lies on, which is unpredictable.
   */
  filterBoxes(boxes: Boxes, begin: number, end: number, kept: KeptBoxes): void {
    const { x, y, z, radiusSq, tolerance } = this;
    const { numbers, overlaps } = kept;
    let { length } = kept;
    // `dx`, `dy` and `dz` below are twice a length, so their squares are compared with four times the squared radius.
    const touchingSq = radiusSq / SQUARES_LOWERED_QUARTER;
    const containedSq = radiusSq / SQUARES_RAISED;
    // A local copy: V8 reloads a constant of the module for each box.
    const half = HALF_RAISED;
    for (let k = begin, at = begin * BOX_STRIDE; k < end; k++, at += BOX_STRIDE) {
      const minX = boxes[at];
      const minY = boxes[at + 1];
      const minZ = boxes[at + 2];
      const maxX = boxes[at + 3];
      const maxY = boxes[at + 4];
      const maxZ = boxes[at + 5];
      const toCenterX = Math.abs(x - (minX + maxX) * 0.5);
      const toCenterY = Math.abs(y - (minY + maxY) * 0.5);
      const toCenterZ = Math.abs(z - (minZ + maxZ) * 0.5);
      const halfX = (maxX - minX) * half + tolerance;
      const halfY = (maxY - minY) * half + tolerance;
      const halfZ = (maxZ - minZ) * half + tolerance;
      const beyondX = toCenterX - halfX;
      const beyondY = toCenterY - halfY;
      const beyondZ = toCenterZ - halfZ;
      // b + |b| is 2 b, or 0 if b is negative.
      const dx = beyondX + Math.abs(beyondX);
      const dy = beyondY + Math.abs(beyondY);
      const dz = beyondZ + Math.abs(beyondZ);
      // An empty box has max < min.
      if (dx * dx + dy * dy + dz * dz > touchingSq || halfX < 0) continue;
      const farX = toCenterX + halfX;
      const farY = toCenterY + halfY;
      const farZ = toCenterZ + halfZ;
      numbers[length] = k;
      overlaps[length++] = farX * farX + farY * farY + farZ * farZ <= containedSq ? 0 : 1;
    }
    kept.length = length;
  }
}
