/** Visits the nodes of a tree, for a visitor of the user; lists them, for checks and changes of the whole tree. */

import { BLOCK, FIRST_CHILD, LINK_STRIDE, ROOT } from '../layout.ts';
import type { Tree } from '../tree.ts';
import type { Scratch } from './kernel.ts';

/**
 * How a walk goes on after a node: the return value of a visitor.
 *
 * @example
 * ```ts
 * import { Octree, WalkSignal } from 'scene-octree';
 *
 * const octree = new Octree<string>();
 * octree.insert({ center: { x: 0, y: 0, z: 0 }, radius: 1 }, 'ball');
 * octree.update();
 * let visited = 0;
 * octree.walk(({ depth }) => {
 *   visited++;
 *   return depth < 3 ? WalkSignal.Continue : WalkSignal.Prune; // the upper three levels
 * });
 * console.log(visited); // prints: 1
 * ```
 */
export const WalkSignal = {
  /** Visit the children of the node. */
  Continue: 0,
  /** Leave out everything below the node. */
  Prune: 1,
  /** End the walk. */
  Stop: 2,
} as const;
export type WalkSignal = (typeof WalkSignal)[keyof typeof WalkSignal];

/**
 * Visits nodes, parents first and children in octant order, as the visitor's signals direct; `undefined` means
 * Continue.
 */
export function walkNodes(tree: Tree, scratch: Scratch, visit: (node: number) => WalkSignal | void): void {
  if (!tree.hasRoot) return;
  const { links, childMask } = tree.nodes;
  const stack = scratch.nodes.numbers;
  let top = 0;
  stack[top++] = ROOT;
  while (top > 0) {
    const node = stack[--top];
    const signal = visit(node);
    if (signal === WalkSignal.Stop) return;
    const first = links[node * LINK_STRIDE + FIRST_CHILD];
    if (signal === WalkSignal.Prune || first === 0) continue;
    for (let octant = BLOCK - 1; octant >= 0; octant--)
      if ((childMask[node] & (1 << octant)) !== 0) stack[top++] = first + octant;
  }
}

/**
 * All nodes that can be reached by links from a node, parents first. Terminates even on a damaged tree with a cycle: it
 * stops after as many nodes as the pool has.
 */
export function usedNodes(tree: Tree, from: number = ROOT): number[] {
  const { nodes } = tree;
  const reached = [from];
  for (let k = 0; k < reached.length && reached.length <= nodes.blocks * BLOCK; k++) {
    const first = nodes.firstChild(reached[k]);
    for (let octant = 0; octant < BLOCK; octant++)
      if ((nodes.childMask[reached[k]] & (1 << octant)) !== 0) reached.push(first + octant);
  }
  return reached;
}
