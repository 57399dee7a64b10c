/**
 * The page of a node: adding a body to it and removing one. Pages grow by doubling; a node without bodies has no page.
 *
 * Invariant: the first slots of a page hold the bodies of the node. Where the page is part of a run, its other slots
 * hold NO_BODY.
 */

import { BOX_STRIDE, touchesFace } from '../../math/box.ts';
import { CAPACITY, COUNT, GRAIN, LINK_STRIDE, NODE_LOST_BODY, NO_BODY, NO_RUN, PAGE, ROOT } from '../layout.ts';
import type { BodyArrays } from './body-arrays.ts';
import { raisedDiagonalSq, type NodePool } from './node-pool.ts';
import type { SlotPages } from './slot-pages.ts';

/** The arrays that pages connect: a node refers to its page, a slot to its body, a body to its slot. */
export interface PageArrays {
  readonly bodies: BodyArrays;
  readonly nodes: NodePool;
  readonly slots: SlotPages;
}

/** Appends a body to a node's page. Returns its slot; the caller must write the slot bounds. */
export function appendSlot(arrays: PageArrays, node: number, index: number): number {
  const { bodies, nodes, slots } = arrays;
  const at = node * LINK_STRIDE;
  const count = nodes.links[at + COUNT];
  if (count === nodes.links[at + CAPACITY]) growPage(arrays, node);
  const slot = nodes.links[at + PAGE] + count;
  nodes.links[at + COUNT] = count + 1;
  slots.body[slot] = index;
  bodies.slot[index] = slot;
  return slot;
}

/**
 * Removes a body from a node's page: the last body of the page moves into its slot.
 *
 * @returns Whether the node needs a refit: its fitted box, its largest diagonal or its categories may be larger than
 *   necessary.
 */
export function removeSlot(arrays: PageArrays, node: number, slot: number): boolean {
  const { bodies, nodes, slots } = arrays;
  const { links } = nodes;
  const at = node * LINK_STRIDE;
  const count = links[at + COUNT] - 1;
  const last = links[at + PAGE] + count;
  links[at + COUNT] = count;
  const isLargest =
    nodes.hasMaxDiagonals && raisedDiagonalSq(slots.slotBounds, slot * BOX_STRIDE) === nodes.maxDiagonalSq[node];
  const mayShrink =
    isLargest || bodies.isMixed || touchesFace(slots.slotBounds, slot * BOX_STRIDE, nodes.fitted, node * BOX_STRIDE);
  // If all bodies have the same categories, the node has them while it has any body.
  if (bodies.isMixed) nodes.flags[node] |= NODE_LOST_BODY;
  slots.copy(last, slot);
  bodies.slot[slots.body[slot]] = slot;
  slots.body[last] = NO_BODY;
  if (count === 0) {
    endRun(arrays, node);
    slots.freePage(links[at + PAGE], links[at + CAPACITY]);
    links[at + PAGE] = 0;
    links[at + CAPACITY] = 0;
  }
  return mayShrink;
}

/** Moves a node's bodies to a page of the next power of two. */
function growPage(arrays: PageArrays, node: number): void {
  const { bodies, nodes, slots } = arrays;
  const at = node * LINK_STRIDE;
  const { links } = nodes;
  const count = links[at + COUNT];
  const oldPage = links[at + PAGE];
  const oldCapacity = links[at + CAPACITY];
  let capacity = GRAIN;
  while (capacity <= oldCapacity) capacity *= 2;
  const page = slots.takePage(capacity);
  endRun(arrays, node);
  slots.setOwner(page, capacity, node);
  for (let k = 0; k < count; k++) {
    slots.copy(oldPage + k, page + k);
    bodies.slot[slots.body[page + k]] = page + k;
  }
  links[at + PAGE] = page;
  links[at + CAPACITY] = capacity;
  if (oldCapacity > 0) slots.freePage(oldPage, oldCapacity);
}

/** Ends the runs of a node and its ancestors: with a new page, the slots of their subtrees are no longer contiguous. */
function endRun(arrays: PageArrays, node: number): void {
  const { nodes } = arrays;
  nodes.runEnd[node] = NO_RUN;
  while (node !== ROOT && nodes.runEnd[nodes.parent(node)] !== NO_RUN) {
    node = nodes.parent(node);
    nodes.runEnd[node] = NO_RUN;
  }
}
