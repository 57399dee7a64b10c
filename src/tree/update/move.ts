/**
 * Moves: new bounds of bodies. As long as the new bounds stay inside the body's fat bounds, the tree stays valid,
 * because the slot bounds contain the fat bounds. So nearly every move is six comparisons and a copy in the body
 * arrays; the tree is not read, which saves a cache miss. A move inside fat bounds needs no input validation: only
 * living bodies have fat bounds, and NaN and infinity do not lie inside a finite box. Bodies that have escaped are
 * listed, and relocated by the next flush.
 */

import { BOX_STRIDE } from '../../math/box.ts';
import { SPHERE_STRIDE, writeBoxOf } from '../../math/sphere.ts';
import type { FloatArray } from '../../math/typed-arrays.ts';
import { STEP_STRIDE, type BodyArrays, HALF_SIZE_STRIDE } from '../storage/body-arrays.ts';
import type { IndexList } from '../storage/index-list.ts';
import {
  BODY_DEAD,
  BODY_HAS_MARGIN,
  BODY_HAS_TIGHT_SLOT,
  BODY_MOVED,
  BODY_MUST_KEEP_SIZE,
  BODY_SPHERE,
  BODY_HAS_HALF_SIZE,
  BODY_MARGIN_FLAGS,
  ROOT,
} from '../layout.ts';
import { hasKeptSize } from './fat-bounds.ts';
import { COORDINATE_LIMIT } from '../../math/integer-cube.ts';
import type { Tree } from '../tree.ts';

/**
 * The input validation of the moves of one call: throws if index `k` of the call or its bounds are invalid. Called only
 * for moves that the fast checks do not accept: bounds within the fat bounds of a living body are valid. Nothing has
 * changed when it throws.
 */
export type MoveCheck = (k: number) => void;

/**
 * New bounds of bodies: the moves of one call. A class, because the loops over moves are compiled anew for objects of
 * another layout.
 */
export class BulkMove {
  readonly indices: Uint32Array;
  /** Of each body, side by side: a box, a sphere or a centre. */
  bounds: FloatArray;
  /** Numbers of each body: BOX_STRIDE, SPHERE_STRIDE or CENTER_STRIDE. */
  stride: number;
  /** Null if all moves are valid. */
  readonly check: MoveCheck | null;

  constructor(indices: Uint32Array, bounds: FloatArray, stride: number, check: MoveCheck | null = null) {
    this.indices = indices;
    this.bounds = bounds;
    this.stride = stride;
    this.check = check;
  }
}

/**
 * Finds the moves that need more than a copy, escaped or invalid. Appends each position k in a call with boxes or
 * spheres to `out` for which `indices[k]` is not a living body of that shape, or its new bounds are not finite, have a
 * min above a max, or leave its fat bounds. Changes no bounds.
 *
 * @returns Whether the indices are consecutive and ascending.
 */
export function findEscaped(bodies: BodyArrays, bulk: BulkMove, out: IndexList): boolean {
  const { indices, bounds: values, stride } = bulk;
  const { flags, fatBounds } = bodies;
  const bodyCount = bodies.count;
  const { array } = out;
  const isSphere = stride === SPHERE_STRIDE;
  const required = isSphere ? BODY_HAS_MARGIN | BODY_SPHERE : BODY_HAS_MARGIN;
  const first = indices[0];
  let count = out.length;
  let gaps = 0;
  // Bodies that stay need no call: the engine then keeps the arrays in registers. A loop for each shape would take 0.9
  // of the time.
  for (let k = 0, from = 0; k < indices.length; k++, from += stride) {
    const index = indices[k];
    gaps |= (index - k) ^ first;
    const x = values[from];
    const y = values[from + 1];
    const z = values[from + 2];
    const radius = isSphere ? values[from + 3] : 0;
    const maxX = isSphere ? x + radius : values[from + 3];
    const maxY = isSphere ? y + radius : values[from + 4];
    const maxZ = isSphere ? z + radius : values[from + 5];
    if (
      index < bodyCount &&
      (flags[index] & (BODY_DEAD | BODY_SPHERE | BODY_HAS_MARGIN)) === required &&
      radius >= 0 &&
      x <= maxX &&
      y <= maxY &&
      z <= maxZ
    ) {
      const at = index * BOX_STRIDE;
      const stays =
        x - radius >= fatBounds[at] &&
        y - radius >= fatBounds[at + 1] &&
        z - radius >= fatBounds[at + 2] &&
        maxX <= fatBounds[at + 3] &&
        maxY <= fatBounds[at + 4] &&
        maxZ <= fatBounds[at + 5];
      if (stays && ((flags[index] & BODY_MUST_KEEP_SIZE) === 0 || keepsSize(bodies, bulk, k))) continue;
    }
    array[count++] = k;
  }
  out.length = count;
  return gaps === 0;
}

/**
 * Whether the new bounds of move `k` are not much smaller than before. For few bodies, so it is not part of the loops.
 */
function keepsSize({ fatBounds }: BodyArrays, { indices, bounds, stride }: BulkMove, k: number): boolean {
  writeBoxOf(bounds, k * stride, stride === SPHERE_STRIDE, keepsSize_box);
  return hasKeptSize(fatBounds, indices[k] * BOX_STRIDE, keepsSize_box, 0);
}
const keepsSize_box = new Float64Array(BOX_STRIDE);

/**
 * Prepares escaped bodies for `relocateMany`: drops their margins and stores their steps. On entry `moved` holds the
 * positions that `findEscaped` has appended, from `begin` on; they are replaced by body indices. Drops bodies that are
 * listed already, are at rest or are not in the tree. Call it before `writeBounds`.
 */
export function listEscaped(bodies: BodyArrays, bulk: BulkMove, moved: IndexList, begin: number): void {
  const { array, length } = moved;
  const { flags, slot } = bodies;
  let kept = begin;
  for (let k = begin; k < length; k++) {
    const index = bulk.indices[array[k]];
    // A body at rest has no margin, and its slot bounds stay right.
    if ((flags[index] & BODY_HAS_TIGHT_SLOT) !== 0 && hasBounds(bodies, bulk, array[k])) continue;
    recordStep(bodies, bulk, array[k]);
    if (slot[index] < 0 || (flags[index] & BODY_MOVED) !== 0) continue;
    flags[index] |= BODY_MOVED;
    array[kept++] = index;
  }
  moved.length = kept;
}

/** Whether move `k` gives the body the bounds that it has. */
function hasBounds(bodies: BodyArrays, { indices, bounds: values, stride }: BulkMove, k: number): boolean {
  const index = indices[k];
  const at = index * BOX_STRIDE;
  if (bodies.isSphere(index) !== (stride === SPHERE_STRIDE)) return false;
  for (let n = 0; n < stride; n++) if (values[k * stride + n] !== bodies.bounds[at + n]) return false;
  return true;
}

/**
 * Stores the step of move `k`, from the old to the new bounds. Along each axis it is the signed distance moved by the
 * face that moves farther.
 */
function recordStep(bodies: BodyArrays, { indices, bounds: values, stride }: BulkMove, k: number): void {
  const { bounds, flags } = bodies;
  const index = indices[k];
  const at = index * BOX_STRIDE;
  const from = k * stride;
  const isSphere = stride === SPHERE_STRIDE;
  const wasSphere = (flags[index] & BODY_SPHERE) !== 0;
  const step = recordStep_step;
  if (wasSphere !== isSphere) {
    flags[index] ^= BODY_SPHERE;
    step.fill(0);
  } else {
    for (let axis = 0; axis < STEP_STRIDE; axis++) {
      const stepMin = values[from + axis] - bounds[at + axis];
      const stepMax = isSphere ? stepMin : values[from + axis + 3] - bounds[at + axis + 3];
      // Usually both faces move equally far, except for rounding. With the factor 2 the upper face is chosen then.
      // Without it rounding would choose, and the branch would be unpredictable.
      step[axis] = Math.abs(stepMin) > 2 * Math.abs(stepMax) ? stepMin : stepMax;
    }
  }
  bodies.writeStep(index, step);
}
const recordStep_step = new Float32Array(STEP_STRIDE);

/**
 * Writes the new bounds of bodies, whose shape flags are set already. If an index is repeated, its last bounds count.
 *
 * @param isConsecutive Whether the indices are consecutive and ascending.
 */
export function writeBounds(bodies: BodyArrays, bulk: BulkMove, isConsecutive: boolean): void {
  const { bounds } = bodies;
  const { indices, bounds: values, stride } = bulk;
  const { length } = indices;
  bodies.dropHalfSizes(indices);
  const isBox = stride === BOX_STRIDE;
  if (isBox && isConsecutive && length > 1) {
    // The common case is a move of all bodies: a block copy takes a quarter of the time of a loop.
    bounds.set(values, indices[0] * BOX_STRIDE);
    return;
  }
  for (let k = 0, from = 0; k < length; k++, from += stride) {
    const at = indices[k] * BOX_STRIDE;
    bounds[at] = values[from];
    bounds[at + 1] = values[from + 1];
    bounds[at + 2] = values[from + 2];
    bounds[at + 3] = values[from + 3];
    if (!isBox) continue;
    bounds[at + 4] = values[from + 4];
    bounds[at + 5] = values[from + 5];
  }
}

/** Numbers of one centre. */
export const CENTER_STRIDE = 3;

/**
 * If no coordinate of a centre has a larger magnitude, and no body is larger, all bounds are within the limit of
 * coordinates.
 */
const SAFE_COORDINATE = COORDINATE_LIMIT / 2;

/**
 * Moves by the centre, three numbers per body. A sphere keeps its radius. A box becomes its centre plus and minus half
 * of its size; the half sizes are stored separately, so that rounding does not change the size of a body however often
 * it moves. Most moves stay inside the fat bounds. One pass compares and copies, after all centres have been checked; a
 * second pass moves the few bodies that need more.
 *
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
