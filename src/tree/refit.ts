/**
 * Fitted boxes, categories and movability: what a node tells about everything in and below it. Whatever changes an entry lists its
 * node; `refitListed` then brings the listed nodes and their ancestors up to date, deepest first, each of them once, however many of
 * its bodies have changed. Until then the tree must not be queried.
 */

import { BOX_LANES } from '../math/box.ts';
import { roundDown32, roundUp32 } from '../math/float32.ts';
import { BLOCK, BODY_STATIC, NODE_HAS_MOVABLE, NODE_REFIT_LISTED, NODE_USED, ROOT } from './layout.ts';
import type { Tree } from './tree.ts';

/**
 * Writes the entry of a body: its box, grown by `margin` on every side and rounded outward.
 * The margin is world units that the body may drift before the entry has to be written again.
 */
export function writeEntry(tree: Tree, slot: number, box: Float64Array, margin: number): void {
  const { entries } = tree.slots;
  const at = slot * BOX_LANES;
  entries[at] = roundDown32(box[0] - margin);
  entries[at + 1] = roundDown32(box[1] - margin);
  entries[at + 2] = roundDown32(box[2] - margin);
  entries[at + 3] = roundUp32(box[3] + margin);
  entries[at + 4] = roundUp32(box[4] + margin);
  entries[at + 5] = roundUp32(box[5] + margin);
}

/** Refits all listed nodes, and their ancestors as far up as something changes. */
export function refitListed(tree: Tree): void {
  const { nodes, refitLists } = tree;
  for (let level = 0; level < refitLists.length; ) {
    const list = refitLists[level];
    let next = level + 1;
    for (let k = 0; k < list.length; k++) {
      const node = list[k];
      if (!tree.unlist(node, NODE_REFIT_LISTED) || !refit(tree, node) || node === ROOT) continue;
      tree.listRefit(nodes.parent(node));
      // A node that was recycled while it was listed may lie at another level now, with its parent in a list that is done.
      next = Math.min(next, nodes.level(node) + 1);
    }
    list.length = 0;
    level = next;
  }
}

/** Recomputes a node's fitted box, categories and movability from its bodies and children; whether any of them changed. */
export function refit(tree: Tree, node: number): boolean {
  const { nodes, slots, bodies } = tree;
  const { fitted } = nodes;
  const at = node * BOX_LANES;
  const old = refit_old;
  for (let lane = 0; lane < BOX_LANES; lane++) old[lane] = fitted[at + lane];
  const oldMask = nodes.categoryMask[node];
  const oldMovable = nodes.flags[node] & NODE_HAS_MOVABLE;

  let mask = 0;
  let movable = 0;
  nodes.fitEmpty(node);
  const page = nodes.page(node);
  const end = page + nodes.bodyCount(node);
  for (let slot = page; slot < end; slot++) {
    const index = slots.body[slot];
    uniteBox(fitted, at, slots.entries, slot * BOX_LANES);
    mask |= bodies.categoryMask[index];
    if ((bodies.flags[index] & BODY_STATIC) === 0) movable = NODE_HAS_MOVABLE;
  }
  const first = nodes.firstChild(node);
  if (first !== 0) {
    for (let child = first; child < first + BLOCK; child++) {
      if ((nodes.flags[child] & NODE_USED) === 0) continue;
      uniteBox(fitted, at, fitted, child * BOX_LANES);
      mask |= nodes.categoryMask[child];
      movable |= nodes.flags[child] & NODE_HAS_MOVABLE;
    }
  }
  nodes.categoryMask[node] = mask;
  nodes.flags[node] = (nodes.flags[node] & ~NODE_HAS_MOVABLE) | movable;

  if (mask !== oldMask || movable !== oldMovable) return true;
  for (let lane = 0; lane < BOX_LANES; lane++) if (old[lane] !== fitted[at + lane]) return true;
  return false;
}
const refit_old = new Float32Array(BOX_LANES);

/** Enlarges the box at lane `at` of `boxes` by another one. */
function uniteBox(boxes: Float32Array, at: number, others: Float32Array, other: number): void {
  for (let lane = 0; lane < 3; lane++) {
    if (others[other + lane] < boxes[at + lane]) boxes[at + lane] = others[other + lane];
    if (others[other + lane + 3] > boxes[at + lane + 3]) boxes[at + lane + 3] = others[other + lane + 3];
  }
}
