/**
 * The sphere of a sphere query, for boxes. Its filter is conservative: it keeps a box if any box inside it touches the
 * sphere by the exact test of sphere.ts, and sometimes a box that misses the sphere by a rounding error.
 */

import { BOX_STRIDE, type Boxes } from './box.ts';
import type { KeptBoxes } from './kept-boxes.ts';
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
