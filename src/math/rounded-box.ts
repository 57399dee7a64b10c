/**
 * The volume of `nearest` from a point or a box: all points within a distance of it, a sphere or a box with rounded
 * edges. `writeDistanceSq` is exact. The filter is conservative: it keeps a box if any box inside it is within the
 * distance, and sometimes a box that is farther away by a rounding error.
 */

import { BOX_STRIDE, magnitudeOf, type Boxes, type KeptBoxes } from './box.ts';
import { FLOAT32_MIN_POSITIVE } from './float32.ts';
import {
  HALF_RAISED,
  PRODUCT_TOLERANCE32,
  SQUARES_LOWERED_QUARTER,
  SQUARES_TOLERANCE32,
  SUM_TOLERANCE,
  SUM_TOLERANCE32,
  UNDERFLOW_LENGTH,
  UNDERFLOW_LENGTH32,
} from './tolerances.ts';

export class RoundedBox {
  /** Min and max of the box; for a point both are the point. */
  readonly core = new Float64Array(BOX_STRIDE);
  /** The point, or the centre of the box. */
  private x = 0;
  private y = 0;
  private z = 0;
  /** Half the size of the box along each axis; 0 for a point. */
  private halfX = 0;
  private halfY = 0;
  private halfZ = 0;
  /** Square of the distance; a nearest query lowers it while it runs. */
  maxDistanceSq = Infinity;
  /** Maximum magnitude among the coordinates of the core, in world units. */
  private largest = 0;
  /**
   * Bound of the part of the rounding error of a distance that depends on the core, in world units. HALF_RAISED and the
   * factor on squares cover the other parts, as in `QuerySphere`.
   */
  private tolerance = 0;

  /** Sets the core to a point: the first three of `values`. */
  setPoint(values: Float64Array): void {
    const { core } = this;
    for (let axis = 0; axis < 3; axis++) core[axis] = core[axis + 3] = values[axis];
    this.readCore();
  }

  /** Sets the core to a box: min and max. */
  setBox(values: Float64Array): void {
    for (let k = 0; k < BOX_STRIDE; k++) this.core[k] = values[k];
    this.readCore();
  }

  private readCore(): void {
    const { core } = this;
    this.x = (core[0] + core[3]) * 0.5;
    this.y = (core[1] + core[4]) * 0.5;
    this.z = (core[2] + core[5]) * 0.5;
    this.halfX = (core[3] - core[0]) * 0.5;
    this.halfY = (core[4] - core[1]) * 0.5;
    this.halfZ = (core[5] - core[2]) * 0.5;
    this.largest = magnitudeOf(core);
    this.tolerance = SUM_TOLERANCE * this.largest + UNDERFLOW_LENGTH;
  }

  /**
   * Writes nine numbers for tests in Float32: the maximum squared distance, the centre x y z, the tolerance of a
   * distance, an unused number, and the half sizes of the box, each plus the tolerance.
   */
  writeFloat32(target: Float32Array): void {
    const { x, y, z, halfX, halfY, halfZ, largest } = this;
    this.writeMaxDistance32(target);
    target[1] = x;
    target[2] = y;
    target[3] = z;
    target[4] = SUM_TOLERANCE32 * largest + UNDERFLOW_LENGTH32;
    target[5] = 0;
    target[6] = halfX * (1 + PRODUCT_TOLERANCE32) + target[4];
    target[7] = halfY * (1 + PRODUCT_TOLERANCE32) + target[4];
    target[8] = halfZ * (1 + PRODUCT_TOLERANCE32) + target[4];
  }

  /** Writes the first of these numbers only, after a result has lowered it. */
  writeMaxDistance32(target: Float32Array): void {
    target[0] = this.maxDistanceSq * (1 + SQUARES_TOLERANCE32) + FLOAT32_MIN_POSITIVE;
  }

  /**
   * Filters boxes by a lower bound of their distance (MINDIST). Appends each box of [begin, end) whose bound is within
   * the distance to `kept`, with the squared bound. It is also a lower bound for every box inside that box.
   *
   * Faster than `writeDistanceSq`: it computes with centre and half edge, without branches. The exact test branches on
   * the side of each slab that the point lies on, which is unpredictable.
   */
  filterByMinDistance(boxes: Boxes, begin: number, end: number, kept: KeptBoxes): void {
    const { x, y, z, maxDistanceSq, tolerance } = this;
    const { numbers, distances } = kept;
    let { length } = kept;
    const reachX = this.halfX + tolerance;
    const reachY = this.halfY + tolerance;
    const reachZ = this.halfZ + tolerance;
    // Local copies: V8 reloads a constant of the module for each box.
    const loweredQuarter = SQUARES_LOWERED_QUARTER;
    const half = HALF_RAISED;
    for (let k = begin, at = begin * BOX_STRIDE; k < end; k++, at += BOX_STRIDE) {
      const minX = boxes[at];
      const minY = boxes[at + 1];
      const minZ = boxes[at + 2];
      const maxX = boxes[at + 3];
      const maxY = boxes[at + 4];
      const maxZ = boxes[at + 5];
      const beyondX = Math.abs(x - (minX + maxX) * 0.5) - (maxX - minX) * half - reachX;
      const beyondY = Math.abs(y - (minY + maxY) * 0.5) - (maxY - minY) * half - reachY;
      const beyondZ = Math.abs(z - (minZ + maxZ) * 0.5) - (maxZ - minZ) * half - reachZ;
      // b + |b| is 2 b, or 0 if b is negative.
      const dx = beyondX + Math.abs(beyondX);
      const dy = beyondY + Math.abs(beyondY);
      const dz = beyondZ + Math.abs(beyondZ);
      const distanceSq = (dx * dx + dy * dy + dz * dz) * loweredQuarter;
      if (distanceSq > maxDistanceSq || minX > maxX) continue;
      numbers[length] = k;
      distances[length++] = distanceSq;
    }
    kept.length = length;
  }

  /**
   * Writes the squared distance of the point, or of the box, from the box with index `box` to `distancesSq` at `to`; 0
   * if they touch.
   */
  writeDistanceSq(boxes: Boxes, box: number, distancesSq: Float64Array, to: number): void {
    this.measure(boxes, box * BOX_STRIDE, box * BOX_STRIDE + 3, distancesSq, to);
  }

  /** As `writeDistanceSq`, for the point at offset `at` of `points`. */
  writeDistanceSqToPoint(points: Float64Array, at: number, distancesSq: Float64Array, to: number): void {
    this.measure(points, at, at, distancesSq, to);
  }

  /** As `writeDistanceSq`, for a box with its min at offset `min` and its max at offset `max`. */
  private measure(boxes: Boxes, min: number, max: number, distancesSq: Float64Array, to: number): void {
    const { core } = this;
    const dx = Math.max(boxes[min] - core[3], core[0] - boxes[max], 0);
    const dy = Math.max(boxes[min + 1] - core[4], core[1] - boxes[max + 1], 0);
    const dz = Math.max(boxes[min + 2] - core[5], core[2] - boxes[max + 2], 0);
    distancesSq[to] = dx * dx + dy * dy + dz * dz;
  }
}
