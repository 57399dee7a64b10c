/**
 * Contribution culling: drops the bodies of a frustum query that look too small. Their diameter is less than `minSize` times their distance from the eye or, without
 * an eye, less than `minSize`. A node is dropped if its largest body would be too small at the nearest point of its fitted box.
 *
 * The tests of nodes and slots are conservative: a tolerance covers rounding errors. No branch depends on a sign: it would be unpredictable, and cost more than
 * the arithmetic that replaces it.
 */

import { BOX_STRIDE, diagonalSq, type Boxes } from '../../math/box.ts';
import { DOT_TOLERANCE, SIZE_LOWERED, SIZE_RAISED } from '../../math/tolerances.ts';
import type { BodyArrays } from '../../tree/storage/body-arrays.ts';
import type { Tree } from '../../tree/tree.ts';
import { trackMaxDiagonals } from '../../tree/update/max-diagonals.ts';

/**
 * Bit of an overlap, beside the plane mask: whether the bodies are large enough is undecided. All nodes and slots have it, so none
 * is CONTAINED.
 */
export const SIZE_UNDECIDED = 1 << 31;

export class SizeLimit {
  /** 0: no limit. */
  minSize = 0;
  hasEye = false;
  /** The eye, x y z. */
  readonly eye = new Float64Array(3);

  private fitted: Boxes = new Float32Array(0);
  private maxDiagonalSq = new Float32Array(0);
  private readonly box = new Float64Array(BOX_STRIDE);
  /** A body is too small if its squared size is less than `distanceFactor` times its squared distance plus `minSizeSq`; one of them is 0. */
  private distanceFactor = 0;
  private minSizeSq = 0;
  private tolerance = 0;

  get isActive(): boolean {
    return this.minSize > 0;
  }

  /** Prepares for a walk. The first call for a tree makes it keep the largest diagonal below each node. */
  begin(tree: Tree): void {
    if (!this.isActive) return;
    trackMaxDiagonals(tree);
    this.fitted = tree.nodes.fitted;
    this.maxDiagonalSq = tree.nodes.maxDiagonalSq;
    const minSizeSq = this.minSize * this.minSize;
    this.distanceFactor = this.hasEye ? minSizeSq : 0;
    this.minSizeSq = this.hasEye ? 0 : minSizeSq;
    const { sceneBounds } = tree;
    let maxCoordinate = 0;
    for (let axis = 0; axis < 3; axis++) {
      maxCoordinate = Math.max(maxCoordinate, Math.abs(sceneBounds[axis]), Math.abs(sceneBounds[axis + 3]), Math.abs(this.eye[axis]));
    }
    this.tolerance = DOT_TOLERANCE * maxCoordinate;
  }

  /**
   * Removes the boxes of nodes or slots that are too small from `kept` and `overlaps`, between the positions `begin` and `end`. Sets SIZE_UNDECIDED in
   * the overlaps of all others, because the bodies in them may be too small. Returns the new end.
   */
  filter(boxes: Boxes, kept: Int32Array, overlaps: Int32Array, begin: number, end: number): number {
    const { maxDiagonalSq, eye, distanceFactor, minSizeSq, tolerance } = this;
    const areNodes = boxes === this.fitted;
    const eyeX = eye[0];
    const eyeY = eye[1];
    const eyeZ = eye[2];
    // Local copies: V8 reloads constants of the module for each box.
    const lowered = SIZE_LOWERED;
    const raised = SIZE_RAISED;
    let count = begin;
    for (let k = begin; k < end; k++) {
      const box = kept[k];
      const at = box * BOX_STRIDE;
      const maxX = boxes[at + 3];
      const maxY = boxes[at + 4];
      const maxZ = boxes[at + 5];
      const x = (boxes[at] + maxX) * 0.5;
      const y = (boxes[at + 1] + maxY) * 0.5;
      const z = (boxes[at + 2] + maxZ) * 0.5;
      const halfX = maxX - x;
      const halfY = maxY - y;
      const halfZ = maxZ - z;
      // Twice the distance along each axis, 0 inside: v + |v| = 2 max(v, 0), without a branch.
      const alongX = Math.abs(x - eyeX) - halfX - tolerance;
      const alongY = Math.abs(y - eyeY) - halfY - tolerance;
      const alongZ = Math.abs(z - eyeZ) - halfZ - tolerance;
      const twiceX = alongX + Math.abs(alongX);
      const twiceY = alongY + Math.abs(alongY);
      const twiceZ = alongZ + Math.abs(alongZ);
      const limitSq = distanceFactor * 0.25 * (twiceX * twiceX + twiceY * twiceY + twiceZ * twiceZ) * lowered + minSizeSq;
      // An upper bound: slot bounds contain the body. They may be much larger, even for a body without a margin, because `dropMargin` does not
      // shrink them.
      const sizeSq = areNodes ? maxDiagonalSq[box] : 4 * (halfX * halfX + halfY * halfY + halfZ * halfZ) * raised;
      kept[count] = box;
      overlaps[count] = overlaps[k] | SIZE_UNDECIDED;
      // The size of a node without bodies, in use or not, is 0. If minSize squared overflows, the limit at distance 0 is Infinity * 0 = NaN, which drops nothing.
      count += Number(!areNodes || sizeSq > 0) & Number(!(sizeSq < limitSq));
    }
    return count;
  }

  /** Whether a body is large enough, by its exact bounds. */
  keeps(bodies: BodyArrays, index: number): boolean {
    const { eye, box } = this;
    const { bounds } = bodies;
    const at = index * BOX_STRIDE;
    const isSphere = bodies.isSphere(index);
    bodies.readBox(index, box);
    let sizeSq = diagonalSq(box, 0);
    // With rounding, the box of a small sphere far from the origin may be smaller than the sphere, and nodes are dropped by the diagonals of boxes. So the
    // smaller size counts.
    if (isSphere) sizeSq = Math.min(sizeSq, 4 * bounds[at + 3] * bounds[at + 3]);
    const minSizeSq = this.minSize * this.minSize;
    if (!this.hasEye) return !(sizeSq < minSizeSq);
    const x = (isSphere ? bounds[at] : (box[0] + box[3]) * 0.5) - eye[0];
    const y = (isSphere ? bounds[at + 1] : (box[1] + box[4]) * 0.5) - eye[1];
    const z = (isSphere ? bounds[at + 2] : (box[2] + box[5]) * 0.5) - eye[2];
    return !(sizeSq < minSizeSq * (x * x + y * y + z * z));
  }
}
