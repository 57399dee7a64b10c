/** The sphere of a query. */

import { BOX_STRIDE, type Boxes } from './box.ts';
import { FLOAT32_MIN_POSITIVE, FLOAT32_SAFE_MAX } from './float32.ts';

/** Some units in the last place of the largest number in a sum. */
const TOLERANCE = 2 ** -47;
/** And some of a square, which rounding may have made too large, or too small. */
const LOWERED_QUARTER = (1 - 2 ** -48) / 4;
const RAISED = 1 + 2 ** -48;
/** The same for Float32. */
const TOLERANCE32 = 2 ** -21;
const SLACK32 = 2 ** -18;
/** Smaller squares lose digits. */
const MIN_SQUARE32 = 2 ** -110;

/** Everything within a distance of a point. */
export class QuerySphere {
  x = 0;
  y = 0;
  z = 0;
  /** Square of the distance. */
  maxDistanceSq = Infinity;
  /** The largest number among the point and the boxes. */
  private largest = 0;
  /** How much farther away a box may seem, by rounding alone. */
  private tolerance = 0;

  /** Tells, by the box at lane `at`, what encloses all boxes that the quick tests will see. */
  setTolerance(boxes: Boxes, at: number): void {
    let largest = Math.max(Math.abs(this.x), Math.abs(this.y), Math.abs(this.z));
    for (let lane = at; lane < at + BOX_STRIDE; lane++) largest = Math.max(largest, Math.abs(boxes[lane]));
    this.largest = largest;
    this.tolerance = TOLERANCE * largest;
  }

  /**
   * Writes, for tests in Float32: the squared distance beyond which a box is out of reach, the point, how much nearer a box may lie than it
   * seems, and the squared distance up to which one is wholly in reach. False if the numbers are beyond the range.
   */
  writeFloat32(lanes: Float32Array): boolean {
    const { x, y, z, maxDistanceSq, largest } = this;
    if (!(largest < FLOAT32_SAFE_MAX)) return false;
    this.writeMaxDistance32(lanes);
    lanes[1] = x;
    lanes[2] = y;
    lanes[3] = z;
    // The square of the second term does not vanish, and so no box counts as within reach because its distance did.
    lanes[4] = TOLERANCE32 * largest + 1 / FLOAT32_SAFE_MAX;
    lanes[5] = maxDistanceSq > MIN_SQUARE32 ? maxDistanceSq * (1 - SLACK32) : 0;
    return true;
  }

  /** Writes the first of these numbers alone, when an answer has made it less. */
  writeMaxDistance32(lanes: Float32Array): void {
    lanes[0] = this.maxDistanceSq * (1 + SLACK32) + FLOAT32_MIN_POSITIVE;
  }

  /**
   * Appends each box of [begin, end) within reach to `kept` at `count`, and its squared distance to `distancesSq`; returns the new count. Quicker than
   * `writeDistanceSq` and not quite strict: keeps every box that has one inside which is within reach; the distances are lower bounds. By centre and half edge there is nothing to decide on the way, where the strict test asks on which side of
   * each slab the point lies, which changes from box to box.
   */
  filterByMinDistance(boxes: Boxes, begin: number, end: number, kept: Int32Array, distancesSq: Float64Array, count: number): number {
    const { x, y, z, maxDistanceSq, tolerance } = this;
    // A constant of the module would be read anew for each box.
    const loweredQuarter = LOWERED_QUARTER;
    for (let k = begin, at = begin * BOX_STRIDE; k < end; k++, at += BOX_STRIDE) {
      const minX = boxes[at];
      const minY = boxes[at + 1];
      const minZ = boxes[at + 2];
      const maxX = boxes[at + 3];
      const maxY = boxes[at + 4];
      const maxZ = boxes[at + 5];
      const beyondX = Math.abs(x - (minX + maxX) * 0.5) - (maxX - minX) * 0.5 - tolerance;
      const beyondY = Math.abs(y - (minY + maxY) * 0.5) - (maxY - minY) * 0.5 - tolerance;
      const beyondZ = Math.abs(z - (minZ + maxZ) * 0.5) - (maxZ - minZ) * 0.5 - tolerance;
      // b + |b| is twice b, or 0 if b is negative.
      const dx = beyondX + Math.abs(beyondX);
      const dy = beyondY + Math.abs(beyondY);
      const dz = beyondZ + Math.abs(beyondZ);
      const distanceSq = (dx * dx + dy * dy + dz * dz) * loweredQuarter;
      if (distanceSq > maxDistanceSq || minX > maxX) continue;
      kept[count] = k;
      distancesSq[count++] = distanceSq;
    }
    return count;
  }

  /**
   * As `filterByMinDistance`, for those who need no distances: appends to `crossing` 0 for a box that lies within reach with all its corners,
   * else, and where rounding might decide, 1.
   */
  filterBoxes(boxes: Boxes, begin: number, end: number, kept: Int32Array, crossing: Int32Array, count: number): number {
    const { x, y, z, maxDistanceSq, tolerance } = this;
    const most = maxDistanceSq / LOWERED_QUARTER;
    const whole = maxDistanceSq / RAISED;
    for (let k = begin, at = begin * BOX_STRIDE; k < end; k++, at += BOX_STRIDE) {
      const minX = boxes[at];
      const minY = boxes[at + 1];
      const minZ = boxes[at + 2];
      const maxX = boxes[at + 3];
      const maxY = boxes[at + 4];
      const maxZ = boxes[at + 5];
      const awayX = Math.abs(x - (minX + maxX) * 0.5);
      const awayY = Math.abs(y - (minY + maxY) * 0.5);
      const awayZ = Math.abs(z - (minZ + maxZ) * 0.5);
      const halfX = (maxX - minX) * 0.5 + tolerance;
      const halfY = (maxY - minY) * 0.5 + tolerance;
      const halfZ = (maxZ - minZ) * 0.5 + tolerance;
      const beyondX = awayX - halfX;
      const beyondY = awayY - halfY;
      const beyondZ = awayZ - halfZ;
      const dx = beyondX + Math.abs(beyondX);
      const dy = beyondY + Math.abs(beyondY);
      const dz = beyondZ + Math.abs(beyondZ);
      if (dx * dx + dy * dy + dz * dz > most || halfX < 0) continue;
      const farX = awayX + halfX;
      const farY = awayY + halfY;
      const farZ = awayZ + halfZ;
      kept[count] = k;
      crossing[count++] = farX * farX + farY * farY + farZ * farZ <= whole ? 0 : 1;
    }
    return count;
  }

  /** Writes the squared distance to a box, 0 inside and on the surface, to a lane. */
  writeDistanceSq(boxes: Boxes, box: number, distancesSq: Float64Array, lane: number): void {
    const { x, y, z } = this;
    const at = box * BOX_STRIDE;
    const minX = boxes[at];
    const minY = boxes[at + 1];
    const minZ = boxes[at + 2];
    const maxX = boxes[at + 3];
    const maxY = boxes[at + 4];
    const maxZ = boxes[at + 5];
    const dx = x < minX ? minX - x : x > maxX ? x - maxX : 0;
    const dy = y < minY ? minY - y : y > maxY ? y - maxY : 0;
    const dz = z < minZ ? minZ - z : z > maxZ ? z - maxZ : 0;
    distancesSq[lane] = dx * dx + dy * dy + dz * dz;
  }
}
