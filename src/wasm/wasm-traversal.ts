/**
 * One instance of the WASM traversal, and its memory, in which the arrays of one tree lie as well. A tree whose arrays outgrow it
 * gets a new instance.
 */

import * as map from './memory-map.ts';
import { wasmCode } from './wasm-code.ts';
import { WasmMemory } from './wasm-memory.ts';
import { WasmModule } from './wasm-module.ts';
import { WasmRayStream } from './wasm-ray-stream.ts';

const module = /* @__PURE__ */ new WasmModule(wasmCode);

interface Exports {
  readonly begin: (kernel: number, rootOverlap: number, categories: number) => void;
  readonly nextOverlapping: () => number;
  readonly nextNearest: () => number;
  readonly compactResults: (count: number) => number;
  readonly searchSpeculatively: (minCount: number) => number;
}

export class WasmTraversal {
  /** Numbers of the query volume, in the order of the kernel: see src/wasm/assembly/kernels.ts. */
  readonly volume: Float32Array;
  /** Bodies of the last batch: of `nextOverlapping` in tree order, of `searchSpeculatively` nearest first. */
  readonly results: Int32Array;
  /** Of a speculative search: lower bounds of the squared distances of the results. */
  readonly resultDistances: Float32Array;
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
   * Begins a walk with a kernel of wasm-kernels.ts, after `volume` was written; `rootOverlap` is the overlap of the root's box
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
  /**
   * Finds the bodies with the nearest slot bounds, at least `minCount` if possible; returns how many. See
   * src/features/nearest/speculative-search.ts.
   */
  readonly searchSpeculatively: Exports['searchSpeculatively'];

  private readonly memory: WasmMemory;
  private readonly integers: Int32Array;
  private readonly floats: Float32Array;

  /** The walk of ray streams in the same memory. Undefined before its first use; null if it cannot be compiled. */
  private stream: WasmRayStream | null | undefined;

  private constructor(memory: WasmMemory) {
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
    this.resultDistances = this.floats.subarray(map.RESULT_DISTANCES >> 2, map.CANDIDATES >> 2);
    this.candidates = this.integers.subarray(map.CANDIDATES >> 2, map.CANDIDATE_OVERLAPS >> 2);
    this.candidateOverlaps = this.integers.subarray(map.CANDIDATE_OVERLAPS >> 2, map.RAYS >> 2);
  }

  /** An instance with memory for arrays of these lengths in bytes. Null without WebAssembly SIMD, or without a memory. */
  static create(lengths: readonly number[]): WasmTraversal | null {
    const memory = WasmMemory.create(module, map.HEAP, lengths);
    return memory === null ? null : new WasmTraversal(memory);
  }

  /** The walk of ray streams in this memory, created at its first use; null if it cannot be compiled. */
  get rayStream(): WasmRayStream | null {
    if (this.stream === undefined) this.stream = WasmRayStream.create(this.memory);
    return this.stream;
  }

  /** Ends the use of the instance: see `WasmMemory.release`. */
  release(): void {
    this.memory.release();
  }

  /** Bytes of the memory that do not belong to the tree's arrays. */
  get overheadBytes(): number {
    return this.memory.overheadBytes;
  }

  /** Whether an array lies in this memory. */
  owns(array: Float32Array | Int32Array): boolean {
    return array.buffer === this.memory.buffer;
  }

  /** An array of zeros in this memory. Stores its address at `address`, one of FITTED to BODY in the memory map. */
  allocateFloats(address: number, length: number): Float32Array<ArrayBuffer> {
    return new Float32Array(this.memory.buffer, this.allocate(address, length), length);
  }

  allocateInts(address: number, length: number): Int32Array<ArrayBuffer> {
    return new Int32Array(this.memory.buffer, this.allocate(address, length), length);
  }

  private allocate(address: number, length: number): number {
    const at = this.memory.allocate(length * map.NUMBER_BYTES);
    this.integers[address >> 2] = at;
    return at;
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

  /** Whether the last speculative search has stopped early, so that `nextNearest` has to continue. */
  get hasStoppedEarly(): boolean {
    return this.integers[map.STOPPED_EARLY >> 2] !== 0;
  }

  /** The maximum distance, or squared distance, in `volume`. */
  get maxDistance(): number {
    return this.volume[map.MAX_DISTANCE_OFFSET];
  }

  /** Whether the last speculative search has found every body whose slot bounds lie within the maximum distance in `volume`. */
  get isComplete(): boolean {
    const completeSq = this.floats[map.COMPLETE_DISTANCE_SQ >> 2];
    return completeSq === Infinity || completeSq > this.maxDistance;
  }
}
