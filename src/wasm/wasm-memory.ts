/**
 * A WebAssembly memory in which arrays lie side by side, with an instance of a module that works on it. It never grows,
 * so that views of it stay valid.
 */

import { HEAP } from './memory-map.ts';
import type { WasmModule } from './wasm-module.ts';

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

export class WasmMemory {
  readonly buffer: ArrayBuffer;
  /** A WebAssembly.Memory; a declaration with that type would not compile in projects without the types of the DOM. */
  private readonly memory: object;
  /** The functions of the module. */
  readonly exports: object;
  /** Where the next array begins, in bytes. The memory before HEAP is that of the walks. */
  private end = HEAP;

  /**
   * A memory of zeros for arrays of these lengths in bytes; null if too many are in use.
   *
   * @throws {RangeError} If the engine has no memory.
   */
  static of(module: WasmModule, lengths: readonly number[]): WasmMemory | null {
    if (memoryCount >= MAX_MEMORIES) return null;
    return new WasmMemory(
      module,
      lengths.reduce((sum, length) => sum + aligned(length), HEAP + READ_AHEAD_BYTES),
    );
  }

  private constructor(module: WasmModule, bytes: number) {
    const pages = Math.ceil(bytes / WASM_PAGE_BYTES);
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    this.memory = memory;
    this.buffer = memory.buffer;
    this.exports = module.instantiate(memory);
    memoryCount++;
    collected.register(this, undefined, this);
  }

  /** Whether an array lies in this memory. */
  owns({ buffer }: ArrayBufferView): boolean {
    return buffer === this.buffer;
  }

  /** The functions of another module that works on this memory. */
  instantiate(module: WasmModule): object {
    return module.instantiate(this.memory);
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
    return this.buffer.byteLength - this.end + HEAP;
  }
}

/** Memories in use; `collected` subtracts a memory when its octree is garbage collected. */
let memoryCount = 0;
const collected = /* @__PURE__ */ new FinalizationRegistry<undefined>(() => memoryCount--);

function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}
