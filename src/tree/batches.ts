/**
 * Bodies that come and go many at a time, step by step for a whole batch: what a step reads of each body lies far apart in memory, and
 * a loop that does nothing else waits for many places at once.
 */

import { BOX_LANES } from '../math/box.ts';
import { NO_SLOT } from './body-lanes.ts';
import { encloseInRoot } from './grow.ts';
import { FIRST_CHILD, LINK_LANES, NODE_USED, ROOT } from './layout.ts';
import { appendSlot, removeSlot } from './node-page.ts';
import { afterLoss, noteGain, sink, splitOverfull } from './place.ts';
import { addCategories, enlarge, writeEntry } from './refit.ts';
import type { Tree } from './tree.ts';

/** Bodies at a time: what is known of them fits into the fastest cache. */
const BATCH = 128;
/** The cells along an edge of a larger root are too many for the bits of a whole number. */
const MOST_LEVELS = 31;

/** Of the bodies at hand: their boxes and their nodes. */
const batch_boxes = new Float64Array(BATCH * BOX_LANES);
const batch_nodes = new Int32Array(BATCH);

/** Places bodies that are not in the tree and have no room to move. The root must exist; it grows until it encloses them. */
export function placeMany(tree: Tree, indices: Uint32Array): void {
  encloseInRoot(tree, tree.bodies.extentOf(indices));
  for (let begin = 0; begin < indices.length; begin += BATCH) placeBatch(tree, indices.subarray(begin, begin + BATCH));
  tree.placed += indices.length;
}

/** Takes bodies out of the tree. */
export function removeMany(tree: Tree, indices: Uint32Array): void {
  for (let begin = 0; begin < indices.length; begin += BATCH) removeBatch(tree, indices.subarray(begin, begin + BATCH));
  tree.placed -= indices.length;
}

function placeBatch(tree: Tree, batch: Uint32Array): void {
  tree.bodies.readBoxes(batch, batch.length, batch_boxes);
  findNodes(tree, batch.length);
  append(tree, batch);
  writeEntries(tree, batch);
  enlargeNodes(tree, batch);
  splitOverfull(tree);
}

/** Finds the deepest node that accepts each box of the batch. */
function findNodes(tree: Tree, count: number): void {
  const { nodes } = tree;
  const boxes = batch_boxes;
  const found = batch_nodes;
  descend(tree, count);
  for (let k = 0, at = 0; k < count; k++, at += BOX_LANES) {
    let node = found[k];
    // A cell accepts whatever one within it does.
    while (node !== ROOT && !tree.accepts(node, boxes, at)) node = nodes.parent(node);
    found[k] = node;
  }
  for (let k = 0, at = 0; k < count; k++, at += BOX_LANES) {
    // An inner node may have to open a child.
    if (!nodes.isLeaf(found[k])) found[k] = sink(tree, found[k], boxes, at);
  }
}

/** Finds the deepest node to which the centre of each box leads, whether or not it accepts the box: on this way nothing is read but the links. */
function descend(tree: Tree, count: number): void {
  const { nodes, region } = tree;
  const { flags, links } = nodes;
  const { minX, minY, minZ } = region;
  const boxes = batch_boxes;
  const found = batch_nodes;
  const top = nodes.level(ROOT);
  const last = region.edge - 1;
  if (top > MOST_LEVELS) {
    found.fill(ROOT, 0, count);
    return;
  }
  for (let k = 0, at = 0; k < count; k++, at += BOX_LANES) {
    // Cells have integer corners: so the bits of how far, rounded down, a centre lies from one tell its side, level by level.
    const x = Math.min(Math.floor((boxes[at] + boxes[at + 3]) * 0.5) - minX, last) | 0;
    const y = Math.min(Math.floor((boxes[at + 1] + boxes[at + 4]) * 0.5) - minY, last) | 0;
    const z = Math.min(Math.floor((boxes[at + 2] + boxes[at + 5]) * 0.5) - minZ, last) | 0;
    let node = ROOT;
    let level = top;
    for (let first = links[FIRST_CHILD]; first !== 0; first = links[node * LINK_LANES + FIRST_CHILD]) {
      level--;
      node = first + (((x >> level) & 1) | (((y >> level) & 1) << 1) | (((z >> level) & 1) << 2));
    }
    // What is not in use has no children either.
    found[k] = (flags[node] & NODE_USED) !== 0 ? node : nodes.parent(node);
  }
}

function append(tree: Tree, batch: Uint32Array): void {
  for (let k = 0, at = 0; k < batch.length; k++, at += BOX_LANES) {
    appendSlot(tree, batch_nodes[k], batch[k]);
    noteGain(tree, batch_nodes[k], batch_boxes, at);
  }
}

function writeEntries(tree: Tree, batch: Uint32Array): void {
  const { slot } = tree.bodies;
  for (let k = 0, at = 0; k < batch.length; k++, at += BOX_LANES) writeEntry(tree, slot[batch[k]], batch_boxes, at);
}

function enlargeNodes(tree: Tree, batch: Uint32Array): void {
  const { slot } = tree.bodies;
  const { entries } = tree.slots;
  for (let k = 0; k < batch.length; k++) enlarge(tree, batch_nodes[k], entries, slot[batch[k]] * BOX_LANES);
  for (let k = 0; k < batch.length; k++) addCategories(tree, batch_nodes[k], batch[k]);
}

function removeBatch(tree: Tree, batch: Uint32Array): void {
  const { bodies, slots } = tree;
  for (let k = 0; k < batch.length; k++) batch_nodes[k] = slots.nodeOf(bodies.slot[batch[k]]);
  takeOut(tree, batch);
  for (let k = 0; k < batch.length; k++) afterLoss(tree, batch_nodes[k]);
}

function takeOut(tree: Tree, batch: Uint32Array): void {
  const { bodies } = tree;
  for (let k = 0; k < batch.length; k++) {
    removeSlot(tree, batch_nodes[k], bodies.slot[batch[k]]);
    bodies.slot[batch[k]] = NO_SLOT;
  }
}
