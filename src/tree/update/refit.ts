/**
 * Fitted boxes, largest diagonals, categories and movability: together, the summary of everything in and below a node.
 * Summaries grow at once, so that a query never misses a body. Summaries shrink later: nodes whose summary may be too
 * large are queued, and each flush refits a part of them. A summary that is too large makes queries slower, but never
 * wrong.
 */

import { BOX_STRIDE, touchesFace } from '../../math/box.ts';
import { FLOAT32_MAX } from '../../math/float32.ts';
import { BLOCK, BODY_STATIC, NODE_HAS_MOVABLE, NODE_LOST_BODY, NODE_REFIT_LISTED, NODE_USED, ROOT } from '../layout.ts';
import type { Tree } from '../tree.ts';
import { raisedDiagonalSq } from '../storage/node-pool.ts';

/** Adds a body's categories and movability to a node and its ancestors, up to the first node that has them all. */
export function addCategories(tree: Tree, node: number, index: number): void {
  const { nodes, bodies } = tree;
  const { categoryMask, flags } = nodes;
  const mask = bodies.categoryMask[index];
  const movable = (bodies.flags[index] & BODY_STATIC) === 0 ? NODE_HAS_MOVABLE : 0;
  while ((categoryMask[node] | mask) !== categoryMask[node] || (flags[node] | movable) !== flags[node]) {
    categoryMask[node] |= mask;
    flags[node] |= movable;
    node = nodes.parent(node);
  }
}

/**
 * Enlarges the fitted boxes of a node and its ancestors to contain the box at offset `from`, up to the first node that
 * contains it. Raises their largest diagonals too.
 */
export function enlarge(tree: Tree, node: number, boxes: Float32Array, from: number): void {
  const { nodes } = tree;
  const { fitted } = nodes;
  if (nodes.hasMaxDiagonals) raiseMaxDiagonals(tree, node, boxes, from);
  const minX = boxes[from];
  const minY = boxes[from + 1];
  const minZ = boxes[from + 2];
  const maxX = boxes[from + 3];
  const maxY = boxes[from + 4];
  const maxZ = boxes[from + 5];
  for (;;) {
    const at = node * BOX_STRIDE;
    const isContained =
      minX >= fitted[at] &&
      minY >= fitted[at + 1] &&
      minZ >= fitted[at + 2] &&
      maxX <= fitted[at + 3] &&
      maxY <= fitted[at + 4] &&
      maxZ <= fitted[at + 5];
    if (isContained) return;
    if (minX < fitted[at]) fitted[at] = minX;
    if (minY < fitted[at + 1]) fitted[at + 1] = minY;
    if (minZ < fitted[at + 2]) fitted[at + 2] = minZ;
    if (maxX > fitted[at + 3]) fitted[at + 3] = maxX;
    if (maxY > fitted[at + 4]) fitted[at + 4] = maxY;
    if (maxZ > fitted[at + 5]) fitted[at + 5] = maxZ;
    if (node === ROOT) return;
    node = nodes.parent(node);
  }
}

/** Gives a body other categories, whether it is in the tree or not. */
export function changeCategories(tree: Tree, index: number, mask: number): void {
  const { bodies, nodes, slots } = tree;
  const { categoryMask } = bodies;
  const before = categoryMask[index];
  tree.uncategorizedCount += Number(mask === 0) - Number(before === 0);
  categoryMask[index] = mask;
  bodies.isMixed = true;
  if (!bodies.isPlaced(index)) return;
  const node = slots.nodeOf(bodies.slot[index]);
  addCategories(tree, node, index);
  if ((before & ~mask) === 0) return;
  nodes.flags[node] |= NODE_LOST_BODY;
  tree.listRefit(node);
}

/** Nodes refitted per flush: at least this many, and at least one in 2^6 of the tree. Test: golden.test. */
const MIN_REFITS = 64;
const REFIT_SHARE_SHIFT = 6;

/** Refits the oldest nodes of the queue: a part of the tree per flush, which bounds the cost of a flush. */
export function refitSome(tree: Tree): void {
  const { nodes, refits } = tree;
  const budget = Math.min(refits.length, Math.max(MIN_REFITS, nodes.count >> REFIT_SHARE_SHIFT));
  for (const node of refits.splice(0, budget))
    if (tree.unlist(node, NODE_REFIT_LISTED) && refit(tree, node) && node !== ROOT) tree.listRefit(nodes.parent(node));
}

/** Recomputes the summary of a node. Returns whether the parent needs a refit as well. */
export function refit(tree: Tree, node: number): boolean {
  const { nodes } = tree;
  const mayDiagonalShrink = nodes.hasMaxDiagonals && refitMaxDiagonal(tree, node);
  const mayShrink = refitBox(tree, node) || mayDiagonalShrink;
  // Recomputing categories costs a cache miss per body, and is only necessary after the loss of a body.
  if ((nodes.flags[node] & NODE_LOST_BODY) === 0) return mayShrink;
  nodes.flags[node] &= ~NODE_LOST_BODY;
  const areCategoriesNew = refitCategories(tree, node);
  if (areCategoriesNew) nodes.flags[nodes.parent(node)] |= NODE_LOST_BODY;
  return mayShrink || areCategoriesNew;
}

/**
 * Recomputes a node's fitted box. Returns whether it has changed and touched a face of its parent's box: only then can
 * that box shrink.
 */
function refitBox(tree: Tree, node: number): boolean {
  const { nodes } = tree;
  const { fitted } = nodes;
  const box = refitBox_box;
  const at = node * BOX_STRIDE;
  fitBox(tree, node, box, 0);
  const touchedParent = touchesFace(fitted, at, fitted, nodes.parent(node) * BOX_STRIDE);
  let isNew = false;
  for (let k = 0; k < BOX_STRIDE; k++) {
    if (fitted[at + k] === box[k]) continue;
    fitted[at + k] = box[k];
    isNew = true;
  }
  return isNew && touchedParent;
}
const refitBox_box = new Float32Array(BOX_STRIDE);

/** Writes the box around the slot bounds of a node and the fitted boxes of its children to offset `to` of `target`. */
export function fitBox({ nodes, slots }: Tree, node: number, target: Float32Array, to: number): void {
  const page = nodes.page(node) * BOX_STRIDE;
  const pageEnd = page + nodes.bodyCount(node) * BOX_STRIDE;
  const children = nodes.firstChild(node) * BOX_STRIDE;
  // All eight: children that are not in use have empty boxes.
  const childrenEnd = children + BLOCK * BOX_STRIDE;
  if (children === 0) boxAround(slots.slotBounds, page, pageEnd, target, to);
  else if (page === pageEnd) boxAround(nodes.fitted, children, childrenEnd, target, to);
  else {
    const both = fitBox_both;
    boxAround(slots.slotBounds, page, pageEnd, both, 0);
    boxAround(nodes.fitted, children, childrenEnd, both, BOX_STRIDE);
    boxAround(both, 0, 2 * BOX_STRIDE, target, to);
  }
}
const fitBox_both = new Float32Array(2 * BOX_STRIDE);

/**
 * Writes the box around the boxes at offsets [from, end) to offset `to` of `target`; an empty box if there are none.
 */
function boxAround(boxes: Float32Array, from: number, end: number, target: Float32Array, to: number): void {
  if (from === end) {
    target.fill(FLOAT32_MAX, to, to + 3);
    target.fill(-FLOAT32_MAX, to + 3, to + BOX_STRIDE);
    return;
  }
  // Offsets of the outermost faces so far. Chosen by arithmetic, because a branch would be unpredictable.
  let minX = from;
  let minY = from + 1;
  let minZ = from + 2;
  let maxX = from + 3;
  let maxY = from + 4;
  let maxZ = from + 5;
  for (let at = from + BOX_STRIDE; at < end; at += BOX_STRIDE) {
    minX = choose(boxes[at] < boxes[minX], at, minX);
    minY = choose(boxes[at + 1] < boxes[minY], at + 1, minY);
    minZ = choose(boxes[at + 2] < boxes[minZ], at + 2, minZ);
    maxX = choose(boxes[at + 3] > boxes[maxX], at + 3, maxX);
    maxY = choose(boxes[at + 4] > boxes[maxY], at + 4, maxY);
    maxZ = choose(boxes[at + 5] > boxes[maxZ], at + 5, maxZ);
  }
  target[to] = boxes[minX];
  target[to + 1] = boxes[minY];
  target[to + 2] = boxes[minZ];
  target[to + 3] = boxes[maxX];
  target[to + 4] = boxes[maxY];
  target[to + 5] = boxes[maxZ];
}

/** `condition ? yes : no` for integers, without a branch. */
function choose(condition: boolean, yes: number, no: number): number {
  return no + ((yes - no) & -Number(condition));
}

/** Recomputes the categories and the movability of a node. Returns whether they have changed. */
function refitCategories(tree: Tree, node: number): boolean {
  const { bodies, nodes, slots } = tree;
  const { categoryMask, flags } = nodes;
  let mask = 0;
  let movable = 0;
  const page = nodes.page(node);
  const end = page + nodes.bodyCount(node);
  for (let slot = page; slot < end; slot++) {
    const index = slots.body[slot];
    mask |= bodies.categoryMask[index];
    if ((bodies.flags[index] & BODY_STATIC) === 0) movable = NODE_HAS_MOVABLE;
  }
  const first = nodes.firstChild(node);
  if (first !== 0) {
    for (let child = first; child < first + BLOCK; child++) {
      if ((flags[child] & NODE_USED) === 0) continue;
      mask |= categoryMask[child];
      movable |= flags[child] & NODE_HAS_MOVABLE;
    }
  }
  if (categoryMask[node] === mask && (flags[node] & NODE_HAS_MOVABLE) === movable) return false;
  categoryMask[node] = mask;
  flags[node] = (flags[node] & ~NODE_HAS_MOVABLE) | movable;
  return true;
}

/**
 * Computes the diagonals of all nodes, unless they are kept already: the largest of the slot bounds in and below each,
 * squared, for queries that drop small bodies. A tree without such queries pays nothing. They are kept until a bulk
 * build or a translation drops them. Cost: reads all slot bounds once.
 */
export function trackMaxDiagonals(tree: Tree): void {
  const { nodes } = tree;
  if (nodes.hasMaxDiagonals) return;
  nodes.maxDiagonalSq = new Float32Array(nodes.flags.length);
  if (tree.hasRoot) computeMaxDiagonal(tree, ROOT);
}

function computeMaxDiagonal(tree: Tree, node: number): void {
  const { nodes } = tree;
  const first = nodes.firstChild(node);
  if (first !== 0)
    for (let child = first; child < first + BLOCK; child++)
      if ((nodes.flags[child] & NODE_USED) !== 0) computeMaxDiagonal(tree, child);
  nodes.maxDiagonalSq[node] = largestIn(tree, node);
}

/**
 * Raises the diagonals of a node and its ancestors to the diagonal of the box at offset `from`, up to the first
 * ancestor whose own is as large.
 */
function raiseMaxDiagonals({ nodes }: Tree, node: number, boxes: Float32Array, from: number): void {
  const { maxDiagonalSq } = nodes;
  const diagonal = raisedDiagonalSq(boxes, from);
  while (maxDiagonalSq[node] < diagonal) {
    maxDiagonalSq[node] = diagonal;
    node = nodes.parent(node);
  }
}

/** Recomputes the diagonal of a node. Returns whether the diagonal of its parent may be too large now. */
function refitMaxDiagonal(tree: Tree, node: number): boolean {
  const { nodes } = tree;
  const { maxDiagonalSq } = nodes;
  const before = maxDiagonalSq[node];
  maxDiagonalSq[node] = largestIn(tree, node);
  return maxDiagonalSq[node] < before && before === maxDiagonalSq[nodes.parent(node)];
}

/** The diagonal of a node: the maximum of its slot bounds and of its children. */
function largestIn({ nodes, slots }: Tree, node: number): number {
  const { maxDiagonalSq } = nodes;
  const { slotBounds } = slots;
  let largest = 0;
  const page = nodes.page(node);
  const end = page + nodes.bodyCount(node);
  for (let slot = page; slot < end; slot++) {
    const diagonal = raisedDiagonalSq(slotBounds, slot * BOX_STRIDE);
    if (diagonal > largest) largest = diagonal;
  }
  const first = nodes.firstChild(node);
  // All eight: the diagonal of a child that is not in use is 0.
  if (first !== 0)
    for (let child = first; child < first + BLOCK; child++)
      if (maxDiagonalSq[child] > largest) largest = maxDiagonalSq[child];
  return largest;
}
