/**
 * Room to move: a box around the bounds of a body in which they may change without any work in the tree. It reaches far ahead, where the
 * body's last step leads, and a little to all other sides, but not beyond what the body's node accepts. More room means fewer
 * updates, less room fewer bodies to test by their exact bounds.
 *
 * A `RoomGauge` is set up for a node and then measures the rooms of its bodies, one after the other.
 */

import { BOX_LANES, boxEncloses } from '../math/box.ts';
import { above32, below32 } from '../math/float32.ts';
import { BODY_HAS_ROOM, CELL_LANES } from './layout.ts';
import { writeEntry } from './refit.ts';
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

export class RoomGauge {
  /** Whether bodies of the node have room at all: not where a move could change what their node should be. */
  isOpen = false;
  /** What the node accepts: its loose cell, as far as it lies in the region. */
  private readonly limits = new Float64Array(BOX_LANES);
  /** Of the node's cell. */
  private edge = 1;
  private readonly room = new Float32Array(BOX_LANES);
  private hasRoom = false;

  /** Gets ready for bodies of a node. */
  enter(tree: Tree, node: number): void {
    const { nodes, region } = tree;
    const { blockCells } = nodes;
    const { limits } = this;
    const edge = nodes.edge(node);
    const reach = tree.reach(edge);
    this.edge = edge;
    this.isOpen = nodes.isLeaf(node) && !tree.isOverfull(node);
    const at = (node >> 3) * CELL_LANES;
    limitAxis(limits, 0, blockCells[at] - edge + (node & 1) * edge, edge, reach, region.minX, region.edge);
    limitAxis(limits, 1, blockCells[at + 1] - edge + ((node >> 1) & 1) * edge, edge, reach, region.minY, region.edge);
    limitAxis(limits, 2, blockCells[at + 2] - edge + ((node >> 2) & 1) * edge, edge, reach, region.minZ, region.edge);
  }

  /** Whether the node accepts a box, and the region encloses it. */
  accepts(boxes: Float64Array, at: number): boolean {
    const { limits } = this;
    return (
      boxes[at] >= limits[0] &&
      boxes[at + 1] >= limits[1] &&
      boxes[at + 2] >= limits[2] &&
      boxes[at + 3] <= limits[3] &&
      boxes[at + 4] <= limits[4] &&
      boxes[at + 5] <= limits[5]
    );
  }

  /**
   * Measures the room of a body that the node accepts, for `give` to give.
   *
   * @param boxes Holds its exact box at lane `at`.
   * @param steps Holds its last step at lane `from`.
   * @returns Whether it is much less than the body wants.
   */
  measure(index: number, boxes: Float64Array, at: number, steps: Float32Array, from: number): boolean {
    const { limits, room } = this;
    const share = 0.5 + (index % SHARES) / (2 * SHARES);
    const most = share * this.edge * MOST_OF_EDGE;
    const aside = STEPS_ASIDE * Math.max(Math.abs(steps[from]), Math.abs(steps[from + 1]), Math.abs(steps[from + 2]));
    let isCramped = false;
    let hasRoom = aside > 0;
    for (let axis = 0; axis < 3; axis++) {
      // Half of it is 0 on either side.
      const ahead = share * STEPS_AHEAD * steps[from + axis];
      const far = Math.abs(ahead);
      const below = Math.min(aside + (far - ahead) / 2, most);
      const above = Math.min(aside + (far + ahead) / 2, most);
      const min = boxes[at + axis];
      const max = boxes[at + axis + 3];
      const leastMin = Math.max(min - below, limits[axis]);
      const greatestMax = Math.min(max + above, limits[axis + 3]);
      if (min - leastMin < below * CRAMPED_PART || greatestMax - max < above * CRAMPED_PART) isCramped = true;
      const roomMin = above32(leastMin);
      const roomMax = below32(greatestMax);
      // Rounded inward, the room may vanish far from the origin.
      if (roomMin > min || roomMax < max) hasRoom = false;
      room[axis] = roomMin;
      room[axis + 3] = roomMax;
    }
    this.hasRoom = hasRoom;
    return isCramped;
  }

  /**
   * Gives the body in a slot the room measured last, and the entry that goes with it.
   *
   * @returns Whether that leaves out some of the entry before, so that the node's fitted box may be larger than need be.
   */
  give(tree: Tree, index: number, slot: number, boxes: Float64Array, at: number): boolean {
    const { room } = this;
    const { bodies, slots } = tree;
    if (!this.hasRoom) {
      this.giveNone(tree, index, slot, boxes, at);
      return true;
    }
    const { rooms } = bodies;
    const { entries } = slots;
    const to = index * BOX_LANES;
    const entry = slot * BOX_LANES;
    // The room of a body that starts to move encloses where it was.
    const isWider = boxEncloses(room, 0, entries, entry);
    for (let lane = 0; lane < BOX_LANES; lane++) {
      rooms[to + lane] = room[lane];
      entries[entry + lane] = room[lane];
    }
    bodies.flags[index] |= BODY_HAS_ROOM;
    return !isWider;
  }

  /** Gives the body in a slot an entry that fits its box. */
  giveNone(tree: Tree, index: number, slot: number, boxes: Float64Array, at: number): void {
    writeEntry(tree, slot, boxes, at);
    tree.bodies.closeRoom(index);
  }
}

function limitAxis(limits: Float64Array, axis: number, cellMin: number, edge: number, reach: number, regionMin: number, regionEdge: number): void {
  limits[axis] = Math.max(cellMin - reach, regionMin);
  limits[axis + 3] = Math.min(cellMin + edge + reach, regionMin + regionEdge);
}
