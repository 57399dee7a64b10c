/**
 * The edge of the smallest cell of a tree. If no option sets it, it depends on the smallest body, which would not fit
 * into a loose cell of half the edge. Removing bodies does not make it larger again.
 */

import { magnitudeOf, MIN_EDGE, smallestStepFor } from '../../math/integer-cube.ts';
import { usedNodes } from '../traverse/walk-nodes.ts';
import type { Tree } from '../tree.ts';
import { splitOverfull } from './place.ts';

/**
 * Makes the smallest cell smaller, if bodies of this size need it. Leaves that could not split before split now.
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
