/**
 * Where a body goes. Each body has one owner node: from any node whose cell accepts it, it sinks into the octant that its centre
 * chooses as long as that octant accepts it too; a body that no longer fits climbs by parent links first.
 *
 * Invariant: no body of an inner node, and none of a leaf past the leaf capacity, would be accepted by the octant it chooses.
 * Only bodies of other leaves get room to move, so that a move within it cannot break the invariant.
 */

import { BOX_LANES } from '../math/box.ts';
import { cellAccepts } from '../math/integer-cube.ts';
import { NO_SLOT } from './body-lanes.ts';
import { encloseInRoot } from './grow.ts';
import { CELL_LANES, MAX_LIFESPAN, NO_COUNTDOWN, ROOT, octantOf } from './layout.ts';
import { appendSlot, removeSlot } from './node-page.ts';
import { addCategories, enlarge, writeEntry } from './refit.ts';
import type { Tree } from './tree.ts';

/** Places a body that is not in the tree. The root must exist; it grows until it encloses the body. */
export function placeBody(tree: Tree, index: number): void {
  const box = tree.bodies.readBox(index, tree.box);
  encloseInRoot(tree, box);
  addToNode(tree, sink(tree, ROOT, box), index, box);
  tree.placed++;
  splitOverfull(tree);
}

/** Takes a body out of the tree. */
export function removeBody(tree: Tree, index: number): void {
  const { bodies, slots } = tree;
  const slot = bodies.slot[index];
  const node = slots.nodeOf(slot);
  removeSlot(tree, node, slot);
  bodies.slot[index] = NO_SLOT;
  tree.placed--;
  afterLoss(tree, node);
}

/** The deepest node from `node` down that accepts a box, going by its centre; opens children on the way. */
export function sink(tree: Tree, node: number, box: Float64Array): number {
  const { nodes } = tree;
  while (!nodes.isLeaf(node)) {
    const octant = acceptingOctant(tree, node, box);
    if (octant < 0) return node;
    const child = nodes.firstChild(node) + octant;
    if ((nodes.childMask[node] & (1 << octant)) === 0) tree.openNode(child);
    node = child;
  }
  return node;
}

/** The octant of a node that the centre of a box chooses, or -1 if that octant's cell does not accept the box. */
export function acceptingOctant(tree: Tree, node: number, box: Float64Array): number {
  const { nodes } = tree;
  const at = (node >> 3) * CELL_LANES;
  const { blockCells } = nodes;
  const edge = blockCells[at + 3];
  const half = edge * 0.5;
  const middleX = (node & 1) === 0 ? blockCells[at] - half : blockCells[at] + half;
  const middleY = (node & 2) === 0 ? blockCells[at + 1] - half : blockCells[at + 1] + half;
  const middleZ = (node & 4) === 0 ? blockCells[at + 2] - half : blockCells[at + 2] + half;
  const octant = octantOf(
    (box[0] + box[3]) * 0.5,
    (box[1] + box[4]) * 0.5,
    (box[2] + box[5]) * 0.5,
    middleX,
    middleY,
    middleZ,
  );
  const minX = (octant & 1) === 0 ? middleX - half : middleX;
  const minY = (octant & 2) === 0 ? middleY - half : middleY;
  const minZ = (octant & 4) === 0 ? middleZ - half : middleZ;
  return cellAccepts(minX, minY, minZ, half, tree.reach(half), box) ? octant : -1;
}

/**
 * Appends a body to a node's page. A leaf that this makes too full is listed for `splitOverfull`. The body gets no room to move yet:
 * most never do, and a tight entry prunes best.
 */
export function addToNode(tree: Tree, node: number, index: number, box: Float64Array): void {
  const { bodies, nodes } = tree;
  const slot = appendSlot(tree, node, index);
  bodies.closeRoom(index);
  writeEntry(tree, slot, box);
  enlarge(tree, node, tree.slots.entries, slot * BOX_LANES);
  addCategories(tree, node, index);

  if (!nodes.isLeaf(node)) return;
  if (nodes.countdown[node] !== NO_COUNTDOWN) reuse(tree, node);
  // Past the capacity none of the others would sink (see the invariant), so only the first excess body and accepted ones matter.
  const isFirstExcess = nodes.bodyCount(node) === tree.leafCapacity + 1;
  if (tree.isOverfull(node) && (isFirstExcess || acceptingOctant(tree, node, box) >= 0)) tree.overfull.push(node);
}

/** Splits the listed leaves until none is past the leaf capacity with a body that a child would accept. */
export function splitOverfull(tree: Tree): void {
  while (tree.overfull.length > 0) split(tree, tree.overfull.pop()!);
}

/** A leaf that was about to expire is used again: next time it may wait twice as long. */
function reuse(tree: Tree, node: number): void {
  const { nodes } = tree;
  nodes.countdown[node] = NO_COUNTDOWN;
  nodes.lifespan[node] = Math.min(2 * nodes.lifespan[node], MAX_LIFESPAN);
  tree.counters.nodesReused++;
}

function split(tree: Tree, node: number): void {
  const { bodies, nodes, slots } = tree;
  const box = split_box;
  const page = nodes.page(node);
  // From the end, because removing a slot moves the last one into it.
  for (let slot = page + nodes.bodyCount(node) - 1; slot >= page; slot--) {
    const index = slots.body[slot];
    const octant = acceptingOctant(tree, node, bodies.readBox(index, box));
    if (octant < 0) {
      bodies.closeRoom(index);
      continue;
    }
    const first = nodes.isLeaf(node) ? tree.openBlock(node) : nodes.firstChild(node);
    if ((nodes.childMask[node] & (1 << octant)) === 0) tree.openNode(first + octant);
    removeSlot(tree, node, slot);
    addToNode(tree, first + octant, index, box);
  }
}
const split_box = new Float64Array(6);

/** Lists what has to be looked at once a node has lost a body. */
export function afterLoss(tree: Tree, node: number): void {
  const { nodes } = tree;
  tree.listRefit(node);
  if (!nodes.isLeaf(node)) tree.listMerge(node);
  else if (node !== ROOT) {
    if (nodes.bodyCount(node) === 0) tree.listWatch(node);
    tree.listMerge(nodes.parent(node));
  }
}
