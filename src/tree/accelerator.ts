/**
 * What can run the walks and the bulk moves of one tree in place of the code in this folder, with the same results in
 * the same order. It keeps the arrays of the tree where it can read them. If a method returns false or null, the tree
 * runs that walk or those moves itself; so does a tree without an accelerator.
 */

import type { FloatArray } from '../math/typed-arrays.ts';
import type { BodyArrays } from './storage/body-arrays.ts';
import type { IndexList } from './storage/index-list.ts';
import type { PageArrays } from './storage/node-page.ts';
import type { ExactTest, NearestKernel, RangeKernel } from './traverse/kernel.ts';
import type { Scratch } from './traverse/scratch.ts';

/** What an accelerator reads and replaces of its tree. */
export interface AcceleratedTree extends PageArrays {
  /** Number of bodies that are in a node. */
  readonly placedCount: number;
}

export interface Accelerator {
  /** Null while all walks run in JavaScript. */
  readonly walker: Walker | null;
  /** Bytes beside the arrays of the tree. */
  readonly overheadBytes: number;
  /** Resizes the arrays to `blocks` blocks of nodes and `slots` slots. */
  resizeArrays(tree: AcceleratedTree, blocks: number, slots: number): void;
  /** Call it after every change of the tree, before the next walk: an array that has grown may have to move. */
  adoptArrays(tree: AcceleratedTree): void;
  /**
   * What runs a batch of `count` moves; null if they must run in JavaScript. May replace the arrays of the bodies.
   *
   * @param areCenters Whether the bodies move by their centres.
   */
  movesFor(tree: AcceleratedTree, count: number, areCenters: boolean): BulkMoves | null;
  /** Ends the use of all memory, before the tree is dropped. */
  release(): void;
}

/** Runs the walks of traverse/walk.ts. Each method returns false if the walk must run in JavaScript. */
export interface Walker {
  /** Whether it reads this array, not a copy. */
  reads(array: ArrayBufferView): boolean;
  walkOverlapping(
    bodies: BodyArrays,
    kernel: RangeKernel,
    exactTest: ExactTest | null,
    categories: number,
    scratch: Scratch,
    out: IndexList,
  ): boolean;
  walkNearestFirst(kernel: NearestKernel, categories: number, scratch: Scratch): boolean;
}

/** New bounds of bodies. */
export interface MoveBatch {
  readonly indices: Uint32Array;
  /** Of each body, side by side: a box, a sphere or a centre. */
  readonly bounds: FloatArray;
  /** Numbers of each body: BOX_STRIDE, SPHERE_STRIDE or CENTER_STRIDE. */
  readonly stride: number;
  /**
   * Throws if index `k` or its bounds are invalid. Left out if all are valid. Called only for moves that the fast
   * checks do not accept: bounds within the fat bounds of a living body are valid. Nothing has changed when it throws.
   */
  readonly check?: (k: number) => void;
}

/** Compares the moves of a batch with the fat bounds of the bodies. `out` has room for all positions of the batch. */
export interface BulkMoves {
  /** As `findEscaped` in update/move.ts, but appends bodies that must keep their size, too. */
  findEscaped(bodyCount: number, batch: MoveBatch, out: IndexList): boolean;
  /** Sets the batch for `listUnchecked` and `moveWithinFatBounds`. */
  setCenters(batch: MoveBatch): void;
  /**
   * Appends the position of each move whose index is not below `bodyCount`, whose body is dead or has no margin, or
   * whose centre has a coordinate beyond `limit`.
   */
  listUnchecked(count: number, bodyCount: number, limit: number, out: IndexList): void;
  /**
   * Writes the bounds of the bodies that stay inside their fat bounds, around their new centres. Appends the positions
   * of the other moves, among them all of bodies without a margin, and of boxes without a stored half size.
   */
  moveWithinFatBounds(count: number, out: IndexList): void;
}

/**
 * Creates the accelerator of a new tree. From `minBodies` bodies on it runs walks and moves. Null: the tree has none.
 */
export type CreateAccelerator = (minBodies: number) => Accelerator | null;
