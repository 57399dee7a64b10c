/**
 * The walks over the tree, shared by all kinds of questions. Tree order, in which answers come, is this: a node's own bodies, then its
 * children, the last octant first (a stack gives back what it was given last). A kernel knows one kind: it filters a whole range of boxes at a
 * time, the eight children of a node or the slotBounds of its page alike. The walk owns the stack, the categories and the costs.
 * Large trees are walked by simd/walk.ts, in the same order: what changes here changes there.
 * No user code runs inside `walkOverlapping`; `walkNearestFirst` calls back only through its kernel.
 */

import type { IndexList } from '../storage/index-list.ts';
import type { ExactTest, NearestKernel, RangeKernel } from './kernel.ts';
import { ALL_CATEGORIES, BLOCK, COUNT, FIRST_CHILD, LINK_STRIDE, MAX_INSERTION_SORT, NO_RUN, PAGE, ROOT } from '../layout.ts';
import { CONTAINED } from '../overlap.ts';
import type { Scratch } from './scratch.ts';
import { wasmFor, walkNearestFirstSimd, walkOverlappingSimd } from './walk-simd.ts';
import type { Tree } from '../tree.ts';

/** Appends to `out` every body that touches the volume, or, without a confirmer, every body whose entry may touch it. */
export function walkOverlapping(
  tree: Tree,
  kernel: RangeKernel,
  exactTest: ExactTest | null,
  categories: number,
  scratch: Scratch,
  out: IndexList,
): void {
  scratch.resetCost();
  if (!tree.hasRoot) return;
  const wasm = wasmFor(tree, kernel);
  if (wasm !== null) {
    walkOverlappingSimd(tree, wasm, kernel, exactTest, categories, scratch, out);
    return;
  }
  const { bodies, nodes, slots } = tree;
  const { links, fitted, categoryMask } = nodes;
  const { slotBounds, body } = slots;
  const stack = scratch.nodes;
  const { lanes } = scratch;
  let nodesVisited = 0;
  let nodesContained = 0;
  let bodiesTested = 0;
  let { length } = out;

  let top = kernel.filterBoxes(fitted, ROOT, ROOT + 1, kernel.undecided, stack, lanes, 0);
  while (top > 0) {
    const node = stack[--top];
    const lane = lanes[top];
    if (categories !== ALL_CATEGORIES && (categoryMask[node] & categories) === 0) continue;
    if (lane === CONTAINED) {
      nodesContained++;
      out.length = length;
      appendSubtree(tree, node, top, stack, out);
      length = out.length;
      continue;
    }
    nodesVisited++;
    const at = node * LINK_STRIDE;
    const count = links[at + COUNT];
    if (count > 0) {
      const page = links[at + PAGE];
      scratch.reserveSlots(count);
      const { slots: kept, slotLanes } = scratch;
      const keptCount = kernel.filterBoxes(slotBounds, page, page + count, lane, kept, slotLanes, 0);
      bodiesTested += count;
      out.length = length;
      out.reserve(length + keptCount);
      const { array } = out;
      for (let k = 0; k < keptCount; k++) {
        const index = body[kept[k]];
        const kind = slotLanes[k];
        if (kind === CONTAINED || exactTest === null || exactTest.touches(bodies, index, kind)) array[length++] = index;
      }
    }
    const first = links[at + FIRST_CHILD];
    if (first !== 0) top = kernel.filterBoxes(fitted, first, first + BLOCK, lane, stack, lanes, top);
  }
  out.length = length;
  scratch.nodesVisited += nodesVisited;
  scratch.nodesContained += nodesContained;
  scratch.bodiesTested += bodiesTested;
}

/**
 * Appends every body in and below a node without any test: in one sweep where the slots of the subtree are one run, else node by
 * node. Uses the stack from `base` upwards. Unwanted categories are left to the caller.
 */
function appendSubtree(tree: Tree, node: number, base: number, stack: Int32Array, out: IndexList): void {
  const { nodes, slots } = tree;
  const { links, childMask, runStart, runEnd } = nodes;
  const { body } = slots;
  if (runEnd[node] !== NO_RUN) {
    appendSlots(body, runStart[node], runEnd[node], out);
    return;
  }
  let top = base;
  stack[top++] = node;
  while (top > base) {
    const next = stack[--top];
    if (runEnd[next] !== NO_RUN) {
      appendSlots(body, runStart[next], runEnd[next], out);
      continue;
    }
    const at = next * LINK_STRIDE;
    const page = links[at + PAGE];
    appendSlots(body, page, page + links[at + COUNT], out);
    const first = links[at + FIRST_CHILD];
    if (first === 0) continue;
    for (let mask = childMask[next]; mask !== 0; mask &= mask - 1) stack[top++] = first + 31 - Math.clz32(mask & -mask);
  }
}

function appendSlots(body: Int32Array, begin: number, end: number, out: IndexList): void {
  let { length } = out;
  out.reserve(length + end - begin);
  const { array } = out;
  for (let slot = begin; slot < end; slot++) {
    const index = body[slot];
    array[length] = index;
    // A hole, -1, is overwritten by what comes next. Without a branch, as no processor foresees the holes.
    length += 1 + (index >> 31);
  }
  out.length = length;
}

/** Visits the bodies in the order of their nodes' distances, nearest first, as long as a node may still hold an answer. Adds to the costs. */
export function walkNearestFirst(tree: Tree, kernel: NearestKernel, categories: number, scratch: Scratch): void {
  if (!tree.hasRoot) return;
  const wasm = wasmFor(tree, kernel);
  if (wasm !== null) {
    walkNearestFirstSimd(wasm, kernel, categories, scratch);
    return;
  }
  const { nodes, slots } = tree;
  const { links, fitted, categoryMask } = nodes;
  const { slotBounds, body } = slots;
  const stack = scratch.nodes;
  const { distances } = scratch;

  let top = kernel.approach(fitted, ROOT, ROOT + 1, stack, distances, 0);
  while (top > 0) {
    const node = stack[--top];
    if (!kernel.mayHold(distances, top)) continue;
    if (categories !== ALL_CATEGORIES && (categoryMask[node] & categories) === 0) continue;
    scratch.nodesVisited++;
    const at = node * LINK_STRIDE;
    const count = links[at + COUNT];
    if (count > 0) {
      const page = links[at + PAGE];
      scratch.reserveSlots(count);
      const { slots: kept, slotDistances } = scratch;
      const keptCount = kernel.approach(slotBounds, page, page + count, kept, slotDistances, 0);
      scratch.bodiesTested += count;
      // The nearest first as well: what they answer spares a look at the others. Of many at one place that would cost more than it saves.
      if (keptCount <= MAX_INSERTION_SORT) sortFarthestFirst(kept, slotDistances, 0, keptCount);
      for (let k = keptCount - 1; k >= 0; k--) if (kernel.mayHold(slotDistances, k)) kernel.visit(body[kept[k]]);
    }
    const first = links[at + FIRST_CHILD];
    if (first === 0) continue;
    const bottom = top;
    top = kernel.approach(fitted, first, first + BLOCK, stack, distances, top);
    // The nearest child comes on top.
    sortFarthestFirst(stack, distances, bottom, top);
  }
}

/** An insertion sort: there are few, in order of distance already or nearly so. */
function sortFarthestFirst(items: Int32Array, distances: Float64Array, begin: number, end: number): void {
  for (let k = begin + 1; k < end; k++) {
    const item = items[k];
    const distance = distances[k];
    let to = k;
    for (; to > begin && distances[to - 1] < distance; to--) {
      items[to] = items[to - 1];
      distances[to] = distances[to - 1];
    }
    items[to] = item;
    distances[to] = distance;
  }
}
