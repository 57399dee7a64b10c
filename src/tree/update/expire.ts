/**
 * The end of nodes, one step per update. A leaf that is left empty counts down its lifespan and is then cut off; used again
 * before that, it doubles the lifespan (see place). Children that hold too few bodies merge back into their parent.
 */

import { BLOCK, COUNT, FIRST_CHILD, LINK_STRIDE, NODE_LOST_BODY, NODE_MERGE_LISTED, NODE_USED, NODE_WATCH_LISTED, NO_COUNTDOWN, ROOT } from '../layout.ts';
import { removeSlot } from '../storage/node-page.ts';
import { addToNode } from './place.ts';
import type { Tree } from '../tree.ts';

/** Starts and advances countdowns, and cuts off the leaves whose countdown has ended. */
export function expireEmptyLeaves(tree: Tree): void {
  const { nodes } = tree;
  const listed = tree.watched;
  tree.watched = [];
  for (const leaf of listed) {
    const isUsed = tree.unlist(leaf, NODE_WATCH_LISTED);
    if (!isUsed || !nodes.isLeaf(leaf) || nodes.bodyCount(leaf) > 0) continue;
    if (nodes.countdown[leaf] === NO_COUNTDOWN) nodes.countdown[leaf] = tree.hasLifespans ? nodes.lifespan[leaf] : 0;
    else nodes.countdown[leaf]--;
    if (nodes.countdown[leaf] > 0) tree.listWatch(leaf);
    else cutOff(tree, leaf);
  }
}

/** Merges the listed nodes' children into them where few enough bodies are left. */
export function mergeListed(tree: Tree): void {
  const { nodes, mergeable } = tree;
  while (mergeable.length > 0) {
    const node = mergeable.pop()!;
    const isUsed = tree.unlist(node, NODE_MERGE_LISTED);
    if (!isUsed || nodes.isLeaf(node) || !canMerge(tree, node)) continue;
    merge(tree, node);
    if (node !== ROOT) tree.listMerge(nodes.parent(node));
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
  nodes.giveBlock(parent);
  // The parent is a leaf now: if it is empty, the next update starts its own countdown.
  if (nodes.bodyCount(parent) === 0) tree.listWatch(parent);
  else if (parent !== ROOT) tree.listMerge(nodes.parent(parent));
}

/**
 * Half of the leaf capacity, so that a node does not merge and split again over one body. An empty child keeps its
 * lifespan: it is cut off by its countdown only.
 */
function canMerge(tree: Tree, node: number): boolean {
  const { childMask, links } = tree.nodes;
  const most = Math.max(1, tree.leafCapacity >> 1);
  let bodies = links[node * LINK_STRIDE + COUNT];
  let child = links[node * LINK_STRIDE + FIRST_CHILD];
  for (let mask = childMask[node]; mask !== 0; mask >>= 1, child++) {
    if ((mask & 1) === 0) continue;
    const count = links[child * LINK_STRIDE + COUNT];
    bodies += count;
    if (count === 0 || bodies > most || links[child * LINK_STRIDE + FIRST_CHILD] !== 0) return false;
  }
  return bodies <= most;
}

function merge(tree: Tree, node: number): void {
  const { bodies, nodes, slots } = tree;
  const first = nodes.firstChild(node);
  for (let child = first; child < first + BLOCK; child++) {
    if ((nodes.flags[child] & NODE_USED) === 0) continue;
    while (nodes.bodyCount(child) > 0) {
      const slot = nodes.page(child);
      const index = slots.body[slot];
      removeSlot(tree, child, slot);
      addToNode(tree, node, index, bodies.readBox(index, tree.box));
    }
    nodes.close(child);
    tree.counters.nodesMerged++;
  }
  nodes.giveBlock(node);
  tree.listRefit(node);
}
