/**
 * Decides which batches of moves run in WebAssembly, and gives the arrays of the bodies a memory for them. This file
 * and wasm-moves.ts are loaded when they are first needed, because most octrees never move that many bodies: see
 * accelerator.ts. They import no code that is loaded before, so that bundlers need no third file for what both share.
 */

import type { BodyArrays, MoveArrays } from '../tree/storage/body-arrays.ts';
import type { MemorySource } from './wasm-memory.ts';
import { BOX_STRIDE, CHUNK, WasmMoves } from './wasm-moves.ts';

export { movesCode } from './moves-code.ts';

/**
 * Larger batches of boxes or spheres run in JavaScript: their data is not in the caches, and copying it costs what is
 * saved. 10,000 boxes take 0.65 of the time in WebAssembly, 100,000 0.9, 300,000 1.06.
 */
const MAX_MOVES = 65536;
/**
 * Number of bulk moves, in units of the capacity, before the arrays are copied. Bodies that have moved so often will
 * probably go on moving.
 */
const MIN_BULK_MOVES = 2;
/** Numbers of one centre or half size. */
const CENTER_STRIDE = 3;

export class BulkMover {
  /** Has the arrays of the bodies in its memory. */
  moves: WasmMoves | null = null;
  private readonly memories: MemorySource;
  /** Number of moves in bulk since the arrays of the bodies had another capacity. */
  private count = 0;
  private capacity = 0;

  /** `memories` have instances of the module in moves-code.ts. */
  constructor(memories: MemorySource) {
    this.memories = memories;
  }

  /** What runs a batch of `count` moves; null if they must run in JavaScript. May replace the arrays of the bodies. */
  movesFor(bodies: BodyArrays, count: number, areCenters: boolean, isBulk: boolean): WasmMoves | null {
    if (!areCenters && count > MAX_MOVES) return null;
    this.releaseOutgrown(bodies);
    if (this.moves === null || (areCenters && !this.moves.hasHalfSizes)) {
      if (!isBulk || !this.countMoves(bodies.capacity, count)) return null;
      this.takeArrays(bodies);
    }
    const { moves } = this;
    return moves === null || (areCenters && !moves.fitsCenters(count)) ? null : moves;
  }

  /** Releases the memory if the arrays of the bodies have grown and lie elsewhere. */
  releaseOutgrown(bodies: BodyArrays): void {
    if (this.moves !== null && !this.moves.memory.owns(bodies.bounds)) this.release();
  }

  /** Copies the arrays of the bodies out of the memory, and releases it. */
  dropArrays(bodies: BodyArrays): void {
    this.releaseOutgrown(bodies);
    if (this.moves === null) return;
    bodies.resize(bodies.capacity);
    this.release();
    this.count = 0;
  }

  /** Ends the use of the memory. The arrays in it stay valid while they are referenced. */
  release(): void {
    this.moves?.memory.release();
    this.moves = null;
    this.memories.release();
  }

  get overheadBytes(): number {
    return this.moves?.overheadBytes ?? 0;
  }

  /** Counts a bulk move; returns whether there were enough of them. */
  private countMoves(capacity: number, count: number): boolean {
    if (capacity !== this.capacity) this.count = 0;
    this.capacity = capacity;
    this.count += count;
    return this.count > MIN_BULK_MOVES * capacity;
  }

  /**
   * Copies the arrays of the bodies to a new memory, where they stay until they grow, or until `dropArrays`. Without
   * one they stay where they are.
   */
  private takeArrays(bodies: BodyArrays): void {
    // Before the new one is created, because their number is limited.
    this.moves?.memory.release();
    this.moves = null;
    const { bounds, fatBounds, flags, halfSizes } = bodies;
    const count = Math.max(CHUNK, halfSizes.length > 0 ? this.capacity : 0);
    const values = Math.max(BOX_STRIDE * CHUNK, CENTER_STRIDE * count);
    const ofBodies = [bounds, fatBounds, flags, halfSizes].map((array) => array.byteLength);
    const memory = this.memories.take([...ofBodies, 4 * count, 4 * count, 8 * values]);
    if (memory === null) return;
    this.moves = new WasmMoves(memory, bodies, count, values);
    useArrays(bodies, this.moves.arrays);
  }
}

/** Copies the arrays of moves to others of the same lengths. The bodies use these from then on, until they grow. */
function useArrays(bodies: BodyArrays, arrays: MoveArrays): void {
  arrays.bounds.set(bodies.bounds);
  arrays.fatBounds.set(bodies.fatBounds);
  arrays.halfSizes.set(bodies.halfSizes);
  arrays.flags.set(bodies.flags);
  Object.assign(bodies, arrays);
}
