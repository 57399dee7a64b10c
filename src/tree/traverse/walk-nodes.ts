/** Visits the nodes of a tree, for a visitor of the user. */

import { BLOCK, FIRST_CHILD, LINK_STRIDE, ROOT } from '../layout.ts';
import type { Tree } from '../tree.ts';
import type { Scratch } from './scratch.ts';

/** How a walk goes on after a node: the return value of a visitor. */
export const WalkSignal = {
  /** Visit the children of the node. */
  Continue: 0,
  /** Leave out everything below the node. */
  Prune: 1,
  /** End the walk. */
  Stop: 2,
} as const;
export type WalkSignal = (typeof WalkSignal)[keyof typeof WalkSignal];

/** Visits nodes, parents first and children in octant order, as the visitor's signals direct; `undefined` means Continue. */
export function walkNodes(tree: Tree, scratch: Scratch, visit: (node: number) => WalkSignal | void): void {
  if (!tree.hasRoot) return;
  const { links, childMask } = tree.nodes;
  const stack = scratch.nodes;
  let top = 0;
  stack[top++] = ROOT;
  while (top > 0) {
    const node = stack[--top];
    const signal = visit(node);
    if (signal === WalkSignal.Stop) return;
    const first = links[node * LINK_STRIDE + FIRST_CHILD];
    if (signal === WalkSignal.Prune || first === 0) continue;
    for (let octant = BLOCK - 1; octant >= 0; octant--) if ((childMask[node] & (1 << octant)) !== 0) stack[top++] = first + octant;
  }
}
