/**
 * What the walks need from a query. A kernel implements one kind of query volume and filters a range of boxes at a time: the
 * eight children of a node and the slot bounds of its page alike. It may keep too much, never too little. The implementations lie
 * in src/query.
 */

import type { Boxes } from '../../math/box.ts';
import type { BodyArrays } from '../storage/body-arrays.ts';

/** What the WASM traversal needs from a query. */
export interface WasmVolume {
  /** Number of the kernel in simd/wasm-kernels.ts, NO_WASM_KERNEL if there is none: then every walk runs in JavaScript. */
  readonly wasmKernel: number;
  /**
   * Writes the numbers of the query volume in the order of its kernel in simd/assembly/kernels.ts. Returns false if they are
   * beyond what Float32 can compute with; then the walk runs in JavaScript. Not called without a WebAssembly kernel.
   */
  writeVolume(target: Float32Array): boolean;
}

export interface RangeKernel extends WasmVolume {
  /** Overlap of the root's box before it is tested: INTERSECTING, or the mask of all planes. */
  readonly rootOverlap: number;
  /**
   * Appends each box of [begin, end) that may touch the volume to `kept` at `count`, and its overlap to `overlaps`; returns the
   * new count. `overlap` is the overlap of the box around them all.
   */
  filterBoxes(boxes: Boxes, begin: number, end: number, overlap: number, kept: Int32Array, overlaps: Int32Array, count: number): number;
}

/** Decides by the exact bounds of a body that a kernel has kept. */
export interface ExactTest {
  /** Whether a body touches the volume; `overlap` is the overlap of its slot bounds. */
  touches(bodies: BodyArrays, index: number, overlap: number): boolean;
}

export interface NearestKernel extends WasmVolume {
  /**
   * Appends each box of [begin, end) that is near enough to `kept` at `count`, and its distance to `distances`; returns the new
   * count. Distances are plain or squared, as the kernel chooses, and lower bounds: never greater than the distance of anything
   * in the box.
   */
  filterByMinDistance(boxes: Boxes, begin: number, end: number, kept: Int32Array, distances: Float64Array, count: number): number;
  /** Whether a box with the distance at `offset` may still hold a result. The greatest distance shrinks when a visit finds one. */
  isNearEnough(distances: Float64Array, offset: number): boolean;
  /** Writes the greatest distance to MAX_DISTANCE_OFFSET of a volume that was written before. */
  writeMaxDistance(target: Float32Array): void;
  /** Tests a body whose slot bounds are near enough, and reduces the greatest distance if the body is a result. */
  visitBody(index: number): void;
}
