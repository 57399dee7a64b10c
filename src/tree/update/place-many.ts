/** Insertion and removal of many bodies. */

import { BOX_STRIDE } from '../../math/box.ts';
import { ROOT } from '../layout.ts';
import { NO_SLOT } from '../storage/body-arrays.ts';
import type { IndexList } from '../storage/index-list.ts';
import { removeSlot } from '../storage/node-page.ts';
import type { Tree } from '../tree.ts';
import { growRootAround } from './grow.ts';
import { afterBodyRemoved, appendToNode, sink, splitOverfull } from './place.ts';
import { enlarge } from './refit.ts';

/**
 * Inserts the listed bodies, which are not in the tree and have no margin. The root must exist; it grows until it
 * contains them.
 */
export function placeMany(tree: Tree, { array, length }: IndexList): void {
  const box = placedBox;
  for (let k = 0; k < length; k++) {
    const index = array[k];
    tree.bodies.readBox(index, box);
    growRootAround(tree, box);
    const node = sink(tree, ROOT, box);
    const slot = appendToNode(tree, node, index, box);
    tree.writeTightSlot(index, slot, box, 0);
    enlarge(tree, node, tree.slots.slotBounds, slot * BOX_STRIDE);
    splitOverfull(tree);
  }
  tree.placedCount += length;
}
const placedBox = new Float64Array(BOX_STRIDE);

/** Removes the listed bodies from the tree. */
export function removeMany(tree: Tree, { array, length }: IndexList): void {
  const { slot } = tree.bodies;
  for (let k = 0; k < length; k++) {
    const index = array[k];
    const node = tree.slots.nodeOf(slot[index]);
    if (removeSlot(tree, node, slot[index])) tree.listRefit(node);
    slot[index] = NO_SLOT;
    afterBodyRemoved(tree, node);
  }
  tree.placedCount -= length;
}
