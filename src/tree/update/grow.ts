/**
 * Growth of the region: the root's cell doubles, and the old root becomes one of its octants. No other node changes its
 * cell.
 */

import { BOX_STRIDE } from '../../math/box.ts';
import { cubeContains, cubeGrownTowards, type IntegerCube } from '../../math/integer-cube.ts';
import {
  BLOCK,
  CAPACITY,
  LINK_STRIDE,
  NODE_HAS_MOVABLE,
  NODE_MERGE_LISTED,
  NODE_REFIT_LISTED,
  PAGE,
  ROOT,
} from '../layout.ts';
import type { Tree } from '../tree.ts';

/** Doubles the root's cell until it contains the box at offset `from`. At most 52 steps, each of constant cost. */
export function growRootAround(tree: Tree, boxes: Float64Array, from = 0): void {
  while (!cubeContains(tree.region, boxes, from)) growRoot(tree, cubeGrownTowards(tree.region, boxes, from));
}

function growRoot(tree: Tree, grown: IntegerCube): void {
  const { nodes, region: old } = tree;
  if (nodes.isLeaf(ROOT) && nodes.bodyCount(ROOT) === 0) {
    nodes.perExponent[nodes.edgeExponent(ROOT)]--;
    tree.setRootCell(grown);
    nodes.perExponent[nodes.edgeExponent(ROOT)]++;
    return;
  }
  tree.setRootCell(grown);
  const { minX, minY, minZ } = grown;
  moveRootDown(tree, (old.minX > minX ? 1 : 0) | (old.minY > minY ? 2 : 0) | (old.minZ > minZ ? 4 : 0));
}

/**
 * Makes the old root a child of the new one, in an octant of its cell. Only the links to and from its children and its
 * page change.
 */
function moveRootDown(tree: Tree, octant: number): void {
  const { nodes, slots } = tree;
  const oldFirst = nodes.firstChild(ROOT);
  const oldMask = nodes.childMask[ROOT];
  const child = tree.openBlock(ROOT) + octant;

  // The root stays in use and takes the new edge exponent. Opening the child will count the old one again.
  nodes.perExponent[nodes.edgeExponent(child)]--;
  nodes.perExponent[nodes.edgeExponent(ROOT)]++;
  tree.openNode(child);

  const from = ROOT * LINK_STRIDE;
  const to = child * LINK_STRIDE;
  nodes.links.copyWithin(to, from, from + LINK_STRIDE);
  nodes.links[to] = oldFirst;
  nodes.links.fill(0, from + PAGE, from + LINK_STRIDE);
  if (oldFirst !== 0) nodes.blockParent[oldFirst / BLOCK] = child;
  slots.setOwner(nodes.page(child), nodes.links[to + CAPACITY], child);

  nodes.fitted.copyWithin(child * BOX_STRIDE, ROOT * BOX_STRIDE, (ROOT + 1) * BOX_STRIDE);
  if (nodes.hasMaxDiagonals) nodes.maxDiagonalSq[child] = nodes.maxDiagonalSq[ROOT];
  nodes.runStart[child] = nodes.runStart[ROOT];
  nodes.runEnd[child] = nodes.runEnd[ROOT];
  nodes.categoryMask[child] = nodes.categoryMask[ROOT];
  nodes.childMask[child] = oldMask;
  nodes.lifespan[child] = nodes.lifespan[ROOT];
  nodes.flags[child] |= nodes.flags[ROOT] & NODE_HAS_MOVABLE;
  // The child takes the place of the old root in the lists.
  if ((nodes.flags[ROOT] & NODE_REFIT_LISTED) !== 0) tree.listRefit(child);
  if ((nodes.flags[ROOT] & NODE_MERGE_LISTED) !== 0) tree.listMerge(child);
}
