/**
 * The largest diagonal of the slot bounds in and below each node, squared, for queries that drop small bodies. It is
 * computed when a query first needs it, so that a tree without such queries pays nothing, and kept until a bulk build
 * or a translation drops it. Like fitted boxes, diagonals grow at once and shrink later: one that is too large makes
 * queries slower, but never wrong.
 */

import { BOX_STRIDE } from '../../math/box.ts';
import { BLOCK, NODE_USED, ROOT } from '../layout.ts';
import { raisedDiagonalSq } from '../storage/node-pool.ts';
import type { Tree } from '../tree.ts';

/** Computes the diagonals of all nodes, unless they are kept already. Cost: reads all slot bounds once. */
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
export function raiseMaxDiagonals({ nodes }: Tree, node: number, boxes: Float32Array, from: number): void {
  const { maxDiagonalSq } = nodes;
  const diagonal = raisedDiagonalSq(boxes, from);
  while (maxDiagonalSq[node] < diagonal) {
    maxDiagonalSq[node] = diagonal;
    node = nodes.parent(node);
  }
}

/** Recomputes the diagonal of a node. Returns whether the diagonal of its parent may be too large now. */
export function refitMaxDiagonal(tree: Tree, node: number): boolean {
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
