/** What lies wholly inside a volume is reported without any test. */

import type { IndexList } from './index-list.ts';
import { COUNT, FIRST_CHILD, LINK_LANES, NO_RUN, PAGE } from './layout.ts';
import type { Tree } from './tree.ts';

/**
 * Appends every body in and below a node without any test: in one sweep where the slots of the subtree are one run, else node by
 * node. Uses the stack from `base` upwards. Unwanted categories are left to the caller.
 */
export function appendSubtree(tree: Tree, node: number, base: number, stack: Int32Array, out: IndexList): void {
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
    const at = next * LINK_LANES;
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
