// Repeats the traversal of the last cull and adds the visited cells to the lines.

import { type Box3, type Frustum, Vector3 } from 'three';
import { type Octree, type OctreeNode, WalkSignal } from '../../../src/index.ts';
import type { HelperOutline } from '../../../src/three/index.ts';
import type { CellOverlap, CellLines } from './cell-lines.ts';

/** Which cells are drawn: none, those where the cull stops, all at one depth, or all. */
export type CellChoice = 'off' | 'decided' | 'all' | number;

/** Fills the lines. Stops when they are full. */
export function drawCells<T>(lines: CellLines, octree: Octree<T>, frustum: Frustum, choice: CellChoice, outline: HelperOutline): void {
  lines.begin();
  if (choice !== 'off') {
    octree.walk((node) => {
      if (lines.isFull) return WalkSignal.Stop;
      const overlap = overlapOf(node.fitted, frustum);
      if (isShown(node, overlap, choice)) add(lines, node, overlap, outline);
      const isDecided = choice === 'decided' && overlap !== 'intersecting';
      return isDecided || node.depth === choice ? WalkSignal.Prune : WalkSignal.Continue;
    });
  }
  lines.end();
}

/** Outside if the box is behind one plane, contained if it is in front of all planes, intersecting otherwise. */
export function overlapOf({ min, max }: Box3, { planes }: Frustum): CellOverlap {
  let isContained = true;
  for (const { normal: { x, y, z }, constant } of planes) {
    const greatest = x * (x >= 0 ? max.x : min.x) + y * (y >= 0 ? max.y : min.y) + z * (z >= 0 ? max.z : min.z) + constant;
    if (!(greatest >= 0)) return 'outside';
    isContained &&= x * (x >= 0 ? min.x : max.x) + y * (y >= 0 ? min.y : max.y) + z * (z >= 0 ? min.z : max.z) + constant >= 0;
  }
  return isContained ? 'contained' : 'intersecting';
}

function isShown<T>(node: OctreeNode<T>, overlap: CellOverlap, choice: CellChoice): boolean {
  if (choice === 'all') return true;
  // Below an intersecting node the cull continues; at the node itself it tests only the node's own bodies.
  if (choice === 'decided') return overlap !== 'intersecting' || node.bodyCount > 0;
  return node.depth === choice;
}

function add<T>(lines: CellLines, { cell, fitted }: OctreeNode<T>, overlap: CellOverlap, outline: HelperOutline): void {
  if (outline === 'fitted') lines.add(overlap, fitted.min, fitted.max);
  else lines.add(overlap, cell.min, cellMax.copy(cell.min).addScalar(cell.edge));
}

const cellMax = new Vector3();
