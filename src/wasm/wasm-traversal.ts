/**
 * The walks of src/tree/traverse/walk.ts in WebAssembly (assembly/walk.ts), batch by batch. WebAssembly computes in
 * Float32 and keeps more than necessary; the exact decisions are made here, in the same order as in walk.ts, so that
 * the results are the same.
 *
 * A traversal is one instance and its memory, in which the node and slot arrays of one tree lie as well. A tree whose
 * arrays outgrow it gets a new one.
 */

import { BOX_STRIDE } from '../math/box.ts';
import type { Accelerator, Walker } from '../tree/accelerator.ts';
import { BLOCK, BODY_HAS_TIGHT_SLOT, BODY_SPHERE, LINK_STRIDE, NO_BODY } from '../tree/layout.ts';
import { NO_SIMD_KERNEL, SURE } from '../tree/traverse/walk-numbers.ts';
import type { BodyArrays } from '../tree/storage/body-arrays.ts';
import type { IndexList } from '../tree/storage/index-list.ts';
import type { NodeArrays } from '../tree/storage/node-pool.ts';
import type { SlotArrays } from '../tree/storage/slot-pages.ts';
import type { WalkTask, ExactTest, NearestKernel, RangeKernel, SimdVolume, Scratch } from '../tree/traverse/kernel.ts';
import * as map from './memory-map.ts';
import type { WasmModule } from './wasm-module.ts';

/**
 * Largest number of results that are copied one by one. For more, one `set` of the entire batch array is faster,
 * although it copies unused numbers too: large boxes take 0.8 of the time. A `set` of the results alone would allocate
 * a view. With `set` alone each list of a user would take 5 kB. Test: limits.test.
 */
const MAX_SINGLE_COPIES = 200;

const WASM_PAGE_BYTES = 65536;
/**
 * Bytes after the last array. WebAssembly reads four boxes at a time, up to three of them, 72 bytes, after the end.
 */
const READ_AHEAD_BYTES = 128;
/** Bytes: arrays begin at a cache line. */
const ALIGNMENT = 64;
/**
 * Browsers allow little more than a hundred WebAssembly memories for each web page; about half are left to other
 * libraries. Test: limits.test.
 */
const MAX_MEMORIES = 64;

/** The functions of assembly/walk.ts. */
interface Exports {
  /**
   * Begins a walk with a kernel of walk-numbers.ts, after `volume` was written; `rootOverlap` is the overlap of the
   * root's box before it is tested.
   */
  readonly begin: (kernel: number, rootOverlap: number, categories: number) => void;
  /** Continues to the next batch in tree order; returns its number of results, 0 at the end. */
  readonly nextOverlapping: () => number;
  /**
   * Continues to the next bodies that may be near enough: all bodies of one node, or a part of them if the node has
   * many. Returns their number, 0 at the end. Up to MAX_INSERTION_SORT bodies are sorted, the nearest last.
   */
  readonly nextNearest: () => number;
  /** Removes negative results from a batch of `count`; returns how many are left. */
  readonly compactResults: (count: number) => number;
  /** Finds the bodies with the nearest slot bounds, at least `minCount` if possible: see assembly/walk.ts. */
  readonly searchSpeculatively: (minCount: number) => number;
}

/** A class of typed arrays. */
interface ArrayType<Numbers> {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBuffer, start: number, length: number): Numbers;
}

export class WasmTraversal implements Walker {
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
   * True during a walk that may call user code. A query started by that code must not use the instance; it runs in
   * JavaScript.
   */
  isBusy = false;

  /** A copy of the functions of the instance, which V8 reads faster than the object that the engine makes. */
  readonly exports: Exports;

  readonly buffer: ArrayBuffer;
  /** A WebAssembly.Memory; a declaration with that type would not compile in projects without the types of the DOM. */
  private readonly memory: object;
  /** Where the next array begins, in bytes. */
  private end = map.HEAP;
  /** The numbers before the arrays of the tree: see memory-map.ts. */
  readonly integers: Int32Array;
  readonly floats: Float32Array;

  /**
   * A traversal with arrays of zeros for `blocks` blocks of nodes and `slots` slots; null if too many memories are in
   * use.
   *
   * @throws {RangeError} If the engine has no memory.
   */
  static of(module: WasmModule, blocks: number, slots: number): WasmTraversal | null {
    return memoryCount < MAX_MEMORIES ? new WasmTraversal(module, blocks, slots) : null;
  }

  private constructor(module: WasmModule, blocks: number, slots: number) {
    const pages = Math.ceil(bytesFor(blocks, slots) / WASM_PAGE_BYTES);
    // It never grows, so that views of it stay valid.
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    const { buffer } = memory;
    this.memory = memory;
    this.buffer = buffer;
    this.exports = { ...(module.instantiate(memory) as Exports) };
    this.integers = new Int32Array(buffer, 0, map.HEAP >> 2);
    this.floats = new Float32Array(buffer, 0, map.HEAP >> 2);
    this.volume = this.floats.subarray(map.VOLUME >> 2, map.SHUFFLES >> 2);
    this.kept = this.integers.subarray(map.KEPT >> 2, map.KEPT_DISTANCES >> 2);
    this.keptDistances = this.floats.subarray(map.KEPT_DISTANCES >> 2, map.RESULTS >> 2);
    this.results = this.integers.subarray(map.RESULTS >> 2, map.RESULT_OVERLAPS >> 2);
    this.candidates = this.integers.subarray(map.CANDIDATES >> 2, map.CANDIDATE_OVERLAPS >> 2);
    this.candidateOverlaps = this.integers.subarray(map.CANDIDATE_OVERLAPS >> 2, map.RAYS >> 2);
    const count = blocks * BLOCK;
    this.nodes = {
      links: this.allocate(Int32Array, map.LINKS, count * LINK_STRIDE),
      fitted: this.allocate(Float32Array, map.FITTED, count * BOX_STRIDE),
      categoryMask: this.allocate(Int32Array, map.NODE_CATEGORIES, count),
      childMask: this.allocate(Uint8Array, map.CHILD_MASK, count),
      runStart: this.allocate(Int32Array, map.RUN_START, count),
      runEnd: this.allocate(Int32Array, map.RUN_END, count),
    };
    this.slots = {
      slotBounds: this.allocate(Float32Array, map.SLOT_BOUNDS, slots * BOX_STRIDE),
      body: this.allocate(Int32Array, map.BODY, slots),
    };
    memoryCount++;
    collected.register(this, undefined, this);
  }

  /** Ends the use of the memory, so that another one may be created. It is freed once no array in it is referenced. */
  release(): void {
    collected.unregister(this);
    memoryCount--;
  }

  /** Bytes that do not belong to arrays. */
  get overheadBytes(): number {
    return this.buffer.byteLength - this.end + map.HEAP;
  }

  /** The functions of another module that works on this memory. */
  instantiate(module: WasmModule): object {
    return module.instantiate(this.memory);
  }

  reads({ buffer }: ArrayBufferView): boolean {
    return buffer === this.buffer;
  }

  walkOverlapping(task: WalkTask, kernel: RangeKernel, exactTest: ExactTest | null, out: IndexList): boolean {
    if (!this.takesVolume(kernel)) return false;
    const { results } = this;
    const { bodies } = task.tree!;
    this.exports.begin(kernel.simdKernel, kernel.rootOverlap, task.categories);
    for (let count = this.exports.nextOverlapping(); count > 0; count = this.exports.nextOverlapping()) {
      const kept = exactTest === null ? count : this.testCandidates(bodies, exactTest, count);
      const { length } = out;
      out.reserve(length + (kept > MAX_SINGLE_COPIES ? results.length : kept));
      const { array } = out;
      if (kept > MAX_SINGLE_COPIES) array.set(results, length);
      else for (let k = 0; k < kept; k++) array[length + k] = results[k];
      out.length = length + kept;
    }
    this.addCosts(task.scratch);
    return true;
  }

  walkNearestFirst({ categories, scratch }: WalkTask, kernel: NearestKernel): boolean {
    if (!this.takesVolume(kernel)) return false;
    this.exports.begin(kernel.simdKernel, 0, categories);
    this.resumeNearestFirst(kernel, scratch);
    return true;
  }

  /** The rest of a walk that has begun. */
  resumeNearestFirst(kernel: NearestKernel, scratch: Scratch): void {
    const { kept, keptDistances, volume } = this;
    this.isBusy = true;
    try {
      for (let count = this.exports.nextNearest(); count > 0; count = this.exports.nextNearest()) {
        kernel.visitBodies(kept, keptDistances, count);
        kernel.writeMaxDistance(volume);
      }
      this.addCosts(scratch);
    } finally {
      this.isBusy = false;
    }
  }

  /**
   * Writes the volume of a query to the memory. Returns whether it can be walked: there is a kernel for it, and no
   * other walk is under way.
   */
  takesVolume(query: SimdVolume): boolean {
    if (this.isBusy || query.simdKernel === NO_SIMD_KERNEL) return false;
    query.writeVolume!(this.volume);
    return true;
  }

  /** Adds the costs of the walk since `begin`. */
  addCosts(scratch: Scratch): void {
    const { integers } = this;
    scratch.nodesVisited += integers[map.NODES_VISITED >> 2];
    scratch.nodesContained += integers[map.NODES_CONTAINED >> 2];
    scratch.bodiesTested += integers[map.BODIES_TESTED >> 2];
  }

  /**
   * Removes the candidates that fail the exact test from a batch of `count` results; returns how many results are left.
   */
  private testCandidates(bodies: BodyArrays, exactTest: ExactTest, count: number): number {
    const { flags } = bodies;
    const { results, candidates, candidateOverlaps } = this;
    const candidateCount = this.integers[map.CANDIDATE_COUNT >> 2];
    // No overlap has all bits.
    const sure = exactTest.testsOnlyPlanes === true ? SURE : -1;
    for (let k = 0; k < candidateCount; k++) {
      const position = candidates[k];
      const overlap = candidateOverlaps[k];
      const index = results[position];
      // Most bodies that do not move end here. Their exact bounds are not read, which saves a cache miss.
      if ((overlap & SURE) === sure && (flags[index] & (BODY_HAS_TIGHT_SLOT | BODY_SPHERE)) === BODY_HAS_TIGHT_SLOT)
        continue;
      if (!exactTest.touches(bodies, index, overlap & ~SURE)) results[position] = NO_BODY;
    }
    return this.exports.compactResults(count);
  }

  /** An array of zeros in the memory. Stores its address at `address`, one of FITTED to BODY in the memory map. */
  private allocate<Numbers>(Type: ArrayType<Numbers>, address: number, length: number): Numbers {
    const start = this.end;
    this.end += aligned(length * Type.BYTES_PER_ELEMENT);
    this.integers[address >> 2] = start;
    return new Type(this.buffer, start, length);
  }
}

/** Memories in use; `collected` subtracts a memory when its octree is garbage collected. */
let memoryCount = 0;
const collected = /* @__PURE__ */ new FinalizationRegistry<undefined>(() => memoryCount--);

/** Bytes of a memory for `blocks` blocks of nodes and `slots` slots. */
function bytesFor(blocks: number, slots: number): number {
  const count = blocks * BLOCK;
  const ofNodes = [LINK_STRIDE, BOX_STRIDE, 1, 1, 1].map((stride) => stride * count);
  const lengths = [...[...ofNodes, slots * BOX_STRIDE, slots].map((length) => length * map.NUMBER_BYTES), count];
  return lengths.reduce((sum, length) => sum + aligned(length), map.HEAP + READ_AHEAD_BYTES);
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

/** The traversal of a tree, for a feature with walks of its own; null while the walks of the tree run in JavaScript. */
export function traversalOf({ accelerator }: { readonly accelerator: Accelerator | null }): WasmTraversal | null {
  const walker = accelerator?.walker;
  return walker instanceof WasmTraversal ? walker : null;
}
