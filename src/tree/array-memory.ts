/** A walker can only read what lies in its memory: the arrays of a large tree are made there, where everybody else reads and writes them too. */

import { BOX_STRIDE } from '../math/box.ts';
import { BLOCK, LINK_STRIDE } from './layout.ts';
import type { Tree } from './tree.ts';
import { NUMBER_BYTES } from './simd/memory-map.ts';
import { WasmTraversal } from './simd/wasm-traversal.ts';

/** Lanes of a node in each of the arrays that the walker reads: links, fitted, categoryMask, runStart, runEnd; and of a slot: slotBounds, body. */
const NODE_STRIDES = [LINK_STRIDE, BOX_STRIDE, 1, 1, 1];
const SLOT_STRIDES = [BOX_STRIDE, 1];

/** Makes room for so many blocks of nodes and so many slots, in the memory of a walker if there are bodies enough. */
export function resizeArrays(tree: Tree, blocks: number, slots: number): void {
  tree.wasm?.release();
  tree.wasm = newWasm(tree, blocks, slots);
  tree.nodes.resize(blocks, tree.wasm);
  tree.slots.resize(slots, tree.wasm);
}

/**
 * Sees to it that the walker has the arrays of a tree, if there are bodies enough; a tree that becomes small again keeps it. To be called when the
 * tree has changed: arrays that have grown meanwhile are new ones, outside of the memory, and then all move into that of a new walker.
 */
export function moveArrays(tree: Tree): void {
  const { nodes, slots, wasm } = tree;
  // Those of nodes are replaced together, and so are those of slots.
  if (wasm !== null && wasm.owns(nodes.fitted) && wasm.owns(slots.slotBounds)) return;
  wasm?.release();
  tree.wasm = newWasm(tree, nodes.capacity, slots.capacity);
  if (tree.wasm === null) return;
  nodes.resize(nodes.capacity, tree.wasm);
  slots.resize(slots.capacity, tree.wasm);
}

/** A walker with memory for the arrays of so many blocks and slots; null if there are too few bodies, or if there is none to be had. */
function newWasm(tree: Tree, blocks: number, slots: number): WasmTraversal | null {
  if (tree.placed === 0 || tree.placed < tree.simdFrom) return null;
  const lengths = [...NODE_STRIDES.map((lanes) => lanes * blocks * BLOCK), ...SLOT_STRIDES.map((lanes) => lanes * slots)];
  return WasmTraversal.create(lengths.map((length) => length * NUMBER_BYTES));
}
