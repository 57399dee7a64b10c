/** A walker can only read what lies in its memory: the arrays of a large tree are made there, where everybody else reads and writes them too. */

import { BOX_LANES } from '../math/box.ts';
import { BLOCK, LINK_LANES } from './layout.ts';
import type { Tree } from './tree.ts';
import { LANE } from './simd/memory-map.ts';
import { Walker } from './simd/wasm-traversal.ts';

/** Lanes of a node in each of the arrays that the walker reads: links, fitted, categoryMask, runStart, runEnd; and of a slot: entries, body. */
const NODE_LANES = [LINK_LANES, BOX_LANES, 1, 1, 1];
const SLOT_LANES = [BOX_LANES, 1];

/** Makes room for so many blocks of nodes and so many slots, in the memory of a walker if there are bodies enough. */
export function resizeArrays(tree: Tree, blocks: number, slots: number): void {
  tree.walker?.release();
  tree.walker = newWalker(tree, blocks, slots);
  tree.nodes.resize(blocks, tree.walker);
  tree.slots.resize(slots, tree.walker);
}

/**
 * Sees to it that the walker has the arrays of a tree, if there are bodies enough; a tree that becomes small again keeps it. To be called when the
 * tree has changed: arrays that have grown meanwhile are new ones, outside of the memory, and then all move into that of a new walker.
 */
export function moveArrays(tree: Tree): void {
  const { nodes, slots, walker } = tree;
  // Those of nodes are replaced together, and so are those of slots.
  if (walker !== null && walker.holds(nodes.fitted) && walker.holds(slots.entries)) return;
  walker?.release();
  tree.walker = newWalker(tree, nodes.capacity, slots.capacity);
  if (tree.walker === null) return;
  nodes.resize(nodes.capacity, tree.walker);
  slots.resize(slots.capacity, tree.walker);
}

/** A walker with memory for the arrays of so many blocks and slots; null if there are too few bodies, or if there is none to be had. */
function newWalker(tree: Tree, blocks: number, slots: number): Walker | null {
  if (tree.placed === 0 || tree.placed < tree.simdFrom) return null;
  const lengths = [...NODE_LANES.map((lanes) => lanes * blocks * BLOCK), ...SLOT_LANES.map((lanes) => lanes * slots)];
  return Walker.create(lengths.map((length) => length * LANE));
}
