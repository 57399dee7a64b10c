/**
 * One instance of the WASM traversal, and its memory, in which the arrays of one tree lie as well. The memory never grows, so
 * that views of it stay valid; a tree whose arrays outgrow it gets a new instance.
 */

import * as map from './memory-map.ts';
import { wasmCode } from './wasm-code.ts';
import { WasmModule } from './wasm-module.ts';
import { WasmRayStream } from './wasm-ray-stream.ts';

const module = /* @__PURE__ */ new WasmModule(wasmCode);

const WASM_PAGE_BYTES = 65536;
/** Bytes after the last array: kernels read four boxes at a time, up to three of them after the end. */
const READ_AHEAD_BYTES = 128;
/** Browsers allow little more than a hundred WebAssembly memories for each web page; about half are left to other libraries. */
const MAX_WASM_INSTANCES = 64;
/** Bytes: arrays begin at a cache line. */
const ALIGNMENT = 64;

interface Exports {
  readonly begin: (kernel: number, rootOverlap: number, categories: number) => void;
  readonly nextOverlapping: () => number;
  readonly nextNearest: () => number;
  readonly compactResults: (count: number) => number;
  readonly searchSpeculatively: (minCount: number) => number;
}

export class WasmTraversal {
  /** Numbers of the query volume, in the order of the kernel: see src/tree/simd/assembly/kernels.ts. */
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
   * src/query/nearest/speculative-search.ts.
   */
  readonly searchSpeculatively: Exports['searchSpeculatively'];

  private readonly memory: WebAssembly.Memory;
  private readonly buffer: ArrayBuffer;
  private readonly integers: Int32Array;
  private readonly floats: Float32Array;
  /** End of the allocated memory, in bytes. */
  private end = map.HEAP;

  /** The walk of ray streams in the same memory. Undefined before its first use; null if it cannot be compiled. */
  private stream: WasmRayStream | null | undefined;

  private constructor(compiled: WebAssembly.Module, bytes: number) {
    const pages = Math.ceil(bytes / WASM_PAGE_BYTES);
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    const exports = new WebAssembly.Instance(compiled, { env: { memory } }).exports as unknown as Exports;
    this.begin = exports.begin;
    this.nextOverlapping = exports.nextOverlapping;
    this.nextNearest = exports.nextNearest;
    this.compactResults = exports.compactResults;
    this.searchSpeculatively = exports.searchSpeculatively;
    this.memory = memory;
    this.buffer = memory.buffer;
    this.integers = new Int32Array(this.buffer, 0, map.HEAP >> 2);
    this.floats = new Float32Array(this.buffer, 0, map.HEAP >> 2);
    this.volume = this.floats.subarray(map.VOLUME >> 2, map.SHUFFLES >> 2);
    this.kept = this.integers.subarray(map.KEPT >> 2, map.KEPT_DISTANCES >> 2);
    this.keptDistances = this.floats.subarray(map.KEPT_DISTANCES >> 2, map.RESULTS >> 2);
    this.results = this.integers.subarray(map.RESULTS >> 2, map.RESULT_OVERLAPS >> 2);
    this.resultDistances = this.floats.subarray(map.RESULT_DISTANCES >> 2, map.CANDIDATES >> 2);
    this.candidates = this.integers.subarray(map.CANDIDATES >> 2, map.CANDIDATE_OVERLAPS >> 2);
    this.candidateOverlaps = this.integers.subarray(map.CANDIDATE_OVERLAPS >> 2, map.RAYS >> 2);
    instanceCount++;
    collected.register(this, undefined, this);
  }

  /**
   * An instance with memory for arrays of these lengths in bytes. Null without WebAssembly SIMD, without enough memory, or with
   * MAX_WASM_INSTANCES instances in use.
   */
  static create(lengths: readonly number[]): WasmTraversal | null {
    const compiled = module.compile();
    if (compiled === null || instanceCount >= MAX_WASM_INSTANCES) return null;
    try {
      return new WasmTraversal(compiled, lengths.reduce((sum, length) => sum + aligned(length), map.HEAP + READ_AHEAD_BYTES));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      // Out of memory. A failed attempt costs a full garbage collection, so WebAssembly is not tried again.
      module.giveUp();
      return null;
    }
  }

  /** The walk of ray streams in this memory, created at its first use; null if it cannot be compiled. */
  get rayStream(): WasmRayStream | null {
    if (this.stream === undefined) this.stream = WasmRayStream.create(this.memory);
    return this.stream;
  }

  /** Ends the use of the instance, so that another one may be created. Its memory is freed once no array in it is referenced. */
  release(): void {
    collected.unregister(this);
    instanceCount--;
  }

  /** Bytes of the memory that do not belong to the tree's arrays. */
  get overheadBytes(): number {
    return this.buffer.byteLength - this.end + map.HEAP;
  }

  /** Whether an array lies in this memory. */
  owns(array: Float32Array | Int32Array): boolean {
    return array.buffer === this.buffer;
  }

  /** An array of zeros in this memory. Stores its address at `address`, one of FITTED to BODY in the memory map. */
  allocateFloats(address: number, length: number): Float32Array<ArrayBuffer> {
    return new Float32Array(this.buffer, this.allocate(address, length * map.NUMBER_BYTES), length);
  }

  allocateInts(address: number, length: number): Int32Array<ArrayBuffer> {
    return new Int32Array(this.buffer, this.allocate(address, length * map.NUMBER_BYTES), length);
  }

  private allocate(address: number, bytes: number): number {
    const { end } = this;
    this.integers[address >> 2] = end;
    this.end = end + aligned(bytes);
    return end;
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

/** Instances in use; `collected` subtracts an instance when its octree is garbage collected. */
let instanceCount = 0;
const collected = /* @__PURE__ */ new FinalizationRegistry<undefined>(() => instanceCount--);

function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}
