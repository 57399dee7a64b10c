/**
 * Moves by the centre, three numbers per body. A sphere keeps its radius. A box becomes its centre plus and minus half
 * of its size; the half sizes are stored separately, so that rounding does not change the size of a body however often
 * it moves.
 *
 * As in move.ts, most moves stay inside the fat bounds and are a comparison and a copy. Here one pass does both, after
 * all centres have been checked. An accelerator does both too, and leaves to this file the few moves that need more.
 */

import { BOX_STRIDE } from '../../math/box.ts';
import { COORDINATE_LIMIT } from '../../math/integer-cube.ts';
import type { MoveBatch } from '../accelerator.ts';
import { BODY_DEAD, BODY_HAS_HALF_SIZE, BODY_HAS_MARGIN, BODY_MOVED, BODY_SPHERE, ROOT } from '../layout.ts';
import { HALF_SIZE_STRIDE, STEP_STRIDE, type BodyArrays } from '../storage/body-arrays.ts';
import type { IndexList } from '../storage/index-list.ts';
import type { Tree } from '../tree.ts';

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
 * @param batch With centres as bounds.
 */
export function moveCenters(tree: Tree, batch: MoveBatch, moved: IndexList): void {
  const { bodies } = tree;
  const { check } = batch;
  const { length } = batch.indices;
  bodies.allocateFatBounds();
  bodies.allocateHalfSizes();
  moved.reserve(moved.length + length);
  const moves = tree.accelerator?.movesFor(tree, length, true) ?? null;
  const limit = safeCoordinate(tree);
  if (moves === null) {
    if (check !== undefined) for (let k = 0; k < length; k++) checkCenter(bodies, batch, k, limit, check);
    for (let k = 0; k < length; k++)
      if (!moveWithinFatBounds(bodies, batch, k)) moveBeyondFatBounds(bodies, batch, k, moved);
    return;
  }
  // The positions that it lists lie after the end of `moved`, and are replaced there by the bodies.
  const begin = moved.length;
  moves.setCenters(batch);
  if (check !== undefined) {
    moves.listUnchecked(length, bodies.count, limit, moved);
    const end = moved.length;
    moved.length = begin;
    for (let k = begin; k < end; k++) checkCenter(bodies, batch, moved.array[k], limit, check);
  }
  moves.moveWithinFatBounds(length, moved);
  const end = moved.length;
  moved.length = begin;
  for (let k = begin; k < end; k++) moveBeyondFatBounds(bodies, batch, moved.array[k], moved);
}

/** Calls `check`, unless the body is in the tree and its centre is within `limit`, see `safeCoordinate`. */
function checkCenter(
  { count, flags, slot }: BodyArrays,
  { indices, bounds: centers }: MoveBatch,
  k: number,
  limit: number,
  check: (k: number) => void,
): void {
  const index = indices[k];
  const from = k * CENTER_STRIDE;
  const isPlaced = index < count && (flags[index] & (BODY_DEAD | BODY_MOVED)) === 0 && slot[index] >= 0;
  // False for NaN.
  const isSafe =
    Math.abs(centers[from]) <= limit && Math.abs(centers[from + 1]) <= limit && Math.abs(centers[from + 2]) <= limit;
  if (!isPlaced || !isSafe) check(k);
}

/**
 * The bounds of a body in the tree are valid around each centre whose coordinates have at most this magnitude. Negative
 * where there is no such number. Bodies on the list of moved bodies may be larger.
 */
function safeCoordinate({ nodes, looseness }: Tree): number {
  return nodes.edge(ROOT) * looseness <= SAFE_COORDINATE ? SAFE_COORDINATE : -1;
}

/** Writes the bounds of a body around its new centre, if they lie inside its fat bounds; returns whether they do. */
function moveWithinFatBounds(bodies: BodyArrays, { indices, bounds: centers }: MoveBatch, k: number): boolean {
  const { bounds, fatBounds, flags, halfSizes } = bodies;
  const index = indices[k];
  const flag = flags[index];
  const at = index * BOX_STRIDE;
  const from = k * CENTER_STRIDE;
  const x = centers[from];
  const y = centers[from + 1];
  const z = centers[from + 2];
  const isBox = (flag & (BODY_HAS_MARGIN | BODY_HAS_HALF_SIZE)) === (BODY_HAS_MARGIN | BODY_HAS_HALF_SIZE);
  if (!isBox && (flag & (BODY_HAS_MARGIN | BODY_SPHERE)) !== (BODY_HAS_MARGIN | BODY_SPHERE)) return false;
  const half = index * HALF_SIZE_STRIDE;
  const halfX = isBox ? halfSizes[half] : bounds[at + 3];
  const halfY = isBox ? halfSizes[half + 1] : halfX;
  const halfZ = isBox ? halfSizes[half + 2] : halfX;
  const minX = x - halfX;
  const minY = y - halfY;
  const minZ = z - halfZ;
  const maxX = x + halfX;
  const maxY = y + halfY;
  const maxZ = z + halfZ;
  const stays =
    minX >= fatBounds[at] &&
    minY >= fatBounds[at + 1] &&
    minZ >= fatBounds[at + 2] &&
    maxX <= fatBounds[at + 3] &&
    maxY <= fatBounds[at + 4] &&
    maxZ <= fatBounds[at + 5];
  if (!stays) return false;
  bounds[at] = isBox ? minX : x;
  bounds[at + 1] = isBox ? minY : y;
  bounds[at + 2] = isBox ? minZ : z;
  if (!isBox) return true;
  bounds[at + 3] = maxX;
  bounds[at + 4] = maxY;
  bounds[at + 5] = maxZ;
  return true;
}

/**
 * Writes the bounds of a body that has escaped from its fat bounds or has none, or of a box without a stored half size;
 * stores its step and lists it.
 */
function moveBeyondFatBounds(
  bodies: BodyArrays,
  { indices, bounds: centers }: MoveBatch,
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
  for (let axis = 0; axis < 3; axis++) {
    const center = centers[from + axis];
    const half = isSphere ? 0 : halfSizes[index * HALF_SIZE_STRIDE + axis];
    // Of the lower face of a box, or of the centre of a sphere.
    step[axis] = center - half - bounds[at + axis];
    bounds[at + axis] = center - half;
    if (!isSphere) bounds[at + axis + 3] = center + half;
  }
  bodies.writeStep(index, step);
  if (!bodies.isPlaced(index) || (flags[index] & BODY_MOVED) !== 0) return;
  flags[index] |= BODY_MOVED;
  moved.array[moved.length++] = index;
}
const moveBeyondFatBounds_step = new Float32Array(STEP_STRIDE);
