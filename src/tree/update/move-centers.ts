/**
 * Moves by the centre, three numbers per body. A sphere keeps its radius. A box becomes its centre plus and minus half
 * of its size; the half sizes are stored separately, so that rounding does not change the size of a body however often
 * it moves.
 *
 * As in move.ts, most moves stay inside the fat bounds and are a comparison and a copy. Here one pass does both, after
 * all centres have been checked; a second pass moves the few bodies that need more.
 */

import { BOX_STRIDE } from '../../math/box.ts';
import { COORDINATE_LIMIT } from '../../math/integer-cube.ts';
import {
  BODY_DEAD,
  BODY_HAS_HALF_SIZE,
  BODY_HAS_MARGIN,
  BODY_HAS_TIGHT_SLOT,
  BODY_MARGIN_FLAGS,
  BODY_MOVED,
  BODY_SPHERE,
  ROOT,
} from '../layout.ts';
import { HALF_SIZE_STRIDE, STEP_STRIDE, type BodyArrays } from '../storage/body-arrays.ts';
import type { IndexList } from '../storage/index-list.ts';
import type { Tree } from '../tree.ts';
import type { BulkMove } from './move.ts';

/** Numbers of one centre. */
export const CENTER_STRIDE = 3;

/**
 * If no coordinate of a centre has a larger magnitude, and no body is larger, all bounds are within the limit of
 * coordinates.
 */
const SAFE_COORDINATE = COORDINATE_LIMIT / 2;

/**
 * Writes the bounds of living bodies around their new centres. Appends the bodies that have escaped from their fat
 * bounds or have none, and boxes without a stored half size, to `moved`, unless they are listed already or are not in
 * the tree. If an index is repeated, its last centre counts.
 *
 * @param bulk With centres as bounds.
 */
export function moveCenters(tree: Tree, bulk: BulkMove, moved: IndexList): void {
  const { bodies } = tree;
  bodies.allocateHalfSizes();
  checkCenters(bodies, bulk, safeCoordinate(tree));
  const begin = moved.length;
  // The positions that it lists lie after the end of `moved`, and are replaced there by the bodies.
  const end = moveWithinFatBounds(bodies, bulk, moved.array, begin);
  for (let k = begin; k < end; k++) moveBeyondFatBounds(bodies, bulk, moved.array[k], moved);
}

/** Calls `check` for each move whose body has no margin, or whose centre is beyond `limit`, see `safeCoordinate`. */
function checkCenters({ count, flags }: BodyArrays, bulk: BulkMove, limit: number): void {
  const { check, indices, bounds: centers } = bulk;
  if (check === null) return;
  for (let k = 0, from = 0; k < indices.length; k++, from += CENTER_STRIDE) {
    const index = indices[k];
    // A living body with a margin is in the tree. The comparisons are false for NaN.
    if (
      index < count &&
      (flags[index] & (BODY_DEAD | BODY_HAS_MARGIN)) === BODY_HAS_MARGIN &&
      Math.abs(centers[from]) <= limit &&
      Math.abs(centers[from + 1]) <= limit &&
      Math.abs(centers[from + 2]) <= limit
    )
      continue;
    check(k);
  }
}

/**
 * The bounds of a body in the tree are valid around each centre whose coordinates have at most this magnitude. Negative
 * where there is no such number. Bodies on the list of moved bodies may be larger.
 */
function safeCoordinate({ nodes, looseness }: Tree): number {
  return nodes.edge(ROOT) * looseness <= SAFE_COORDINATE ? SAFE_COORDINATE : -1;
}

/**
 * Writes the bounds of the bodies that stay inside their fat bounds, and the positions of the other moves to `out`,
 * from offset `end` on; returns the new end. A body that has escaped loses its margin at once, so that a later move of
 * the call, if its index is repeated, is listed too.
 */
function moveWithinFatBounds(bodies: BodyArrays, bulk: BulkMove, out: Uint32Array, end: number): number {
  const { indices, bounds: centers } = bulk;
  const { bounds, fatBounds, flags, halfSizes } = bodies;
  for (let k = 0, from = 0; k < indices.length; k++, from += CENTER_STRIDE) {
    const index = indices[k];
    const flag = flags[index];
    const at = index * BOX_STRIDE;
    const x = centers[from];
    const y = centers[from + 1];
    const z = centers[from + 2];
    const half = index * HALF_SIZE_STRIDE;
    const isSphere = (flag & BODY_SPHERE) !== 0;
    const halfX = isSphere ? bounds[at + 3] : halfSizes[half];
    const halfY = isSphere ? halfX : halfSizes[half + 1];
    const halfZ = isSphere ? halfX : halfSizes[half + 2];
    if (
      (flag & BODY_HAS_MARGIN) !== 0 &&
      (flag & (BODY_SPHERE | BODY_HAS_HALF_SIZE)) !== 0 &&
      x - halfX >= fatBounds[at] &&
      y - halfY >= fatBounds[at + 1] &&
      z - halfZ >= fatBounds[at + 2] &&
      x + halfX <= fatBounds[at + 3] &&
      y + halfY <= fatBounds[at + 4] &&
      z + halfZ <= fatBounds[at + 5]
    ) {
      bounds[at] = isSphere ? x : x - halfX;
      bounds[at + 1] = isSphere ? y : y - halfY;
      bounds[at + 2] = isSphere ? z : z - halfZ;
      if (isSphere) continue;
      bounds[at + 3] = x + halfX;
      bounds[at + 4] = y + halfY;
      bounds[at + 5] = z + halfZ;
      continue;
    }
    flags[index] = flag & ~BODY_MARGIN_FLAGS;
    out[end++] = k;
  }
  return end;
}

/**
 * Writes the bounds of a body that has escaped from its fat bounds or has none, or of a box without a stored half size;
 * stores its step and lists it, unless it keeps its bounds.
 */
function moveBeyondFatBounds(
  bodies: BodyArrays,
  { indices, bounds: centers }: BulkMove,
  k: number,
  moved: IndexList,
): void {
  const { bounds, flags, halfSizes } = bodies;
  const index = indices[k];
  const from = k * CENTER_STRIDE;
  const step = moveBeyondFatBounds_step;
  const at = index * BOX_STRIDE;
  const isSphere = bodies.isSphere(index);
  if ((flags[index] & (BODY_SPHERE | BODY_HAS_HALF_SIZE)) === 0) bodies.storeHalfSize(index);
  // A body at rest has no margin, but keeps its slot bounds.
  let isSame = (flags[index] & BODY_HAS_TIGHT_SLOT) !== 0;
  for (let axis = 0; axis < 3; axis++) {
    const center = centers[from + axis];
    const half = isSphere ? 0 : halfSizes[index * HALF_SIZE_STRIDE + axis];
    isSame &&= center - half === bounds[at + axis] && (isSphere || center + half === bounds[at + axis + 3]);
    // Of the lower face of a box, or of the centre of a sphere.
    step[axis] = center - half - bounds[at + axis];
    bounds[at + axis] = center - half;
    if (!isSphere) bounds[at + axis + 3] = center + half;
  }
  if (isSame) return;
  bodies.writeStep(index, step);
  if (!bodies.isPlaced(index) || (flags[index] & BODY_MOVED) !== 0) return;
  flags[index] |= BODY_MOVED;
  moved.array[moved.length++] = index;
}
const moveBeyondFatBounds_step = new Float32Array(STEP_STRIDE);
