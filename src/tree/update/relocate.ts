/**
 * What a flush does with the bodies that have left their room: most get a new entry where they are, with room in the direction in which they
 * move; those that their node no longer accepts climb and sink.
 */

import { BOX_STRIDE, touchesFace } from '../../math/box.ts';
import { NO_SLOT } from '../storage/body-arrays.ts';
import { encloseInRoot } from './grow.ts';
import type { IndexList } from '../storage/index-list.ts';
import { BODY_MOVED, ROOT } from '../layout.ts';
import { removeSlot } from '../storage/node-page.ts';
import { acceptingOctant, afterLoss, sink, splitOverfull, takeIn } from './place.ts';
import { enlarge } from './refit.ts';
import { RoomGauge } from './fat-bounds.ts';
import type { Tree } from '../tree.ts';

/** One body in so many: from there on neighbours move together, and an order pays. */
const DENSE = 64;
/** Bodies gathered at a time: what is known of them fits into the fastest cache. */
const BATCH = 128;

const STEP_STRIDE = 3;

/** Boxes and steps of the bodies at hand, side by side. */
const batch_boxes = new Float64Array(BATCH * BOX_STRIDE);
const batch_steps = new Float32Array(BATCH * STEP_STRIDE);
/** Where they lie. */
const batch_slots = new Int32Array(BATCH);
const batch_nodes = new Int32Array(BATCH);
/** Whether their slotBounds reach a face of their nodes' fitted boxes. */
const batch_touches = new Uint8Array(BATCH);
/** Places of those that leave their node. */
const batch_escaped = new Int32Array(BATCH);

const NO_NODE = -1;

const gauge = new RoomGauge();

/** Brings bodies that have left their room to where they belong now, and empties the list. */
export function relocateMany(tree: Tree, moved: IndexList): void {
  if (moved.length * DENSE >= tree.placed) sortBySlot(tree, moved);
  else dropDead(tree, moved);
  const { array, length } = moved;
  moved.length = 0;
  for (let begin = 0; begin < length; begin += BATCH) relocateBatch(tree, array.subarray(begin, Math.min(begin + BATCH, length)));
}

function relocateBatch(tree: Tree, batch: Uint32Array): void {
  gather(tree, batch);
  const count = renewSlotBounds(tree, batch);
  for (let k = 0; k < count; k++) relocate(tree, batch, batch_escaped[k]);
}

/** Leaves out the bodies that have died since they moved, and have no slot any more. */
function dropDead({ bodies }: Tree, moved: IndexList): void {
  const { array } = moved;
  let count = 0;
  for (let k = 0; k < moved.length; k++) if (bodies.slot[array[k]] !== NO_SLOT) array[count++] = array[k];
  moved.length = count;
}

/** The same, and sorts the others by slot: the nodes then come one after the other instead of at random. */
function sortBySlot({ bodies, slots }: Tree, moved: IndexList): void {
  const { slot } = bodies;
  const { array } = moved;
  // One bit a slot: a quarter of the time of a radix sort.
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

/** Reads what is known of bodies that lie far apart: loops that do nothing else wait for many places of memory at once. */
function gather({ bodies, nodes, slots }: Tree, batch: Uint32Array): void {
  const { flags, fatBounds, slot } = bodies;
  for (let k = 0, to = 0; k < batch.length; k++, to += STEP_STRIDE) {
    const index = batch[k];
    const from = index * BOX_STRIDE + BOX_STRIDE - STEP_STRIDE;
    flags[index] &= ~BODY_MOVED;
    batch_slots[k] = slot[index];
    batch_steps[to] = fatBounds[from];
    batch_steps[to + 1] = fatBounds[from + 1];
    batch_steps[to + 2] = fatBounds[from + 2];
  }
  bodies.readBoxes(batch, batch.length, batch_boxes);
  for (let k = 0; k < batch.length; k++) batch_nodes[k] = slots.nodeOf(batch_slots[k]);
  for (let k = 0; k < batch.length; k++) batch_touches[k] = Number(touchesFace(slots.slotBounds, batch_slots[k] * BOX_STRIDE, nodes.fitted, batch_nodes[k] * BOX_STRIDE));
}

/** Renews the slotBounds of the bodies that stay in their node; lists the places of the others, and returns how many they are. */
function renewSlotBounds(tree: Tree, batch: Uint32Array): number {
  const { slotBounds } = tree.slots;
  let count = 0;
  let node = NO_NODE;
  for (let k = 0; k < batch.length; k++) {
    if (batch_nodes[k] !== node) {
      node = batch_nodes[k];
      gauge.enter(tree, node);
    }
    if (!canStay(tree, node, batch, k)) {
      batch_escaped[count++] = k;
      continue;
    }
    const slot = batch_slots[k];
    if (gauge.give(tree, batch[k], slot, batch_boxes, k * BOX_STRIDE) && batch_touches[k] !== 0) tree.listRefit(node);
    enlarge(tree, node, slotBounds, slot * BOX_STRIDE);
  }
  return count;
}

/** Whether the body at a place of the batch may stay in its node; if so, its room there is measured. */
function canStay(tree: Tree, node: number, batch: Uint32Array, k: number): boolean {
  const at = k * BOX_STRIDE;
  if (!gauge.accepts(batch_boxes, at)) return false;
  if (gauge.isOpen) return !gauge.measure(batch[k], batch_boxes, at, batch_steps, k * STEP_STRIDE);
  const box = readBatch(tree, at);
  if (acceptingOctant(tree, node, box) >= 0 || !centreLiesIn(tree, node, box)) return false;
  gauge.measurePlay(box, batch_steps, k * STEP_STRIDE);
  return true;
}

function readBatch({ box }: Tree, at: number): Float64Array {
  for (let lane = 0; lane < BOX_STRIDE; lane++) box[lane] = batch_boxes[at + lane];
  return box;
}

/** Brings the body at a place of the batch to the node where it belongs now: up by parent links until a cell accepts it, then down as deep as it can. */
function relocate(tree: Tree, batch: Uint32Array, k: number): void {
  const { bodies, nodes, slots } = tree;
  const index = batch[k];
  const box = readBatch(tree, k * BOX_STRIDE);
  encloseInRoot(tree, box);
  const slot = bodies.slot[index];
  const owner = slots.nodeOf(slot);
  let node = owner;
  while (node !== ROOT && !tree.accepts(node, box)) node = nodes.parent(node);
  node = sink(tree, node, box);
  gauge.enter(tree, node);
  let isMeasured = gauge.isOpen;
  if (!isMeasured || gauge.measure(index, box, 0, batch_steps, k * STEP_STRIDE)) {
    // It would be back here after the next small step: it goes where its centre is.
    const tried = node;
    while (node !== ROOT && !centreLiesIn(tree, node, box)) node = nodes.parent(node);
    node = sink(tree, node, box);
    isMeasured &&= tried === node;
    // The first attempt may have opened a leaf.
    if (tried !== node && nodes.isLeaf(tried) && nodes.bodyCount(tried) === 0) tree.listWatch(tried);
  }
  if (node === owner) {
    const touches = touchesFace(slots.slotBounds, slot * BOX_STRIDE, nodes.fitted, node * BOX_STRIDE);
    if (settle(tree, node, index, k, box, isMeasured) && touches) tree.listRefit(node);
    if (tree.isOverfull(node) && acceptingOctant(tree, node, box) >= 0) tree.overfull.push(node);
  } else {
    if (removeSlot(tree, owner, slot)) tree.listRefit(owner);
    takeIn(tree, node, index, box);
    settle(tree, node, index, k, box, isMeasured);
    afterLoss(tree, owner);
    tree.counters.bodiesRelocated++;
  }
  splitOverfull(tree);
}

/**
 * Gives the body at a place of the batch, which has a slot of its node now, its entry and its room; that may have been measured before the body came.
 *
 * @returns Whether that leaves out some of the entry before.
 */
function settle(tree: Tree, node: number, index: number, k: number, box: Float64Array, isMeasured: boolean): boolean {
  const slot = tree.bodies.slot[index];
  // The body may be what made its leaf too full: there is no room then.
  if (!isMeasured || tree.isOverfull(node)) {
    gauge.enter(tree, node);
    if (gauge.isOpen) gauge.measure(index, box, 0, batch_steps, k * STEP_STRIDE);
    else gauge.measurePlay(box, batch_steps, k * STEP_STRIDE);
  }
  const isLess = gauge.give(tree, index, slot, box, 0);
  enlarge(tree, node, tree.slots.slotBounds, slot * BOX_STRIDE);
  return isLess;
}

/** Whether the centre of a box lies in a node's cell itself, without its looseness. */
function centreLiesIn(tree: Tree, node: number, box: Float64Array): boolean {
  const { nodes } = tree;
  const edge = nodes.edge(node);
  for (let axis = 0; axis < 3; axis++) {
    const centre = (box[axis] + box[axis + 3]) * 0.5;
    const min = nodes.cellMin(node, axis);
    if (centre < min || centre >= min + edge) return false;
  }
  return true;
}
