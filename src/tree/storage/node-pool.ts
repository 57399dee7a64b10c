/**
 * The nodes, in flat arrays by node number. Nodes are allocated in blocks of eight siblings. Freed blocks go to a free
 * list and are used again, so that a scene in motion allocates nothing.
 *
 * Invariant: the box of a node that is not in use is empty, so that kernels can test all eight siblings of a block.
 */

import { BOX_STRIDE, diagonalSq } from '../../math/box.ts';
import { EDGE_EXPONENTS } from '../../math/integer-cube.ts';
import { FLOAT32_MAX, FLOAT32_MIN_POSITIVE } from '../../math/float32.ts';
import { ROUNDING_RAISED32 } from '../../math/tolerances.ts';
import { bytesTogether, grownCapacity, resizeTogether } from '../../math/typed-arrays.ts';
import {
  BLOCK,
  CELL_EDGE,
  CELL_STRIDE,
  COUNT,
  FIRST_CHILD,
  LIFESPAN,
  LINK_STRIDE,
  NODE_HAS_MOVABLE,
  NODE_LOST_BODY,
  NODE_USED,
  NO_COUNTDOWN,
  NO_RUN,
  PAGE,
} from '../layout.ts';

const INITIAL_BLOCKS = 8;
/** After a build one block in 2^4 is spare, for nodes that are opened later. */
const SPARE_SHIFT = 4;
const NO_DIAGONALS = /* @__PURE__ */ new Float32Array(0);
/** The arrays by block, and their numbers per block. */
const BLOCK_STRIDES = { blockParent: 1, blockExponent: 1, blockCells: CELL_STRIDE };
/** All arrays, and their numbers per block. */
const STRIDES = {
  ...BLOCK_STRIDES,
  links: BLOCK * LINK_STRIDE,
  fitted: BLOCK * BOX_STRIDE,
  categoryMask: BLOCK,
  maxDiagonalSq: BLOCK,
  childMask: BLOCK,
  flags: BLOCK,
  runStart: BLOCK,
  runEnd: BLOCK,
  lifespan: BLOCK,
  countdown: BLOCK,
};

/** The squared diagonal of a box, rounded up to Float32. */
export function raisedDiagonalSq(boxes: Float32Array, at: number): number {
  // The smallest positive Float32 is more than the rounding error after underflow.
  return Math.fround(diagonalSq(boxes, at) * ROUNDING_RAISED32 + FLOAT32_MIN_POSITIVE);
}

/** The arrays that walks read. */
export type NodeArrays = Pick<NodePool, 'links' | 'fitted' | 'categoryMask' | 'childMask' | 'runStart' | 'runEnd'>;

export class NodePool {
  links = new Int32Array(INITIAL_BLOCKS * BLOCK * LINK_STRIDE);
  /**
   * Fitted boxes, six numbers per node, Float32 rounded outward: the box around everything in and below a node. Empty:
   * max below min.
   */
  fitted = new Float32Array(INITIAL_BLOCKS * BLOCK * BOX_STRIDE);
  /**
   * Categories of all bodies in and below a node, combined by OR. When a body leaves, its bits stay until the next
   * refit. While all bodies of the tree have the same categories, that refit leaves them out: the bits stay until the
   * node is closed, or until a refit after one of its children was cut off.
   */
  categoryMask = new Int32Array(INITIAL_BLOCKS * BLOCK);
  /**
   * Squared diagonal of the largest slot bounds in and below a node, world units squared, rounded up; 0 if there is
   * none. See `trackMaxDiagonals`. Empty while no query needs it.
   */
  maxDiagonalSq: Float32Array<ArrayBuffer> = NO_DIAGONALS;
  /** Bit k = child k is in use. */
  childMask = new Uint8Array(INITIAL_BLOCKS * BLOCK);
  flags = new Uint8Array(INITIAL_BLOCKS * BLOCK);
  /**
   * The slots of a node and everything below it, if a bulk build laid them out contiguously: [runStart, runEnd), free
   * slots included. Otherwise runEnd is NO_RUN. If a node has a run, each of its children has one.
   */
  runStart = new Int32Array(INITIAL_BLOCKS * BLOCK);
  runEnd = new Int32Array(INITIAL_BLOCKS * BLOCK);
  /** Number of updates before the node is cut off once it is empty. */
  lifespan = new Uint8Array(INITIAL_BLOCKS * BLOCK);
  /** Updates left of the lifespan, or NO_COUNTDOWN. */
  countdown = new Int8Array(INITIAL_BLOCKS * BLOCK);

  /** Parent of the nodes of a block. */
  blockParent = new Int32Array(INITIAL_BLOCKS);
  /** Edge exponent of the block's cells, see `edgeExponentOf`. */
  blockExponent = new Uint8Array(INITIAL_BLOCKS);
  /** Cells of a block: see CELL_STRIDE. */
  blockCells = new Float64Array(INITIAL_BLOCKS * CELL_STRIDE);

  /** Blocks handed out so far, free ones included. Block 0 holds the root only. */
  blocks = 1;
  /** Nodes in use, the root included. */
  count = 0;
  /** Nodes in use, by edge exponent. */
  readonly perExponent = new Int32Array(EDGE_EXPONENTS);

  readonly freeBlocks: number[] = [];

  get bytes(): number {
    return bytesTogether(this, STRIDES);
  }

  /** Whether `maxDiagonalSq` is up to date. */
  get hasMaxDiagonals(): boolean {
    return this.maxDiagonalSq.length > 0;
  }

  /** Drops `maxDiagonalSq`, until a query needs it again. */
  dropMaxDiagonals(): void {
    this.maxDiagonalSq = NO_DIAGONALS;
  }

  /**
   * Allocates a block for the children of `parent` and sets its cells, without linking it. Returns the first child. The
   * node arrays may be too short for it until `linkBlock`.
   */
  allocateBlock(parent: number): number {
    const block = this.freeBlocks.pop() ?? this.blocks++;
    if (this.blocks > this.capacity)
      resizeTogether(this, BLOCK_STRIDES, grownCapacity(this.blocks, this.capacity, 1.5));
    this.blockParent[block] = parent;
    const half = this.edge(parent) / 2;
    const x = this.cellMin(parent, 0) + half;
    const y = this.cellMin(parent, 1) + half;
    const z = this.cellMin(parent, 2) + half;
    this.setCells(block, x, y, z, half, this.edgeExponent(parent) - 1);
    return block * BLOCK;
  }

  /** Makes the nodes of an allocated block the children of `parent`. None of them is in use yet. */
  linkBlock(parent: number, first: number): void {
    if (first >= this.flags.length) this.resize(this.capacity);
    for (let node = first; node < first + BLOCK; node++) this.fitEmpty(node);
    this.links[parent * LINK_STRIDE + FIRST_CHILD] = first;
    this.childMask[parent] = 0;
  }

  /** Sets the cells of a block: the point where they meet, their edge, and its edge exponent. */
  setCells(block: number, middleX: number, middleY: number, middleZ: number, edge: number, edgeExponent: number): void {
    const { blockCells } = this;
    const at = block * CELL_STRIDE;
    blockCells[at] = middleX;
    blockCells[at + 1] = middleY;
    blockCells[at + 2] = middleZ;
    blockCells[at + CELL_EDGE] = edge;
    this.blockExponent[block] = edgeExponent;
  }

  /** Returns the block of a node's children to the free list. None of them may be in use. */
  freeBlock(parent: number): void {
    const first = this.firstChild(parent);
    this.links[parent * LINK_STRIDE + FIRST_CHILD] = 0;
    this.freeBlocks.push(first / BLOCK);
  }

  /** Begins the use of a node, as an empty leaf. */
  open(node: number): void {
    const { links } = this;
    links.fill(0, node * LINK_STRIDE, (node + 1) * LINK_STRIDE);
    this.fitEmpty(node);
    this.categoryMask[node] = 0;
    this.childMask[node] = 0;
    // The "listed" flags stay: the lists may still hold the node from an earlier use.
    this.flags[node] = (this.flags[node] | NODE_USED) & ~(NODE_HAS_MOVABLE | NODE_LOST_BODY);
    this.runEnd[node] = NO_RUN;
    this.lifespan[node] = LIFESPAN;
    this.countdown[node] = NO_COUNTDOWN;
    if (node >= BLOCK) this.childMask[this.parent(node)] |= 1 << (node % BLOCK);
    this.perExponent[this.edgeExponent(node)]++;
    this.count++;
  }

  /** Ends the use of a node that has no bodies and no children. */
  close(node: number): void {
    this.flags[node] &= ~NODE_USED;
    this.countdown[node] = NO_COUNTDOWN;
    this.categoryMask[node] = 0;
    this.fitEmpty(node);
    this.childMask[this.parent(node)] &= ~(1 << (node % BLOCK));
    this.perExponent[this.edgeExponent(node)]--;
    this.count--;
  }

  /** Makes the fitted box of a node empty, and its largest diagonal 0. */
  fitEmpty(node: number): void {
    const { fitted } = this;
    if (this.hasMaxDiagonals) this.maxDiagonalSq[node] = 0;
    const at = node * BOX_STRIDE;
    for (let axis = 0; axis < 3; axis++) {
      fitted[at + axis] = FLOAT32_MAX;
      fitted[at + axis + 3] = -FLOAT32_MAX;
    }
  }

  /** Frees all nodes. No slot may be in use. */
  clear(): void {
    // A node that is not in use has no children: descents rely on it.
    this.links.fill(0);
    this.flags.fill(0);
    this.categoryMask.fill(0);
    this.perExponent.fill(0);
    this.freeBlocks.length = 0;
    this.blocks = 1;
    this.count = 0;
  }

  firstChild(node: number): number {
    return this.links[node * LINK_STRIDE + FIRST_CHILD];
  }

  isLeaf(node: number): boolean {
    return this.links[node * LINK_STRIDE + FIRST_CHILD] === 0;
  }

  bodyCount(node: number): number {
    return this.links[node * LINK_STRIDE + COUNT];
  }

  page(node: number): number {
    return this.links[node * LINK_STRIDE + PAGE];
  }

  /**
   * The first node from `node` downwards that has bodies, or not exactly one child. A body far from all others makes a
   * chain of up to fifty nodes above them; a walk passes it here, without testing their boxes.
   */
  belowChain(node: number): number {
    const { links, childMask } = this;
    for (;;) {
      const at = node * LINK_STRIDE;
      const mask = childMask[node];
      // One test that is nearly always true. A test of the count alone would be an unpredictable branch.
      if ((links[at + COUNT] | (mask & (mask - 1))) !== 0 || mask === 0) return node;
      node = links[at + FIRST_CHILD] + 31 - Math.clz32(mask);
    }
  }

  /** Parent of a node. The root is its own parent. */
  parent(node: number): number {
    return this.blockParent[node >> 3];
  }

  edgeExponent(node: number): number {
    return this.blockExponent[node >> 3];
  }

  edge(node: number): number {
    return this.blockCells[(node >> 3) * CELL_STRIDE + CELL_EDGE];
  }

  /** Lower corner of a node's cell along an axis (0 x, 1 y, 2 z). */
  cellMin(node: number, axis: number): number {
    const at = (node >> 3) * CELL_STRIDE;
    const middle = this.blockCells[at + axis];
    return ((node >> axis) & 1) === 1 ? middle : middle - this.blockCells[at + CELL_EDGE];
  }

  /** Number of blocks that the arrays can hold. */
  get capacity(): number {
    return this.blockParent.length;
  }

  /** Capacity, in blocks, that the arrays should have after a build. */
  get trimmedCapacity(): number {
    return Math.min(this.capacity, this.blocks + (this.blocks >> SPARE_SHIFT) + 1);
  }

  /**
   * Replaces all arrays by copies with a capacity of `blocks` blocks, at least as many as are in use.
   *
   * @param arrays New arrays of zeros for that capacity, to which those that walks read are copied.
   */
  resize(blocks: number, arrays?: NodeArrays): void {
    resizeTogether(this, STRIDES, blocks, arrays);
  }
}
