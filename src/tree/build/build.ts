/**
 * The bulk build: makes the first tree from all queued bodies at once. It plans the nodes, allocates the arrays once,
 * and then writes nodes, pages and bodies in the order in which a walk visits them.
 */

import { BOX_STRIDE } from '../../math/box.ts';
import { CHILDREN, NODE, OWN_BEGIN, OWN_COUNT, PLAN_STRIDE, planNodes } from './build-plan.ts';
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
