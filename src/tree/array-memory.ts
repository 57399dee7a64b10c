/**
 * Where the arrays of a tree lie. The WASM traversal can only read its own memory, so the node and slot arrays of a large tree
 * are allocated there; all other code reads and writes the same arrays. If bodies are often moved in bulk, the arrays of all bodies lie in another memory.
 */

import { BOX_STRIDE } from '../math/box.ts';
import { BLOCK, LINK_STRIDE } from './layout.ts';
import type { Tree } from './tree.ts';
import { NUMBER_BYTES } from '../wasm/memory-map.ts';
import type { WasmMoves } from '../wasm/wasm-moves.ts';
import { WasmTraversal } from '../wasm/wasm-traversal.ts';

/**
 * Numbers per node in each array that the WASM traversal reads: links, fitted, categoryMask, runStart, runEnd. Numbers per slot:
 * slotBounds, body.
 */
const NODE_STRIDES = [LINK_STRIDE, BOX_STRIDE, 1, 1, 1];
const SLOT_STRIDES = [BOX_STRIDE, 1];

/**
 * Resizes the arrays to `blocks` blocks of nodes and `slots` slots, in the memory of a WASM traversal if the tree has enough
 * bodies.
 */
export function resizeArrays(tree: Tree, blocks: number, slots: number): void {
  tree.wasm?.release();
  tree.wasm = createWasm(tree, blocks, slots);
  if (tree.wasm === null) tree.bodies.copyFromWasm();
  tree.nodes.resize(blocks, tree.wasm);
  tree.slots.resize(slots, tree.wasm);
}

/**
 * Moves the arrays of a tree with enough bodies into the memory of a WASM traversal. Call it after every change of the tree: an
 * array that has grown lies outside that memory, and then all arrays move into the memory of a new instance. A tree that becomes
 * small again keeps its WASM traversal.
 */
export function moveArraysToWasm(tree: Tree): void {
  const { nodes, slots, wasm } = tree;
  // One array of each kind is enough: node arrays are replaced together, and so are slot arrays.
  if (wasm !== null && wasm.owns(nodes.fitted) && wasm.owns(slots.slotBounds)) return;
  wasm?.release();
  tree.wasm = createWasm(tree, nodes.capacity, slots.capacity);
  if (tree.wasm === null) return;
  nodes.resize(nodes.capacity, tree.wasm);
  slots.resize(slots.capacity, tree.wasm);
}

/** Minimum number of moves in a batch for which WebAssembly is faster, calls included. */
const MIN_WASM_MOVES = 64;
/** Minimum part of the capacity that a batch must have to count as a bulk move. Smaller ones would seldom save what it costs to copy the arrays of all bodies. */
const MIN_PART = 1 / 32;
/** Number of bulk moves, in units of the capacity, before the arrays are copied. Bodies that have moved so often will probably go on moving. */
const MIN_BULK_MOVES = 2;

/**
 * What runs a batch of `count` moves in WebAssembly; null if it must run in JavaScript. May replace the arrays of the bodies.
 *
 * @param needsHalfSizes Whether the bodies move by their centres.
 */
export function wasmMovesFor({ bodies, placedCount, simdFrom }: Tree, count: number, needsHalfSizes: boolean): WasmMoves | null {
  if (count < MIN_WASM_MOVES || placedCount < simdFrom) return null;
  const { wasm } = bodies;
  if (wasm !== null && (!needsHalfSizes || wasm.halfSizes.length > 0)) return wasm;
  const capacity = bodies.slot.length;
  if (count < capacity * MIN_PART) return null;
  bodies.bulkMoves += count;
  return bodies.bulkMoves > MIN_BULK_MOVES * capacity ? bodies.copyToWasm() : null;
}

/**
 * A WASM traversal with memory for `blocks` blocks and `slots` slots; null if the tree has too few bodies, or if none is
 * available.
 */
function createWasm(tree: Tree, blocks: number, slots: number): WasmTraversal | null {
  if (tree.placedCount === 0 || tree.placedCount < tree.simdFrom) return null;
  const lengths = [...NODE_STRIDES.map((stride) => stride * blocks * BLOCK), ...SLOT_STRIDES.map((stride) => stride * slots)];
  return WasmTraversal.create(lengths.map((length) => length * NUMBER_BYTES));
}
