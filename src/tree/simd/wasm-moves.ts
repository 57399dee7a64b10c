/** Moves by the centre in WebAssembly, with a memory in which the arrays of the bodies lie. See assembly/moves.ts. */

import { BOX_STRIDE } from '../../math/box.ts';
import type { FloatArray } from '../../math/typed-arrays.ts';
import { movesCode } from './moves-code.ts';
import { WasmMemory } from './wasm-memory.ts';
import { WasmModule } from './wasm-module.ts';

/** Bytes per body or move of each array: bounds, fatBounds, halfSizes, flags, indices, centers, listed. */
const BYTES = [8 * BOX_STRIDE, 4 * BOX_STRIDE, 8 * 3, 1, 4, 8 * 3, 4];

const module = /* @__PURE__ */ new WasmModule(movesCode);

interface Exports {
  readonly listDoubtful: (count: number, bodyCount: number, limit: number, indices: number, centers: number, flags: number, listed: number) => number;
  readonly moveWithinFatBounds: (count: number, indices: number, centers: number, flags: number, bounds: number, fatBounds: number, halfSizes: number, listed: number) => number;
}

export class WasmMoves {
  /** Arrays of zeros for the bodies, as in `BodyArrays`. */
  readonly bounds: Float64Array<ArrayBuffer>;
  readonly fatBounds: Float32Array<ArrayBuffer>;
  readonly halfSizes: Float64Array<ArrayBuffer>;
  readonly flags: Uint8Array<ArrayBuffer>;
  /** Positions in the batch that the last function has listed. */
  readonly listed: Uint32Array;

  private readonly indices: Uint32Array;
  private readonly centers: Float64Array;
  private readonly memory: WasmMemory;
  private readonly exports: Exports;

  private constructor(memory: WasmMemory, exports: Exports, capacity: number) {
    const { buffer } = memory;
    this.memory = memory;
    this.exports = exports;
    const take = (k: number): number => memory.allocate(capacity * BYTES[k]);
    this.bounds = new Float64Array(buffer, take(0), capacity * BOX_STRIDE);
    this.fatBounds = new Float32Array(buffer, take(1), capacity * BOX_STRIDE);
    this.halfSizes = new Float64Array(buffer, take(2), capacity * 3);
    this.flags = new Uint8Array(buffer, take(3), capacity);
    this.indices = new Uint32Array(buffer, take(4), capacity);
    this.centers = new Float64Array(buffer, take(5), capacity * 3);
    this.listed = new Uint32Array(buffer, take(6), capacity);
  }

  /** With arrays for `capacity` bodies, and for batches of as many moves. Null without WebAssembly SIMD, or without a memory. */
  static create(capacity: number): WasmMoves | null {
    if (module.compile() === null) return null;
    const memory = WasmMemory.create(0, BYTES.map((bytes) => bytes * capacity));
    if (memory === null) return null;
    const exports = memory.instantiate(module) as Exports | null;
    if (exports !== null) return new WasmMoves(memory, exports, capacity);
    memory.release();
    return null;
  }

  /** Sets the batch. Up to as many moves as the arrays have bodies. */
  setBatch(indices: Uint32Array, centers: FloatArray): void {
    this.indices.set(indices);
    this.centers.set(centers);
  }

  /**
   * Lists the moves of the batch that may be invalid: all but those of bodies with a margin, below `bodyCount`, to centres without a coordinate above `limit`.
   * Returns their number.
   */
  listDoubtful(count: number, bodyCount: number, limit: number): number {
    const { indices, centers, flags, listed } = this;
    return this.exports.listDoubtful(count, bodyCount, limit, indices.byteOffset, centers.byteOffset, flags.byteOffset, listed.byteOffset);
  }

  /**
   * Writes the bounds of the bodies that stay inside their fat bounds, and lists the other moves of the batch, among them all of bodies without a margin, and of
   * boxes without a stored half size. Returns their number.
   */
  moveWithinFatBounds(count: number): number {
    const { indices, centers, flags, bounds, fatBounds, halfSizes, listed } = this;
    return this.exports.moveWithinFatBounds(
      count,
      indices.byteOffset,
      centers.byteOffset,
      flags.byteOffset,
      bounds.byteOffset,
      fatBounds.byteOffset,
      halfSizes.byteOffset,
      listed.byteOffset,
    );
  }

  /** Ends the use of the memory: see `WasmMemory.release`. */
  release(): void {
    this.memory.release();
  }

  /** Bytes that do not belong to the arrays of the bodies. */
  get overheadBytes(): number {
    const { indices, centers, listed } = this;
    return this.memory.overheadBytes + indices.byteLength + centers.byteLength + listed.byteLength;
  }
}
