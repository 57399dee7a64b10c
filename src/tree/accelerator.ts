/**
 * What can run the walks of one tree in place of the code in this folder, with the same results in the same order. It
 * keeps the arrays of the tree where it can read them. It may decline any walk; then the tree runs it itself, as a tree
 * without an accelerator does.
 */

import type { IndexList } from './storage/index-list.ts';
import type { PageArrays } from './storage/node-page.ts';
import type { ExactTest, NearestKernel, RangeKernel, WalkTask } from './traverse/kernel.ts';

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
  /** Ends the use of all memory, before the tree is dropped. */
  release(): void;
}

/** Runs the walks of traverse/walk.ts. Each method returns false if the walk must run in JavaScript. */
export interface Walker {
  /** Whether it reads this array, not a copy. */
  reads(array: ArrayBufferView): boolean;
  walkOverlapping(task: WalkTask, kernel: RangeKernel, exactTest: ExactTest | null, out: IndexList): boolean;
  walkNearestFirst(task: WalkTask, kernel: NearestKernel): boolean;
}
