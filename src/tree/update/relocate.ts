/**
 * Relocation of the bodies that have escaped from their fat bounds, once per flush. Most get new fat bounds in their
 * node; the others climb and sink. Only a body that then lies in another node counts in `bodiesRelocated`.
 */

import { BOX_STRIDE, touchesFace } from '../../math/box.ts';
import { BATCH_SIZE, BODY_HAS_MARGIN, BODY_MOVED, ROOT } from '../layout.ts';
import { NOT_CHECKED, STEP_STRIDE } from '../storage/body-arrays.ts';
import type { IndexList } from '../storage/index-list.ts';
import { removeSlot } from '../storage/node-page.ts';
import type { Tree } from '../tree.ts';
import {
  assignFatBounds,
  computeFatBounds,
  FAT_BOUNDS_CRAMPED,
  predictBounds,
  type MovingBodies,
  NodeLimits,
} from './fat-bounds.ts';
import { growRootAround } from './grow.ts';
import { acceptingOctant, afterBodyRemoved, appendToNode, sink, splitOverfull } from './place.ts';
import { enlarge } from './refit.ts';

const NO_NODE = -1;

/** Escaped bodies with their data, which is scattered in memory, copied side by side. */
class EscapedBatch implements MovingBodies {
  readonly indices = new Uint32Array(BATCH_SIZE);
  /** Exact boxes and last steps. */
  readonly boxes = new Float64Array(BATCH_SIZE * BOX_STRIDE);
  readonly steps = new Float32Array(BATCH_SIZE * STEP_STRIDE);
  readonly slots = new Int32Array(BATCH_SIZE);
  readonly nodes = new Int32Array(BATCH_SIZE);
  /** 1 if the slot bounds touch a face of the node's fitted box: only then can the box shrink without them. */
  readonly touches = new Uint8Array(BATCH_SIZE);
  /** Positions in the batch of the bodies that leave their node. */
  readonly leaving = new Int32Array(BATCH_SIZE);

  /**
   * Copies the data of `count` bodies, in loops that do nothing else: the processor then has many cache misses in
   * flight at once.
   */
  read({ bodies, nodes, slots }: Tree, indices: Uint32Array, begin: number, count: number): void {
    const { flags, slot } = bodies;
    for (let k = 0; k < count; k++) {
      const index = indices[begin + k];
      this.indices[k] = index;
      flags[index] &= ~BODY_MOVED;
      this.slots[k] = slot[index];
    }
    bodies.readSteps(this.indices, count, this.steps);
    for (let k = 0; k < count; k++) bodies.readBox(this.indices[k], this.boxes, k * BOX_STRIDE);
    for (let k = 0; k < count; k++) this.nodes[k] = slots.nodeOf(this.slots[k]);
    for (let k = 0; k < count; k++)
      this.touches[k] = Number(
        touchesFace(slots.slotBounds, this.slots[k] * BOX_STRIDE, nodes.fitted, this.nodes[k] * BOX_STRIDE),
      );
  }
}

/** Reused, so that a flush allocates nothing. All but the batch is scratch: no value outlives a function call. */
const reusedBatch = /* @__PURE__ */ new EscapedBatch();
const reusedLimits = /* @__PURE__ */ new NodeLimits();
const reusedFatBounds = new Float32Array(BOX_STRIDE);
const reusedPrediction = new Float64Array(BOX_STRIDE);

/** Updates the listed bodies, which have escaped from their fat bounds, and empties the list. */
export function relocateMany(tree: Tree, moved: IndexList): void {
  dropRemoved(tree, moved);
  const batch = reusedBatch;
  for (let begin = 0; begin < moved.length; begin += BATCH_SIZE) {
    const count = Math.min(BATCH_SIZE, moved.length - begin);
    batch.read(tree, moved.array, begin, count);
    const leavingCount = renewFatBounds(tree, batch, count);
    for (let k = 0; k < leavingCount; k++) relocate(tree, batch, batch.leaving[k]);
    listMargins(tree, batch, count);
  }
  moved.length = 0;
}

/** Lists those of the first `count` bodies of a batch that have a margin and are not listed yet: see maintain.ts. */
function listMargins({ bodies, margins }: Tree, { indices }: EscapedBatch, count: number): void {
  const { checkedSums } = bodies;
  margins.reserve(margins.length + count);
  const { array } = margins;
  let { length } = margins;
  for (let k = 0; k < count; k++) {
    const index = indices[k];
    if (checkedSums[index] !== 0 || !bodies.hasMargin(index)) continue;
    checkedSums[index] = NOT_CHECKED;
    array[length++] = index;
  }
  margins.length = length;
}

/** Drops bodies from the list that were removed from the tree after they had moved. */
export function dropRemoved({ bodies }: Tree, moved: IndexList): void {
  const { array } = moved;
  let count = 0;
  for (let k = 0; k < moved.length; k++) if (bodies.slot[array[k]] >= 0) array[count++] = array[k];
  moved.length = count;
}

/**
 * Gives new fat bounds to the bodies of a batch that stay in their node. Lists the positions of the others in
 * `leaving`, and returns their number.
 */
function renewFatBounds(tree: Tree, batch: EscapedBatch, count: number): number {
  const { slotBounds } = tree.slots;
  const { boxes, leaving, nodes, slots, touches } = batch;
  const limits = reusedLimits;
  const fatBounds = reusedFatBounds;
  let leavingCount = 0;
  let node = NO_NODE;
  for (let k = 0, at = 0; k < count; k++, at += BOX_STRIDE) {
    if (nodes[k] !== node) {
      node = nodes[k];
      limits.read(tree, node);
    }
    const mayStay = limits.accepts(boxes, at) && (limits.isStableLeaf || !maySink(tree, node, limits.edge, batch, k));
    const flags = mayStay ? computeFatBounds(limits, batch, k, fatBounds) : FAT_BOUNDS_CRAMPED;
    if ((flags & FAT_BOUNDS_CRAMPED) !== 0 || (flags === 0 && !limits.isStableLeaf)) {
      leaving[leavingCount++] = k;
      continue;
    }
    if (assignFatBounds(tree, batch, k, slots[k], fatBounds, flags) && touches[k] !== 0) tree.listRefit(node);
    enlarge(tree, node, slotBounds, slots[k] * BOX_STRIDE);
  }
  return leavingCount;
}

/**
 * Whether a child of a node that is not a stable leaf would accept the predicted bounds of the body at position `k` of
 * a batch.
 */
function maySink(tree: Tree, node: number, edge: number, batch: EscapedBatch, k: number): boolean {
  predictBounds(tree, edge, batch, k, reusedPrediction);
  return acceptingOctant(tree, node, reusedPrediction) >= 0;
}

/** Moves the body at position `k` of a batch to the node that must own it now, and gives it fat bounds there. */
function relocate(tree: Tree, batch: EscapedBatch, k: number): void {
  const { bodies, nodes, slots } = tree;
  const { boxes } = batch;
  const at = k * BOX_STRIDE;
  const index = batch.indices[k];
  const limits = reusedLimits;
  const fatBounds = reusedFatBounds;
  const placementBox = reusedPrediction;
  growRootAround(tree, boxes, at);
  // The slot in the batch may be out of date: removing a body from a page moves another one.
  const oldSlot = bodies.slot[index];
  const owner = slots.nodeOf(oldSlot);
  limits.read(tree, owner);
  predictBounds(tree, limits.edge, batch, k, placementBox);
  let node = deepestNode(tree, owner, placementBox);
  limits.read(tree, node);
  const flags = computeFatBounds(limits, batch, k, fatBounds);
  if ((flags & BODY_HAS_MARGIN) === 0) {
    // Without a margin, the exact box decides.
    for (let offset = 0; offset < BOX_STRIDE; offset++) placementBox[offset] = boxes[at + offset];
    const first = node;
    node = deepestNode(tree, first, placementBox);
    // The first search may have opened a leaf, which stays empty. Maintenance drops what is no empty leaf.
    if (node !== first) tree.listEmptyLeaf(first);
  }

  const touchesOwner = touchesFace(slots.slotBounds, oldSlot * BOX_STRIDE, nodes.fitted, owner * BOX_STRIDE);
  let slot = oldSlot;
  if (node !== owner) {
    if (removeSlot(tree, owner, oldSlot)) tree.listRefit(owner);
    slot = appendToNode(tree, node, index, placementBox);
    afterBodyRemoved(tree, owner);
    tree.counters.bodiesRelocated++;
  } else if (tree.isOverfull(node) && acceptingOctant(tree, node, placementBox) >= 0) tree.overfull.push(node);
  if (assignFatBounds(tree, batch, k, slot, fatBounds, flags) && node === owner && touchesOwner) tree.listRefit(node);
  enlarge(tree, node, slots.slotBounds, slot * BOX_STRIDE);
  splitOverfull(tree);
}

/**
 * The deepest node that accepts a box: up by parent links from `node` until a cell accepts the box and contains its
 * centre, then down as deep as possible.
 */
function deepestNode(tree: Tree, node: number, box: Float64Array): number {
  while (node !== ROOT && !(tree.accepts(node, box) && isCenterIn(tree, node, box))) node = tree.nodes.parent(node);
  return sink(tree, node, box);
}

/** Whether the centre of a box lies in a node's cell itself, without its looseness. */
function isCenterIn({ nodes }: Tree, node: number, box: Float64Array): boolean {
  const edge = nodes.edge(node);
  for (let axis = 0; axis < 3; axis++) {
    const center = (box[axis] + box[axis + 3]) * 0.5;
    const min = nodes.cellMin(node, axis);
    if (center < min || center >= min + edge) return false;
  }
  return true;
}
