/** What the walks ask of a question: one kernel for each kind of volume, see src/query. */

import type { Boxes } from '../../math/box.ts';
import type { BodyArrays } from '../storage/body-arrays.ts';

/** What the walker in WebAssembly has to know of a question. */
export interface Shape {
  /** One of those in simd/kinds.ts. */
  readonly simdKind: number;
  /** Writes the numbers of the volume, as the kernel in simd/assembly wants them; false if they are beyond what Float32 can compute with. */
  writeShape(lanes: Float32Array): boolean;
}

export interface RangeKernel extends Shape {
  /** What is noted of a box of which nothing is known yet. */
  readonly undecided: number;
  /**
   * Appends each box of [begin, end) that may touch the queried volume to `kept` at `count`, and CONTAINED or what is still
   * undecided about it to `notes`; returns the new count. `note` is what is known of the box around them all.
   */
  filterBoxes(boxes: Boxes, begin: number, end: number, note: number, kept: Int32Array, notes: Int32Array, count: number): number;
}

/** Tests what a kernel has kept by its exact bounds. */
export interface ExactTest {
  /** Whether a body touches the volume; `note` is what its entry left undecided. */
  touches(bodies: BodyArrays, index: number, note: number): boolean;
}

export interface NearestKernel extends Shape {
  /** Squared or plain, but of one kind and never more than that of anything inside the box: the distance to each box kept. */
  approach(boxes: Boxes, begin: number, end: number, kept: Int32Array, distances: Float64Array, count: number): number;
  /** Whether a box at the distance in lane `at` may still hold an answer; answers found meanwhile make it stricter. */
  mayHold(distances: Float64Array, at: number): boolean;
  /** Writes how far a box may hold an answer once more, when answers may have made it stricter. */
  writeMaxDistance(lanes: Float32Array): void;
  /** Looks at a body whose entry was kept. */
  visit(index: number): void;
}
