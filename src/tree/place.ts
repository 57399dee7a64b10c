/**
 * Where a body goes. Each body has one owner node: from any node whose cell accepts it, it sinks into the octant that its centre
 * chooses as long as that octant accepts it too; a body that no longer fits climbs by parent links first.
 *
 * Invariant: no body of an inner node, and none of a leaf past the leaf capacity, would be accepted by the octant it chooses.
 * Only bodies of other leaves get a margin, so that a drift within it cannot break the invariant.
 */

import { cellAccepts } from '../math/integer-cube.ts';
import { NO_SLOT } from './body-lanes.ts';
import { isAboutToLeave, marginFor } from './drift.ts';
import { encloseInRoot } from './grow.ts';
import { CELL_LANES, MAX_LIFESPAN, NO_COUNTDOWN, ROOT, octantOf } from './layout.ts';
import { appendSlot, removeSlot } from './node-page.ts';
import { addCategories, enlarge, writeEntry } from './refit.ts';
import type { Tree } from './tree.ts';

/** Places a body that is not in the tree. The root must exist; it grows until it encloses the body. */
export function placeBody(tree: Tree, index: number): void {
  const box = tree.bodies.readBox(index, tree.box);
  encloseInRoot(tree, box);
  // No margin yet: most bodies never move, and a tight entry prunes best.
  addToNode(tree, sink(tree, ROOT, box), index, box, 0);
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

/** Brings a body whose bounds have left its entry to the node where it belongs now, and renews the entry. */
export function relocateBody(tree: Tree, index: number): void {
  const { bodies, nodes, slots } = tree;
  const box = bodies.readBox(index, tree.box);
  encloseInRoot(tree, box);
  const slot = bodies.slot[index];
  const owner = slots.nodeOf(slot);
  // Of a body that waits to be relocated the slack tells its last step.
  const step = Math.max(-bodies.slack[index], 0);

  let node = owner;
  while (node !== ROOT && !tree.accepts(node, box)) node = nodes.parent(node);
  node = sink(tree, node, box);
  let margin = marginFor(tree, node, nodes.bodyCount(node), index, box, step);
  if (node === owner && isAboutToLeave(tree, node, margin, step)) {
    // It would be back here after the next small step: it goes where its centre is.
    while (node !== ROOT && !centreLiesIn(tree, node, box)) node = nodes.parent(node);
    node = sink(tree, node, box);
  }

  if (node === owner) {
    bodies.slack[index] = margin;
    writeEntry(tree, slot, box, margin);
    enlarge(tree, node, slot);
    tree.listRefit(node);
    if (tree.isOverfull(node) && acceptingOctant(tree, node, box) >= 0) tree.overfull.push(node);
  } else {
    margin = marginFor(tree, node, nodes.bodyCount(node) + 1, index, box, step);
    removeSlot(tree, owner, slot);
    addToNode(tree, node, index, box, margin);
    afterLoss(tree, owner);
    tree.counters.bodiesRelocated++;
  }
  splitOverfull(tree);
}

/** Whether the centre of a box lies in a node's cell itself, without its looseness. */
function centreLiesIn(tree: Tree, node: number, box: Float64Array): boolean {
  const { nodes } = tree;
  const edge = nodes.edge(node);
  for (let axis = 0; axis < 3; axis++) {
    const centre = (box[axis] + box[axis + 3]) * 0.5;
    const min = nodes.cellMin(node, axis);
    if (centre < min || centre >= min + edge) return false;
  }
  return true;
}

/** The deepest node from `node` down that accepts a box, going by its centre; opens children on the way. */
function sink(tree: Tree, node: number, box: Float64Array): number {
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

/** Appends a body to a node's page. A leaf that this makes too full is listed for `splitOverfull`. */
export function addToNode(tree: Tree, node: number, index: number, box: Float64Array, margin: number): void {
  const { bodies, nodes } = tree;
  const slot = appendSlot(tree, node, index);
  bodies.slack[index] = margin;
  writeEntry(tree, slot, box, margin);
  enlarge(tree, node, slot);
  addCategories(tree, node, index);

  if (!nodes.isLeaf(node)) return;
  if (nodes.countdown[node] !== NO_COUNTDOWN) reuse(tree, node);
  // Past the capacity none of the others would sink (see the invariant), so only the first excess body and accepted ones matter.
  const isFirstExcess = nodes.bodyCount(node) === tree.leafCapacity + 1;
  if (tree.isOverfull(node) && (isFirstExcess || acceptingOctant(tree, node, box) >= 0)) tree.overfull.push(node);
}

/** Splits the listed leaves until none is past the leaf capacity with a body that a child would accept. */
function splitOverfull(tree: Tree): void {
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
      bodies.slack[index] = 0;
      continue;
    }
    const first = nodes.isLeaf(node) ? tree.openBlock(node) : nodes.firstChild(node);
    if ((nodes.childMask[node] & (1 << octant)) === 0) tree.openNode(first + octant);
    removeSlot(tree, node, slot);
    addToNode(tree, first + octant, index, box, 0);
  }
}
const split_box = new Float64Array(6);

/** Lists what has to be looked at once a node has lost a body. */
function afterLoss(tree: Tree, node: number): void {
  const { nodes } = tree;
  tree.listRefit(node);
  if (!nodes.isLeaf(node)) tree.listMerge(node);
  else if (node !== ROOT) {
    if (nodes.bodyCount(node) === 0) tree.listWatch(node);
    tree.listMerge(nodes.parent(node));
  }
}
