/**
 * The planes of a frustum in a flat array, and the exact plane tests of boxes and spheres. A plane takes four numbers:
 * normal x y z, which points inward as in three, and constant. A point is inside if `normal . point + constant >= 0`
 * for every plane. Any number of planes is allowed.
 */

import type { Boxes } from './box.ts';
import { grownCapacity, resized } from './typed-arrays.ts';

/** Numbers of one plane. */
export const PLANE_STRIDE = 4;
/**
 * Bit of a plane mask that stands for plane 29 and all planes after it, which only the exact test tests. Planes 0 to 28
 * have a bit each. Bits 30 and 31 are SURE and SIZE_UNDECIDED.
 */
export const SHARED_BIT = 29;
/**
 * A normal whose squared length differs from 1 by less than this counts as a unit vector, so that sphere tests give the
 * results of three.
 */
const UNIT_TOLERANCE = 1e-9;

export class FrustumPlanes {
  values = new Float64Array(6 * PLANE_STRIDE);
  /** Length of each normal. */
  lengths = new Float64Array(6);
  count = 0;
  /** Index of the near plane, -1 if there is none. */
  nearPlane = -1;
  /** Plane mask with the bits of all planes set: all planes are undecided. */
  mask = 0;

  clear(): void {
    this.count = 0;
    this.mask = 0;
    this.nearPlane = -1;
  }

  copy(from: FrustumPlanes): void {
    const { values, count, nearPlane } = from;
    this.clear();
    for (let at = 0; at < count * PLANE_STRIDE; at += PLANE_STRIDE) this.push(values, at);
    this.nearPlane = nearPlane;
  }

  /** Adds the plane at offset `from` of an array. Not four numbers, because V8 may box the doubles of a call. */
  push(planes: Float64Array, from: number): void {
    const plane = this.count;
    if (plane === this.lengths.length) this.grow();
    this.count++;
    const { values } = this;
    const at = plane * PLANE_STRIDE;
    for (let k = 0; k < PLANE_STRIDE; k++) values[at + k] = planes[from + k];
    const lengthSq = values[at] * values[at] + values[at + 1] * values[at + 1] + values[at + 2] * values[at + 2];
    this.lengths[plane] = Math.abs(lengthSq - 1) < UNIT_TOLERANCE ? 1 : Math.sqrt(lengthSq);
    this.mask |= 1 << Math.min(plane, SHARED_BIT);
  }

  /** Signed distance of a point from a plane times the length of the normal; positive inside. */
  valueAt(plane: number, x: number, y: number, z: number): number {
    const { values } = this;
    const at = plane * PLANE_STRIDE;
    return values[at] * x + values[at + 1] * y + values[at + 2] * z + values[at + 3];
  }

  /**
   * Whether the box at offset `at` touches the inner side of every plane in `mask`. Tests the corner farthest along
   * each normal.
   */
  intersectsBox(boxes: Boxes, at: number, mask: number): boolean {
    const { values, count } = this;
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      let plane = 31 - Math.clz32(rest & -rest);
      // The shared bit stands for this plane and all planes after it.
      do {
        const p = plane * PLANE_STRIDE;
        const x = boxes[values[p] >= 0 ? at + 3 : at];
        const y = boxes[values[p + 1] >= 0 ? at + 4 : at + 1];
        const z = boxes[values[p + 2] >= 0 ? at + 5 : at + 2];
        if (values[p] * x + values[p + 1] * y + values[p + 2] * z + values[p + 3] < 0) return false;
      } while (plane++ >= SHARED_BIT && plane < count);
    }
    return true;
  }

  /** Whether all corners of a box lie on the inner side of every plane. */
  containsBox(box: Boxes): boolean {
    const { values, count } = this;
    for (let p = 0; p < count * PLANE_STRIDE; p += PLANE_STRIDE) {
      const x = box[values[p] >= 0 ? 0 : 3];
      const y = box[values[p + 1] >= 0 ? 1 : 4];
      const z = box[values[p + 2] >= 0 ? 2 : 5];
      if (values[p] * x + values[p + 1] * y + values[p + 2] * z + values[p + 3] < 0) return false;
    }
    return true;
  }

  /** Whether the sphere at offset `at` (centre, radius) touches the inner side of every plane. */
  intersectsSphere(spheres: Float64Array, at: number): boolean {
    return this.areAbove(-spheres[at + 3], spheres, at);
  }

  /** Whether all of the sphere at offset `at` lies on the inner side of every plane. */
  containsSphere(spheres: Float64Array, at: number): boolean {
    return this.areAbove(spheres[at + 3], spheres, at);
  }

  /** Whether the signed distances of the point at offset `at` from all planes are at least `distance`. */
  private areAbove(distance: number, points: Float64Array, at: number): boolean {
    const { values, lengths, count } = this;
    const x = points[at];
    const y = points[at + 1];
    const z = points[at + 2];
    for (let plane = 0, p = 0; plane < count; plane++, p += PLANE_STRIDE) {
      if (values[p] * x + values[p + 1] * y + values[p + 2] * z + values[p + 3] < distance * lengths[plane])
        return false;
    }
    return true;
  }

  private grow(): void {
    const capacity = grownCapacity(this.count + 1, this.lengths.length);
    this.values = resized(this.values, capacity * PLANE_STRIDE);
    // Allocated last: its length is the capacity of both.
    this.lengths = resized(this.lengths, capacity);
  }
}

/** Translates planes. Their constants are rounded. */
export function translatePlanes({ values, count }: FrustumPlanes, x: number, y: number, z: number): void {
  for (let at = 0; at < count * PLANE_STRIDE; at += PLANE_STRIDE)
    values[at + 3] -= values[at] * x + values[at + 1] * y + values[at + 2] * z;
}
