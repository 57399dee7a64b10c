/** Builds a tree anew, with larger cells, when a body comes so far from 0 that the cells would not be exact. */

import { magnitudeOf, smallestCubeAround, smallestStepFor } from '../../math/integer-cube.ts';
import type { Tree } from '../tree.ts';
import { buildFrom } from './build.ts';

/**
 * Empties the tree, and builds it from its bodies as they are now. Its root is the smallest cube around them and around
 * `extent`.
 */
export function rebuild(tree: Tree, extent: Float64Array): void {
  const { bodies, nodes, slots } = tree;
  const placed = new Uint32Array(tree.placedCount);
  for (let index = 0, count = 0; index < bodies.count; index++) if (bodies.isPlaced(index)) placed[count++] = index;
  for (const index of placed) bodies.dropMargin(index);
  tree.forgetNodes();
  nodes.clear();
  slots.clear();
  const around = bodies.extentOf(placed, extent);
  tree.smallestEdge = Math.max(tree.minCellSize, smallestStepFor(magnitudeOf(around)));
  tree.openRoot(smallestCubeAround(around, tree.smallestEdge));
  tree.placedCount = 0;
  if (placed.length > 0) buildFrom(tree, placed);
}
