/**
 * The walks over the tree, shared by all kinds of queries. A walk owns the stack, the categories and the costs; its
 * kernel filters boxes. Results come in tree order: the bodies of a node, then its children, the last octant first,
 * because the child pushed last is popped first.
 *
 * An accelerator walks large trees, in the same order: its functions mirror these. Change both together. No user code
 * runs inside `walkOverlapping`; `walkNearestFirst` runs it only through its kernel.
 */

import type { KeptBoxes } from '../../math/box.ts';
import { ALL_CATEGORIES, BLOCK, COUNT, FIRST_CHILD, LINK_STRIDE, NO_RUN, PAGE, ROOT } from '../layout.ts';
import { CONTAINED, MAX_INSERTION_SORT } from './walk-numbers.ts';
import type { IndexList } from '../storage/index-list.ts';
import type { Tree } from '../tree.ts';
import type { ExactTest, NearestKernel, RangeKernel, WalkTask } from './kernel.ts';

type Task = WalkTask<Tree>;

/**
 * Appends to `out` every body that touches the volume or, without an exact test, every body whose slot bounds may touch
 * it. Skips nodes without a body of the categories, but does not test the categories of each body: the caller drops the
 * others (`keepCategories`).
 */
export function walkOverlapping(task: Task, kernel: RangeKernel, exactTest: ExactTest | null, out: IndexList): void {
  const { categories, scratch } = task;
  const tree = task.tree!;
  scratch.resetCosts();
  if (!tree.hasRoot) return;
  const { bodies, nodes, slots } = tree;
  if (tree.accelerator?.walker?.walkOverlapping(task, kernel, exactTest, out)) return;
  const { links, fitted, categoryMask } = nodes;
  const { slotBounds, body } = slots;
  const { nodes: stack, slots: kept } = scratch;
  const { numbers, overlaps } = stack;
  let nodesVisited = 0;
  let nodesContained = 0;
  let bodiesTested = 0;
  let { length } = out;

  stack.length = 0;
  kernel.filterBoxes(fitted, ROOT, ROOT + 1, stack, kernel.rootOverlap);
  while (stack.length > 0) {
    const top = --stack.length;
    const node = numbers[top];
    if (!hasCategories(categoryMask, node, categories)) continue;
    const overlap = overlaps[top];
    if (overlap === CONTAINED) {
      nodesContained++;
      out.length = length;
      appendSubtree(tree, node, top, numbers, out);
      length = out.length;
      continue;
    }
    nodesVisited++;
    const at = nodes.belowChain(node) * LINK_STRIDE;
    const count = links[at + COUNT];
    if (count > 0) {
      const page = links[at + PAGE];
      kept.clear(count);
      kernel.filterBoxes(slotBounds, page, page + count, kept, overlap);
      bodiesTested += count;
      out.length = length;
      out.reserve(length + kept.length);
      const { array } = out;
      const { numbers: slotNumbers, overlaps: slotOverlaps, length: keptCount } = kept;
      for (let k = 0; k < keptCount; k++) {
        const index = body[slotNumbers[k]];
        const slotOverlap = slotOverlaps[k];
        if (slotOverlap === CONTAINED || exactTest === null || exactTest.touches(bodies, index, slotOverlap))
          array[length++] = index;
      }
    }
    const children = links[at + FIRST_CHILD];
    if (children !== 0) kernel.filterBoxes(fitted, children, children + BLOCK, stack, overlap);
  }
  out.length = length;
  scratch.nodesVisited += nodesVisited;
  scratch.nodesContained += nodesContained;
  scratch.bodiesTested += bodiesTested;
}

/**
 * Appends every body in and below a node without a test: in one sweep where the slots of the subtree are one run, else
 * node by node. Uses the stack from `bottom` upwards. Does not test categories.
 */
function appendSubtree(tree: Tree, node: number, bottom: number, stack: Int32Array, out: IndexList): void {
  const { nodes, slots } = tree;
  const { links, childMask, runStart, runEnd } = nodes;
  const { body } = slots;
  if (runEnd[node] !== NO_RUN) {
    appendPresent(body, runStart[node], runEnd[node], out);
    return;
  }
  let top = bottom;
  stack[top++] = node;
  while (top > bottom) {
    const next = stack[--top];
    if (runEnd[next] !== NO_RUN) {
      appendPresent(body, runStart[next], runEnd[next], out);
      continue;
    }
    const at = next * LINK_STRIDE;
    const page = links[at + PAGE];
    appendPresent(body, page, page + links[at + COUNT], out);
    const first = links[at + FIRST_CHILD];
    if (first === 0) continue;
    for (let mask = childMask[next]; mask !== 0; mask &= mask - 1) stack[top++] = first + 31 - Math.clz32(mask & -mask);
  }
}

/** Appends the bodies of the slots [begin, end) except for NO_BODY. */
function appendPresent(body: Int32Array, begin: number, end: number, out: IndexList): void {
  let { length } = out;
  out.reserve(length + end - begin);
  const { array } = out;
  for (let slot = begin; slot < end; slot++) {
    const index = body[slot];
    array[length] = index;
    // NO_BODY, -1, does not advance and is overwritten. Arithmetic, because the branch would be unpredictable.
    length += 1 + (index >> 31);
  }
  out.length = length;
}

/**
 * Visits the bodies of nodes that may hold a result, nearest node first, until no node is near enough. Adds to the
 * costs.
 */
export function walkNearestFirst(task: Task, kernel: NearestKernel): void {
  const { categories, scratch } = task;
  const tree = task.tree!;
  if (!tree.hasRoot) return;
  const { nodes, slots } = tree;
  if (tree.accelerator?.walker?.walkNearestFirst(task, kernel)) return;
  const { links, fitted, categoryMask } = nodes;
  const { slotBounds, body } = slots;
  const { nodes: stack, slots: kept } = scratch;
  const { numbers, distances } = stack;

  stack.length = 0;
  kernel.filterByMinDistance(fitted, ROOT, ROOT + 1, stack);
  while (stack.length > 0) {
    const top = --stack.length;
    const node = numbers[top];
    if (!kernel.isNearEnough(distances, top) || !hasCategories(categoryMask, node, categories)) continue;
    scratch.nodesVisited++;
    const at = nodes.belowChain(node) * LINK_STRIDE;
    const count = links[at + COUNT];
    if (count > 0) {
      const page = links[at + PAGE];
      kept.clear(count);
      kernel.filterByMinDistance(slotBounds, page, page + count, kept);
      scratch.bodiesTested += count;
      // Nearest bodies first: each result reduces the maximum distance, which rules out farther bodies. For more bodies
      // the sort would cost more than it saves.
      if (kept.length <= MAX_INSERTION_SORT) sortFarthestFirst(kept, 0);
      const { numbers: found } = kept;
      for (let k = 0; k < kept.length; k++) found[k] = body[found[k]];
      kernel.visitBodies(found, kept.distances, kept.length);
    }
    const children = links[at + FIRST_CHILD];
    if (children === 0) continue;
    kernel.filterByMinDistance(fitted, children, children + BLOCK, stack);
    // The nearest child comes on top.
    sortFarthestFirst(stack, top);
  }
}

function hasCategories(categoryMask: Int32Array, node: number, categories: number): boolean {
  return categories === ALL_CATEGORIES || (categoryMask[node] & categories) !== 0;
}

/** Sorts a list from position `begin` on. Insertion sort: ranges are short, and mostly sorted already. */
function sortFarthestFirst({ numbers, distances, length }: KeptBoxes, begin: number): void {
  for (let k = begin + 1; k < length; k++) {
    const number = numbers[k];
    const distance = distances[k];
    let to = k;
    for (; to > begin && distances[to - 1] < distance; to--) {
      numbers[to] = numbers[to - 1];
      distances[to] = distances[to - 1];
    }
    numbers[to] = number;
    distances[to] = distance;
  }
}
