/**
 * The plan of a bulk build: which nodes there will be, and which bodies each of them owns. Every body gets the key of its cell,
 * computed from integer coordinates instead of a descent from the root. Sorted by key, the bodies of a subtree are one run: the
 * node's own first, then those of its children.
 */

import { radixSort } from '../../math/radix-sort.ts';
import { KEY_LEVELS, keyByCell, keyLevel, keyShift } from './cell-keys.ts';
import { ROOT, STACK_SIZE } from '../layout.ts';
import type { Tree } from '../tree.ts';

/** Record of a planned node, Int32: its number, its own bodies as a range of the order, and its first child, 0 for a leaf. */
export const NODE = 0;
export const OWN_BEGIN = 1;
export const OWN_COUNT = 2;
export const CHILDREN = 3;
export const PLAN_STRIDE = 4;

/**
 * Record of a run on the stack, Int32: a subtree, its bodies as a range of the order, and its depth below the base cell of their
 * keys.
 */
const RUN_NODE = 0;
const RUN_BEGIN = 1;
const RUN_END = 2;
const RUN_DEPTH = 3;
const RUN_STRIDE = 4;

/** Minimum number of records that the plan has room for at first. */
const FIRST_NODES = 64;
/** Keys up to which the end of a cell is found by linear search, which is faster than bisection there. */
const MAX_LINEAR_SEARCH = 128;

/**
 * Plans the nodes of a tree whose root is an empty leaf. Takes the blocks of the nodes, but opens none of them.
 *
 * @param order All bodies; gets sorted by key.
 * @returns The records of the nodes in the order in which a walk visits them, parents before children.
 */
export function planNodes(tree: Tree, order: Uint32Array): Int32Array {
  const keys = new Uint32Array(order.length);
  keyByCell(tree, ROOT, order, keys, 0, order.length);
  radixSort(keys, order, 0, order.length);

  let plan = new Int32Array((FIRST_NODES + (order.length >> 1)) * PLAN_STRIDE);
  let length = 0;
  // The last octant is on top of the stack, as in the walks.
  const stack = new Int32Array(STACK_SIZE * RUN_STRIDE);
  stack[RUN_NODE] = ROOT;
  stack[RUN_END] = order.length;
  for (let top = 0; top >= 0; ) {
    const node = stack[top + RUN_NODE];
    const begin = stack[top + RUN_BEGIN];
    const end = stack[top + RUN_END];
    let depth = stack[top + RUN_DEPTH];
    top -= RUN_STRIDE;
    let staying = end;
    if (end - begin > tree.leafCapacity && !tree.isSmallest(node)) {
      if (depth === KEY_LEVELS) {
        keyByCell(tree, node, order, keys, begin, end);
        radixSort(keys, order, begin, end);
        depth = 0;
      }
      staying = begin;
      while (staying < end && keyLevel(keys[staying]) === depth) staying++;
    }
    const children = staying < end ? tree.planBlock(node) : 0;
    if (length === plan.length) plan = doubled(plan);
    plan[length + NODE] = node;
    plan[length + OWN_BEGIN] = begin;
    plan[length + OWN_COUNT] = staying - begin;
    plan[length + CHILDREN] = children;
    length += PLAN_STRIDE;

    const shift = keyShift(depth);
    for (let start = staying; start < end; ) {
      const last = endOfCell(keys, start, end, shift);
      top += RUN_STRIDE;
      stack[top + RUN_NODE] = children + ((keys[start] >>> shift) & 7);
      stack[top + RUN_BEGIN] = start;
      stack[top + RUN_END] = last;
      stack[top + RUN_DEPTH] = depth + 1;
      start = last;
    }
  }
  return plan.subarray(0, length);
}

function doubled(plan: Int32Array): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(2 * plan.length);
  longer.set(plan);
  return longer;
}

/**
 * First place after `start` whose key belongs to another cell: it differs from the key of `start` above the lowest `shift` bits.
 * `end` if there is none.
 */
function endOfCell(keys: Uint32Array, start: number, end: number, shift: number): number {
  const cell = keys[start] >>> shift;
  while (end - start > MAX_LINEAR_SEARCH) {
    const middle = (start + end) >>> 1;
    if (keys[middle] >>> shift === cell) start = middle;
    else end = middle;
  }
  while (start < end && keys[start] >>> shift === cell) start++;
  return start;
}
