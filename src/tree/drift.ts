/**
 * Room to move, so that most moves need no work in the tree. A body on the move has an entry larger than its bounds by a margin, and its slack tells how much
 * of that margin is left. The sum of all drifts bounds how far any face has moved, so a small move is a few additions in the body's
 * own lanes; the entry itself, far off in memory, is not even read.
 */

import { BOX_LANES } from '../math/box.ts';
import { roundDown32 } from '../math/float32.ts';
import type { BodyLanes } from './body-lanes.ts';
import type { IndexList } from './index-list.ts';
import { BODY_MOVED, BODY_SPHERE, BODY_STATIC, MARGIN_SHARE, MARGIN_STEPS } from './layout.ts';
import type { Tree } from './tree.ts';

/** Below this a Float32 loses its relative precision, and a slack could no longer be counted down. */
const LEAST_MARGIN = 1e-30;
/** What is left of a slack after a drift, in case rounding made either of them look better than it is. */
const SLACK_SHRINK = 1 - 2 ** -20;

/** Writes new bounds of bodies, `stride` lanes each, and lists those that may have left their entry in `moved`, to be relocated. */
export function driftMany(
  bodies: BodyLanes,
  indices: ArrayLike<number>,
  lanes: Float32Array | Float64Array,
  stride: number,
  isSphere: boolean,
  moved: IndexList,
): void {
  const { length } = indices;
  for (let k = 0, at = 0; k < length; k++, at += stride) drift(bodies, indices[k], lanes, at, isSphere, moved);
}

/** As `driftMany`, for one body whose bounds begin at lane `at`. */
export function drift(
  bodies: BodyLanes,
  index: number,
  lanes: Float32Array | Float64Array,
  at: number,
  isSphere: boolean,
  moved: IndexList,
): void {
  if (!driftsOut(bodies, index, lanes, at, isSphere)) return;
  const { flags } = bodies;
  if (bodies.slot[index] < 0 || (flags[index] & BODY_MOVED) !== 0) return;
  flags[index] |= BODY_MOVED;
  moved.push(index);
}

/** Writes new bounds of a body; whether they may have left its entry. */
function driftsOut(bodies: BodyLanes, index: number, lanes: Float32Array | Float64Array, at: number, isSphere: boolean): boolean {
  const { flags, slack } = bodies;
  const wasSphere = (flags[index] & BODY_SPHERE) !== 0;
  const way = isSphere ? writeSphere(bodies.bounds, index, lanes, at) : writeBox(bodies.bounds, index, lanes, at);
  if (wasSphere !== isSphere) {
    flags[index] ^= BODY_SPHERE;
    return true;
  }
  const left = slack[index] - way;
  if (left < 0) {
    // The step tells how much room the body will want.
    slack[index] = -way;
    return true;
  }
  slack[index] = left * SLACK_SHRINK;
  return false;
}

/** Writes a box over a box; returns how far its farthest face has moved. Unrolled: a loop takes a third longer. */
function writeBox(bounds: Float64Array, index: number, lanes: Float32Array | Float64Array, at: number): number {
  const to = index * BOX_LANES;
  const minX = lanes[at];
  const minY = lanes[at + 1];
  const minZ = lanes[at + 2];
  const maxX = lanes[at + 3];
  const maxY = lanes[at + 4];
  const maxZ = lanes[at + 5];
  let farthest = Math.abs(minX - bounds[to]);
  const driftY = Math.abs(minY - bounds[to + 1]);
  const driftZ = Math.abs(minZ - bounds[to + 2]);
  const driftMaxX = Math.abs(maxX - bounds[to + 3]);
  const driftMaxY = Math.abs(maxY - bounds[to + 4]);
  const driftMaxZ = Math.abs(maxZ - bounds[to + 5]);
  if (driftY > farthest) farthest = driftY;
  if (driftZ > farthest) farthest = driftZ;
  if (driftMaxX > farthest) farthest = driftMaxX;
  if (driftMaxY > farthest) farthest = driftMaxY;
  if (driftMaxZ > farthest) farthest = driftMaxZ;
  bounds[to] = minX;
  bounds[to + 1] = minY;
  bounds[to + 2] = minZ;
  bounds[to + 3] = maxX;
  bounds[to + 4] = maxY;
  bounds[to + 5] = maxZ;
  return farthest;
}

/** Writes a sphere over a sphere; returns how far its box has moved at most: the centre along one axis, and the radius. */
function writeSphere(bounds: Float64Array, index: number, lanes: Float32Array | Float64Array, at: number): number {
  const to = index * BOX_LANES;
  let farthest = 0;
  for (let axis = 0; axis < 3; axis++) {
    const change = Math.abs(lanes[at + axis] - bounds[to + axis]);
    if (change > farthest) farthest = change;
    bounds[to + axis] = lanes[at + axis];
  }
  farthest += Math.abs(lanes[at + 3] - bounds[to + 3]);
  bounds[to + 3] = lanes[at + 3];
  return farthest;
}

/**
 * The margin of a body with bounds `box` in a node of `count` bodies: room for some steps like its last one, within what the node's cell
 * accepts, and none where a drift could change what the body's node should be.
 */
export function marginFor(tree: Tree, node: number, count: number, index: number, box: Float64Array, step: number): number {
  const { bodies, nodes, leafCapacity } = tree;
  if ((bodies.flags[index] & BODY_STATIC) !== 0 || !nodes.isLeaf(node)) return 0;
  if (count > leafCapacity && !tree.isSmallest(node)) return 0;
  const edge = nodes.edge(node);
  const reach = tree.reach(edge);
  let margin = wantedMargin(tree, node, step);
  for (let axis = 0; axis < 3; axis++) {
    const min = nodes.cellMin(node, axis);
    margin = Math.min(margin, box[axis] - (min - reach), min + edge + reach - box[axis + 3]);
  }
  // A shade less than measured, so that no rounding lets a drift of exactly the margin leave the entry or the cell: neither that of the
  // margin itself nor that of a sphere's box, which may lie half a unit in the last place inside the sphere.
  const extent = Math.max(-box[0], -box[1], -box[2], box[3], box[4], box[5]);
  margin = margin * (1 - 2 ** -20) - extent * 2 ** -50;
  return margin > LEAST_MARGIN ? roundDown32(margin) : 0;
}

/** Whether a body is so close to the limit of what its node accepts that its margin is only a part of the wanted one. */
export function isAboutToLeave(tree: Tree, node: number, margin: number, step: number): boolean {
  return margin * 4 < wantedMargin(tree, node, step);
}

function wantedMargin(tree: Tree, node: number, step: number): number {
  return Math.min(step * MARGIN_STEPS, tree.nodes.edge(node) * MARGIN_SHARE);
}
