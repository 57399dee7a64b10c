/**
 * The state of the octree: bodies, nodes and slots, the root's cell, and the lists of nodes that need maintenance. The
 * operations on it are functions in build, update and traverse.
 */

import type { Boxes } from '../math/box.ts';
import { cellAccepts, edgeExponentOf, type IntegerCube } from '../math/integer-cube.ts';
import type { Accelerator } from './accelerator.ts';
import { BodyArrays } from './storage/body-arrays.ts';
import {
  BODY_HAS_TIGHT_SLOT,
  CELL_EDGE,
  CELL_STRIDE,
  NODE_EXPIRY_LISTED,
  NODE_MERGE_LISTED,
  NODE_REFIT_LISTED,
  NODE_USED,
  ROOT,
} from './layout.ts';
import { IndexList } from './storage/index-list.ts';
import { NodePool } from './storage/node-pool.ts';
import { SlotPages } from './storage/slot-pages.ts';

export interface TreeOptions {
  readonly minCellSize: number;
  /** Whether `minCellSize` is only the value at the start, which small bodies lower. Default false. */
  readonly adaptsCells?: boolean;
  readonly looseness: number;
  readonly leafCapacity: number;
  /** Whether an empty leaf stays until its lifespan ends; otherwise the next update cuts it off. */
  readonly lifespan: boolean;
  /** Default LOOK_AHEAD. */
  readonly lookAhead?: number;
}

/**
 * Default of `Tree.lookAhead`. Measured with 48, 96 and 192 steps: of 15,297 satellites that all move, 350, 165 and 90
 * change their node per update, and moves with update take 1, 0.6 and 0.45 of the time; but a cull takes 1, 1.4 and 2
 * times as long, a ray 1, 2 and more, all pairs 1, 2.9 and 10, contacts with 96 steps four times. Test: golden.test.
 */
export const LOOK_AHEAD = 48;

/** Counts of events since the tree was created. They only grow. */
export interface TreeCounters {
  /** Nodes taken into use. */
  nodesCreated: number;
  /** Empty leaves that were used again before they expired. */
  nodesReused: number;
  /** Empty leaves cut off at the end of their lifespan. */
  nodesExpired: number;
  /** Children merged into their parent because they held too few bodies. */
  nodesMerged: number;
  /** Moves of a body to another node. */
  bodiesRelocated: number;
}

export class Tree {
  /** Edge of the smallest cell that bodies need, a power of two; see `adaptCells`. */
  minCellSize: number;
  /** Edge of the smallest cell: `minCellSize`, or more where coordinates are so large that cells would not be exact. */
  smallestEdge: number;
  readonly adaptsCells: boolean;
  readonly looseness: number;
  readonly leafCapacity: number;
  readonly hasLifespans: boolean;
  /** Runs walks where it can; null if there is none. */
  readonly accelerator: Accelerator | null;
  /** Steps ahead, at most, for which a moving body is placed. */
  readonly lookAhead: number;

  readonly bodies = new BodyArrays();
  readonly nodes = new NodePool();
  readonly slots = new SlotPages();
  readonly counters: TreeCounters = {
    nodesCreated: 0,
    nodesReused: 0,
    nodesExpired: 0,
    nodesMerged: 0,
    bodiesRelocated: 0,
  };

  /** The cell of the root, which contains every body in the tree: looseness does not apply to it. */
  region: IntegerCube = { minX: 0, minY: 0, minZ: 0, edge: 1 };
  /** Number of bodies in nodes. */
  placedCount = 0;
  /**
   * Number of bodies with an empty category mask. While it is 0, a query for all categories does not read the masks.
   */
  uncategorizedCount = 0;

  /** Nodes whose fitted box or categories may be larger than necessary, the oldest first. */
  readonly refits: number[] = [];
  /** Leaves that have become empty, and expire after their lifespan. */
  emptyLeaves: number[] = [];
  /** Nodes whose children may hold few enough bodies to be merged. */
  readonly underfull: number[] = [];
  /** Leaves that are past the leaf capacity and may have to split. */
  readonly overfull: number[] = [];
  /** Bodies that have got a margin; some may have lost it since. Each is listed once, see `BodyArrays.checkedSums`. */
  readonly margins = new IndexList();
  /** Number of bodies at the start of `margins` that the current round of `dropRestedMargins` has not checked yet. */
  marginsLeft = 0;
  /** Number of bodies that each update of the round checks. */
  marginShare = 0;

  /** Scratch: no value survives a call. */
  readonly box = new Float64Array(6);

  constructor(options: TreeOptions, accelerator: Accelerator | null = null) {
    this.minCellSize = options.minCellSize;
    this.smallestEdge = options.minCellSize;
    this.adaptsCells = options.adaptsCells === true;
    this.looseness = options.looseness;
    this.leafCapacity = options.leafCapacity;
    this.hasLifespans = options.lifespan;
    this.accelerator = accelerator;
    this.lookAhead = options.lookAhead ?? LOOK_AHEAD;
  }

  /** The corners of all cells are multiples of it: 1, or the edge of the smallest cell where that is smaller. */
  get step(): number {
    return Math.min(1, this.smallestEdge);
  }

  get hasRoot(): boolean {
    return this.nodes.count > 0;
  }

  /** The box around all bodies: the root's fitted box, at offset 0. */
  get sceneBounds(): Boxes {
    return this.nodes.fitted;
  }

  /** Number of steps from the root down to the deepest node in use. The root has depth 0. */
  get depth(): number {
    if (!this.hasRoot) return 0;
    const { perExponent } = this.nodes;
    let lowest = 0;
    while (perExponent[lowest] === 0) lowest++;
    return this.nodes.edgeExponent(ROOT) - lowest;
  }

  get bytes(): number {
    return this.bodies.bytes + this.nodes.bytes + this.slots.bytes + (this.accelerator?.overheadBytes ?? 0);
  }

  /** Resizes the arrays to `blocks` blocks of nodes and `slots` slots. */
  resizeArrays(blocks: number, slots: number): void {
    if (this.accelerator !== null) {
      this.accelerator.resizeArrays(this, blocks, slots);
      return;
    }
    this.nodes.resize(blocks);
    this.slots.resize(slots);
  }

  /** Opens the root as an empty leaf with this cell. */
  openRoot(cube: IntegerCube): void {
    this.setRootCell(cube);
    this.openNode(ROOT);
  }

  setRootCell(cube: IntegerCube): void {
    const { minX, minY, minZ, edge } = cube;
    this.region = cube;
    this.nodes.setCells(0, minX + edge, minY + edge, minZ + edge, edge, edgeExponentOf(edge));
  }

  /** Takes all bodies and nodes out of the tree; `cube` is the cell of a new root, if there is to be one. */
  clear(cube: IntegerCube | null): void {
    for (const list of [this.refits, this.emptyLeaves, this.underfull, this.overfull, this.margins]) list.length = 0;
    this.marginsLeft = 0;
    this.bodies.checkedSums.fill(0);
    this.nodes.clear();
    this.slots.clear();
    this.placedCount = 0;
    if (cube !== null) this.openRoot(cube);
  }

  openNode(node: number): void {
    this.nodes.open(node);
    this.counters.nodesCreated++;
  }

  /** Allocates a block for the children of a leaf and links it; none of them is in use yet. Returns the first child. */
  openBlock(node: number): number {
    const first = this.nodes.allocateBlock(node);
    this.nodes.linkBlock(node, first);
    return first;
  }

  isSmallest(node: number): boolean {
    return this.nodes.edge(node) <= this.smallestEdge;
  }

  /** A leaf past the leaf capacity whose cell is not of the smallest size: an added or moved body may make it split. */
  isOverfull(node: number): boolean {
    return this.nodes.isLeaf(node) && this.nodes.bodyCount(node) > this.leafCapacity && !this.isSmallest(node);
  }

  /**
   * A leaf that stays a leaf wherever its bodies move: it is within its capacity, or its cell is of the smallest size.
   */
  isStableLeaf(node: number): boolean {
    return this.nodes.isLeaf(node) && !this.isOverfull(node);
  }

  /** Whether a node's cell, scaled by the looseness about its centre, contains a box. */
  accepts(node: number, box: Float64Array): boolean {
    const { blockCells } = this.nodes;
    const at = (node >> 3) * CELL_STRIDE;
    const edge = blockCells[at + CELL_EDGE];
    // Arithmetic instead of branches: the octant of a node is unpredictable.
    const minX = blockCells[at] - edge * (~node & 1);
    const minY = blockCells[at + 1] - edge * ((~node >> 1) & 1);
    const minZ = blockCells[at + 2] - edge * ((~node >> 2) & 1);
    return cellAccepts(minX, minY, minZ, edge, this.extension(edge), box, 0);
  }

  /** How far a cell with this edge accepts bodies beyond itself, on every side. World units. */
  extension(edge: number): number {
    return (this.looseness - 1) * edge * 0.5;
  }

  /** Sets the slot bounds of a body to its exact box at offset `from`, rounded outward. */
  writeTightSlot(index: number, slot: number, boxes: Float64Array, from: number): void {
    this.slots.writeSlotBounds(slot, boxes, from);
    this.bodies.flags[index] |= BODY_HAS_TIGHT_SLOT;
  }

  /** Queues a node for a refit. */
  listRefit(node: number): void {
    if (this.list(node, NODE_REFIT_LISTED)) this.refits.push(node);
  }

  /** Lists an empty leaf for expiry. The root never expires. */
  listEmptyLeaf(node: number): void {
    if (node !== ROOT && this.list(node, NODE_EXPIRY_LISTED)) this.emptyLeaves.push(node);
  }

  /** Lists a node whose children may have to be merged into it. */
  listMerge(node: number): void {
    if (this.list(node, NODE_MERGE_LISTED)) this.underfull.push(node);
  }

  /** Clears the flag of a node that was taken from a list. Returns whether the node is still in use. */
  unlist(node: number, flag: number): boolean {
    const { flags } = this.nodes;
    flags[node] &= ~flag;
    return (flags[node] & NODE_USED) !== 0;
  }

  /** Sets the flag of a list. Returns whether the node was not in the list. */
  private list(node: number, flag: number): boolean {
    const { flags } = this.nodes;
    if ((flags[node] & flag) !== 0) return false;
    flags[node] |= flag;
    return true;
  }
}
