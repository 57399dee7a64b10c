/**
 * Tests of boxes against the planes of a frustum, with a tolerance for rounding errors. Faster than
 * `FrustumPlanes.intersectsBox`, and conservative in both directions: a box is kept if `intersectsBox` would keep any
 * box inside it, and counts as contained only if `intersectsBox` would keep every box inside it.
 *
 * Signs are read from the bits of the numbers. A branch on a sign is unpredictable and costs more than the arithmetic.
 */

import { BOX_STRIDE, type Boxes } from './box.ts';
import { FLOAT32_SAFE_MAX } from './float32.ts';
import type { KeptBoxes } from './kept-boxes.ts';
import { SIGN_HALF } from './typed-arrays.ts';
import { PLANE_STRIDE, SHARED_BIT, type FrustumPlanes } from './frustum-planes.ts';
import { DOT_TOLERANCE, DOT_TOLERANCE32, DOT_UNDERFLOW, UNDERFLOW_LENGTH32 } from './tolerances.ts';

/**
 * log2 of the stride: eight numbers for each plane.
 *   0-2  normal x y z, scaled so that its largest component is 1
 *   3    raised constant, constant + tolerance: with it, a box is outside if the value of its farthest corner is
 *        negative
 *   4    lowered constant, constant - tolerance: with it, a box is contained unless the value of its nearest
 *        corner is negative
 *   5    largest possible sum of the magnitudes in one test, which scales the tolerance
 *   6-7  unused
 */
const STRIDE_SHIFT = 3;
const MAX_SUM = 5;

export class TolerantPlanes {
  private readonly values = new Float64Array((SHARED_BIT + 1) << STRIDE_SHIFT);
  private readonly float = new Float64Array(1);
  private readonly integers = new Int32Array(this.float.buffer);

  private count = 0;
  /** Whether all numbers are small enough for tests in Float32. */
  private fitsFloat32 = true;

  /**
   * Sets the planes. The box at offset `at` must contain all boxes that are tested later; the tolerance depends on it.
   * In place of the planes with the shared bit stands one that decides nothing.
   */
  set(planes: FrustumPlanes, boxes: Boxes, at: number): void {
    const count = Math.min(planes.count, SHARED_BIT);
    this.count = Math.min(planes.count, SHARED_BIT + 1);
    this.fitsFloat32 = true;
    for (let plane = 0; plane < count; plane++)
      this.setPlane(plane << STRIDE_SHIFT, planes.values, plane * PLANE_STRIDE, boxes, at);
    if (count < planes.count) this.setUndecided(count << STRIDE_SHIFT);
  }

  private setPlane(to: number, planes: Float64Array, from: number, boxes: Boxes, at: number): void {
    const { values } = this;
    const scale = 1 / Math.max(Math.abs(planes[from]), Math.abs(planes[from + 1]), Math.abs(planes[from + 2]));
    const constant = planes[from + 3] * scale;
    let maxSum = Math.abs(constant);
    for (let axis = 0; axis < 3; axis++) {
      const normal = planes[from + axis] * scale;
      values[to + axis] = normal;
      maxSum += Math.abs(normal) * Math.max(Math.abs(boxes[at + axis]), Math.abs(boxes[at + axis + 3]));
    }
    const tolerance = DOT_TOLERANCE * maxSum + DOT_UNDERFLOW;
    values[to + 3] = constant + tolerance;
    values[to + 4] = constant - tolerance;
    values[to + MAX_SUM] = maxSum;
    if (!(maxSum < FLOAT32_SAFE_MAX)) this.fitsFloat32 = false;
    // Overflow.
    if (!(maxSum < Infinity)) this.setUndecided(to);
  }

  /** Sets a plane by which no box is rejected and none is contained. In Float32 no slot is SURE by it. */
  private setUndecided(to: number): void {
    this.values.set([0, 0, 0, 1, -1, Infinity], to);
  }

  /**
   * Writes eight numbers for each plane, for tests in Float32: normal, absolute normal, and the raised and the lowered
   * constant. They are scaled so that the tolerance of Float32 is 1 for all planes. Returns false, and writes nothing,
   * if the numbers are too large for Float32.
   */
  writeFloat32(target: Float32Array): boolean {
    if (!this.fitsFloat32) return false;
    const { values } = this;
    for (let plane = 0; plane < this.count; plane++) {
      const at = plane << STRIDE_SHIFT;
      const scale = 1 / (DOT_TOLERANCE32 * values[at + MAX_SUM] + UNDERFLOW_LENGTH32);
      for (let axis = 0; axis < 3; axis++) {
        target[at + axis] = values[at + axis] * scale;
        target[at + axis + 3] = Math.abs(values[at + axis]) * scale;
      }
      target[at + 6] = values[at + 3] * scale + 1;
      target[at + 7] = values[at + 4] * scale - 1;
    }
    return true;
  }

  /**
   * Tests the boxes [begin, end) against the planes in `mask`. Appends each box that may touch the inner side of all of
   * them to `kept`, with the plane mask of the planes that it may cross.
   */
  filterBoxes(boxes: Boxes, begin: number, end: number, kept: KeptBoxes, mask: number): void {
    const { values, float, integers } = this;
    const { numbers, overlaps } = kept;
    let { length } = kept;
    // A local copy: V8 reloads a constant of the module for each plane.
    const sign = SIGN_HALF;
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
      let overlap = 0;
      for (let rest = mask; rest !== 0; rest &= rest - 1) {
        const bit = rest & -rest;
        // 3 is STRIDE_SHIFT.
        const p = (31 - Math.clz32(bit)) << 3;
        const normalX = values[p];
        const normalY = values[p + 1];
        const normalZ = values[p + 2];
        const middle = normalX * x + normalY * y + normalZ * z;
        const projectedRadius = Math.abs(normalX) * halfX + Math.abs(normalY) * halfY + Math.abs(normalZ) * halfZ;
        if (middle + projectedRadius + values[p + 3] < 0) continue nextBox;
        float[0] = middle - projectedRadius + values[p + 4];
        overlap |= (integers[sign] >> 31) & bit;
      }
      numbers[length] = k;
      overlaps[length++] = overlap;
    }
    kept.length = length;
  }
}
