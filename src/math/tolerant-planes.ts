/**
 * The quick test of boxes against the planes of a frustum. It is not quite strict: it keeps every box in which one lies that
 * `FrustumPlanes.intersectsBox` would keep, and calls a box whole only if all boxes in it would be kept.
 *
 * Signs are read from the bits of the numbers: a comparison that may go either way costs a processor more than all the arithmetic.
 */

import { BOX_STRIDE, type Boxes } from './box.ts';
import { FLOAT32_SAFE_MAX } from './float32.ts';
import { SIGN_HALF } from './float64.ts';
import { PLANE_STRIDE, SHARED_BIT, type FrustumPlanes } from './frustum-planes.ts';

const SHARED = 1 << SHARED_BIT;
/** Many times what rounding can amount to, relative to the largest number of a test. */
const TOLERANCE = 2 ** -46;
/** More than what products lose that are too small for a number. */
const LOST = 2 ** -1000;
/** As TOLERANCE, for sums of Float32. */
const TOLERANCE32 = 2 ** -18;

/** Lanes of a plane: its normal, the constant to reject by, the constant to call whole by, its largest number, and two that make it a power of two. */
const LANES_SHIFT = 3;
const LARGEST = 5;

export class TolerantPlanes {
  private readonly lanes = new Float64Array(SHARED_BIT << LANES_SHIFT);
  private readonly float = new Float64Array(1);
  private readonly integers = new Int32Array(this.float.buffer);

  private count = 0;
  /** Whether all numbers are small enough to be computed with in Float32. */
  private isModest = true;

  /** Takes over planes, for boxes that the one at lane `at` encloses. */
  set(planes: FrustumPlanes, boxes: Boxes, at: number): void {
    const count = Math.min(planes.count, SHARED_BIT);
    this.count = count;
    this.isModest = true;
    for (let plane = 0; plane < count; plane++) this.setPlane(plane << LANES_SHIFT, planes.lanes, plane * PLANE_STRIDE, boxes, at);
  }

  private setPlane(to: number, planes: Float64Array, from: number, boxes: Boxes, at: number): void {
    const { lanes } = this;
    const scale = 1 / Math.max(Math.abs(planes[from]), Math.abs(planes[from + 1]), Math.abs(planes[from + 2]));
    const constant = planes[from + 3] * scale;
    let largest = Math.abs(constant);
    for (let axis = 0; axis < 3; axis++) {
      const normal = planes[from + axis] * scale;
      lanes[to + axis] = normal;
      largest += Math.abs(normal) * Math.max(Math.abs(boxes[at + axis]), Math.abs(boxes[at + axis + 3]));
    }
    const tolerance = TOLERANCE * largest + LOST;
    lanes[to + 3] = constant + tolerance;
    lanes[to + 4] = constant - tolerance;
    lanes[to + LARGEST] = largest;
    if (!(largest < FLOAT32_SAFE_MAX)) this.isModest = false;
    if (largest < Infinity) return;
    // Beyond the range of numbers: nothing is rejected, and nothing whole.
    lanes.fill(0, to, to + 3);
    lanes[to + 3] = 1;
    lanes[to + 4] = -1;
  }

  /**
   * Writes each plane in eight lanes: normal, absolute normal, the constant to reject by and the one to call whole by, with what Float32 may
   * round away allowed for. False if the numbers are beyond that.
   */
  writeFloat32(lanes: Float32Array): boolean {
    if (!this.isModest) return false;
    for (let plane = 0; plane < this.count; plane++) {
      const at = plane << LANES_SHIFT;
      for (let axis = 0; axis < 3; axis++) {
        lanes[at + axis] = this.lanes[at + axis];
        lanes[at + axis + 3] = Math.abs(this.lanes[at + axis]);
      }
      // With a second term for numbers so small that Float32 loses them.
      const tolerance = TOLERANCE32 * this.lanes[at + LARGEST] + 1 / FLOAT32_SAFE_MAX;
      lanes[at + 6] = this.lanes[at + 3] + tolerance;
      lanes[at + 7] = this.lanes[at + 4] - tolerance;
    }
    return true;
  }

  /**
   * Appends each box of [begin, end) that may touch the inner side of all planes in `mask` to `kept` at `count`, and the planes that it may
   * cross to `crossing`, those that share a bit in any case; returns the new count.
   */
  filterBoxes(boxes: Boxes, begin: number, end: number, mask: number, kept: Int32Array, crossing: Int32Array, count: number): number {
    const { lanes, float, integers } = this;
    // A constant of the module would be read anew for each plane.
    const sign = SIGN_HALF;
    const shared = mask & SHARED;
    const own = mask ^ shared;
    nextBox: for (let k = begin, at = begin * BOX_STRIDE; k < end; k++, at += BOX_STRIDE) {
      const maxX = boxes[at + 3];
      const maxY = boxes[at + 4];
      const maxZ = boxes[at + 5];
      const x = (boxes[at] + maxX) * 0.5;
      const y = (boxes[at + 1] + maxY) * 0.5;
      const z = (boxes[at + 2] + maxZ) * 0.5;
      // Negative in an empty box, which is far from all planes then.
      const halfX = maxX - x;
      const halfY = maxY - y;
      const halfZ = maxZ - z;
      let crossed = shared;
      for (let rest = own; rest !== 0; rest &= rest - 1) {
        const bit = rest & -rest;
        const p = (31 - Math.clz32(bit)) << 3;
        const normalX = lanes[p];
        const normalY = lanes[p + 1];
        const normalZ = lanes[p + 2];
        const middle = normalX * x + normalY * y + normalZ * z;
        const reach = Math.abs(normalX) * halfX + Math.abs(normalY) * halfY + Math.abs(normalZ) * halfZ;
        if (middle + reach + lanes[p + 3] < 0) continue nextBox;
        float[0] = middle - reach + lanes[p + 4];
        crossed |= (integers[sign] >> 31) & bit;
      }
      kept[count] = k;
      crossing[count++] = crossed;
    }
    return count;
  }
}
