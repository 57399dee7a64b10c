/**
 * The plan of a bulk build: the nodes of the tree, and the bodies of each node. Every body gets the key of its cell,
 * computed from integer coordinates instead of a descent from the root. Sorted by key, the bodies of a subtree are
 * contiguous: first the bodies of the node itself, then the bodies of its children.
 */

import { RadixSorter } from '../../math/sorting.ts';
import { withCapacity } from '../../math/typed-arrays.ts';
import { KEY_DEPTH, keyByCell, keyDepth, keyShift } from './cell-keys.ts';
import { ROOT } from '../layout.ts';
import { STACK_SIZE } from '../traverse/walk-numbers.ts';
import type { Tree } from '../tree.ts';

/**
 * Record of a planned node, Int32: its number, its own bodies as a range of the sorted order, and its first child, 0
 * for a leaf.
 */
export const NODE = 0;
export const OWN_BEGIN = 1;
export const OWN_COUNT = 2;
export const CHILDREN = 3;
export const PLAN_STRIDE = 4;

/**
 * Record of a task, Int32: the root of a subtree to plan, the bodies of the subtree as a range of the sorted order, and
 * the depth of its root below the base cell of their keys.
 */
const TASK_NODE = 0;
const TASK_BEGIN = 1;
const TASK_END = 2;
const TASK_DEPTH = 3;
const TASK_STRIDE = 4;

/** Minimum initial capacity of the plan, in records. */
const INITIAL_NODES = 64;

/**
 * Plans the nodes of a tree whose root is an empty leaf. Allocates the blocks of the nodes, but opens no node.
 *
 * @param order All bodies; sorted by key on return.
 * @returns The records of the nodes in the order in which a walk visits them, parents before children.
 */
export function planNodes(tree: Tree, order: Uint32Array): Int32Array {
  const keys = new Uint32Array(order.length);
  const sorter = new RadixSorter();
  keyByCell(tree, ROOT, order, keys, 0, order.length);
  sorter.sort(keys, order, 0, order.length);

  let plan = new Int32Array((INITIAL_NODES + (order.length >> 1)) * PLAN_STRIDE);
  let length = 0;
  // The last octant is on top of the stack, as in the walks.
  const stack = new Int32Array(STACK_SIZE * TASK_STRIDE);
  stack[TASK_NODE] = ROOT;
  stack[TASK_END] = order.length;
  for (let top = 0; top >= 0;) {
    const node = stack[top + TASK_NODE];
    const begin = stack[top + TASK_BEGIN];
    const end = stack[top + TASK_END];
    let depth = stack[top + TASK_DEPTH];
    top -= TASK_STRIDE;
    let ownEnd = end;
    if (end - begin > tree.leafCapacity && !tree.isSmallest(node)) {
      if (depth === KEY_DEPTH) {
        keyByCell(tree, node, order, keys, begin, end);
        sorter.sort(keys, order, begin, end);
        depth = 0;
      }
      ownEnd = begin;
      while (ownEnd < end && keyDepth(keys[ownEnd]) === depth) ownEnd++;
    }
    const children = ownEnd < end ? tree.allocateBlock(node) : 0;
    if (length + PLAN_STRIDE > plan.length) plan = withCapacity(plan, length + PLAN_STRIDE);
    plan[length + NODE] = node;
    plan[length + OWN_BEGIN] = begin;
    plan[length + OWN_COUNT] = ownEnd - begin;
    plan[length + CHILDREN] = children;
    length += PLAN_STRIDE;

    const shift = keyShift(depth);
    for (let start = ownEnd; start < end;) {
      const last = endOfCell(keys, start, end, shift);
      top += TASK_STRIDE;
      stack[top + TASK_NODE] = children + ((keys[start] >>> shift) & 7);
      stack[top + TASK_BEGIN] = start;
      stack[top + TASK_END] = last;
      stack[top + TASK_DEPTH] = depth + 1;
      start = last;
    }
  }
  return plan.subarray(0, length);
}

/**
 * First position after `start` whose key belongs to another cell: the two keys differ above the lowest `shift` bits.
 * `end` if there is none.
 */
function endOfCell(keys: Uint32Array, start: number, end: number, shift: number): number {
  const cell = keys[start] >>> shift;
  while (start < end) {
    const middle = (start + end) >>> 1;
    if (keys[middle] >>> shift === cell) start = middle + 1;
    else end = middle;
  }
  return start;
}
