/**
 * The walker in WebAssembly, and the memory that it shares with the arrays of a tree. The memory never grows, so its views stay valid for ever;
 * a tree whose arrays have outgrown it gets a new walker.
 */

import * as map from './memory-map.ts';
import { wasmCode } from './wasm-code.ts';

const WASM_PAGE = 65536;
/** The walker reads groups of four boxes: up to so many bytes behind the last one. */
const SLACK = 128;
/** Browsers have room for little more than a hundred memories, and others on the page need theirs. */
const MAX_WASM_INSTANCES = 64;
/** Arrays begin where a cache line does. */
const ALIGNMENT = 64;

interface Exports {
  readonly begin: (kind: number, undecided: number, categories: number) => void;
  readonly nextOverlapping: () => number;
  readonly nextNearest: () => number;
  readonly dropNegative: (count: number) => number;
  readonly guessNearest: (wanted: number) => number;
}

export class WasmTraversal {
  /** Where a kernel's numbers go: see src/tree/simd/assembly/kernels.ts. */
  readonly shape: Float32Array;
  /** The batch that `nextOverlapping` has filled. */
  readonly answers: Int32Array;
  /** Lower bounds of the distances of answers that were guessed. */
  readonly guessedDistances: Float32Array;
  /** What of it is undecided: places in the batch, and the kernel's notes. */
  readonly undecided: Int32Array;
  readonly undecidedNotes: Int32Array;
  /** The bodies that `nextNearest` has found, and lower bounds of their distances. */
  readonly nearest: Int32Array;
  readonly distances: Float32Array;
  /** Whether a walk is under way that calls back: what is asked meanwhile has to be answered without the walker. */
  isBusy = false;

  /** Begins a walk of one of the kinds in kinds.ts; `undecided` is what is known of the root's box. */
  readonly begin: Exports['begin'];
  /** Goes on in tree order; returns the number of answers, 0 at the end. */
  readonly nextOverlapping: Exports['nextOverlapping'];
  /** Goes on to the next node with bodies that may be near enough, or the next piece of a large one; returns how many, few with the nearest last. */
  readonly nextNearest: Exports['nextNearest'];
  /** Leaves out what has been made negative of a batch of so many answers; returns how many are left. */
  readonly dropNegative: Exports['dropNegative'];
  /**
   * Goes on as far as it can without asking back: writes the bodies with the nearest boxes to the answers, nearest first, and perhaps some more than are
   * wanted; returns how many.
   */
  readonly guessNearest: Exports['guessNearest'];

  private readonly buffer: ArrayBuffer;
  private readonly integers: Int32Array;
  private readonly floats: Float32Array;
  /** End of what is taken, in bytes. */
  private end = map.HEAP;

  private constructor(module: WebAssembly.Module, bytes: number) {
    const pages = Math.ceil(bytes / WASM_PAGE);
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    const exports = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as Exports;
    this.begin = exports.begin;
    this.nextOverlapping = exports.nextOverlapping;
    this.nextNearest = exports.nextNearest;
    this.dropNegative = exports.dropNegative;
    this.guessNearest = exports.guessNearest;
    this.buffer = memory.buffer;
    this.integers = new Int32Array(this.buffer, 0, map.HEAP >> 2);
    this.floats = new Float32Array(this.buffer, 0, map.HEAP >> 2);
    this.shape = this.floats.subarray(map.SHAPE >> 2, map.SHUFFLES >> 2);
    this.nearest = this.integers.subarray(map.KEPT >> 2, map.KEPT_NOTES >> 2);
    this.distances = this.floats.subarray(map.KEPT_NOTES >> 2, map.ANSWERS >> 2);
    this.answers = this.integers.subarray(map.ANSWERS >> 2, map.NOTES >> 2);
    this.guessedDistances = this.floats.subarray(map.NOTES >> 2, map.UNDECIDED >> 2);
    this.undecided = this.integers.subarray(map.UNDECIDED >> 2, map.UNDECIDED_NOTES >> 2);
    this.undecidedNotes = this.integers.subarray(map.UNDECIDED_NOTES >> 2);
    wasmInstances++;
    dropped.register(this, undefined, this);
  }

  /**
   * A walker with memory for arrays of so many bytes each; null where there is no WebAssembly with SIMD, or not so much memory, or as long as there
   * are many walkers already.
   */
  static create(lengths: readonly number[]): WasmTraversal | null {
    const module = compileOnce();
    if (module === null || wasmInstances >= MAX_WASM_INSTANCES) return null;
    try {
      return new WasmTraversal(module, lengths.reduce((sum, length) => sum + aligned(length), map.HEAP + SLACK));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      // Each attempt has the engine collect all garbage first: one was enough.
      compileOnce_module = null;
      return null;
    }
  }

  /** Tells that the walker is not used any more; its memory goes when everybody has forgotten it. */
  release(): void {
    dropped.unregister(this);
    wasmInstances--;
  }

  /** Bytes beside the arrays that were taken in. */
  get overheadBytes(): number {
    return this.buffer.byteLength - this.end + map.HEAP;
  }

  /** Whether an array lies in this memory. */
  owns(array: Float32Array | Int32Array): boolean {
    return array.buffer === this.buffer;
  }

  /** Memory for an array, all zeros; `address` is where the walker looks for it. */
  allocateFloats(address: number, length: number): Float32Array<ArrayBuffer> {
    return new Float32Array(this.buffer, this.place(address, length * map.NUMBER_BYTES), length);
  }

  allocateInts(address: number, length: number): Int32Array<ArrayBuffer> {
    return new Int32Array(this.buffer, this.place(address, length * map.NUMBER_BYTES), length);
  }

  private place(address: number, bytes: number): number {
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

  /** How many answers of the batch are undecided. */
  get undecidedCount(): number {
    return this.integers[map.UNDECIDED_COUNT >> 2];
  }

  /** Whether the last guess has left something to `nextNearest`. */
  get hasMore(): boolean {
    return this.integers[map.HAS_MORE >> 2] !== 0;
  }

  /** Whether all that the last guess has left out is farther away than the shape reaches by now. */
  get leftOutIsBeyond(): boolean {
    const beyond = this.floats[map.BEYOND >> 2];
    return beyond === Infinity || beyond > this.shape[map.MAX_DISTANCE_OFFSET];
  }
}

/** Walkers in use, and what notices when one is dropped together with its octree. */
let wasmInstances = 0;
const dropped = /* @__PURE__ */ new FinalizationRegistry<undefined>(() => wasmInstances--);

function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

/** Undefined until it is first asked for; null where it cannot be had, as in an old browser or under a policy that forbids WebAssembly. */
let compileOnce_module: WebAssembly.Module | null | undefined;

/** Synchronously: some browsers allow that for up to 4096 bytes only. */
function compileOnce(): WebAssembly.Module | null {
  if (compileOnce_module === undefined) {
    try {
      compileOnce_module = new WebAssembly.Module(Uint8Array.from(atob(wasmCode), (character) => character.charCodeAt(0)));
    } catch {
      compileOnce_module = null;
    }
  }
  return compileOnce_module;
}
