/**
 * Insertion and removal of many bodies. Each step is one loop over a batch: the data of its bodies is scattered in
 * memory, and a short loop has many cache misses in flight at once.
 */

import { BOX_STRIDE } from '../../math/box.ts';
import { BATCH_SIZE, ROOT } from '../layout.ts';
import { NO_SLOT } from '../storage/body-arrays.ts';
import type { IndexList } from '../storage/index-list.ts';
import { appendSlot, removeSlot } from '../storage/node-page.ts';
import type { Tree } from '../tree.ts';
import { growRootAround } from './grow.ts';
import { afterBodyAdded, afterBodyRemoved, sink, splitOverfull } from './place.ts';
import { addCategories, enlarge } from './refit.ts';

/** Bodies that are inserted or removed together, with their data copied side by side. */
class PlacementBatch {
  count = 0;
  readonly indices = new Uint32Array(BATCH_SIZE);
  /** Exact boxes. Not used by removals. */
  readonly boxes = new Float64Array(BATCH_SIZE * BOX_STRIDE);
  /** Owner nodes. */
  readonly nodes = new Int32Array(BATCH_SIZE);

  /** Copies the bodies of a list from position `begin` on, up to a full batch. */
  take({ array, length }: IndexList, begin: number): void {
    this.count = Math.min(BATCH_SIZE, length - begin);
    for (let k = 0; k < this.count; k++) this.indices[k] = array[begin + k];
  }
}

/** Reused, so that insertions and removals allocate nothing. */
const reusedBatch = /* @__PURE__ */ new PlacementBatch();

/**
 * Inserts the listed bodies, which are not in the tree and have no margin. The root must exist; it grows until it
 * contains them.
 */
export function placeMany(tree: Tree, bodies: IndexList): void {
  const batch = reusedBatch;
  for (let begin = 0; begin < bodies.length; begin += BATCH_SIZE) {
    batch.take(bodies, begin);
    placeBatch(tree, batch);
  }
  tree.placedCount += bodies.length;
}

/** Removes the listed bodies from the tree. */
export function removeMany(tree: Tree, bodies: IndexList): void {
  const batch = reusedBatch;
  for (let begin = 0; begin < bodies.length; begin += BATCH_SIZE) {
    batch.take(bodies, begin);
    removeBatch(tree, batch);
  }
  tree.placedCount -= bodies.length;
}

function placeBatch(tree: Tree, batch: PlacementBatch): void {
  const { boxes, count, indices } = batch;
  tree.bodies.readBoxes(indices, count, boxes);
  for (let at = 0; at < count * BOX_STRIDE; at += BOX_STRIDE) growRootAround(tree, boxes, at);
  findNodes(tree, batch);
  append(tree, batch);
  writeSlotBounds(tree, batch);
  updateNodes(tree, batch);
  splitOverfull(tree);
}

/** Finds the deepest node that accepts each box of a batch. */
function findNodes(tree: Tree, { boxes, count, nodes }: PlacementBatch): void {
  for (let k = 0, at = 0; k < count; k++, at += BOX_STRIDE) nodes[k] = sink(tree, ROOT, boxes, at);
}

function append(tree: Tree, { boxes, count, indices, nodes }: PlacementBatch): void {
  for (let k = 0, at = 0; k < count; k++, at += BOX_STRIDE) {
    appendSlot(tree, nodes[k], indices[k]);
    afterBodyAdded(tree, nodes[k], boxes, at);
  }
}

function writeSlotBounds(tree: Tree, { boxes, count, indices }: PlacementBatch): void {
  const { slot } = tree.bodies;
  for (let k = 0, at = 0; k < count; k++, at += BOX_STRIDE)
    tree.writeTightSlot(indices[k], slot[indices[k]], boxes, at);
}

function updateNodes(tree: Tree, { count, indices, nodes }: PlacementBatch): void {
  const { slot } = tree.bodies;
  const { slotBounds } = tree.slots;
  for (let k = 0; k < count; k++) enlarge(tree, nodes[k], slotBounds, slot[indices[k]] * BOX_STRIDE);
  for (let k = 0; k < count; k++) addCategories(tree, nodes[k], indices[k]);
}

function removeBatch(tree: Tree, { count, indices, nodes }: PlacementBatch): void {
  const { bodies, slots } = tree;
  const { slot } = bodies;
  for (let k = 0; k < count; k++) nodes[k] = slots.nodeOf(slot[indices[k]]);
  for (let k = 0; k < count; k++) {
    const index = indices[k];
    if (removeSlot(tree, nodes[k], slot[index])) tree.listRefit(nodes[k]);
    slot[index] = NO_SLOT;
  }
  for (let k = 0; k < count; k++) afterBodyRemoved(tree, nodes[k]);
}
