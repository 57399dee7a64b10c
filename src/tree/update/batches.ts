/**
 * Bodies that come and go many at a time, step by step for a whole batch: what a step reads of each body lies far apart in memory, and
 * a loop that does nothing else waits for many places at once.
 */

import { BOX_STRIDE } from '../../math/box.ts';
import { NO_SLOT } from '../storage/body-arrays.ts';
import { encloseInRoot } from './grow.ts';
import type { IndexList } from '../storage/index-list.ts';
import { FIRST_CHILD, LINK_STRIDE, NODE_USED, ROOT } from '../layout.ts';
import { appendSlot, removeSlot } from '../storage/node-page.ts';
import { afterLoss, noteGain, sink, splitOverfull } from './place.ts';
import { addCategories, enlarge } from './refit.ts';
import type { Tree } from '../tree.ts';

/** Bodies at a time: what is known of them fits into the fastest cache. */
const BATCH = 128;
/** The cells along an edge of a larger root are too many for the bits of a whole number. */
const MAX_LEVELS = 31;

/** Of the bodies at hand: their indices, their boxes and their nodes. */
const batch_bodies = new Uint32Array(BATCH);
const batch_boxes = new Float64Array(BATCH * BOX_STRIDE);
const batch_nodes = new Int32Array(BATCH);

/** Places the listed bodies, which are not in the tree and have no room to move. The root must exist; it grows until it encloses them. */
export function placeMany(tree: Tree, bodies: IndexList): void {
  for (let begin = 0; begin < bodies.length; begin += BATCH) placeBatch(tree, gather(bodies, begin));
  tree.placed += bodies.length;
}

/** Takes the listed bodies out of the tree. */
export function removeMany(tree: Tree, bodies: IndexList): void {
  for (let begin = 0; begin < bodies.length; begin += BATCH) removeBatch(tree, gather(bodies, begin));
  tree.placed -= bodies.length;
}

/** Notes the bodies that are listed from place `begin` on; returns how many. */
function gather({ array, length }: IndexList, begin: number): number {
  const count = Math.min(BATCH, length - begin);
  for (let k = 0; k < count; k++) batch_bodies[k] = array[begin + k];
  return count;
}

function placeBatch(tree: Tree, count: number): void {
  tree.bodies.readBoxes(batch_bodies, count, batch_boxes);
  for (let at = 0; at < count * BOX_STRIDE; at += BOX_STRIDE) encloseInRoot(tree, batch_boxes, at);
  findNodes(tree, count);
  append(tree, count);
  writeSlotBounds(tree, count);
  enlargeNodes(tree, count);
  splitOverfull(tree);
}

/** Finds the deepest node that accepts each box of the batch. */
function findNodes(tree: Tree, count: number): void {
  const { nodes } = tree;
  const boxes = batch_boxes;
  const found = batch_nodes;
  descend(tree, count);
  for (let k = 0, at = 0; k < count; k++, at += BOX_STRIDE) {
    let node = found[k];
    // A cell accepts whatever one within it does.
    while (node !== ROOT && !tree.accepts(node, boxes, at)) node = nodes.parent(node);
    found[k] = node;
  }
  for (let k = 0, at = 0; k < count; k++, at += BOX_STRIDE) {
    // An inner node may have to open a child.
    if (!nodes.isLeaf(found[k])) found[k] = sink(tree, found[k], boxes, at);
  }
}

/**
 * Finds the deepest node to which the centre of each box leads, whether or not it accepts the box: on this way nothing is read but the links.
 * Two go down together: each step has to wait for the one before, and no processor foresees how many there are.
 */
function descend(tree: Tree, count: number): void {
  const { nodes, region } = tree;
  const { flags, links } = nodes;
  const { minX, minY, minZ } = region;
  const boxes = batch_boxes;
  const found = batch_nodes;
  const top = nodes.level(ROOT);
  const last = region.edge - 1;
  if (top > MAX_LEVELS) {
    found.fill(ROOT, 0, count);
    return;
  }
  for (let k = 0; k < count; k += 2) {
    const other = Math.min(k + 1, count - 1);
    const at = k * BOX_STRIDE;
    const otherAt = other * BOX_STRIDE;
    const x = centreCell(boxes, at, minX, last);
    const y = centreCell(boxes, at + 1, minY, last);
    const z = centreCell(boxes, at + 2, minZ, last);
    const otherX = centreCell(boxes, otherAt, minX, last);
    const otherY = centreCell(boxes, otherAt + 1, minY, last);
    const otherZ = centreCell(boxes, otherAt + 2, minZ, last);
    let node = ROOT;
    let otherNode = ROOT;
    let first = links[FIRST_CHILD];
    let otherFirst = first;
    for (let level = top - 1; (first | otherFirst) !== 0; level--) {
      node = childOf(node, first, octantAt(x, y, z, level));
      otherNode = childOf(otherNode, otherFirst, octantAt(otherX, otherY, otherZ, level));
      first = links[node * LINK_STRIDE + FIRST_CHILD];
      otherFirst = links[otherNode * LINK_STRIDE + FIRST_CHILD];
    }
    // What is not in use has no children either.
    found[k] = (flags[node] & NODE_USED) !== 0 ? node : nodes.parent(node);
    found[other] = (flags[otherNode] & NODE_USED) !== 0 ? otherNode : nodes.parent(otherNode);
  }
}

/** Along the axis of a lane: in which of the root's cells of edge 1 the centre of a box lies. The upper face of the root belongs to the last one. */
function centreCell(boxes: Float64Array, at: number, rootMin: number, last: number): number {
  return Math.min(Math.floor((boxes[at] + boxes[at + 3]) * 0.5) - rootMin, last) | 0;
}

/** The octant that a cell of edge 1 lies in: corners of cells are integers, so that the bits of its place are its sides, level by level. */
function octantAt(x: number, y: number, z: number, level: number): number {
  return ((x >> level) & 1) | (((y >> level) & 1) << 1) | (((z >> level) & 1) << 2);
}

/** The child in an octant of a node, or the node itself if it has none. */
function childOf(node: number, first: number, octant: number): number {
  return node + ((first + octant - node) & (-first >> 31));
}

function append(tree: Tree, count: number): void {
  for (let k = 0, at = 0; k < count; k++, at += BOX_STRIDE) {
    appendSlot(tree, batch_nodes[k], batch_bodies[k]);
    noteGain(tree, batch_nodes[k], batch_boxes, at);
  }
}

function writeSlotBounds({ bodies, slots }: Tree, count: number): void {
  const { slot } = bodies;
  for (let k = 0, at = 0; k < count; k++, at += BOX_STRIDE) slots.writeSlotBounds(slot[batch_bodies[k]], batch_boxes, at);
}

function enlargeNodes(tree: Tree, count: number): void {
  const { slot } = tree.bodies;
  const { slotBounds } = tree.slots;
  for (let k = 0; k < count; k++) enlarge(tree, batch_nodes[k], slotBounds, slot[batch_bodies[k]] * BOX_STRIDE);
  for (let k = 0; k < count; k++) addCategories(tree, batch_nodes[k], batch_bodies[k]);
}

function removeBatch(tree: Tree, count: number): void {
  const { bodies, slots } = tree;
  for (let k = 0; k < count; k++) batch_nodes[k] = slots.nodeOf(bodies.slot[batch_bodies[k]]);
  takeOut(tree, count);
  for (let k = 0; k < count; k++) afterLoss(tree, batch_nodes[k]);
}

function takeOut(tree: Tree, count: number): void {
  const { slot } = tree.bodies;
  for (let k = 0; k < count; k++) {
    const index = batch_bodies[k];
    if (removeSlot(tree, batch_nodes[k], slot[index])) tree.listRefit(batch_nodes[k]);
    slot[index] = NO_SLOT;
  }
}
