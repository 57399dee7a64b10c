/**
 * The door to WebAssembly: the accelerator of a tree. Walks and bulk moves can only read WebAssembly memory, so the
 * node and slot arrays of a large tree are allocated there; all other code reads and writes the same arrays. If bodies
 * are often moved in bulk, the arrays of all bodies lie in another memory.
 */

import type { Accelerator, BulkMoves, AcceleratedTree } from '../tree/accelerator.ts';
import type { BulkMover } from './bulk-mover.ts';
import { HEAP } from './memory-map.ts';
import { wasmCode } from './wasm-code.ts';
import { MemorySource } from './wasm-memory.ts';
import { WasmModule } from './wasm-module.ts';
import { WasmTraversal } from './wasm-traversal.ts';

/**
 * Browsers allow little more than a hundred WebAssembly memories for each web page; about half are left to other
 * libraries.
 */
const MAX_MEMORIES = 64;

/**
 * Moves take no new memory while this many are in use, by queries and moves together: the rest is left to queries,
 * which gain more.
 */
const MAX_MEMORIES_FOR_MOVES = 32;

/** Minimum number of moves in a batch for which WebAssembly is faster, calls included. */
const MIN_MOVES = 64;
/**
 * Smallest batch that is a bulk move, as a part of the capacity of the arrays of bodies. Smaller ones would seldom save
 * what it costs to copy these arrays.
 */
const MIN_BULK_PART = 1 / 32;

const module = /* @__PURE__ */ new WasmModule(wasmCode);
/** The code of bulk moves, and its module. Null until it is loaded, or if it cannot be. */
let moves: { readonly BulkMover: typeof BulkMover; readonly module: WasmModule } | null = null;
/** Resolves when it is loaded, or if it cannot be. */
let loading: Promise<void> | null = null;

/**
 * Loads the code of bulk moves at the first call, and creates what runs them once it is there. Until then, and for ever
 * if that fails, moves run in JavaScript.
 */
function createMover(): BulkMover | null {
  loading ??= import('./bulk-mover.ts').then(
    (loaded) => void (moves = { BulkMover: loaded.BulkMover, module: new WasmModule(loaded.movesCode) }),
    () => undefined,
  );
  return moves === null ? null : new moves.BulkMover(new MemorySource(moves.module, 0, MAX_MEMORIES_FOR_MOVES));
}

/** An accelerator for trees of `minBodies` bodies and more. */
export function createAccelerator(minBodies: number): Accelerator | null {
  return minBodies === Infinity ? null : new WasmAccelerator(minBodies);
}

export class WasmAccelerator implements Accelerator {
  walker: WasmTraversal | null = null;
  /** Created with the first bulk move after its code was loaded. */
  mover: BulkMover | null = null;
  private readonly minBodies: number;
  private readonly memories = new MemorySource(module, HEAP, MAX_MEMORIES);

  constructor(minBodies: number) {
    this.minBodies = minBodies;
  }

  get overheadBytes(): number {
    return (this.walker?.memory.overheadBytes ?? 0) + (this.mover?.overheadBytes ?? 0);
  }

  resizeArrays({ bodies, nodes, slots, placedCount }: AcceleratedTree, newBlocks: number, newSlots: number): void {
    this.renewWalker(placedCount, newBlocks, newSlots);
    if (this.walker === null) this.mover?.dropArrays(bodies);
    nodes.resize(newBlocks, this.walker?.nodes);
    slots.resize(newSlots, this.walker?.slots);
  }

  /** While the walker reads all arrays it is kept, even if the tree is small now. */
  adoptArrays({ bodies, nodes, slots, placedCount }: AcceleratedTree): void {
    const { walker } = this;
    this.mover?.releaseOutgrown(bodies);
    // One array of each kind is enough: node arrays are replaced together, and so are slot arrays.
    if (walker !== null && walker.reads(nodes.fitted) && walker.reads(slots.slotBounds)) return;
    this.renewWalker(placedCount, nodes.capacity, slots.capacity);
    if (this.walker === null) return;
    nodes.resize(nodes.capacity, this.walker.nodes);
    slots.resize(slots.capacity, this.walker.slots);
  }

  movesFor({ bodies, placedCount }: AcceleratedTree, count: number, areCenters: boolean): BulkMoves | null {
    // Where one module cannot be compiled, another one is not tried: browsers report each attempt that a policy
    // forbids.
    if (placedCount < this.minBodies || count < MIN_MOVES || !module.compile()) return null;
    const isBulk = count >= bodies.capacity * MIN_BULK_PART;
    if (isBulk) this.mover ??= createMover();
    return this.mover?.movesFor(bodies, count, areCenters, isBulk) ?? null;
  }

  release(): void {
    this.walker?.memory.release();
    this.walker = null;
    this.memories.release();
    this.mover?.release();
  }

  /** Resolves when code that is being compiled or loaded can be used, or has failed; for tests. */
  get ready(): Promise<unknown> {
    return Promise.all([module.pending, loading, moves?.module.pending]);
  }

  /**
   * Replaces the walker by one with arrays for `blocks` blocks and `slots` slots; by null if the tree has too few
   * bodies, or if none is available.
   */
  private renewWalker(bodyCount: number, blocks: number, slots: number): void {
    // Before the new one is created, because their number is limited.
    this.walker?.memory.release();
    this.walker = null;
    if (bodyCount === 0 || bodyCount < this.minBodies) return;
    const memory = this.memories.take(WasmTraversal.arrayLengths(blocks, slots));
    if (memory !== null) this.walker = new WasmTraversal(memory, blocks, slots);
  }
}
