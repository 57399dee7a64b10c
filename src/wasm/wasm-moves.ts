/** Bulk moves in WebAssembly, with a memory in which the arrays of the bodies lie. See assembly/moves.ts. */

import { BOX_STRIDE } from '../math/box.ts';
import { SPHERE_STRIDE } from '../math/sphere.ts';
import type { FloatArray } from '../math/typed-arrays.ts';
import { movesCode } from './moves-code.ts';
import { WasmMemory } from './wasm-memory.ts';
import { WasmModule } from './wasm-module.ts';

/** Numbers of one centre or half size. */
const CENTER_STRIDE = 3;
/** Boxes or spheres are copied to the memory of WebAssembly in chunks of this many moves, so that they need little memory. */
const CHUNK = 2048;

/** Moves take no memory if this many are in use, theirs and those of queries: the rest is left to queries, which gain more. */
const MAX_MEMORIES_FOR_MOVES = 32;

const module = /* @__PURE__ */ new WasmModule(movesCode);

interface Exports {
  readonly areConsecutive: (count: number, first: number, indices: number) => number;
  readonly listEscapedBoxes: (begin: number, count: number, bodyCount: number, indices: number, values: number, flags: number, fatBounds: number, listed: number) => number;
  readonly listEscapedSpheres: Exports['listEscapedBoxes'];
  readonly listUnchecked: (count: number, bodyCount: number, limit: number, indices: number, centers: number, flags: number, listed: number) => number;
  readonly moveWithinFatBounds: (count: number, indices: number, centers: number, flags: number, bounds: number, fatBounds: number, halfSizes: number, listed: number) => number;
}

/** An `IndexList` with room for all positions of a batch. */
interface Positions {
  readonly array: Uint32Array;
  length: number;
}

/** Lengths of the arrays, in elements. */
interface Lengths {
  readonly bounds: number;
  readonly fatBounds: number;
  readonly flags: number;
  readonly halfSizes: number;
  readonly indices: number;
  readonly listed: number;
  readonly values: number;
}

export class WasmMoves {
  /** Arrays of zeros for the bodies, as in `BodyArrays`. Half sizes only if `BodyArrays` has some. */
  readonly bounds: Float64Array<ArrayBuffer>;
  readonly fatBounds: Float32Array<ArrayBuffer>;
  readonly flags: Uint8Array<ArrayBuffer>;
  readonly halfSizes: Float64Array<ArrayBuffer>;

  /** A chunk of boxes or spheres, or a batch of centres; and the positions of the listed moves. */
  private readonly indices: Uint32Array;
  private readonly values: Float64Array;
  private readonly listed: Uint32Array;
  private readonly memory: WasmMemory;
  private readonly exports: Exports;

  private constructor(memory: WasmMemory, { bounds, fatBounds, flags, halfSizes, indices, listed, values }: Lengths) {
    const { buffer } = memory;
    this.memory = memory;
    this.exports = memory.exports as Exports;
    this.bounds = new Float64Array(buffer, memory.allocate(8 * bounds), bounds);
    this.fatBounds = new Float32Array(buffer, memory.allocate(4 * fatBounds), fatBounds);
    this.flags = new Uint8Array(buffer, memory.allocate(flags), flags);
    this.halfSizes = new Float64Array(buffer, memory.allocate(8 * halfSizes), halfSizes);
    this.indices = new Uint32Array(buffer, memory.allocate(4 * indices), indices);
    this.listed = new Uint32Array(buffer, memory.allocate(4 * listed), listed);
    this.values = new Float64Array(buffer, memory.allocate(8 * values), values);
  }

  /**
   * With arrays for `capacity` bodies. Null without WebAssembly SIMD, or without a memory.
   *
   * @param hasHalfSizes Whether there are half sizes. Then batches of up to `capacity` centres fit, or CHUNK if that is more.
   */
  static create(capacity: number, hasHalfSizes: boolean): WasmMoves | null {
    const moves = Math.max(CHUNK, hasHalfSizes ? capacity : 0);
    const lengths: Lengths = {
      bounds: BOX_STRIDE * capacity,
      fatBounds: BOX_STRIDE * capacity,
      flags: capacity,
      halfSizes: hasHalfSizes ? CENTER_STRIDE * capacity : 0,
      indices: moves,
      listed: moves,
      values: Math.max(BOX_STRIDE * CHUNK, CENTER_STRIDE * moves),
    };
    const { bounds, fatBounds, flags, halfSizes, indices, listed, values } = lengths;
    const memory = WasmMemory.create(module, 0, [8 * bounds, 4 * fatBounds, flags, 8 * halfSizes, 4 * indices, 4 * listed, 8 * values], MAX_MEMORIES_FOR_MOVES);
    return memory === null ? null : new WasmMoves(memory, lengths);
  }

  /** Whether a batch of `count` moves by the centre fits. */
  fitsCenters(count: number): boolean {
    return this.halfSizes.length > 0 && count <= this.indices.length;
  }

  /** As `findEscaped` in update/move.ts, but appends bodies that must keep their size, too. */
  findEscaped(bodyCount: number, indices: Uint32Array, values: FloatArray, isSphere: boolean, out: Positions): boolean {
    const { exports, flags, fatBounds, listed } = this;
    const list = isSphere ? exports.listEscapedSpheres : exports.listEscapedBoxes;
    let isConsecutive = true;
    for (let begin = 0; begin < indices.length; begin += CHUNK) {
      const count = this.setChunk(indices, values, isSphere ? SPHERE_STRIDE : BOX_STRIDE, begin);
      isConsecutive &&= exports.areConsecutive(count, indices[0] + begin, this.indices.byteOffset) !== 0;
      const length = list(begin, count, bodyCount, this.indices.byteOffset, this.values.byteOffset, flags.byteOffset, fatBounds.byteOffset, listed.byteOffset);
      this.append(length, out);
    }
    return isConsecutive;
  }

  /** Sets the batch for `listUnchecked` and `moveWithinFatBounds`. It must fit. */
  setCenters(indices: Uint32Array, centers: FloatArray): void {
    this.indices.set(indices);
    this.values.set(centers);
  }

  /** Appends the position of each move whose index is not below `bodyCount`, whose body is dead or has no margin, or whose centre has a coordinate beyond `limit`. */
  listUnchecked(count: number, bodyCount: number, limit: number, out: Positions): void {
    const { exports, indices, values, flags, listed } = this;
    this.append(exports.listUnchecked(count, bodyCount, limit, indices.byteOffset, values.byteOffset, flags.byteOffset, listed.byteOffset), out);
  }

  /**
   * Writes the bounds of the bodies that stay inside their fat bounds, around their new centres. Appends the positions of the other moves, among them all of
   * bodies without a margin, and of boxes without a stored half size.
   */
  moveWithinFatBounds(count: number, out: Positions): void {
    const { exports, indices, values, flags, bounds, fatBounds, halfSizes, listed } = this;
    const length = exports.moveWithinFatBounds(
      count,
      indices.byteOffset,
      values.byteOffset,
      flags.byteOffset,
      bounds.byteOffset,
      fatBounds.byteOffset,
      halfSizes.byteOffset,
      listed.byteOffset,
    );
    this.append(length, out);
  }

  /** Ends the use of the memory: see `WasmMemory.release`. */
  release(): void {
    this.memory.release();
  }

  /** Bytes that do not belong to the arrays of the bodies. */
  get overheadBytes(): number {
    const { indices, values, listed } = this;
    return this.memory.overheadBytes + indices.byteLength + values.byteLength + listed.byteLength;
  }

  /** Copies the chunk of moves from position `begin` on. Returns their number. */
  private setChunk(indices: Uint32Array, values: FloatArray, stride: number, begin: number): number {
    const count = Math.min(CHUNK, indices.length - begin);
    const end = begin + count;
    // A batch of one chunk is copied without creating an object.
    this.indices.set(count === indices.length ? indices : indices.subarray(begin, end));
    this.values.set(count === indices.length ? values : values.subarray(begin * stride, end * stride));
    return count;
  }

  private append(length: number, out: Positions): void {
    const { listed } = this;
    const { array } = out;
    for (let k = 0; k < length; k++) array[out.length + k] = listed[k];
    out.length += length;
  }
}
