/**
 * The size of the largest body in and below each node, for queries that drop small bodies: the squared diagonal of slot bounds. It is computed when
 * a query first needs it, and kept from then on, so that a tree without such queries pays nothing. Like fitted boxes, sizes grow at once and
 * shrink later: a size that is too large makes queries slower, but never wrong.
 */

import { BOX_STRIDE } from '../../math/box.ts';
import { BLOCK, NODE_USED, ROOT } from '../layout.ts';
import { upperSize } from '../storage/node-pool.ts';
import type { Tree } from '../tree.ts';

/** Computes the sizes of all nodes, unless they are known. Cost: reads all slot bounds once. */
export function trackSizes(tree: Tree): void {
  const { nodes } = tree;
  if (nodes.hasSizes) return;
  nodes.sizes = new Float32Array(nodes.flags.length);
  if (tree.hasRoot) computeSize(tree, ROOT);
}

function computeSize(tree: Tree, node: number): void {
  const { nodes } = tree;
  const first = nodes.firstChild(node);
  if (first !== 0) for (let child = first; child < first + BLOCK; child++) if ((nodes.flags[child] & NODE_USED) !== 0) computeSize(tree, child);
  nodes.sizes[node] = largestIn(tree, node);
}

/** Raises the sizes of a node and its ancestors to the size of the box at offset `from`, up to the first node that is as large. */
export function raiseSizes({ nodes }: Tree, node: number, boxes: Float32Array, from: number): void {
  const { sizes } = nodes;
  const size = upperSize(boxes, from);
  while (sizes[node] < size) {
    sizes[node] = size;
    node = nodes.parent(node);
  }
}

/** Recomputes the size of a node. Returns whether the size of its parent may be too large now. */
export function refitSize(tree: Tree, node: number): boolean {
  const { nodes } = tree;
  const { sizes } = nodes;
  const before = sizes[node];
  sizes[node] = largestIn(tree, node);
  return sizes[node] < before && before === sizes[nodes.parent(node)];
}

/** The size of a node by its slot bounds and the sizes of its children. */
function largestIn({ nodes, slots }: Tree, node: number): number {
  const { sizes } = nodes;
  const { slotBounds } = slots;
  let largest = 0;
  const page = nodes.page(node);
  const end = page + nodes.bodyCount(node);
  for (let slot = page; slot < end; slot++) {
    const size = upperSize(slotBounds, slot * BOX_STRIDE);
    if (size > largest) largest = size;
  }
  const first = nodes.firstChild(node);
  // All eight: children that are not in use have size 0.
  if (first !== 0) for (let child = first; child < first + BLOCK; child++) if (sizes[child] > largest) largest = sizes[child];
  return largest;
}
