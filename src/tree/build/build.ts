/**
 * The bulk build: makes the first tree from all queued bodies at once. Every body gets the key of its cell, computed
 * from integer coordinates instead of a descent from the root. The keys, sorted, give a plan of all nodes. Then the
 * arrays are allocated once, and nodes, pages and bodies are written in the order in which a walk visits them.
 *
 * A key has 31 bits and names the cell that should own the body: the deepest one around its centre that accepts it, at
 * most nine steps below a base cell. The upper 27 bits are the Morton code of that cell, three bits per step, the top
 * step first; steps below the cell have zeros. The lower 4 bits are the depth of the cell below the base cell. So the
 * sorted bodies of a subtree are contiguous: first the node's own bodies, then its octants in order. Octant 0 comes
 * first; the walks visit octant 7 first, and `planNodes` reverses the order of octants for them.
 */

import { BOX_STRIDE } from '../../math/box.ts';
import {
  BLOCK,
  BODY_SPHERE,
  BODY_STATIC,
  CAPACITY,
  COUNT,
  LINK_STRIDE,
  NODE_HAS_MOVABLE,
  NODE_LOST_BODY,
  NO_BODY,
  PAGE,
  ROOT,
} from '../layout.ts';
import { fitBox, refit } from '../update/refit.ts';
import { pageSize } from '../storage/slot-pages.ts';
import type { Tree } from '../tree.ts';
import { RadixSorter, spreadBits } from '../../math/sorting.ts';
import { withCapacity } from '../../math/typed-arrays.ts';
import { STACK_SIZE } from '../traverse/walk-numbers.ts';
import { cellAccepts, edgeExponentOf } from '../../math/integer-cube.ts';

/** Maximum depth below the base cell that one key covers. */
export const KEY_DEPTH = 9;
const DEPTH_BITS = 4;
const DEPTH_MASK = (1 << DEPTH_BITS) - 1;

/**
 * Writes the keys of the bodies in [begin, end) of `order` to the same positions of `keys`. The cell of the node
 * `base`, which accepts them all, is the base cell.
 */
function keyByCell(tree: Tree, base: number, order: Uint32Array, keys: Uint32Array, begin: number, end: number): void {
  const { bodies, box, nodes } = tree;
  const { bounds, flags } = bodies;
  const minX = nodes.cellMin(base, 0);
  const minY = nodes.cellMin(base, 1);
  const minZ = nodes.cellMin(base, 2);
  const edge = nodes.edge(base);
  const maxDepth = Math.min(KEY_DEPTH, nodes.edgeExponent(base) - edgeExponentOf(tree.smallestEdge));
  const cells = 1 << maxDepth;
  const cellEdge = edge / cells;
  // Exact: the inverse of a power of two.
  const perCell = 1 / cellEdge;
  const extension = tree.extension(edge);
  const maxSize = 2 * extension;

  for (let k = begin; k < end; k++) {
    const index = order[k];
    const isSphere = (flags[index] & BODY_SPHERE) !== 0;
    const boxes = isSphere ? bodies.readBox(index, box) : bounds;
    const at = isSphere ? 0 : index * BOX_STRIDE;
    const x = cellOf((boxes[at] + boxes[at + 3]) * 0.5, minX, cellEdge, perCell, cells);
    const y = cellOf((boxes[at + 1] + boxes[at + 4]) * 0.5, minY, cellEdge, perCell, cells);
    const z = cellOf((boxes[at + 2] + boxes[at + 5]) * 0.5, minZ, cellEdge, perCell, cells);

    // An estimate: the maximum depth at which a cell accepts every body of this size whose centre lies in the cell. At
    // depth 0 the largest such size is `maxSize`, and each step down halves it.
    const sizeX = boxes[at + 3] - boxes[at];
    const sizeY = boxes[at + 4] - boxes[at + 1];
    const sizeZ = boxes[at + 5] - boxes[at + 2];
    const size = larger(larger(sizeX, sizeY), sizeZ);
    let depth = size * cells > maxSize ? 31 - Math.clz32((maxSize / size) | 1) : maxDepth;

    // The exact depth: the largest at which the cell around the centre accepts this body.
    while (
      depth > 0 &&
      !isAccepted(boxes, at, minX, minY, minZ, x, y, z, maxDepth - depth, cellEdge, extension / (1 << depth))
    )
      depth--;
    while (
      depth < maxDepth &&
      isAccepted(boxes, at, minX, minY, minZ, x, y, z, maxDepth - depth - 1, cellEdge, extension / (2 << depth))
    )
      depth++;

    const code = spreadBits(x) | (spreadBits(y) << 1) | (spreadBits(z) << 2);
    const kept = (code >>> (3 * (maxDepth - depth))) << (3 * (KEY_DEPTH - depth));
    keys[k] = (kept << DEPTH_BITS) | depth;
  }
}

/** Depth, below the base cell, of the cell that should own the body with this key. */
function keyDepth(key: number): number {
  return key & DEPTH_MASK;
}

/** Position of the three bits of a key that choose an octant of the cell at `depth`. */
function keyShift(depth: number): number {
  return DEPTH_BITS + 3 * (KEY_DEPTH - 1 - depth);
}

/**
 * Along one axis, number of the finest cell that contains a coordinate, from 0 to cells - 1. The coordinate must be at
 * least `min`. A cell contains its lower face; the last cell also contains its upper face.
 */
function cellOf(coordinate: number, min: number, cellEdge: number, perCell: number, cells: number): number {
  let cell = ((coordinate - min) * perCell) | 0;
  // The subtraction may have rounded a coordinate just below a face up to the face.
  if (min + cell * cellEdge > coordinate) cell--;
  return cell < cells ? cell : cells - 1;
}

/** The larger of two numbers, inexact in the last bits. Without a branch, which would be unpredictable. */
function larger(a: number, b: number): number {
  return (a + b + Math.abs(a - b)) * 0.5;
}

/** Whether the cell `up` steps above the finest cell (x, y, z) accepts the box at offset `at`. */
function isAccepted(
  boxes: Float64Array,
  at: number,
  minX: number,
  minY: number,
  minZ: number,
  x: number,
  y: number,
  z: number,
  up: number,
  finestEdge: number,
  extension: number,
): boolean {
  const edge = finestEdge * (1 << up);
  return cellAccepts(
    minX + (x >>> up) * edge,
    minY + (y >>> up) * edge,
    minZ + (z >>> up) * edge,
    edge,
    extension,
    boxes,
    at,
  );
}

/**
 * Record of a planned node, Int32: its number, its own bodies as a range of the sorted order, and its first child, 0
 * for a leaf.
 */
const NODE = 0;
const OWN_BEGIN = 1;
const OWN_COUNT = 2;
const CHILDREN = 3;
const PLAN_STRIDE = 4;

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
function planNodes(tree: Tree, order: Uint32Array): Int32Array {
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
    const children = ownEnd < end ? tree.nodes.allocateBlock(node) : 0;
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

/** Places bodies in a tree whose root is an empty leaf that accepts them all. */
export function buildFrom(tree: Tree, indices: Uint32Array): void {
  const order = indices.slice();
  const plan = planNodes(tree, order);
  tree.placedCount += indices.length;
  tree.nodes.dropMaxDiagonals();
  allocateArrays(tree, plan);
  writePages(tree, plan, order);
  writeSlotBounds(tree, indices);
  writeNodes(tree, plan);
  fitNodes(tree, plan, indices[0]);
}

/** Resizes the arrays to the size of the plan plus a reserve. */
function allocateArrays(tree: Tree, plan: Int32Array): void {
  const { nodes, placedCount, slots } = tree;
  // No node has a page yet, so all pages can be freed. Otherwise the arrays of an octree that is repeatedly emptied and
  // filled would grow.
  slots.clear();
  let planned = 0;
  for (let at = 0; at < plan.length; at += PLAN_STRIDE) planned += pageSize(plan[at + OWN_COUNT]);
  const capacity = pageSize(Math.max(slots.capacity, planned, placedCount + (placedCount >> 2)));
  const blocks = nodes.trimmedCapacity;
  if (nodes.flags.length !== blocks * BLOCK || slots.capacity !== capacity) tree.resizeArrays(blocks, capacity);
}

/** Writes the bodies of each node to a page of the smallest size. */
function writePages({ bodies, slots }: Tree, plan: Int32Array, order: Uint32Array): void {
  const { slot } = bodies;
  const { body } = slots;
  for (let at = 0; at < plan.length; at += PLAN_STRIDE) {
    const count = plan[at + OWN_COUNT];
    if (count === 0) continue;
    const begin = plan[at + OWN_BEGIN];
    const capacity = pageSize(count);
    const page = slots.takePageAtEnd(capacity);
    slots.setOwner(page, capacity, plan[at + NODE]);
    for (let k = 0; k < count; k++) {
      const index = order[begin + k];
      body[page + k] = index;
      slot[index] = page + k;
    }
    for (let k = count; k < capacity; k++) body[page + k] = NO_BODY;
  }
}

/**
 * Writes the slot bounds in the order of `indices`, so that bodies are read sequentially and slots written randomly:
 * random reads would stall the processor.
 */
function writeSlotBounds(tree: Tree, indices: Uint32Array): void {
  const { bodies, box } = tree;
  const { bounds, flags, slot } = bodies;
  for (let k = 0; k < indices.length; k++) {
    const index = indices[k];
    if ((flags[index] & BODY_SPHERE) === 0) tree.writeTightSlot(index, slot[index], bounds, index * BOX_STRIDE);
    else tree.writeTightSlot(index, slot[index], bodies.readBox(index, box), 0);
  }
}

/** Opens the nodes, and links each to its block of children and its page. */
function writeNodes(tree: Tree, plan: Int32Array): void {
  const { nodes } = tree;
  const { links } = nodes;
  let page = 0;
  for (let at = 0; at < plan.length; at += PLAN_STRIDE) {
    const node = plan[at + NODE];
    if (node !== ROOT) tree.openNode(node);
    if (plan[at + CHILDREN] !== 0) nodes.linkBlock(node, plan[at + CHILDREN]);
    const count = plan[at + OWN_COUNT];
    const to = node * LINK_STRIDE;
    links[to + PAGE] = page;
    links[to + COUNT] = count;
    links[to + CAPACITY] = pageSize(count);
    page += pageSize(count);
  }
}

/**
 * Computes the summaries bottom-up. In the plan children come after their parents, so the loop runs backwards. `index`
 * is one of the bodies: usually all have its categories, and are static if it is.
 */
function fitNodes(tree: Tree, plan: Int32Array, index: number): void {
  const { bodies, nodes } = tree;
  const movable = (bodies.flags[index] & BODY_STATIC) === 0 ? NODE_HAS_MOVABLE : 0;
  for (let at = plan.length - PLAN_STRIDE; at >= 0; at -= PLAN_STRIDE) {
    const node = plan[at + NODE];
    if (bodies.isMixed || node === ROOT) {
      nodes.flags[node] |= NODE_LOST_BODY;
      refit(tree, node);
    } else {
      fitBox(tree, node, nodes.fitted, node * BOX_STRIDE);
      nodes.categoryMask[node] = bodies.categoryMask[index];
      nodes.flags[node] |= movable;
    }
    writeRun(tree, node);
  }
}

/**
 * Writes the run of a node. The runs of its children must be written already. The run begins with the node's own page,
 * followed by the runs of its children, the last octant first.
 */
function writeRun(tree: Tree, node: number): void {
  const { nodes } = tree;
  const page = nodes.page(node);
  const pageEnd = page + nodes.links[node * LINK_STRIDE + CAPACITY];
  const mask = nodes.childMask[node];
  const first = nodes.firstChild(node);
  const hasPage = pageEnd > page;
  nodes.runStart[node] = hasPage || first === 0 ? page : nodes.runStart[first + 31 - Math.clz32(mask)];
  nodes.runEnd[node] = first === 0 ? pageEnd : nodes.runEnd[first + 31 - Math.clz32(mask & -mask)];
}
