/**
 * Fitted boxes, categories and movability: what a node tells about everything in and below it. They grow at once, so that a query
 * never misses a body, and shrink later: nodes that may have become too large wait in a queue, and each flush refits a part of them.
 * A box that is too large costs a query some time, but is never wrong.
 */

import { BOX_STRIDE, touchesFace } from '../../math/box.ts';
import { FLOAT32_MAX } from '../../math/float32.ts';
import { BLOCK, BODY_STATIC, NODE_HAS_MOVABLE, NODE_LOST_BODY, NODE_REFIT_LISTED, NODE_USED, ROOT } from '../layout.ts';
import type { Tree } from '../tree.ts';

/** Adds a body's categories, and whether it may move, to a node and its ancestors, as far up as they are news. */
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

/** Enlarges the fitted boxes of a node and its ancestors, as far up as need be, until they enclose the box at lane `from`. */
export function enlarge(tree: Tree, node: number, boxes: Float32Array, from: number): void {
  const { nodes } = tree;
  const { fitted } = nodes;
  const minX = boxes[from];
  const minY = boxes[from + 1];
  const minZ = boxes[from + 2];
  const maxX = boxes[from + 3];
  const maxY = boxes[from + 4];
  const maxZ = boxes[from + 5];
  for (;;) {
    const at = node * BOX_STRIDE;
    const isEnclosed =
      minX >= fitted[at] &&
      minY >= fitted[at + 1] &&
      minZ >= fitted[at + 2] &&
      maxX <= fitted[at + 3] &&
      maxY <= fitted[at + 4] &&
      maxZ <= fitted[at + 5];
    if (isEnclosed) return;
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

/** Refits nodes from the head of the queue: a part of the tree per flush, so that no flush has to pay for all. */
export function refitSome(tree: Tree): void {
  const { nodes, refits } = tree;
  const budget = Math.min(refits.length, Math.max(MIN_REFITS, nodes.count >> REFIT_SHARE_SHIFT));
  for (let k = 0; k < budget; k++) {
    const node = refits.shift();
    if (tree.unlist(node, NODE_REFIT_LISTED) && refit(tree, node) && node !== ROOT) tree.listRefit(nodes.parent(node));
  }
}
/** Nodes refitted per flush: at least this many, and at least one in 2^6 of the tree. */
const MIN_REFITS = 64;
const REFIT_SHARE_SHIFT = 6;

/** Brings what a node tells about its bodies and children up to date; whether its parent may be too large now. */
export function refit(tree: Tree, node: number): boolean {
  const { nodes } = tree;
  const mayShrink = refitBox(tree, node);
  // Categories take a look at every body far off in memory: only a loss can have made them too many.
  if ((nodes.flags[node] & NODE_LOST_BODY) === 0) return mayShrink;
  nodes.flags[node] &= ~NODE_LOST_BODY;
  const areCategoriesNew = refitCategories(tree, node);
  if (areCategoriesNew) nodes.flags[nodes.parent(node)] |= NODE_LOST_BODY;
  return mayShrink || areCategoriesNew;
}

/** Recomputes a node's fitted box; whether it has become smaller where it reached a face of its parent's. */
function refitBox(tree: Tree, node: number): boolean {
  const { nodes } = tree;
  const { fitted } = nodes;
  const box = refitBox_box;
  const at = node * BOX_STRIDE;
  fitBox(tree, node, box, 0);
  const touched = touchesFace(fitted, at, fitted, nodes.parent(node) * BOX_STRIDE);
  let isNew = false;
  for (let lane = 0; lane < BOX_STRIDE; lane++) {
    if (fitted[at + lane] === box[lane]) continue;
    fitted[at + lane] = box[lane];
    isNew = true;
  }
  return isNew && touched;
}
const refitBox_box = new Float32Array(BOX_STRIDE);

/** Writes the box around a node's bodies' slotBounds and its children's boxes to lane `to` of `target`. */
export function fitBox({ nodes, slots }: Tree, node: number, target: Float32Array, to: number): void {
  const page = nodes.page(node) * BOX_STRIDE;
  const pageEnd = page + nodes.bodyCount(node) * BOX_STRIDE;
  const children = nodes.firstChild(node) * BOX_STRIDE;
  // Children that are not in use have empty boxes.
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

/** Writes the box around the boxes in the lanes [from, end) of `boxes` to lane `to` of `target`, an empty one if there are none. */
function boxAround(boxes: Float32Array, from: number, end: number, target: Float32Array, to: number): void {
  if (from === end) {
    target.fill(FLOAT32_MAX, to, to + 3);
    target.fill(-FLOAT32_MAX, to + 3, to + BOX_STRIDE);
    return;
  }
  // Which box reaches farthest: lanes are chosen by arithmetic, for no processor foresees the choice.
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

/** `yes` or `no`, integers. */
function choose(condition: boolean, yes: number, no: number): number {
  return no + ((yes - no) & -Number(condition));
}

/** Recomputes the categories and the movability of a node. */
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
