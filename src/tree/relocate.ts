/**
 * What a flush does with the bodies that have left their room: most get a new entry where they are, with room in the direction in which they
 * move; those that their node no longer accepts climb and sink.
 */

import { BOX_LANES } from '../math/box.ts';
import { radixSort } from '../math/radix-sort.ts';
import { encloseInRoot } from './grow.ts';
import type { IndexList } from './index-list.ts';
import { BODY_DEAD, BODY_MOVED, ROOT } from './layout.ts';
import { removeSlot } from './node-page.ts';
import { acceptingOctant, addToNode, afterLoss, sink, splitOverfull } from './place.ts';
import { enlarge } from './refit.ts';
import { RoomGauge } from './room.ts';
import type { Tree } from './tree.ts';

/** One body in so many: from there on neighbours move together, and an order pays. */
const DENSE = 64;
/** Bodies gathered at a time: what is known of them fits into the fastest cache. */
const BATCH = 128;

const STEP_LANES = 3;

/** Boxes and steps of the bodies at hand, side by side. */
const batch_boxes = new Float64Array(BATCH * BOX_LANES);
const batch_steps = new Float32Array(BATCH * STEP_LANES);

const gauge = new RoomGauge();

/** Brings bodies that have left their room to where they belong now, and empties the list. */
export function relocateMany(tree: Tree, moved: IndexList): void {
  const { array, length } = moved;
  if (length * DENSE >= tree.placed) sortBySlot(tree, moved);
  moved.length = 0;
  for (let begin = 0; begin < length; begin += BATCH) relocateBatch(tree, array.subarray(begin, Math.min(begin + BATCH, length)));
}

function relocateBatch(tree: Tree, batch: Uint32Array): void {
  gather(tree, batch);
  for (let k = 0; k < batch.length; ) {
    const next = renewEntries(tree, batch, k);
    if (next === k) relocate(tree, batch, k++);
    else k = next;
  }
}

/** In the order of their slots: the nodes then come one after the other instead of at random. */
function sortBySlot(tree: Tree, { array, length }: IndexList): void {
  const { slot } = tree.bodies;
  const slots = new Uint32Array(length);
  for (let k = 0; k < length; k++) slots[k] = slot[array[k]];
  radixSort(slots, array, 0, length);
}

/** Reads what is known of bodies that lie far apart: a loop that does nothing else waits for many places of memory at once. */
function gather({ bodies }: Tree, batch: Uint32Array): void {
  const { flags, rooms } = bodies;
  for (let k = 0, to = 0; k < batch.length; k++, to += STEP_LANES) {
    const index = batch[k];
    const from = index * BOX_LANES + BOX_LANES - STEP_LANES;
    flags[index] &= ~BODY_MOVED;
    batch_steps[to] = rooms[from];
    batch_steps[to + 1] = rooms[from + 1];
    batch_steps[to + 2] = rooms[from + 2];
  }
  bodies.readBoxes(batch, batch.length, batch_boxes);
}

/** Renews the entries of bodies from place `begin` on as long as they are of one node and stay there; returns the place of the first that does not. */
function renewEntries(tree: Tree, batch: Uint32Array, begin: number): number {
  const { bodies, slots } = tree;
  const { entries } = slots;
  const node = slots.nodeOf(bodies.slot[batch[begin]]);
  gauge.enter(tree, node);
  let mayShrink = false;
  let k = begin;
  for (; k < batch.length; k++) {
    const index = batch[k];
    const slot = bodies.slot[index];
    const at = k * BOX_LANES;
    if (slots.nodeOf(slot) !== node || (bodies.flags[index] & BODY_DEAD) !== 0) break;
    if (!gauge.accepts(batch_boxes, at)) break;
    if (gauge.isOpen) {
      if (gauge.measure(index, batch_boxes, at, batch_steps, k * STEP_LANES)) break;
    } else {
      const box = readBatch(tree, at);
      if (acceptingOctant(tree, node, box) >= 0 || !centreLiesIn(tree, node, box)) break;
      gauge.measurePlay(box, batch_steps, k * STEP_LANES);
    }
    if (gauge.give(tree, index, slot, batch_boxes, at)) mayShrink = true;
    enlarge(tree, node, entries, slot * BOX_LANES);
  }
  if (mayShrink) tree.listRefit(node);
  return k;
}

function readBatch({ box }: Tree, at: number): Float64Array {
  for (let lane = 0; lane < BOX_LANES; lane++) box[lane] = batch_boxes[at + lane];
  return box;
}

/** Brings the body at a place of the batch to the node where it belongs now: up by parent links until a cell accepts it, then down as deep as it can. */
function relocate(tree: Tree, batch: Uint32Array, k: number): void {
  const { bodies, nodes, slots } = tree;
  const index = batch[k];
  if ((bodies.flags[index] & BODY_DEAD) !== 0) return;
  const box = readBatch(tree, k * BOX_LANES);
  encloseInRoot(tree, box);
  const slot = bodies.slot[index];
  const owner = slots.nodeOf(slot);
  let node = owner;
  while (node !== ROOT && !tree.accepts(node, box)) node = nodes.parent(node);
  node = sink(tree, node, box);
  gauge.enter(tree, node);
  if (!gauge.isOpen || gauge.measure(index, box, 0, batch_steps, k * STEP_LANES)) {
    // It would be back here after the next small step: it goes where its centre is.
    const tried = node;
    while (node !== ROOT && !centreLiesIn(tree, node, box)) node = nodes.parent(node);
    node = sink(tree, node, box);
    // The first attempt may have opened a leaf.
    if (tried !== node && nodes.isLeaf(tried) && nodes.bodyCount(tried) === 0) tree.listWatch(tried);
  }
  if (node === owner) {
    settle(tree, node, index, k, box);
    tree.listRefit(node);
    if (tree.isOverfull(node) && acceptingOctant(tree, node, box) >= 0) tree.overfull.push(node);
  } else {
    removeSlot(tree, owner, slot);
    addToNode(tree, node, index, box);
    settle(tree, node, index, k, box);
    afterLoss(tree, owner);
    tree.counters.bodiesRelocated++;
  }
  splitOverfull(tree);
}

/** Gives the body at a place of the batch, which lies in its node now, its entry and its room. */
function settle(tree: Tree, node: number, index: number, k: number, box: Float64Array): void {
  const slot = tree.bodies.slot[index];
  gauge.enter(tree, node);
  if (gauge.isOpen) gauge.measure(index, box, 0, batch_steps, k * STEP_LANES);
  else gauge.measurePlay(box, batch_steps, k * STEP_LANES);
  gauge.give(tree, index, slot, box, 0);
  enlarge(tree, node, tree.slots.entries, slot * BOX_LANES);
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
