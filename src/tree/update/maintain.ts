/**
 * The maintenance of a tree, one step per update: bodies at rest lose their margins, nodes are removed,
 * and a part of the others is refitted. An empty leaf counts down its lifespan and is then cut off. If it is used again
 * before that, its lifespan doubles (see place.ts). Children that hold few bodies are merged into their parent.
 */

import {
  BLOCK,
  COUNT,
  FIRST_CHILD,
  LINK_STRIDE,
  NODE_EXPIRY_LISTED,
  NODE_LOST_BODY,
  NODE_MERGE_LISTED,
  NODE_USED,
  NO_COUNTDOWN,
} from '../layout.ts';
import { transfer } from './place.ts';
import { refitSome } from './refit.ts';
import type { Tree } from '../tree.ts';
import { BOX_STRIDE } from '../../math/box.ts';
import { IndexList } from '../storage/index-list.ts';
import { relocateMany } from './relocate.ts';

/**
 * Drops the margins of bodies that rest, cuts off empty leaves whose lifespan has ended, merges under-full nodes, and
 * refits a part of the nodes. In this order, because the first three steps list nodes for a refit. Call it once per
 * update, after all writes were applied.
 */
export function maintain(tree: Tree): void {
  dropRestedMargins(tree);
  expireEmptyLeaves(tree);
  mergeListed(tree);
  refitSome(tree);
}

/** Starts and advances the countdowns of empty leaves, and cuts off the leaves whose countdown has ended. */
function expireEmptyLeaves(tree: Tree): void {
  const { nodes } = tree;
  const listed = tree.emptyLeaves;
  if (listed.length === 0) return;
  tree.emptyLeaves = [];
  for (const leaf of listed) {
    const isUsed = tree.unlist(leaf, NODE_EXPIRY_LISTED);
    if (!isUsed || !nodes.isLeaf(leaf) || nodes.bodyCount(leaf) > 0) continue;
    if (nodes.countdown[leaf] === NO_COUNTDOWN) nodes.countdown[leaf] = tree.hasLifespans ? nodes.lifespan[leaf] : 0;
    else nodes.countdown[leaf]--;
    if (nodes.countdown[leaf] > 0) tree.listEmptyLeaf(leaf);
    else cutOff(tree, leaf);
  }
}

/**
 * Merges the children of each listed node into the node, if few enough bodies are left. The root is its own parent:
 * listed by itself, it is a leaf, and dropped.
 */
function mergeListed(tree: Tree): void {
  const { nodes, underfull } = tree;
  while (underfull.length > 0) {
    const node = underfull.pop()!;
    const isUsed = tree.unlist(node, NODE_MERGE_LISTED);
    if (!isUsed || nodes.isLeaf(node) || !canMerge(tree, node)) continue;
    merge(tree, node);
    tree.listMerge(nodes.parent(node));
  }
}

function cutOff(tree: Tree, leaf: number): void {
  const { nodes } = tree;
  const parent = nodes.parent(leaf);
  nodes.close(leaf);
  tree.counters.nodesExpired++;
  nodes.flags[parent] |= NODE_LOST_BODY;
  tree.listRefit(parent);
  if (nodes.childMask[parent] !== 0) {
    tree.listMerge(parent);
    return;
  }
  nodes.freeBlock(parent);
  // The parent is a leaf now. If it is empty, the next update starts its countdown.
  if (nodes.bodyCount(parent) === 0) tree.listEmptyLeaf(parent);
  else tree.listMerge(nodes.parent(parent));
}

/**
 * Whether the children of a node can be merged into it: all are leaves with bodies, and together with the node hold at
 * most half of the leaf capacity. Half, so that adding and removing one body does not split and merge the node in turn.
 * An empty child is left to its countdown.
 */
function canMerge(tree: Tree, node: number): boolean {
  const { childMask, links } = tree.nodes;
  const maxBodies = Math.max(1, tree.leafCapacity >> 1);
  let bodies = links[node * LINK_STRIDE + COUNT];
  let child = links[node * LINK_STRIDE + FIRST_CHILD];
  for (let mask = childMask[node]; mask !== 0; mask >>= 1, child++) {
    if ((mask & 1) === 0) continue;
    const count = links[child * LINK_STRIDE + COUNT];
    bodies += count;
    if (count === 0 || bodies > maxBodies || links[child * LINK_STRIDE + FIRST_CHILD] !== 0) return false;
  }
  return bodies <= maxBodies;
}

function merge(tree: Tree, node: number): void {
  const { bodies, nodes, slots } = tree;
  const first = nodes.firstChild(node);
  for (let child = first; child < first + BLOCK; child++) {
    if ((nodes.flags[child] & NODE_USED) === 0) continue;
    while (nodes.bodyCount(child) > 0) {
      const index = slots.body[nodes.page(child)];
      transfer(tree, child, node, index, bodies.readBox(index, tree.box));
    }
    nodes.close(child);
    tree.counters.nodesMerged++;
  }
  nodes.freeBlock(node);
  tree.listRefit(node);
}

/**
 * log2 of the largest number of updates in a round through the list. A round takes 32 to 64 updates, or one per body if
 * the list has fewer than 64. The order changes from round to round, so a body loses its margin at most three rounds
 * after its last move.
 */
const SHARE_SHIFT = 6;
/** Reused, so that an update allocates nothing. */
const reusedRested = /* @__PURE__ */ new IndexList();

/**
 * Checks the next part of the bodies with a margin. Those at rest, whose bounds have not changed for a while, lose it,
 * so that queries test them as in a new tree, and sink to the node of their exact bounds. Their next move then escapes,
 * like the first one.
 *
 * A move inside fat bounds sets no flag, because that would slow it down: this compares a sum of the bounds with the
 * sum at the previous check.
 */
export function dropRestedMargins(tree: Tree): void {
  const { bodies, margins } = tree;
  const { bounds, checkedSums } = bodies;
  const rested = reusedRested;
  if (tree.marginsLeft === 0) {
    tree.marginsLeft = margins.length;
    tree.marginShare = (margins.length >> SHARE_SHIFT) + 1;
  }
  const end = Math.max(0, tree.marginsLeft - tree.marginShare);
  // Backwards, because the last body of the list takes the place of one that leaves it.
  while (tree.marginsLeft > end) {
    const index = margins.array[--tree.marginsLeft];
    const at = index * BOX_STRIDE;
    // Different factors, so that hardly any step leaves the sum unchanged. After such a step a moving body loses its
    // margin, and gets a new one at its next move.
    const sum = Math.fround(bounds[at] + 3 * bounds[at + 1] + 5 * bounds[at + 2] + 7 * bounds[at + 3]);
    const hasMargin = bodies.hasMargin(index);
    if (hasMargin && checkedSums[index] !== sum && sum !== 0) {
      checkedSums[index] = sum;
      continue;
    }
    checkedSums[index] = 0;
    margins.array[tree.marginsLeft] = margins.array[--margins.length];
    if (hasMargin) rested.push(index);
  }
  for (let k = 0; k < rested.length; k++) bodies.dropMargin(rested.array[k]);
  if (rested.length > 0) relocateMany(tree, rested);
}
