/** A WebAssembly memory in which arrays lie side by side, and the functions of a module that work on it. It never grows, so that views of it stay valid. */

import type { WasmModule } from './wasm-module.ts';

const WASM_PAGE_BYTES = 65536;
/** Bytes after the last array: WebAssembly reads four boxes at a time, up to three of them after the end. */
const READ_AHEAD_BYTES = 128;
/** Browsers allow little more than a hundred WebAssembly memories for each web page; about half are left to other libraries. */
const MAX_MEMORIES = 64;
/** Bytes: arrays begin at a cache line. */
const ALIGNMENT = 64;

export class WasmMemory {
  readonly buffer: ArrayBuffer;
  /** The functions of the module. */
  readonly exports: object;
  /** A WebAssembly.Memory; a declaration with that type would not compile in projects without the types of the DOM. */
  private readonly memory: object;
  /** Where the arrays begin, and where the next one will, in bytes. */
  private readonly begin: number;
  private end: number;

  private constructor(compiled: object, begin: number, bytes: number) {
    const pages = Math.ceil(bytes / WASM_PAGE_BYTES);
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    this.memory = memory;
    this.buffer = memory.buffer;
    this.begin = begin;
    this.end = begin;
    this.exports = this.instantiate(compiled);
    memoryCount++;
    collected.register(this, undefined, this);
  }

  /**
   * A memory of zeros for arrays of these lengths in bytes. The first `begin` bytes are left to the caller. Null if the module cannot be compiled, without enough
   * memory, or with `maxCount` memories in use.
   */
  static create(module: WasmModule, begin: number, lengths: readonly number[], maxCount: number = MAX_MEMORIES): WasmMemory | null {
    const compiled = module.compile();
    if (compiled === null || memoryCount >= maxCount) return null;
    const bytes = lengths.reduce((sum, length) => sum + aligned(length), begin + READ_AHEAD_BYTES);
    return module.giveUpWithoutMemory(() => new WasmMemory(compiled, begin, bytes));
  }

  /** The functions of another module that works on this memory. Null if it cannot be compiled, or without enough memory. */
  exportsOf(module: WasmModule): object | null {
    const compiled = module.compile();
    return compiled === null ? null : module.giveUpWithoutMemory(() => this.instantiate(compiled));
  }

  /** Takes the memory of the next array. Returns its address. */
  allocate(bytes: number): number {
    const { end } = this;
    this.end = end + aligned(bytes);
    return end;
  }

  /** Ends the use of the memory, so that another one may be created. It is freed once no array in it is referenced. */
  release(): void {
    collected.unregister(this);
    memoryCount--;
  }

  /** Bytes that do not belong to arrays. */
  get overheadBytes(): number {
    return this.buffer.byteLength - this.end + this.begin;
  }

  private instantiate(compiled: object): object {
    return new WebAssembly.Instance(compiled, { env: { memory: this.memory as WebAssembly.Memory } }).exports;
  }
}

/** Memories in use; `collected` subtracts a memory when its octree is garbage collected. */
let memoryCount = 0;
const collected = /* @__PURE__ */ new FinalizationRegistry<undefined>(() => memoryCount--);

function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}
