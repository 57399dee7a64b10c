/**
 * The planes of a frustum in a flat array, and the exact plane tests of boxes and spheres. A plane takes four numbers:
 * normal x y z, which points inward as in three, and constant. A point is inside if `normal . point + constant >= 0`
 * for every plane. Any number of planes is allowed.
 */

import { type Boxes, BOX_STRIDE, type KeptBoxes } from './box.ts';
import { withCapacity } from './typed-arrays.ts';
import { FLOAT32_SAFE_MAX } from './float32.ts';
import { DOT_TOLERANCE, DOT_TOLERANCE32, DOT_UNDERFLOW, UNDERFLOW_LENGTH32 } from './tolerances.ts';

/** Numbers of one plane. */
export const PLANE_STRIDE = 4;
/**
 * Bit of a plane mask that stands for plane 29 and all planes after it, which only the exact test tests. Planes 0 to 28
 * have a bit each. Bits 30 and 31 are SURE and SIZE_UNDECIDED.
 */
const SHARED_BIT = 29;
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
    if (plane === this.lengths.length) {
      this.values = withCapacity(this.values, (plane + 1) * PLANE_STRIDE);
      this.lengths = withCapacity(this.lengths, plane + 1);
    }
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
}

/** Translates planes. Their constants are rounded. */
export function translatePlanes({ values, count }: FrustumPlanes, x: number, y: number, z: number): void {
  for (let at = 0; at < count * PLANE_STRIDE; at += PLANE_STRIDE)
    values[at + 3] -= values[at] * x + values[at + 1] * y + values[at + 2] * z;
}

/** Numbers of one plane in `writeFloat32`. */
const FLOAT32_STRIDE = 8;
/** Offset of the least magnitude of a box among the numbers of the first plane. */
const LEAST_MAGNITUDE_OFFSET = 7;
/** 4 covers three axes and a normal whose largest component is scaled to 1: no component of a unit normal is less. */
const SCALED_DOT_TOLERANCE = 4 * DOT_TOLERANCE;

/**
 * Tests of boxes against the planes of a frustum, with a tolerance for rounding errors. Faster than
 * `FrustumPlanes.intersectsBox`, and conservative in both directions: a box is kept if `intersectsBox` would keep any
 * box inside it, and counts as contained only if `intersectsBox` would keep every box inside it.
 *
 * The tolerance is that of the box: a factor on its largest coordinate. It covers the error of the plane's constant
 * too. Where the constant is not larger than a few times that coordinate, its error is as small; where it is larger, it
 * alone decides the sign, which no error can change. For Float64, with s for the sum of the magnitudes of centre and
 * half size, and one error u = 2^-53: filter and exact test differ by at most 12 u s + 3 u |constant|. If |constant| <=
 * 4 s, that is 24 u s, and the tolerance is 128 u s. If it is larger, the sum over the coordinates is less than a
 * quarter of it.
 *
 * Signs are read from the bits of the numbers. A branch on a sign is unpredictable and costs more than the arithmetic.
 */
export class TolerantPlanes {
  /** Four numbers for each plane: normal, scaled so that its largest component is 1, and constant. */
  private readonly values = new Float64Array((SHARED_BIT + 1) * PLANE_STRIDE);

  private count = 0;
  /** Tolerance of a box at 0, in world units. */
  private leastTolerance = 0;

  /**
   * Sets the planes. In place of the planes with the shared bit stands one that decides nothing.
   *
   * @param largest If the exact test computes with other numbers than the planes: their maximum magnitude, in world
   *   units.
   */
  set(planes: FrustumPlanes, largest = 0): void {
    const count = Math.min(planes.count, SHARED_BIT);
    this.count = Math.min(planes.count, SHARED_BIT + 1);
    this.leastTolerance = SCALED_DOT_TOLERANCE * largest + DOT_UNDERFLOW;
    for (let at = 0; at < count * PLANE_STRIDE; at += PLANE_STRIDE) this.setPlane(planes.values, at);
    if (count < planes.count) this.setUndecided(count * PLANE_STRIDE);
  }

  private setPlane(planes: Float64Array, at: number): void {
    const { values } = this;
    const scale = 1 / Math.max(Math.abs(planes[at]), Math.abs(planes[at + 1]), Math.abs(planes[at + 2]));
    let sum = 0;
    for (let k = at; k < at + PLANE_STRIDE; k++) {
      values[k] = planes[k] * scale;
      sum += Math.abs(values[k]);
    }
    // In Float32, sums of larger numbers overflow.
    if (!(sum < FLOAT32_SAFE_MAX)) this.setUndecided(at);
  }

  /** Sets a plane by which no box is rejected and none is contained. In Float32 no slot is SURE by it. */
  private setUndecided(at: number): void {
    this.values.fill(0, at, at + PLANE_STRIDE);
  }

  /**
   * Writes eight numbers for each plane, for tests in Float32 of twice the centre and twice the half size: half the
   * normal, half the absolute normal, the constant, and in the first plane the least magnitude to which the tolerance
   * is relative.
   */
  writeFloat32(target: Float32Array): void {
    const { values } = this;
    target[LEAST_MAGNITUDE_OFFSET] = (this.leastTolerance + UNDERFLOW_LENGTH32) / DOT_TOLERANCE32;
    for (let plane = 0; plane < this.count; plane++) {
      const from = plane * PLANE_STRIDE;
      const to = plane * FLOAT32_STRIDE;
      for (let axis = 0; axis < 3; axis++) {
        target[to + axis] = values[from + axis] * 0.5;
        target[to + axis + 3] = Math.abs(values[from + axis]) * 0.5;
      }
      target[to + 6] = values[from + 3];
    }
  }

  /**
   * Tests the boxes [begin, end) against the planes in `mask`. Appends each box that may touch the inner side of all of
   * them to `kept`, with the plane mask of the planes that it may cross.
   */
  filterBoxes(boxes: Boxes, begin: number, end: number, kept: KeptBoxes, mask: number): void {
    const { values, leastTolerance } = this;
    const { numbers, overlaps } = kept;
    let { length } = kept;
    // A local copy: V8 reloads a constant of the module for each plane.
    const perUnit = DOT_TOLERANCE;
    nextBox: for (let k = begin, at = begin * BOX_STRIDE; k < end; k++, at += BOX_STRIDE) {
      const maxX = boxes[at + 3];
      const maxY = boxes[at + 4];
      const maxZ = boxes[at + 5];
      const x = (boxes[at] + maxX) * 0.5;
      const y = (boxes[at + 1] + maxY) * 0.5;
      const z = (boxes[at + 2] + maxZ) * 0.5;
      // Negative for an empty box, which is therefore rejected by every plane.
      const halfX = maxX - x;
      const halfY = maxY - y;
      const halfZ = maxZ - z;
      // At least the sum over the magnitudes in one test of a plane, because no component of a normal is above 1.
      const sum = Math.abs(x) + Math.abs(y) + Math.abs(z) + halfX + halfY + halfZ;
      const tolerance = perUnit * sum + leastTolerance;
      let overlap = 0;
      for (let rest = mask; rest !== 0; rest &= rest - 1) {
        const bit = rest & -rest;
        // The number of the plane, times PLANE_STRIDE.
        const p = (31 - Math.clz32(bit)) << 2;
        const normalX = values[p];
        const normalY = values[p + 1];
        const normalZ = values[p + 2];
        const middle = normalX * x + normalY * y + normalZ * z + values[p + 3];
        const projectedRadius =
          Math.abs(normalX) * halfX + Math.abs(normalY) * halfY + Math.abs(normalZ) * halfZ + tolerance;
        if (middle + projectedRadius < 0) continue nextBox;
        if (middle - projectedRadius < 0) overlap |= bit;
      }
      numbers[length] = k;
      overlaps[length++] = overlap;
    }
    kept.length = length;
  }
}
