/**
 * Bulk moves in WebAssembly, with a memory in which the arrays of the bodies lie. See assembly/moves.ts.
 */

import type { BulkMoves, MoveBatch } from '../tree/accelerator.ts';
import type { MoveArrays } from '../tree/storage/body-arrays.ts';
import type { IndexList } from '../tree/storage/index-list.ts';
import type { WasmMemory } from './wasm-memory.ts';

/**
 * Boxes or spheres are copied to the memory of WebAssembly in chunks of this many moves, so that they need little
 * memory.
 */
export const CHUNK = 2048;
/** Numbers of one move. */
export const BOX_STRIDE = 6;
const SPHERE_STRIDE = 4;

interface Exports {
  readonly setArrays: (...addresses: number[]) => void;
  readonly areConsecutive: (begin: number, count: number, first: number) => number;
  readonly listEscaped: (begin: number, count: number, bodyCount: number, areSpheres: boolean) => number;
  readonly listUnchecked: (count: number, bodyCount: number, limit: number) => number;
  readonly moveWithinFatBounds: (count: number) => number;
}

export class WasmMoves implements BulkMoves {
  /** Arrays of zeros for the bodies. */
  readonly arrays: MoveArrays;
  readonly memory: WasmMemory;

  /** A chunk of boxes or spheres, or a batch of centres; and the positions of the listed moves. */
  private readonly indices: Uint32Array;
  private readonly values: Float64Array;
  private readonly listed: Uint32Array;
  private readonly exports: Exports;

  /**
   * @param from Arrays whose lengths the arrays for the bodies get. Without half sizes no moves by the centre fit.
   * @param moves Number of moves in the largest batch by the centre; at least CHUNK.
   * @param values Numbers of that many centres; at least those of a chunk of boxes.
   */
  constructor(memory: WasmMemory, from: MoveArrays, moves: number, values: number) {
    const { buffer } = memory;
    this.memory = memory;
    this.exports = memory.exports as Exports;
    this.arrays = {
      bounds: new Float64Array(buffer, memory.allocate(from.bounds.byteLength), from.bounds.length),
      fatBounds: new Float32Array(buffer, memory.allocate(from.fatBounds.byteLength), from.fatBounds.length),
      flags: new Uint8Array(buffer, memory.allocate(from.flags.byteLength), from.flags.length),
      halfSizes: new Float64Array(buffer, memory.allocate(from.halfSizes.byteLength), from.halfSizes.length),
    };
    this.indices = new Uint32Array(buffer, memory.allocate(4 * moves), moves);
    this.listed = new Uint32Array(buffer, memory.allocate(4 * moves), moves);
    this.values = new Float64Array(buffer, memory.allocate(8 * values), values);
    const { arrays } = this;
    const inOrder = [
      this.indices,
      this.values,
      this.listed,
      arrays.flags,
      arrays.bounds,
      arrays.fatBounds,
      arrays.halfSizes,
    ];
    this.exports.setArrays(...inOrder.map((array) => array.byteOffset));
  }

  get hasHalfSizes(): boolean {
    return this.arrays.halfSizes.length > 0;
  }

  /** Whether a batch of `count` moves by the centre fits. */
  fitsCenters(count: number): boolean {
    return this.hasHalfSizes && count <= this.indices.length;
  }

  findEscaped(bodyCount: number, batch: MoveBatch, out: IndexList): boolean {
    const { exports } = this;
    const { indices } = batch;
    const areSpheres = batch.stride === SPHERE_STRIDE;
    let isConsecutive = true;
    for (let begin = 0; begin < indices.length; begin += CHUNK) {
      const count = this.setChunk(batch, begin);
      isConsecutive &&= exports.areConsecutive(0, count, indices[0] + begin) !== 0;
      this.append(exports.listEscaped(begin, count, bodyCount, areSpheres), out);
    }
    return isConsecutive;
  }

  setCenters({ indices, bounds }: MoveBatch): void {
    this.indices.set(indices);
    this.values.set(bounds);
  }

  listUnchecked(count: number, bodyCount: number, limit: number, out: IndexList): void {
    this.append(this.exports.listUnchecked(count, bodyCount, limit), out);
  }

  moveWithinFatBounds(count: number, out: IndexList): void {
    this.append(this.exports.moveWithinFatBounds(count), out);
  }

  /** Bytes that do not belong to the arrays of the bodies. */
  get overheadBytes(): number {
    const { indices, values, listed } = this;
    return this.memory.overheadBytes + indices.byteLength + values.byteLength + listed.byteLength;
  }

  /** Copies the chunk of moves from position `begin` on. Returns their number. */
  private setChunk({ indices, bounds, stride }: MoveBatch, begin: number): number {
    const count = Math.min(CHUNK, indices.length - begin);
    const end = begin + count;
    // A batch of one chunk is copied without creating an object.
    this.indices.set(count === indices.length ? indices : indices.subarray(begin, end));
    this.values.set(count === indices.length ? bounds : bounds.subarray(begin * stride, end * stride));
    return count;
  }

  private append(length: number, out: IndexList): void {
    const { listed } = this;
    const { array } = out;
    for (let k = 0; k < length; k++) array[out.length + k] = listed[k];
    out.length += length;
  }
}
