/**
 * Room to move: a box around the bounds of a body in which they may change without any work in the tree. It reaches far ahead, where the
 * body's last step leads, and a little to all other sides, but not beyond what the body's node accepts. More room means fewer
 * updates, less room fewer bodies to test by their exact bounds.
 *
 * A `RoomGauge` is set up for a node and then measures the rooms of its bodies, one after the other.
 */

import { BOX_STRIDE, boxContains, copyBox } from '../../math/box.ts';
import { above32, below32 } from '../../math/float32.ts';
import { COORDINATE_LIMIT } from '../../math/integer-cube.ts';
import { BODY_HAS_MARGIN, BODY_STATIC, CELL_STRIDE } from '../layout.ts';
import { alwaysSticksOut, holdsInPlay, playFlags, playFor, playIn } from './face-margin.ts';
import type { Tree } from '../tree.ts';

/** Steps like its last one that a body has room for, at most. */
const STEPS_AHEAD = 256;
/** The largest component of the step counts this often to every side, in case the body turns. */
const STEPS_ASIDE = 8;
/** But in cells' edges there is no more room than so much ahead, and so much to every side: */
const MOST_AHEAD = 2;
const MOST_ASIDE = 3 / 8;
/** where the last step was longer than the cell it was a jump, and does not tell where the next one leads. */
const MOST_AFTER_JUMP = 3 / 4;
/** Bodies that start together shall not all end their room together: by their index they have between half of that and all of it. */
const SHARES = 64;
/** With less than this part of the room that it wants a body would be back too soon. */
const CRAMPED_PART = 1 / 4;
/** As much play as so many steps take it wants, */
const STEPS_IN_PLAY = 64;
/** and of it this part ahead of each face, as seen in the direction of its step. */
const PLAY_AHEAD = 7 / 8;

export class RoomGauge {
  /** Whether bodies of the node may move freely: not where a move could change what their node should be. There they have play at most. */
  isOpen = false;
  /** What the node accepts: its loose cell, as far as it lies in the region. */
  private readonly limits = new Float64Array(BOX_STRIDE);
  /** The node's cell, and how far an octant of it accepts bodies beyond itself. */
  private readonly cell = new Float64Array(3);
  private edge = 1;
  private octantReach = 0;
  private readonly room = new Float32Array(BOX_STRIDE);
  /** What kind of room it is, as flags of a body: BODY_HAS_MARGIN, those of its play, or 0 for none. */
  private kind = 0;

  /** Gets ready for bodies of a node. */
  enter(tree: Tree, node: number): void {
    const { nodes, region } = tree;
    const { blockCells } = nodes;
    const { cell, limits } = this;
    const edge = nodes.edge(node);
    const reach = tree.reach(edge);
    this.edge = edge;
    this.octantReach = tree.reach(edge * 0.5);
    this.isOpen = nodes.isLeaf(node) && !tree.isOverfull(node);
    const at = (node >> 3) * CELL_STRIDE;
    cell[0] = blockCells[at] - edge + (node & 1) * edge;
    cell[1] = blockCells[at + 1] - edge + ((node >> 1) & 1) * edge;
    cell[2] = blockCells[at + 2] - edge + ((node >> 2) & 1) * edge;
    limitAxis(limits, 0, cell[0], edge, reach, region.minX, region.edge);
    limitAxis(limits, 1, cell[1], edge, reach, region.minY, region.edge);
    limitAxis(limits, 2, cell[2], edge, reach, region.minZ, region.edge);
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
   * Measures the room of a body that the node, which is open, accepts, for `give` to give.
   *
   * @param boxes Holds its exact box at lane `at`.
   * @param steps Holds its last step at lane `from`.
   * @returns Whether it is much less than the body wants.
   */
  measure(index: number, boxes: Float64Array, at: number, steps: Float32Array, from: number): boolean {
    const { limits, room } = this;
    const share = shareOf(index);
    const edge = share * this.edge;
    const most = MOST_AHEAD * edge;
    const largest = largestComponent(steps, from);
    const isJump = largest > this.edge;
    const stepsAhead = isJump ? 0 : share * STEPS_AHEAD;
    const aside = isJump ? MOST_AFTER_JUMP * edge : Math.min(STEPS_ASIDE * largest, MOST_ASIDE * edge);
    // Without a branch: what is in the way on which side no processor foresees.
    let isCramped = 0;
    let vanishes = Number(largest === 0);
    for (let axis = 0; axis < 3; axis++) {
      // Half of it is 0 on either side.
      const ahead = stepsAhead * steps[from + axis];
      const far = Math.abs(ahead);
      const below = most - orZero(most - aside - (far - ahead) * 0.5);
      const above = most - orZero(most - aside - (far + ahead) * 0.5);
      const min = boxes[at + axis];
      const max = boxes[at + axis + 3];
      const leastMin = limits[axis] + orZero(min - below - limits[axis]);
      const greatestMax = limits[axis + 3] - orZero(limits[axis + 3] - max - above);
      isCramped |= Number(min - leastMin < below * CRAMPED_PART) | Number(greatestMax - max < above * CRAMPED_PART);
      const roomMin = above32(leastMin);
      const roomMax = below32(greatestMax);
      // Rounded inward, the room may vanish far from the origin.
      vanishes |= Number(roomMin > min) | Number(roomMax < max);
      room[axis] = roomMin;
      room[axis + 3] = roomMax;
    }
    this.kind = vanishes === 0 ? BODY_HAS_MARGIN : 0;
    return isCramped !== 0;
  }

  /** The same for a node that is not open, and a body that no octant of it accepts: the room has play, and there is none if an octant might accept it after all. */
  measurePlay(box: Float64Array, steps: Float32Array, from: number): void {
    const { limits, room } = this;
    const { max } = Math;
    const longestEdge = max(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
    const step = largestComponent(steps, from);
    const flags = playFlags(longestEdge, STEPS_IN_PLAY * step);
    const play = playFor(longestEdge, flags);
    for (let axis = 0; axis < 3; axis++) {
      const above = play * (steps[from + axis] > 0 ? PLAY_AHEAD : 1 - PLAY_AHEAD);
      const below = play - above;
      room[axis] = above32(max(box[axis] - below, limits[axis]));
      room[axis + 3] = below32(Math.min(box[axis + 3] + above, limits[axis + 3]));
    }
    this.kind = step > 0 && holdsInPlay(room, 0, flags, box) && this.keepsAll(flags) ? flags : 0;
  }

  /** Whether the node keeps a body however its faces move within the play. */
  private keepsAll(flags: number): boolean {
    const { cell, octantReach, room } = this;
    const half = this.edge * 0.5;
    const play = playIn(room, 0, flags);
    return (
      alwaysSticksOut(room[0], room[3], play, cell[0], half, octantReach) ||
      alwaysSticksOut(room[1], room[4], play, cell[1], half, octantReach) ||
      alwaysSticksOut(room[2], room[5], play, cell[2], half, octantReach)
    );
  }

  /**
   * Gives the body in a slot the room measured last, and the entry that goes with it; one that fits its box if there is no room, or for a
   * static body.
   *
   * @returns Whether that leaves out some of the entry before.
   */
  give(tree: Tree, index: number, slot: number, boxes: Float64Array, at: number): boolean {
    const { kind, room } = this;
    const { bodies, slots } = tree;
    const { slotBounds } = slots;
    const entry = slot * BOX_STRIDE;
    bodies.dropMargin(index);
    if (kind === 0 || (bodies.flags[index] & BODY_STATIC) !== 0) {
      slots.writeSlotBounds(slot, boxes, at);
      return true;
    }
    const { fatBounds } = bodies;
    const to = index * BOX_STRIDE;
    // The room of a body that starts to move encloses where it was.
    const isWider = boxContains(room, 0, slotBounds, entry);
    copyBox(room, 0, fatBounds, to);
    copyBox(room, 0, slotBounds, entry);
    bodies.flags[index] |= kind;
    return !isWider;
  }
}

/** Not beyond the coordinates that are allowed either: what stays in its room is not checked. */
function limitAxis(limits: Float64Array, axis: number, cellMin: number, edge: number, reach: number, regionMin: number, regionEdge: number): void {
  limits[axis] = Math.max(cellMin - reach, regionMin, -COORDINATE_LIMIT);
  limits[axis + 3] = Math.min(cellMin + edge + reach, regionMin + regionEdge, COORDINATE_LIMIT);
}

/** A number if it is positive, otherwise 0. */
function orZero(value: number): number {
  return (value + Math.abs(value)) * 0.5;
}

function largestComponent(steps: Float32Array, from: number): number {
  return Math.max(Math.abs(steps[from]), Math.abs(steps[from + 1]), Math.abs(steps[from + 2]));
}

function shareOf(index: number): number {
  return 0.5 + (index % SHARES) * (0.5 / SHARES);
}
