/**
 * Placement: which node owns a body. From a node whose cell accepts the body, it sinks into the octant around its
 * centre, as long as that octant accepts it as well. A body that its node no longer accepts climbs by parent links
 * first. The node must accept the exact bounds of the body. A moving body goes to a node that accepts its predicted
 * bounds too (`predictBounds`).
 *
 * A leaf is stable if it cannot split: it is within the leaf capacity, or its cell is of the smallest size.
 *
 * Invariant: a body without a margin lies as deep as possible. If its node is not a stable leaf, the octant around its
 * centre would not accept it. A body with a margin may lie higher than its bounds require, because it was faster or
 * larger when it was placed. It is placed again when its fat bounds are renewed.
 */

import { BOX_STRIDE, copyBox, magnitudeOf } from '../../math/box.ts';
import { cellAccepts, MIN_EDGE, smallestStepFor } from '../../math/integer-cube.ts';
import { CELL_EDGE, CELL_STRIDE, MAX_LIFESPAN, NO_COUNTDOWN, ROOT } from '../layout.ts';
import { appendSlot, removeSlot } from '../storage/node-page.ts';
import { addCategories, enlarge } from './refit.ts';
import type { Tree } from '../tree.ts';
import { NO_SLOT } from '../storage/body-arrays.ts';
import type { IndexList } from '../storage/index-list.ts';
import { growRootAround } from './grow.ts';
import { usedNodes } from '../traverse/walk-nodes.ts';

/**
 * Descends from `node`, which accepts a box, to the deepest node around the centre of the box that accepts it. Opens
 * nodes on the way.
 */
export function sink(tree: Tree, node: number, box: Float64Array): number {
  const { nodes } = tree;
  for (let first = nodes.firstChild(node); first !== 0; first = nodes.firstChild(node)) {
    const octant = acceptingOctant(tree, node, box);
    if (octant < 0) return node;
    if ((nodes.childMask[node] & (1 << octant)) === 0) tree.openNode(first + octant);
    node = first + octant;
  }
  return node;
}

/** The octant of a node around the centre of a box, or -1 if the cell of that octant does not accept the box. */
export function acceptingOctant(tree: Tree, node: number, box: Float64Array): number {
  const { blockCells } = tree.nodes;
  const at = (node >> 3) * CELL_STRIDE;
  const half = blockCells[at + CELL_EDGE] * 0.5;
  // Arithmetic instead of branches: the octant of a node and the side of a centre are unpredictable.
  const middleX = blockCells[at] + half * (2 * (node & 1) - 1);
  const middleY = blockCells[at + 1] + half * ((node & 2) - 1);
  const middleZ = blockCells[at + 2] + half * (((node & 4) >> 1) - 1);
  const sideX = Number((box[0] + box[3]) * 0.5 >= middleX);
  const sideY = Number((box[1] + box[4]) * 0.5 >= middleY);
  const sideZ = Number((box[2] + box[5]) * 0.5 >= middleZ);
  const minX = middleX - half + sideX * half;
  const minY = middleY - half + sideY * half;
  const minZ = middleZ - half + sideZ * half;
  if (!cellAccepts(minX, minY, minZ, half, tree.extension(half), box, 0)) return -1;
  return sideX | (sideY << 1) | (sideZ << 2);
}

/**
 * Moves a body from a node to its parent, which accepts its fat bounds too, or, without a margin, to a child that
 * accepts it.
 *
 * @param box Exact box of the body.
 */
export function transfer(tree: Tree, from: number, to: number, index: number, box: Float64Array): void {
  const { bodies, slots } = tree;
  removeSlot(tree, from, bodies.slot[index]);
  const slot = appendToNode(tree, to, index, box);
  if (bodies.hasMargin(index)) copyBox(bodies.fatBounds, index * BOX_STRIDE, slots.slotBounds, slot * BOX_STRIDE);
  else tree.writeTightSlot(index, slot, box, 0);
  enlarge(tree, to, slots.slotBounds, slot * BOX_STRIDE);
}

/**
 * Appends a body to a node's page. Ends the countdown of a leaf, and lists the leaf for `splitOverfull` if it has to
 * split. Returns the slot; the caller must write the slot bounds and enlarge the node's fitted box.
 *
 * @param box What decided on the node: the body's exact box or its predicted bounds.
 */
export function appendToNode(tree: Tree, node: number, index: number, box: Float64Array): number {
  const { nodes } = tree;
  const slot = appendSlot(tree, node, index);
  addCategories(tree, node, index);
  if (!nodes.isLeaf(node)) return slot;
  if (nodes.countdown[node] !== NO_COUNTDOWN) reuse(tree, node);
  // When the leaf exceeds its capacity for the first time, any of its bodies may sink. Later, by the invariant, only
  // the new body can.
  if (tree.isOverfull(node)) {
    const isFirstExcess = nodes.bodyCount(node) === tree.leafCapacity + 1;
    if (isFirstExcess || acceptingOctant(tree, node, box) >= 0) tree.overfull.push(node);
  }
  return slot;
}

/** Splits the listed leaves until no leaf past the leaf capacity holds a body that a child would accept. */
export function splitOverfull(tree: Tree): void {
  while (tree.overfull.length > 0) split(tree, tree.overfull.pop()!);
}

/**
 * Ends the countdown of a leaf that is used again, and doubles its lifespan: a leaf that is emptied again and again is
 * worth keeping.
 */
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
  // Backwards, because removing a slot moves the last one into it.
  for (let slot = page + nodes.bodyCount(node) - 1; slot >= page; slot--) {
    const index = slots.body[slot];
    const octant = acceptingOctant(tree, node, bodies.readBox(index, box));
    // The margin fits the cell of this leaf: it is too large for a smaller cell, and may lack BODY_MUST_KEEP_SIZE,
    // which a body of an inner node needs.
    bodies.dropMargin(index);
    if (octant < 0) {
      tree.writeTightSlot(index, slot, box, 0);
      // Rounding may put the tight bounds a little outside the fat bounds.
      enlarge(tree, node, slots.slotBounds, slot * BOX_STRIDE);
      continue;
    }
    const first = nodes.isLeaf(node) ? tree.openBlock(node) : nodes.firstChild(node);
    if ((nodes.childMask[node] & (1 << octant)) === 0) tree.openNode(first + octant);
    transfer(tree, node, first + octant, index, box);
  }
  tree.listRefit(node);
}
const split_box = new Float64Array(6);

/**
 * Call it after a node has lost a body. Lists an empty leaf for expiry; otherwise lists the node whose children may now
 * be merged into it.
 */
export function afterBodyRemoved(tree: Tree, node: number): void {
  const { nodes } = tree;
  if (!nodes.isLeaf(node)) tree.listMerge(node);
  else if (node !== ROOT) {
    // The parent cannot merge its children before the empty leaf has expired.
    if (nodes.bodyCount(node) === 0) tree.listEmptyLeaf(node);
    else tree.listMerge(nodes.parent(node));
  }
}

/**
 * Inserts the listed bodies, which are not in the tree and have no margin. The root must exist; it grows until it
 * contains them.
 */
export function placeMany(tree: Tree, { array, length }: IndexList): void {
  const box = placedBox;
  for (let k = 0; k < length; k++) {
    const index = array[k];
    tree.bodies.readBox(index, box);
    growRootAround(tree, box);
    const node = sink(tree, ROOT, box);
    const slot = appendToNode(tree, node, index, box);
    tree.writeTightSlot(index, slot, box, 0);
    enlarge(tree, node, tree.slots.slotBounds, slot * BOX_STRIDE);
    splitOverfull(tree);
  }
  tree.placedCount += length;
}
const placedBox = new Float64Array(BOX_STRIDE);

/** Removes the listed bodies from the tree. */
export function removeMany(tree: Tree, { array, length }: IndexList): void {
  const { slot } = tree.bodies;
  for (let k = 0; k < length; k++) {
    const index = array[k];
    const node = tree.slots.nodeOf(slot[index]);
    if (removeSlot(tree, node, slot[index])) tree.listRefit(node);
    slot[index] = NO_SLOT;
    afterBodyRemoved(tree, node);
  }
  tree.placedCount -= length;
}

/**
 * Makes the smallest cell smaller, if the smallest body would fit into a loose cell of half the edge. For trees without
 * an option for that edge. Leaves that could not split before split now. Removing bodies does not make it larger again.
 *
 * @param size Longest edge of the smallest body that is not a point, world units.
 * @param magnitude Largest magnitude of a coordinate of the bodies.
 */
export function adaptCells(tree: Tree, size: number, magnitude: number): void {
  let edge = tree.minCellSize;
  while (edge > MIN_EDGE && (edge / 2) * tree.looseness >= size) edge /= 2;
  tree.minCellSize = edge;
  const { minX, minY, minZ, edge: rootEdge } = tree.region;
  const reach = tree.hasRoot ? magnitudeOf([minX, minY, minZ, minX + rootEdge, minY + rootEdge, minZ + rootEdge]) : 0;
  edge = Math.max(edge, smallestStepFor(Math.max(reach, magnitude)));
  if (edge >= tree.smallestEdge) return;
  tree.smallestEdge = edge;
  for (const node of usedNodes(tree)) if (tree.isOverfull(node)) tree.overfull.push(node);
  splitOverfull(tree);
}
