/**
 * Translation of a whole tree by a vector of multiples of its step. No node and no slot changes its place: corners of
 * cells are multiples of the step, so they move exactly. The bounds of bodies are rounded to the nearest Float64;
 * Float32 boxes are recomputed. A body that its node does not accept after rounding is displaced: it must be relocated.
 */

import { BOX_STRIDE, boxContains } from '../../math/box.ts';
import { roundUpLoosely32, roundDownLoosely32, roundDown32, roundUp32 } from '../../math/float32.ts';
import { COORDINATE_LIMIT, cubeContains } from '../../math/integer-cube.ts';
import {
  BODY_DEAD,
  BODY_HAS_HALF_SIZE,
  BODY_HAS_MARGIN,
  BODY_HAS_TIGHT_SLOT,
  BODY_SPHERE,
  CELL_STRIDE,
  ROOT,
} from '../../tree/layout.ts';
import type { BodyArrays } from '../../tree/storage/body-arrays.ts';
import type { IndexList } from '../../tree/storage/index-list.ts';
import { usedNodes } from '../../tree/traverse/walk-nodes.ts';
import type { Tree } from '../../tree/tree.ts';
import { NodeLimits } from '../../tree/update/fat-bounds.ts';
import { acceptingOctant } from '../../tree/update/place.ts';
import { fitBox } from '../../tree/update/refit.ts';

/** What a translation does to the bounds of a body: it moves, rounds, or would bring them beyond the limit. */
const EXACT = 0;
const ROUNDED = 1;
export const BEYOND_LIMIT = 2;

/**
 * Translates all bodies, all cells and the region; nothing may be queued. Then `translateNodes` must follow. Allocates
 * no memory.
 *
 * @param vector Three multiples of the step; -0 instead of 0, so that a coordinate of -0 keeps its sign.
 */
export function translateBodies(tree: Tree, vector: Float64Array): void {
  translateCells(tree, vector);
  translateBounds(tree.bodies, vector);
}

/** What `translateNodes` reads, and the lists that it fills. */
export interface Translation {
  readonly vector: Float64Array;
  /** Result of `findShifts`. */
  readonly shifts: Uint8Array;
  /** Whether the region grows around bodies that were rounded out of it. */
  readonly mayGrow: boolean;
  /**
   * The bodies whose candidates must be searched again: their bounds were rounded, or their slot bounds have grown by
   * rounding, or may grow when they are placed again. With all of 100,000 bodies here, the next update with contacts
   * would take 1.8 s.
   */
  readonly renewed: IndexList;
  /** The bodies that `relocateMany` must place again. */
  readonly displaced: IndexList;
}

/** Translates the boxes of slots and nodes. */
export function translateNodes(tree: Tree, translation: Translation): void {
  if (!tree.hasRoot) return;
  tree.nodes.dropMaxDiagonals();
  const used = usedNodes(tree);
  // Children before their parents.
  for (let k = used.length - 1; k >= 0; k--) {
    translatePage(tree, used[k], translation);
    fitBox(tree, used[k], tree.nodes.fitted, used[k] * BOX_STRIDE);
  }
  const { displaced } = translation;
  if (displaced.length === 0) return;
  // Relocation reads the steps of bodies, which are stored in `fatBounds`. The step of a body that has not moved may be
  // left of an earlier body.
  tree.bodies.allocateFatBounds();
  for (let k = 0; k < displaced.length; k++) tree.bodies.dropMargin(displaced.array[k]);
}

function translateCells(tree: Tree, vector: Float64Array): void {
  const { nodes, region } = tree;
  const { blockCells } = nodes;
  const [x, y, z] = vector;
  for (let at = 0; at < nodes.blocks * CELL_STRIDE; at += CELL_STRIDE) {
    blockCells[at] += x;
    blockCells[at + 1] += y;
    blockCells[at + 2] += z;
  }
  tree.region = { minX: region.minX + x, minY: region.minY + y, minZ: region.minZ + z, edge: region.edge };
}

/**
 * Whether `sum` is a + b without rounding: it equals the rounded sum, and subtracting either operand gives the other
 * back.
 */
function isSum(sum: number, a: number, b: number): boolean {
  return sum === a + b && sum - b === a && sum - a === b;
}

/**
 * By index, what a translation will do to the bounds of a body: EXACT, ROUNDED, or BEYOND_LIMIT, which is 2^50 steps.
 * The box around a sphere counts too.
 */
export function findShifts({ bodies, step }: Tree, vector: Float64Array): Uint8Array {
  const { bounds, count, flags } = bodies;
  const shifts = new Uint8Array(count);
  for (let index = 0; index < count; index++) {
    if ((flags[index] & BODY_DEAD) !== 0) continue;
    const at = index * BOX_STRIDE;
    const isSphere = (flags[index] & BODY_SPHERE) !== 0;
    const radius = isSphere ? bounds[at + 3] : 0;
    let isExact = true;
    let reach = 0;
    for (let axis = 0; axis < 3; axis++) {
      const shift = vector[axis];
      const first = bounds[at + axis];
      const last = isSphere ? first : bounds[at + axis + 3];
      reach = Math.max(reach, radius - (first + shift), last + shift + radius);
      // The box of a sphere (centre minus and plus radius) is rounded too: after the translation it may be exact, and
      // then larger than the translated old box.
      isExact &&=
        isSum(first + shift, first, shift) &&
        isSum(first + shift - radius, first - radius, shift) &&
        isSum(last + shift + radius, last + radius, shift);
    }
    shifts[index] = reach > COORDINATE_LIMIT * step ? BEYOND_LIMIT : isExact ? EXACT : ROUNDED;
  }
  return shifts;
}

/** Stores the half sizes of boxes that will be rounded, so that later moves by the centre keep the exact size. */
export function storeHalfSizes({ bodies }: Tree, shifts: Uint8Array): void {
  for (let index = 0; index < shifts.length; index++)
    if (shifts[index] === ROUNDED && (bodies.flags[index] & (BODY_SPHERE | BODY_HAS_HALF_SIZE)) === 0)
      bodies.storeHalfSize(index);
}

/** Translates exact bounds, and fat bounds, which are rounded inward. By index: the order of the bodies in memory. */
function translateBounds({ bounds, count, fatBounds, flags }: BodyArrays, vector: Float64Array): void {
  for (let index = 0; index < count; index++) {
    if ((flags[index] & BODY_DEAD) !== 0) continue;
    const at = index * BOX_STRIDE;
    const isSphere = (flags[index] & BODY_SPHERE) !== 0;
    const hasMargin = (flags[index] & BODY_HAS_MARGIN) !== 0;
    for (let axis = 0; axis < 3; axis++) {
      const shift = vector[axis];
      bounds[at + axis] += shift;
      if (!isSphere) bounds[at + axis + 3] += shift;
      if (!hasMargin) continue;
      const min = fatBounds[at + axis] + shift;
      const max = fatBounds[at + axis + 3] + shift;
      fatBounds[at + axis] = min;
      fatBounds[at + axis + 3] = max;
      if (fatBounds[at + axis] < min) fatBounds[at + axis] = roundUpLoosely32(min);
      if (fatBounds[at + axis + 3] > max) fatBounds[at + axis + 3] = roundDownLoosely32(max);
    }
  }
}

/** Computes the slot bounds of a node, whose cell and bodies are translated already. */
function translatePage(tree: Tree, node: number, translation: Translation): void {
  const { vector, shifts, mayGrow, renewed, displaced } = translation;
  const { bodies, nodes, slots } = tree;
  const limits = reusedLimits;
  const box = reusedBox;
  limits.read(tree, node);
  const page = nodes.page(node);
  for (let slot = page; slot < page + nodes.bodyCount(node); slot++) {
    const index = slots.body[slot];
    bodies.readBox(index, box);
    const hasMargin = keepMargin(bodies, index, limits, box);
    const hasGrown = fitSlot(tree, slot, index, vector, box, hasMargin);
    if (!hasMargin) bodies.flags[index] |= BODY_HAS_TIGHT_SLOT;
    const isAccepted = node === ROOT ? !mayGrow || cubeContains(tree.region, box) : tree.accepts(node, box);
    const isDisplaced = !isAccepted || (!hasMargin && !limits.isStableLeaf && acceptingOctant(tree, node, box) >= 0);
    if (isDisplaced) displaced.push(index);
    if (isDisplaced || hasGrown || shifts[index] !== EXACT) renewed.push(index);
  }
}
const reusedLimits = /* @__PURE__ */ new NodeLimits();
const reusedBox = /* @__PURE__ */ new Float64Array(BOX_STRIDE);

/**
 * Drops the fat bounds of a body if they do not contain its box after rounding, or if its node does not accept them.
 * Returns whether it has some.
 */
function keepMargin(bodies: BodyArrays, index: number, limits: NodeLimits, box: Float64Array): boolean {
  if (!bodies.hasMargin(index)) return false;
  const { fatBounds } = bodies;
  const fat = reusedFat;
  for (let k = 0; k < BOX_STRIDE; k++) fat[k] = fatBounds[index * BOX_STRIDE + k];
  if (boxContains(fat, 0, box, 0) && limits.accepts(fat, 0)) return true;
  bodies.dropMargin(index);
  return false;
}
const reusedFat = /* @__PURE__ */ new Float64Array(BOX_STRIDE);

/**
 * Computes the slot bounds of a body from its box or its fat bounds, which are translated already. Returns whether they
 * may be larger than the translated ones on any side.
 */
function fitSlot(
  { bodies, slots }: Tree,
  slot: number,
  index: number,
  vector: Float64Array,
  box: Float64Array,
  hasMargin: boolean,
): boolean {
  const { slotBounds } = slots;
  const { fatBounds } = bodies;
  const at = slot * BOX_STRIDE;
  const fatAt = index * BOX_STRIDE;
  let hasGrown = false;
  for (let axis = 0; axis < 3; axis++) {
    const min = hasMargin ? fatBounds[fatAt + axis] : roundDown32(box[axis]);
    const max = hasMargin ? fatBounds[fatAt + axis + 3] : roundUp32(box[axis + 3]);
    const minBefore = slotBounds[at + axis] + vector[axis];
    const maxBefore = slotBounds[at + axis + 3] + vector[axis];
    const areExact =
      minBefore - vector[axis] === slotBounds[at + axis] && maxBefore - vector[axis] === slotBounds[at + axis + 3];
    if (!areExact || min < minBefore || max > maxBefore) hasGrown = true;
    slotBounds[at + axis] = min;
    slotBounds[at + axis + 3] = max;
  }
  return hasGrown;
}
