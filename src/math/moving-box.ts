/**
 * A box that moves along a straight line, and conservative filters of the boxes that it hits on its path. A ray is a
 * moving box without extent; a moving sphere is filtered by its box.
 *
 * A distance along the path is a multiple of the direction: world units if the direction has length 1, a time from 0 to
 * 1 if the direction is a whole motion.
 */

import { BOX_STRIDE, type Boxes, type KeptBoxes, clamp } from './box.ts';
import { FLOAT32_MIN_POSITIVE } from './float32.ts';
import {
  PATH_LOWERED,
  PATH_RAISED,
  PRODUCT_TOLERANCE32,
  SUM_TOLERANCE,
  SUM_TOLERANCE32,
  UNDERFLOW_LENGTH,
  UNDERFLOW_LENGTH32,
} from './tolerances.ts';

/**
 * Stands for the inverse of a component that is 0 or nearly 0. The product with any coordinate is finite, and far above
 * every distance.
 */
const MAX_INVERSE = 2 ** 900;
/** As MAX_INVERSE, for Float32: its product with UNDERFLOW_LENGTH32 is above every distance. */
const MAX_INVERSE32 = 2 ** 120;

export class MovingBox {
  /** The box before it moves: min, then max. */
  readonly bounds = new Float64Array(BOX_STRIDE);
  /** Direction of the path: x, y, z, of any length. All of them may be 0. */
  readonly direction = new Float64Array(3);
  /** Where the path ends; a search for the first hit lowers it while it runs. */
  maxDistance = Infinity;

  // The next five arrays have one number per axis. The first axis has the largest component of the direction.

  /** Which face of a hit box is reached first, as an offset in that box. */
  private readonly nearFaces = new Uint8Array(3);
  /** Which face of a hit box is left last, as an offset in that box. */
  private readonly farFaces = new Uint8Array(3);
  /**
   * Coordinate of the leading face of the moving box, moved outward by the tolerance: a factor on its largest
   * coordinate along the axis. It covers the errors of the faces, which may come from a centre and a radius. All other
   * errors of filters and exact tests are those of differences, of products and of the motion: they are relative to the
   * distance along the path.
   */
  private readonly leading = new Float64Array(3);
  /** Coordinate of its trailing face, moved outward by the tolerance. */
  private readonly trailing = new Float64Array(3);
  /** Component of the direction. */
  private readonly slopes = new Float64Array(3);
  /** Whether `prepare` has run since `begin`. */
  private isPrepared = false;

  /** Prepares for a walk, after bounds and direction were set. */
  begin(): void {
    this.isPrepared = false;
  }

  /** Prepares the filters in JavaScript. A walk in WebAssembly does not need them. */
  private prepare(): void {
    const { bounds, direction, nearFaces, farFaces, leading, trailing, slopes } = this;
    const x = Math.abs(direction[0]);
    const y = Math.abs(direction[1]);
    const z = Math.abs(direction[2]);
    const dominant = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
    for (let k = 0; k < 3; k++) {
      const axis = (dominant + k) % 3;
      const isBackward = direction[axis] < 0;
      const tolerance = SUM_TOLERANCE * Math.max(Math.abs(bounds[axis]), Math.abs(bounds[axis + 3])) + UNDERFLOW_LENGTH;
      // `+ 0` turns -0 into 0, whose inverse has the sign of a forward direction.
      slopes[k] = direction[axis] + 0;
      nearFaces[k] = isBackward ? axis + 3 : axis;
      farFaces[k] = isBackward ? axis : axis + 3;
      leading[k] = isBackward ? bounds[axis] - tolerance : bounds[axis + 3] + tolerance;
      trailing[k] = isBackward ? bounds[axis + 3] + tolerance : bounds[axis] - tolerance;
    }
    this.isPrepared = true;
  }

  /**
   * Filters boxes by a lower bound of the distance at which they are hit (MINDIST). Appends each box of [begin, end)
   * that the moving box may touch to `kept`, with the bound. Keeps every box that contains a box which an exact test
   * accepts, and a few boxes that the moving box misses by less than the tolerance.
   *
   * The slab of the first axis gives the interval of the path between first contact and last contact with the two faces
   * of the box. The box is missed if, along another axis, the moving box is already past it at the start of the
   * interval, or still before it at the end: both sides of these comparisons begin with a difference of coordinates, so
   * that their errors are relative to it; the factors PATH_LOWERED and PATH_RAISED cover them. Each comparison can only
   * reject, so its branch is predictable. The branches of a running maximum over the axes are not: with them, ray
   * queries took 1.3 to 2 times as long.
   */
  filterByMinDistance(boxes: Boxes, begin: number, end: number, kept: KeptBoxes): void {
    if (!this.isPrepared) this.prepare();
    const { maxDistance, nearFaces, farFaces, leading, trailing, slopes } = this;
    const { numbers, distances } = kept;
    let { length } = kept;
    const nearA = nearFaces[0];
    const farA = farFaces[0];
    const nearB = nearFaces[1];
    const farB = farFaces[1];
    const nearC = nearFaces[2];
    const farC = farFaces[2];
    const leadingA = leading[0];
    const trailingA = trailing[0];
    const inverseA = Math.min(Math.max(1 / slopes[0], -MAX_INVERSE), MAX_INVERSE);
    const loweredA = inverseA * PATH_LOWERED;
    const raisedA = inverseA * PATH_RAISED;
    const maxExit = maxDistance * PATH_RAISED;
    // The other axes are mirrored where needed, so that the coordinates of the moving box increase along its path.
    const signB = slopes[1] < 0 ? -1 : 1;
    const signC = slopes[2] < 0 ? -1 : 1;
    const leadingB = leading[1] * signB;
    const leadingC = leading[2] * signC;
    const trailingB = trailing[1] * signB;
    const trailingC = trailing[2] * signC;
    const slopeB = slopes[1] * signB;
    const slopeC = slopes[2] * signC;
    for (let k = begin, at = begin * BOX_STRIDE; k < end; k++, at += BOX_STRIDE) {
      const last = (boxes[at + farA] - trailingA) * raisedA;
      if (last < 0) continue;
      const near = (boxes[at + nearA] - leadingA) * loweredA;
      const first = near > 0 ? near : 0;
      if (first > maxDistance) continue;
      const exit = last < maxExit ? last : maxExit;
      if (first * slopeB > boxes[at + farB] * signB - trailingB) continue;
      if (exit * slopeB < boxes[at + nearB] * signB - leadingB) continue;
      if (first * slopeC > boxes[at + farC] * signC - trailingC) continue;
      if (exit * slopeC < boxes[at + nearC] * signC - leadingC) continue;
      numbers[length] = k;
      distances[length++] = first;
    }
    kept.length = length;
  }

  /**
   * As `filterByMinDistance`, for walks that need the overlap of each box instead. It is always 1, intersecting:
   * whether a box lies inside the swept volume is not tested.
   */
  filterBoxes(boxes: Boxes, begin: number, end: number, kept: KeptBoxes): void {
    const { overlaps, length } = kept;
    this.filterByMinDistance(boxes, begin, end, kept);
    for (let k = length; k < kept.length; k++) overlaps[k] = 1;
  }

  /**
   * Writes ten numbers for tests in Float32 from offset `at` on: the maximum distance, max plus the tolerance, min
   * minus the tolerance, and the inverse of the direction, clamped to finite numbers.
   */
  writeFloat32(target: Float32Array, at = 0): void {
    const { bounds, direction } = this;
    this.writeMaxDistance32(target, at);
    for (let axis = 0; axis < 3; axis++) {
      const largest = Math.max(Math.abs(bounds[axis]), Math.abs(bounds[axis + 3]));
      const tolerance = SUM_TOLERANCE32 * largest + UNDERFLOW_LENGTH32;
      target[at + 1 + axis] = bounds[axis + 3] + tolerance;
      target[at + 4 + axis] = bounds[axis] - tolerance;
      target[at + 7 + axis] = clamp(1 / direction[axis], -MAX_INVERSE32, MAX_INVERSE32);
    }
  }

  /** Writes the first of these numbers only, after a result has lowered it. */
  writeMaxDistance32(target: Float32Array, at = 0): void {
    target[at] = this.maxDistance * (1 + PRODUCT_TOLERANCE32) + FLOAT32_MIN_POSITIVE;
  }
}
