/**
 * Room to move: a box around the bounds of a body in which they may change without any work in the tree. It reaches far ahead, where the
 * body's last step leads, and a little to all other sides, but not beyond what the body's node accepts. More room means fewer
 * updates, less room fewer bodies to test by their exact bounds.
 */

import { BOX_LANES } from '../math/box.ts';
import { roundDown32, roundUp32 } from '../math/float32.ts';
import { NO_ROOM } from './body-lanes.ts';
import { BODY_STATIC } from './layout.ts';
import { enlarge, writeEntry } from './refit.ts';
import type { Tree } from './tree.ts';

/** Steps like its last one that a body has room for, at most. */
const STEPS_AHEAD = 256;
/** The largest component of the step counts this often to every side, in case the body turns. */
const STEPS_ASIDE = 8;
/** But along no axis is there more room on one side than this fraction of the cell's edge. */
const MOST_OF_EDGE = 3 / 4;
/** Bodies that start together shall not all end their room together: by their index they have between half of that and all of it. */
const SHARES = 64;
/** With less than this part of the room that it wants a body would be back too soon. */
const CRAMPED_PART = 1 / 4;

/** Room of the body measured last, and the box to make its entry of. */
const measured = new Float64Array(BOX_LANES);
let hasRoom = false;

/**
 * Measures the room of a body, with bounds `box` and the step that its lanes tell, in a node of `count` bodies. There is none where a
 * move could change what the body's node should be.
 *
 * @returns Whether it is much less than the body wants.
 */
export function measureRoom(tree: Tree, node: number, count: number, index: number, box: Float64Array): boolean {
  const { bodies, nodes, leafCapacity, region } = tree;
  for (let lane = 0; lane < BOX_LANES; lane++) measured[lane] = box[lane];
  hasRoom = false;
  if ((bodies.flags[index] & BODY_STATIC) !== 0 || !nodes.isLeaf(node)) return true;
  if (count > leafCapacity && !tree.isSmallest(node)) return true;
  const { rooms } = bodies;
  const step = index * BOX_LANES + 3;
  const aside = STEPS_ASIDE * Math.max(Math.abs(rooms[step]), Math.abs(rooms[step + 1]), Math.abs(rooms[step + 2]));
  const share = 0.5 + (index % SHARES) / (2 * SHARES);
  const edge = nodes.edge(node);
  const most = share * edge * MOST_OF_EDGE;
  const reach = tree.reach(edge);
  let isCramped = false;
  hasRoom = aside > 0;
  for (let axis = 0; axis < 3; axis++) {
    const ahead = share * STEPS_AHEAD * rooms[step + axis];
    const below = Math.min(ahead < 0 ? aside - ahead : aside, most);
    const above = Math.min(ahead > 0 ? aside + ahead : aside, most);
    const cellMin = nodes.cellMin(node, axis);
    const regionMin = axis === 0 ? region.minX : axis === 1 ? region.minY : region.minZ;
    const least = Math.max(cellMin - reach, regionMin);
    const greatest = Math.min(cellMin + edge + reach, regionMin + region.edge);
    const min = Math.max(box[axis] - below, least);
    const max = Math.min(box[axis + 3] + above, greatest);
    if (box[axis] - min < below * CRAMPED_PART || max - box[axis + 3] < above * CRAMPED_PART) isCramped = true;
    // Rounded inward, the room may vanish far from the origin.
    measured[axis] = roundUp32(min);
    measured[axis + 3] = roundDown32(max);
    if (!(measured[axis] <= box[axis] && measured[axis + 3] >= box[axis + 3])) hasRoom = false;
  }
  if (!hasRoom) for (let lane = 0; lane < BOX_LANES; lane++) measured[lane] = box[lane];
  return isCramped;
}

/** Gives the body in a slot the room measured last, and the entry that goes with it. */
export function moveIn(tree: Tree, index: number, slot: number): void {
  const { rooms } = tree.bodies;
  const at = index * BOX_LANES;
  writeEntry(tree, slot, measured);
  if (!hasRoom) rooms[at] = NO_ROOM;
  else for (let lane = 0; lane < BOX_LANES; lane++) rooms[at + lane] = measured[lane];
}

/** Measures and gives the room of a body in the node that it belongs to. */
export function settle(tree: Tree, node: number, index: number, box: Float64Array): void {
  const slot = tree.bodies.slot[index];
  measureRoom(tree, node, tree.nodes.bodyCount(node), index, box);
  moveIn(tree, index, slot);
  enlarge(tree, node, tree.slots.entries, slot * BOX_LANES);
}
