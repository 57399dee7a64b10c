/** Lists the nodes of a tree: for checks and changes of the whole tree. */

import { BLOCK, ROOT } from '../layout.ts';
import type { Tree } from '../tree.ts';

/**
 * All nodes that can be reached by links from a node, parents first. Terminates even on a damaged tree with a cycle: it stops
 * after as many nodes as the pool has.
 */
export function usedNodes(tree: Tree, from: number = ROOT): number[] {
  const { nodes } = tree;
  const reached = [from];
  for (let k = 0; k < reached.length && reached.length <= nodes.blocks * BLOCK; k++) {
    const first = nodes.firstChild(reached[k]);
    if (first === 0) continue;
    for (let octant = 0; octant < BLOCK; octant++) if ((nodes.childMask[reached[k]] & (1 << octant)) !== 0) reached.push(first + octant);
  }
  return reached;
}
