/**
 * What the walks need from a query. A kernel implements one kind of query volume. It filters a range of boxes per call:
 * the eight children of a node, or the slot bounds of its page. The implementations are in src/octree/queries and
 * src/features.
 *
 * A kernel is conservative: it may keep too many boxes, never too few. If a box contains the exact box of a body, and
 * the exact test would accept the body, the kernel keeps the box. It calls a box CONTAINED only if the exact test would
 * accept every body in it, because these bodies are not tested. Both must hold in spite of rounding:
 *
 * - A tolerance covers the rounding errors of the kernel and of the exact test. For lengths it is a factor times the
 *   maximum magnitude among the coordinates of the volume and of the box that is filtered, never of the scene. All
 *   factors are in src/math/tolerances.ts. A kernel that only compares coordinates needs none.
 * - Squares of small numbers underflow to 0, in Float32 earlier than in Float64. An exact test that compares squares
 *   then accepts a body that is a little apart, so the kernel must keep its box. A square that underflows in the
 *   kernel, but not in the exact test, must not make a box CONTAINED.
 * - A box with max < min is empty, and must be rejected: the unused children of a node have such boxes.
 */

import { type Boxes, KeptBoxes } from '../../math/box.ts';
import type { FloatArray } from '../../math/typed-arrays.ts';
import type { BodyArrays } from '../storage/body-arrays.ts';
import { STACK_SIZE } from './walk-numbers.ts';

/** What an accelerator needs from a query. */
export interface SimdVolume {
  /** Number of the kernel in walk-numbers.ts; NO_SIMD_KERNEL if the walk must run in JavaScript. */
  readonly simdKernel: number;
  /** Writes the numbers of the query volume in the order of its kernel. A query without a kernel leaves it out. */
  writeVolume?(target: Float32Array): void;
}

export interface RangeKernel extends SimdVolume {
  /**
   * Overlap of the root's box before it is tested: the mask of all planes for a frustum, INTERSECTING for other
   * volumes.
   */
  readonly rootOverlap: number;
  /**
   * Appends each box of [begin, end) that may touch the volume to `kept`, with its overlap. `overlap` is the overlap of
   * the box around them all.
   */
  filterBoxes(boxes: Boxes, begin: number, end: number, kept: KeptBoxes, overlap: number): void;
}

/**
 * Decides by the exact bounds of a body that a kernel has kept.
 *
 * For a sphere body the exact test checks the sphere and its box: the body touches a volume only if both do. Kernels
 * see boxes only, so they may reject a sphere by its box. In exact arithmetic a sphere is never nearer than its box,
 * but with rounding it may be. Because the exact test checks the box too, the result does not depend on which boxes a
 * kernel has seen, that is, on the place of the body in the tree.
 */
export interface ExactTest {
  /**
   * Whether the exact test of a box is the plane test alone. Then it is left out for boxes with SURE in their overlap
   * and tight slot bounds.
   */
  readonly testsOnlyPlanes?: boolean;
  /** Whether a body touches the volume, in Float64; `overlap` is the overlap of its slot bounds, without SURE. */
  touches(bodies: BodyArrays, index: number, overlap: number): boolean;
}

export interface NearestKernel extends SimdVolume {
  /**
   * Appends each box of [begin, end) that is near enough to `kept`, with its distance. Distances are plain or squared,
   * as the kernel chooses, and lower bounds: never greater than the distance of anything in the box.
   */
  filterByMinDistance(boxes: Boxes, begin: number, end: number, kept: KeptBoxes): void;
  /**
   * Whether a box with the distance at `offset` may still contain a result. The maximum distance shrinks when
   * `visitBodies` finds a result.
   */
  isNearEnough(distances: Float64Array, offset: number): boolean;
  /** Updates the maximum distance in a volume that `writeVolume` has written. */
  writeMaxDistance(target: Float32Array): void;
  /**
   * Tests the first `count` of several bodies, the last one first. Leaves out those whose slot bounds are no longer
   * near enough, by the distance beside each; reduces the maximum distance if a body is a result.
   */
  visitBodies(bodies: Int32Array, distances: FloatArray, count: number): void;
}

/**
 * Working memory of one walk: its stack, the slots kept in the current node, and the costs. A walk of an accelerator
 * uses only the costs.
 */
export class Scratch {
  /** Nodes to visit: a stack. */
  readonly nodes = new KeptBoxes(STACK_SIZE);
  /** Slots of the current node that the kernel has kept. */
  readonly slots = new KeptBoxes();

  // Costs since `resetCosts`.
  nodesVisited = 0;
  nodesContained = 0;
  bodiesTested = 0;

  resetCosts(): void {
    this.nodesVisited = this.nodesContained = this.bodiesTested = 0;
  }
}

/** What a walk reads beside its kernel. */
export interface WalkTask<T = { readonly bodies: BodyArrays }> {
  /** Set as long as a query runs. */
  readonly tree: T | null;
  /** Nodes without a body of these categories are skipped. */
  readonly categories: number;
  readonly scratch: Scratch;
}
