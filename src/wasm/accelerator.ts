/**
 * The entry to WebAssembly: the accelerator of a tree. Walks can only read WebAssembly memory, so the node and slot
 * arrays of a large tree are allocated there; all other code reads and writes the same arrays.
 */

import type { Accelerator, AcceleratedTree } from '../tree/accelerator.ts';
import { wasmCode } from './wasm-code.ts';
import { WasmModule } from './wasm-module.ts';
import { WasmTraversal } from './wasm-traversal.ts';

const module = /* @__PURE__ */ new WasmModule(wasmCode);

/** An accelerator for trees of `minBodies` bodies and more; null if there is to be none. */
export function createAccelerator(minBodies: number): Accelerator | null {
  return minBodies === Infinity ? null : new WasmAccelerator(minBodies);
}

export class WasmAccelerator implements Accelerator {
  walker: WasmTraversal | null = null;
  private readonly minBodies: number;
  /** Whether there was no memory for the tree. Each attempt costs a full garbage collection, so it is made once. */
  private isRefused = false;

  constructor(minBodies: number) {
    this.minBodies = minBodies;
  }

  get overheadBytes(): number {
    return this.walker?.overheadBytes ?? 0;
  }

  resizeArrays({ nodes, slots, placedCount }: AcceleratedTree, newBlocks: number, newSlots: number): void {
    const walker = this.newWalker(placedCount, newBlocks, newSlots);
    nodes.resize(newBlocks, walker?.nodes);
    slots.resize(newSlots, walker?.slots);
    this.walker = walker;
  }

  /** While the walker reads all arrays it is kept, even if the tree is small now. */
  adoptArrays(tree: AcceleratedTree): void {
    const { walker } = this;
    const { nodes, slots } = tree;
    // One array of each kind is enough: node arrays are replaced together, and so are slot arrays.
    if (walker !== null && walker.reads(nodes.fitted) && walker.reads(slots.slotBounds)) return;
    const next = this.newWalker(tree.placedCount, nodes.capacity, slots.capacity);
    if (next === null) return;
    nodes.resize(nodes.capacity, next.nodes);
    slots.resize(slots.capacity, next.slots);
    this.walker = next;
  }

  release(): void {
    this.walker?.release();
    this.walker = null;
  }

  /**
   * Ends the walker. Returns another one with arrays for `blocks` blocks and `slots` slots; null if the tree has too
   * few bodies, or if none is available.
   */
  private newWalker(bodyCount: number, blocks: number, slots: number): WasmTraversal | null {
    // Before the new one is created, because their number is limited.
    this.release();
    if (bodyCount === 0 || bodyCount < this.minBodies || this.isRefused || !module.compile()) return null;
    try {
      return WasmTraversal.of(module, blocks, slots);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.isRefused = true;
      return null;
    }
  }
}
