/**
 * The octree's state: bodies, nodes and slots, the root's cube, and the lists of nodes that wait for maintenance.
 * The files beside this one are its verbs: build, place, refit, expire, walk.
 */

import { cellAccepts, levelOf, type IntegerCube } from '../math/integer-cube.ts';
import { BodyArrays } from './storage/body-arrays.ts';
import { CELL_STRIDE, NODE_MERGE_LISTED, NODE_REFIT_LISTED, NODE_USED, NODE_WATCH_LISTED, ROOT } from './layout.ts';
import { NodePool } from './storage/node-pool.ts';
import { NodeQueue } from './storage/node-queue.ts';
import type { WasmTraversal } from './simd/wasm-traversal.ts';
import { SlotPages } from './storage/slot-pages.ts';

export interface TreeOptions {
  readonly minCellSize: number;
  readonly looseness: number;
  readonly leafCapacity: number;
  /** Whether empty leaves wait for their lifespan to end. */
  readonly lifespan: boolean;
  /** Bodies from which on walks are done in WebAssembly. */
  readonly simdFrom: number;
}

/** What happened to nodes and bodies; counts only grow. */
export interface TreeCounters {
  /** Nodes taken into use. */
  nodesCreated: number;
  /** Empty leaves that were used again before they expired. */
  nodesReused: number;
  /** Empty leaves cut off at the end of their lifespan. */
  nodesExpired: number;
  /** Children merged into their parent because they held too few bodies. */
  nodesMerged: number;
  /** Moves that took a body to another node. */
  bodiesRelocated: number;
}

export class Tree {
  readonly minCellSize: number;
  readonly looseness: number;
  readonly leafCapacity: number;
  readonly hasLifespans: boolean;
  /** Bodies from which on walks are done in WebAssembly. */
  readonly simdFrom: number;

  readonly bodies = new BodyArrays();
  readonly nodes = new NodePool();
  readonly slots = new SlotPages();
  readonly counters: TreeCounters = { nodesCreated: 0, nodesReused: 0, nodesExpired: 0, nodesMerged: 0, bodiesRelocated: 0 };

  /** Cell of the root. */
  region: IntegerCube = { minX: 0, minY: 0, minZ: 0, edge: 1 };
  /** Bodies placed in nodes. */
  placed = 0;
  /** Bodies with an empty category mask: as long as there are none, a query for all categories need not look at masks. */
  maskless = 0;

  /** Nodes whose fitted box or categories may be larger than need be. */
  readonly refits = new NodeQueue();
  /** Leaves that were left empty. */
  watched: number[] = [];
  /** Nodes whose children may have become too few. */
  readonly mergeable: number[] = [];
  /** Leaves that have grown past the leaf capacity and were not yet looked at. */
  readonly overfull: number[] = [];

  /** Walks the tree in WebAssembly, in the memory where its arrays lie; null where they lie elsewhere. Right after each flush. */
  wasm: WasmTraversal | null = null;

  /** The box of the body at hand, float64. */
  readonly box = new Float64Array(6);

  constructor(options: TreeOptions) {
    this.minCellSize = options.minCellSize;
    this.looseness = options.looseness;
    this.leafCapacity = options.leafCapacity;
    this.hasLifespans = options.lifespan;
    this.simdFrom = options.simdFrom;
  }

  get hasRoot(): boolean {
    return this.nodes.count > 0;
  }

  /** Levels between the root and the deepest node in use. */
  get depth(): number {
    if (!this.hasRoot) return 0;
    const { perLevel } = this.nodes;
    let lowest = 0;
    while (perLevel[lowest] === 0) lowest++;
    return this.nodes.level(ROOT) - lowest;
  }

  get bytes(): number {
    return this.bodies.bytes + this.nodes.bytes + this.slots.bytes + (this.wasm?.overheadBytes ?? 0);
  }

  openRoot(cube: IntegerCube): void {
    this.setRootCell(cube);
    this.openNode(ROOT);
  }

  setRootCell(cube: IntegerCube): void {
    const { minX, minY, minZ, edge } = cube;
    this.region = cube;
    this.nodes.setCells(0, minX + edge, minY + edge, minZ + edge, edge, levelOf(edge));
  }

  openNode(node: number): void {
    this.nodes.open(node);
    this.counters.nodesCreated++;
  }

  /** Gives a leaf a block of children, none of them in use. Returns the first. */
  openBlock(node: number): number {
    const first = this.planBlock(node);
    this.nodes.openBlock(node, first);
    return first;
  }

  /** Chooses a block for the children of a leaf. Returns the first. */
  planBlock(node: number): number {
    const { nodes } = this;
    const half = nodes.edge(node) / 2;
    return nodes.planBlock(
      node,
      nodes.cellMin(node, 0) + half,
      nodes.cellMin(node, 1) + half,
      nodes.cellMin(node, 2) + half,
      half,
      nodes.level(node) - 1,
    );
  }

  isSmallest(node: number): boolean {
    return this.nodes.edge(node) <= this.minCellSize;
  }

  /** Past the leaf capacity with room for smaller cells: then a body that comes or moves may call for a split. */
  isOverfull(node: number): boolean {
    return this.nodes.isLeaf(node) && this.nodes.bodyCount(node) > this.leafCapacity && !this.isSmallest(node);
  }

  /** A leaf that stays a leaf wherever its bodies move: it is within its capacity, or its cell is of the smallest size. */
  isStableLeaf(node: number): boolean {
    return this.nodes.isLeaf(node) && !this.isOverfull(node);
  }

  /** Whether a node's cell, scaled by the looseness about its centre, encloses a box. */
  accepts(node: number, boxes: Float64Array, from = 0): boolean {
    const { blockCells } = this.nodes;
    const at = (node >> 3) * CELL_STRIDE;
    const edge = blockCells[at + 3];
    // By arithmetic: on which side of its parent a node lies no processor foresees.
    const minX = blockCells[at] - edge * (~node & 1);
    const minY = blockCells[at + 1] - edge * ((~node >> 1) & 1);
    const minZ = blockCells[at + 2] - edge * ((~node >> 2) & 1);
    return cellAccepts(minX, minY, minZ, edge, this.reach(edge), boxes, from);
  }

  /** How far a cell of an edge accepts bodies beyond itself, on every side. */
  reach(edge: number): number {
    return (this.looseness - 1) * edge * 0.5;
  }

  listRefit(node: number): void {
    if (this.list(node, NODE_REFIT_LISTED)) this.refits.push(node);
  }

  listWatch(node: number): void {
    if (node !== ROOT && this.list(node, NODE_WATCH_LISTED)) this.watched.push(node);
  }

  listMerge(node: number): void {
    if (this.list(node, NODE_MERGE_LISTED)) this.mergeable.push(node);
  }

  /** Takes a node off the list that `flag` stands for; false if the node went out of use meanwhile. */
  unlist(node: number, flag: number): boolean {
    const { flags } = this.nodes;
    flags[node] &= ~flag;
    return (flags[node] & NODE_USED) !== 0;
  }

  private list(node: number, flag: number): boolean {
    const { flags } = this.nodes;
    if ((flags[node] & flag) !== 0) return false;
    flags[node] |= flag;
    return true;
  }
}
