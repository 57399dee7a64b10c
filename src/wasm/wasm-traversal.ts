/**
 * One instance of the WASM traversal, and its memory, in which the node and slot arrays of one tree lie as well. A tree whose arrays outgrow it
 * gets a new instance.
 */

import { BOX_STRIDE } from '../math/box.ts';
import type { Accelerator } from '../tree/accelerator.ts';
import { BLOCK, LINK_STRIDE } from '../tree/layout.ts';
import type { NodeArrays } from '../tree/storage/node-pool.ts';
import type { SlotArrays } from '../tree/storage/slot-pages.ts';
import * as map from './memory-map.ts';
import type { WasmMemory } from './wasm-memory.ts';

interface Exports {
  readonly begin: (kernel: number, rootOverlap: number, categories: number) => void;
  readonly nextOverlapping: () => number;
  readonly nextNearest: () => number;
  readonly compactResults: (count: number) => number;
  readonly searchSpeculatively: (minCount: number) => number;
}

export class WasmTraversal {
  /** The arrays of the tree. */
  readonly nodes: NodeArrays;
  readonly slots: SlotArrays;
  /** Numbers of the query volume, in the order of the kernel: see src/wasm/assembly/kernels.ts. */
  readonly volume: Float32Array;
  /** Bodies of the last batch: of `nextOverlapping` in tree order, of `searchSpeculatively` nearest first. */
  readonly results: Int32Array;
  /** Results of `nextOverlapping` that need the exact test: their positions in the batch, and their overlaps. */
  readonly candidates: Int32Array;
  readonly candidateOverlaps: Int32Array;
  /** Bodies that `nextNearest` has kept, and lower bounds of their distances. */
  readonly kept: Int32Array;
  readonly keptDistances: Float32Array;
  /**
   * True during a walk that may call user code. A query started by that code must not use the instance; it runs in JavaScript.
   */
  isBusy = false;

  /**
   * Begins a walk with a kernel of simd-kernels.ts, after `volume` was written; `rootOverlap` is the overlap of the root's box
   * before it is tested.
   */
  readonly begin: Exports['begin'];
  /** Continues to the next batch in tree order; returns its number of results, 0 at the end. */
  readonly nextOverlapping: Exports['nextOverlapping'];
  /**
   * Continues to the next bodies that may be near enough: all bodies of one node, or a part of them if the node has many. Returns
   * their number, 0 at the end. Up to MAX_INSERTION_SORT bodies are sorted, the nearest last.
   */
  readonly nextNearest: Exports['nextNearest'];
  /** Removes negative results from a batch of `count`; returns how many are left. */
  readonly compactResults: Exports['compactResults'];
  /** See speculative-walk.ts. */
  readonly searchSpeculatively: Exports['searchSpeculatively'];

  readonly memory: WasmMemory;
  /** The numbers before the arrays of the tree: see memory-map.ts. */
  readonly integers: Int32Array;
  readonly floats: Float32Array;

  /** With arrays of zeros for `blocks` blocks of nodes and `slots` slots. The memory must be large enough: see `arrayLengths`. */
  constructor(memory: WasmMemory, blocks: number, slots: number) {
    const exports = memory.exports as Exports;
    this.begin = exports.begin;
    this.nextOverlapping = exports.nextOverlapping;
    this.nextNearest = exports.nextNearest;
    this.compactResults = exports.compactResults;
    this.searchSpeculatively = exports.searchSpeculatively;
    this.memory = memory;
    this.integers = new Int32Array(memory.buffer, 0, map.HEAP >> 2);
    this.floats = new Float32Array(memory.buffer, 0, map.HEAP >> 2);
    this.volume = this.floats.subarray(map.VOLUME >> 2, map.SHUFFLES >> 2);
    this.kept = this.integers.subarray(map.KEPT >> 2, map.KEPT_DISTANCES >> 2);
    this.keptDistances = this.floats.subarray(map.KEPT_DISTANCES >> 2, map.RESULTS >> 2);
    this.results = this.integers.subarray(map.RESULTS >> 2, map.RESULT_OVERLAPS >> 2);
    this.candidates = this.integers.subarray(map.CANDIDATES >> 2, map.CANDIDATE_OVERLAPS >> 2);
    this.candidateOverlaps = this.integers.subarray(map.CANDIDATE_OVERLAPS >> 2, map.RAYS >> 2);
    const count = blocks * BLOCK;
    this.nodes = {
      links: this.allocateInts(map.LINKS, count * LINK_STRIDE),
      fitted: this.allocateFloats(map.FITTED, count * BOX_STRIDE),
      categoryMask: this.allocateInts(map.NODE_CATEGORIES, count),
      runStart: this.allocateInts(map.RUN_START, count),
      runEnd: this.allocateInts(map.RUN_END, count),
    };
    this.slots = { slotBounds: this.allocateFloats(map.SLOT_BOUNDS, slots * BOX_STRIDE), body: this.allocateInts(map.BODY, slots) };
  }

  /** Lengths in bytes of the arrays for `blocks` blocks of nodes and `slots` slots. */
  static arrayLengths(blocks: number, slots: number): number[] {
    const ofNodes = [LINK_STRIDE, BOX_STRIDE, 1, 1, 1].map((stride) => stride * blocks * BLOCK);
    return [...ofNodes, slots * BOX_STRIDE, slots].map((length) => length * map.NUMBER_BYTES);
  }

  get nodesVisited(): number {
    return this.integers[map.NODES_VISITED >> 2];
  }

  get nodesContained(): number {
    return this.integers[map.NODES_CONTAINED >> 2];
  }

  get bodiesTested(): number {
    return this.integers[map.BODIES_TESTED >> 2];
  }

  get candidateCount(): number {
    return this.integers[map.CANDIDATE_COUNT >> 2];
  }

  /** An array of zeros in the memory. Stores its address at `address`, one of FITTED to BODY in the memory map. */
  private allocateFloats(address: number, length: number): Float32Array<ArrayBuffer> {
    return new Float32Array(this.memory.buffer, this.allocate(address, length), length);
  }

  private allocateInts(address: number, length: number): Int32Array<ArrayBuffer> {
    return new Int32Array(this.memory.buffer, this.allocate(address, length), length);
  }

  private allocate(address: number, length: number): number {
    return (this.integers[address >> 2] = this.memory.allocate(length * map.NUMBER_BYTES));
  }
}

/** The traversal of a tree, for a feature with walks of its own; null while the walks of the tree run in JavaScript. */
export function traversalOf({ accelerator }: { readonly accelerator: Accelerator | null }): WasmTraversal | null {
  const traversal = accelerator?.traversal;
  return traversal instanceof WasmTraversal ? traversal : null;
}
