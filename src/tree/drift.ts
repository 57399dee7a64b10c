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
/** Takes a little off the slack with every drift, in case rounding made either of them look better than it is. */
const SHRUNK_EIGHTH = (1 - 2 ** -20) / 8;

/** Writes new bounds of bodies, from lane `from` on, and lists those that may have left their entry in `moved`, to be relocated. */
export function driftMany(
  bodies: BodyLanes,
  indices: ArrayLike<number>,
  lanes: Float32Array | Float64Array,
  from: number,
  isSphere: boolean,
  moved: IndexList,
): void {
  const { length } = moved;
  moved.reserve(length + indices.length);
  moved.length = (isSphere ? driftSpheres : driftBoxes)(bodies, indices, lanes, from, moved.array, length);
  dropUnneeded(bodies, moved, length);
}

/** As `driftMany`, for one body. */
export function drift(
  bodies: BodyLanes,
  index: number,
  lanes: Float32Array | Float64Array,
  from: number,
  isSphere: boolean,
  moved: IndexList,
): void {
  drift_index[0] = index;
  driftMany(bodies, drift_index, lanes, from, isSphere, moved);
}
const drift_index = new Uint32Array(1);

/** Twice the larger of two numbers, without a branch: which one it is changes from body to body, and half of all guesses would be wrong. */
function twiceTheLarger(a: number, b: number): number {
  return a + b + Math.abs(a - b);
}

/**
 * Writes boxes, six lanes each, and appends those that may have left their entry to `out` at `count`; returns the new count.
 * Unrolled and without a branch but for the rare case, this takes 9 ns a body instead of 22.
 */
function driftBoxes(bodies: BodyLanes, indices: ArrayLike<number>, lanes: Float32Array | Float64Array, from: number, out: Uint32Array, count: number): number {
  const { bounds, flags, slack } = bodies;
  const { length } = indices;
  for (let k = 0, at = from; k < length; k++, at += 6) {
    const index = indices[k];
    const to = index * BOX_LANES;
    const minX = lanes[at];
    const minY = lanes[at + 1];
    const minZ = lanes[at + 2];
    const maxX = lanes[at + 3];
    const maxY = lanes[at + 4];
    const maxZ = lanes[at + 5];
    const wayX = twiceTheLarger(Math.abs(minX - bounds[to]), Math.abs(maxX - bounds[to + 3]));
    const wayY = twiceTheLarger(Math.abs(minY - bounds[to + 1]), Math.abs(maxY - bounds[to + 4]));
    const wayZ = twiceTheLarger(Math.abs(minZ - bounds[to + 2]), Math.abs(maxZ - bounds[to + 5]));
    // How far the farthest face has moved, eight times.
    const way = twiceTheLarger(twiceTheLarger(wayX, wayY), 2 * wayZ);
    bounds[to] = minX;
    bounds[to + 1] = minY;
    bounds[to + 2] = minZ;
    bounds[to + 3] = maxX;
    bounds[to + 4] = maxY;
    bounds[to + 5] = maxZ;
    if ((flags[index] & BODY_SPHERE) !== 0) {
      flags[index] ^= BODY_SPHERE;
      out[count++] = index;
      continue;
    }
    const left = slack[index] * 8 - way;
    // The step of a body that leaves tells how much room it will want.
    slack[index] = left < 0 ? way * -0.125 : left * SHRUNK_EIGHTH;
    if (left < 0) out[count++] = index;
  }
  return count;
}

/** As `driftBoxes`, for spheres, four lanes each. */
function driftSpheres(bodies: BodyLanes, indices: ArrayLike<number>, lanes: Float32Array | Float64Array, from: number, out: Uint32Array, count: number): number {
  const { bounds, flags, slack } = bodies;
  const { length } = indices;
  for (let k = 0, at = from; k < length; k++, at += 4) {
    const index = indices[k];
    const to = index * BOX_LANES;
    const x = lanes[at];
    const y = lanes[at + 1];
    const z = lanes[at + 2];
    const radius = lanes[at + 3];
    const wayXY = twiceTheLarger(Math.abs(x - bounds[to]), Math.abs(y - bounds[to + 1]));
    const wayXYZ = twiceTheLarger(wayXY, 2 * Math.abs(z - bounds[to + 2]));
    // How far a face of its box has moved at most, the centre along one axis and the radius, eight times.
    const way = 2 * wayXYZ + 8 * Math.abs(radius - bounds[to + 3]);
    bounds[to] = x;
    bounds[to + 1] = y;
    bounds[to + 2] = z;
    bounds[to + 3] = radius;
    if ((flags[index] & BODY_SPHERE) === 0) {
      flags[index] |= BODY_SPHERE;
      out[count++] = index;
      continue;
    }
    const left = slack[index] * 8 - way;
    slack[index] = left < 0 ? way * -0.125 : left * SHRUNK_EIGHTH;
    if (left < 0) out[count++] = index;
  }
  return count;
}

/** Drops, from `begin` on, bodies that are listed already or not in the tree yet, and marks the others as listed. */
function dropUnneeded({ flags, slot }: BodyLanes, moved: IndexList, begin: number): void {
  const { array, length } = moved;
  let kept = begin;
  for (let k = begin; k < length; k++) {
    const index = array[k];
    if (slot[index] < 0 || (flags[index] & BODY_MOVED) !== 0) continue;
    flags[index] |= BODY_MOVED;
    array[kept++] = index;
  }
  moved.length = kept;
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
