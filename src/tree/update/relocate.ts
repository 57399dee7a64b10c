/**
 * Relocation of the bodies that have escaped from their fat bounds, once per flush. Most get new fat bounds in their node; the
 * others climb and sink to another node.
 */

import { BOX_STRIDE, touchesFace } from '../../math/box.ts';
import { BODY_MOVED, ROOT } from '../layout.ts';
import { NO_SLOT, STEP_STRIDE } from '../storage/body-arrays.ts';
import type { IndexList } from '../storage/index-list.ts';
import { removeSlot } from '../storage/node-page.ts';
import type { Tree } from '../tree.ts';
import { assignFatBounds, computeFatBounds, FAT_BOUNDS_CRAMPED } from './fat-bounds.ts';
import { growRootAround } from './grow.ts';
import { NodeLimits } from './node-limits.ts';
import { acceptingOctant, afterBodyRemoved, appendToNode, sink, splitOverfull } from './place.ts';
import { enlarge } from './refit.ts';

/**
 * The list is sorted by slot if at least one placed body in 64 has escaped: many of these bodies are then neighbours in memory.
 */
const SORT_RATIO = 64;
/** Bodies per batch: the arrays of a batch fit into the first-level cache. */
const BATCH_SIZE = 128;
const NO_NODE = -1;

/** Escaped bodies with their data, which is scattered in memory, copied side by side. */
class Batch {
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
   * Copies the data of `count` bodies, in loops that do nothing else: the processor then has many cache misses in flight at once.
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
    bodies.readBoxes(this.indices, count, this.boxes);
    for (let k = 0; k < count; k++) this.nodes[k] = slots.nodeOf(this.slots[k]);
    for (let k = 0; k < count; k++) this.touches[k] = Number(touchesFace(slots.slotBounds, this.slots[k] * BOX_STRIDE, nodes.fitted, this.nodes[k] * BOX_STRIDE));
  }
}

/** Reused, so that a flush allocates nothing. Limits and fat bounds are scratch: no value outlives a function call. */
const reusedBatch = /* @__PURE__ */ new Batch();
const reusedLimits = /* @__PURE__ */ new NodeLimits();
const reusedFatBounds = new Float32Array(BOX_STRIDE);

/** Updates the listed bodies, which have escaped from their fat bounds, and empties the list. */
export function relocateMany(tree: Tree, moved: IndexList): void {
  if (moved.length * SORT_RATIO >= tree.placed) sortBySlot(tree, moved);
  else dropRemoved(tree, moved);
  const batch = reusedBatch;
  for (let begin = 0; begin < moved.length; begin += BATCH_SIZE) {
    const count = Math.min(BATCH_SIZE, moved.length - begin);
    batch.read(tree, moved.array, begin, count);
    const leavingCount = renewFatBounds(tree, batch, count);
    for (let k = 0; k < leavingCount; k++) relocate(tree, batch, batch.leaving[k]);
  }
  moved.length = 0;
}

/** Drops bodies from the list that were removed from the tree after they had moved. */
function dropRemoved({ bodies }: Tree, moved: IndexList): void {
  const { array } = moved;
  let count = 0;
  for (let k = 0; k < moved.length; k++) if (bodies.slot[array[k]] !== NO_SLOT) array[count++] = array[k];
  moved.length = count;
}

/** As `dropRemoved`, and sorts the remaining bodies by slot, which groups them by node. */
function sortBySlot({ bodies, slots }: Tree, moved: IndexList): void {
  const { slot } = bodies;
  const { array } = moved;
  // One bit per slot, set if its body is listed. Takes a quarter of the time of a radix sort.
  const taken = new Uint32Array((slots.end >> 5) + 1);
  for (let k = 0; k < moved.length; k++) {
    const at = slot[array[k]];
    if (at !== NO_SLOT) taken[at >> 5] |= 1 << (at & 31);
  }
  let count = 0;
  for (let word = 0; word < taken.length; word++) {
    for (let bits = taken[word]; bits !== 0; bits &= bits - 1) array[count++] = slots.body[(word << 5) + 31 - Math.clz32(bits & -bits)];
  }
  moved.length = count;
}

/**
 * Gives new fat bounds to the bodies of a batch that stay in their node. Lists the positions of the others in `leaving`, and
 * returns their number.
 */
function renewFatBounds(tree: Tree, batch: Batch, count: number): number {
  const { slotBounds } = tree.slots;
  const { boxes, indices, leaving, nodes, slots, steps, touches } = batch;
  const limits = reusedLimits;
  const fatBounds = reusedFatBounds;
  let leavingCount = 0;
  let node = NO_NODE;
  for (let k = 0, at = 0; k < count; k++, at += BOX_STRIDE) {
    if (nodes[k] !== node) {
      node = nodes[k];
      limits.read(tree, node);
    }
    const mayStay = limits.accepts(boxes, at) && (limits.isStableLeaf || (acceptingOctant(tree, node, boxes, at) < 0 && isCentreIn(tree, node, boxes, at)));
    const flags = mayStay ? computeFatBounds(limits, indices[k], boxes, at, steps, k * STEP_STRIDE, fatBounds) : FAT_BOUNDS_CRAMPED;
    if ((flags & FAT_BOUNDS_CRAMPED) !== 0) {
      leaving[leavingCount++] = k;
      continue;
    }
    if (assignFatBounds(tree, indices[k], slots[k], boxes, at, fatBounds, flags) && touches[k] !== 0) tree.listRefit(node);
    enlarge(tree, node, slotBounds, slots[k] * BOX_STRIDE);
  }
  return leavingCount;
}

/** Moves the body at position `k` of a batch to the node that must own it now, and gives it fat bounds there. */
function relocate(tree: Tree, batch: Batch, k: number): void {
  const { bodies, nodes, slots } = tree;
  const { boxes } = batch;
  const at = k * BOX_STRIDE;
  const index = batch.indices[k];
  growRootAround(tree, boxes, at);
  // The slot in the batch may be out of date: removing a body from a page moves another one.
  const slot = bodies.slot[index];
  const owner = slots.nodeOf(slot);
  const node = chooseNode(tree, owner, batch, k);
  if (node === owner) {
    const touchesNode = touchesFace(slots.slotBounds, slot * BOX_STRIDE, nodes.fitted, node * BOX_STRIDE);
    if (updateFatBounds(tree, node, batch, k) && touchesNode) tree.listRefit(node);
    if (tree.isOverfull(node) && acceptingOctant(tree, node, boxes, at) >= 0) tree.overfull.push(node);
  } else {
    if (removeSlot(tree, owner, slot)) tree.listRefit(owner);
    appendToNode(tree, node, index, boxes, at);
    updateFatBounds(tree, node, batch, k);
    afterBodyRemoved(tree, owner);
    tree.counters.bodiesRelocated++;
  }
  splitOverfull(tree);
}

/**
 * Chooses the node for the body at position `k` of a batch: up by parent links from its owner until a cell accepts it, then down
 * as deep as possible. If the fat bounds would be cramped there, the body would soon escape again; then the node around its
 * centre is chosen instead.
 */
function chooseNode(tree: Tree, owner: number, batch: Batch, k: number): number {
  const { nodes } = tree;
  const { boxes } = batch;
  const at = k * BOX_STRIDE;
  let first = owner;
  while (first !== ROOT && !tree.accepts(first, boxes, at)) first = nodes.parent(first);
  first = sink(tree, first, boxes, at);
  const limits = reusedLimits;
  limits.read(tree, first);
  if (limits.isStableLeaf) {
    const flags = computeFatBounds(limits, batch.indices[k], boxes, at, batch.steps, k * STEP_STRIDE, reusedFatBounds);
    if ((flags & FAT_BOUNDS_CRAMPED) === 0) return first;
  }
  let node = first;
  while (node !== ROOT && !isCentreIn(tree, node, boxes, at)) node = nodes.parent(node);
  node = sink(tree, node, boxes, at);
  // The first `sink` may have opened a leaf, which stays empty.
  if (node !== first && nodes.isLeaf(first) && nodes.bodyCount(first) === 0) tree.listWatch(first);
  return node;
}

/**
 * Computes and assigns the fat bounds of the body at position `k` of a batch, which must have a slot of `node`.
 *
 * @returns As `assignFatBounds`.
 */
function updateFatBounds(tree: Tree, node: number, batch: Batch, k: number): boolean {
  const { boxes, indices, steps } = batch;
  const limits = reusedLimits;
  const fatBounds = reusedFatBounds;
  const at = k * BOX_STRIDE;
  const slot = tree.bodies.slot[indices[k]];
  // Read only now: the body itself may have filled the leaf past its capacity.
  limits.read(tree, node);
  const flags = computeFatBounds(limits, indices[k], boxes, at, steps, k * STEP_STRIDE, fatBounds);
  const mayShrink = assignFatBounds(tree, indices[k], slot, boxes, at, fatBounds, flags);
  enlarge(tree, node, tree.slots.slotBounds, slot * BOX_STRIDE);
  return mayShrink;
}

/** Whether the centre of the box at offset `at` lies in a node's cell itself, without its looseness. */
function isCentreIn(tree: Tree, node: number, boxes: Float64Array, at: number): boolean {
  const { nodes } = tree;
  const edge = nodes.edge(node);
  for (let axis = 0; axis < 3; axis++) {
    const centre = (boxes[at + axis] + boxes[at + axis + 3]) * 0.5;
    const min = nodes.cellMin(node, axis);
    if (centre < min || centre >= min + edge) return false;
  }
  return true;
}
