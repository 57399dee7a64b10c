/**
 * The bodies and the queue in front of the tree. Inserts, moves and removals are noted here; `flush` applies them together, in one
 * bulk build the first time. While a query runs nothing reaches the bounds that it tests: moves wait aside until it has ended.
 */

import { BOX_STRIDE } from '../math/box.ts';
import { cubeContains, smallestCubeAround, type IntegerCube } from '../math/integer-cube.ts';
import { NO_SLOT } from '../tree/storage/body-arrays.ts';
import { buildFrom } from '../tree/build/build.ts';
import { findEscaped, listEscaped, writeBounds } from '../tree/update/move.ts';
import { expireEmptyLeaves, mergeListed } from '../tree/update/expire.ts';
import { encloseInRoot } from '../tree/update/grow.ts';
import { IndexList } from '../tree/storage/index-list.ts';
import type { WorkspacePool } from '../query/workspace.ts';
import { BODY_DEAD, BODY_SPHERE, BODY_STATIC } from '../tree/layout.ts';
import { placeMany, removeMany } from '../tree/update/batches.ts';
import { refitSome } from '../tree/update/refit.ts';
import { relocateMany } from '../tree/update/relocate.ts';
import { moveArrays } from '../tree/array-memory.ts';
import { Tree } from '../tree/tree.ts';
import { Body } from './body.ts';
import type { BulkInsert } from './bulk.ts';
import type { BodyOptions, ResolvedOptions } from './options.ts';

/** A pending body notes its place in the queue where its slot will be: -2 - place. */
const QUEUE_BASE = -2;

interface WaitingMove {
  readonly lanes: Float64Array;
  readonly isSphere: boolean;
}

export class BodyStore<T> {
  readonly tree: Tree;
  /** Changes with every flush that changes the tree. */
  version = 0;
  /** Living bodies, pending ones included. */
  size = 0;
  /** Bodies removed, and of these the ones removed for leaving the region; counts only grow. */
  bodiesRemoved = 0;
  bodiesOutside = 0;

  private readonly options: ResolvedOptions;
  private readonly handles: (Body<T> | undefined)[] = [];
  private readonly data: (T | undefined)[] = [];
  private readonly inserted = new IndexList();
  private readonly moved = new IndexList();
  private readonly removed = new IndexList();
  private readonly waitingMoves = new Map<number, WaitingMove>();
  private readonly box = new Float64Array(BOX_STRIDE);
  /** The batch of a single move. */
  private readonly one = new Uint32Array(1);
  /** Tells whether a query is running. */
  private readonly pool: WorkspacePool;

  constructor(options: ResolvedOptions, pool: WorkspacePool) {
    this.options = options;
    this.pool = pool;
    this.tree = new Tree(options);
    if (options.region !== null) {
      const { min, edge } = options.region;
      this.tree.setRootCell({ minX: min.x, minY: min.y, minZ: min.z, edge });
    }
  }

  /** The root's cell, or null as long as neither an option nor a first batch has set it. */
  get region(): IntegerCube | null {
    return this.options.region !== null || this.tree.hasRoot ? this.tree.region : null;
  }

  /** Operations that wait for the next flush. */
  get pending(): number {
    return this.inserted.length + this.moved.length + this.removed.length + this.waitingMoves.size;
  }

  isAlive(index: number): boolean {
    const { bodies } = this.tree;
    return Number.isInteger(index) && index >= 0 && index < bodies.count && (bodies.flags[index] & BODY_DEAD) === 0;
  }

  /** The handle of a body, made the first time somebody asks for it. */
  bodyAt(index: number): Body<T> {
    const known = this.handles[index];
    if (known !== undefined) return known;
    const { categoryMask, flags } = this.tree.bodies;
    const isStatic = (flags[index] & BODY_STATIC) !== 0;
    const body = new Body<T>(this, index, this.data[index] as T, categoryMask[index] >>> 0, isStatic);
    this.handles[index] = body;
    // A body that was removed in a callback is still reported until the query ends, but its handle is dead from the start.
    if (!this.isAlive(index)) body.markRemoved();
    return body;
  }

  dataAt(index: number): T | undefined {
    return this.data[index];
  }

  /** Adds a body with its handle; the bounds are checked already. */
  insert(where: string, lanes: Float64Array, isSphere: boolean, data: T, mask: number, options: BodyOptions<T>): Body<T> {
    const isStatic = options.isStatic === true;
    const index = this.add(where, lanes, 0, isSphere, data, mask, isStatic);
    const body = new Body<T>(this, index, data, mask >>> 0, isStatic, options);
    if (index >= 0) this.handles[index] = body;
    return body;
  }

  /** Adds a body; returns its index, or -1 if it lies outside the region and the rule is to remove it. */
  add(where: string, lanes: ArrayLike<number>, at: number, isSphere: boolean, data: T | undefined, mask: number, isStatic: boolean): number {
    if (this.isOutside(where, lanes, at, isSphere)) {
      this.bodiesRemoved++;
      this.bodiesOutside++;
      return -1;
    }
    const { bodies } = this.tree;
    const index = bodies.allocate((isSphere ? BODY_SPHERE : 0) | (isStatic ? BODY_STATIC : 0), mask);
    const to = index * BOX_STRIDE;
    for (let lane = 0; lane < (isSphere ? 4 : 6); lane++) bodies.bounds[to + lane] = lanes[at + lane];
    bodies.slot[index] = QUEUE_BASE - this.inserted.length;
    this.inserted.push(index);
    if (mask === 0) this.tree.maskless++;
    if (data !== undefined) this.data[index] = data;
    this.size++;
    return index;
  }

  /** Adds many bodies; returns the index of each, or 2^32 - 1 for one that is left out. Their bounds are checked already, and lie inside if the rule is to throw. */
  addMany(where: string, bounds: Float32Array | Float64Array, batch: BulkInsert<T>): Uint32Array {
    const { count, stride, isSphere, isStatic, data, masks } = batch;
    const { inserted, tree } = this;
    const { bodies } = tree;
    const indices = new Uint32Array(count);
    if (this.options.outside === 'remove') {
      for (let k = 0; k < count; k++) indices[k] = this.add(where, bounds, k * stride, isSphere, data?.[k], typeof masks === 'number' ? masks : masks[k], isStatic);
      return indices;
    }
    const isRun = bodies.allocateMany((isSphere ? BODY_SPHERE : 0) | (isStatic ? BODY_STATIC : 0), masks, indices);
    const { categoryMask, slot } = bodies;
    const { length } = inserted;
    inserted.reserve(length + count);
    const queue = inserted.array;
    for (let k = 0; k < count; k++) {
      const index = indices[k];
      queue[length + k] = index;
      slot[index] = QUEUE_BASE - length - k;
      if (categoryMask[index] === 0) tree.maskless++;
    }
    inserted.length += count;
    this.size += count;
    writeBounds(bodies, indices, bounds, isSphere, isRun);
    if (data === undefined) return indices;
    for (let k = 0; k < count; k++) {
      const one = data[k];
      if (one !== undefined) this.data[indices[k]] = one;
    }
    return indices;
  }

  /**
   * Gives living bodies new bounds; of a repeated index the last bounds count. Only those that the tree has to look at are checked:
   * `check` throws if the index or the bounds at a place of the batch are wrong, and then nothing has changed.
   */
  moveMany(where: string, indices: Uint32Array, lanes: Float32Array | Float64Array, isSphere: boolean, check: (place: number) => void): void {
    const { moved, options } = this;
    const { bodies } = this.tree;
    if (options.outside === 'grow' && this.pool.depth === 0) {
      const { length } = moved;
      const isRun = findEscaped(bodies, indices, lanes, isSphere, moved);
      const found = moved.length;
      moved.length = length;
      for (let k = length; k < found; k++) check(moved.array[k]);
      moved.length = found;
      listEscaped(bodies, indices, lanes, isSphere, moved, length);
      writeBounds(bodies, indices, lanes, isSphere, isRun);
      return;
    }
    const stride = isSphere ? 4 : 6;
    for (let k = 0; k < indices.length; k++) check(k);
    this.checkInside(where, lanes, stride, isSphere);
    // A body that its last bounds bring back inside must not be removed by earlier ones.
    const last = new Map<number, number>();
    for (let k = 0; k < indices.length; k++) last.set(indices[k], k * stride);
    for (const [index, at] of last) this.move(where, index, lanes.subarray(at, at + stride), isSphere);
  }

  /** Gives a living body new bounds, which are checked already. */
  move(where: string, index: number, lanes: Float32Array | Float64Array, isSphere: boolean): void {
    if (this.isOutside(where, lanes, 0, isSphere)) {
      this.bodiesOutside++;
      this.remove(index);
    } else if (this.pool.depth > 0) this.waitingMoves.set(index, { lanes: Float64Array.from(lanes), isSphere });
    else this.drift(index, lanes, isSphere);
  }

  private drift(index: number, lanes: Float32Array | Float64Array, isSphere: boolean): void {
    const { moved, one } = this;
    const { bodies } = this.tree;
    const { length } = moved;
    one[0] = index;
    const isRun = findEscaped(bodies, one, lanes, isSphere, moved);
    listEscaped(bodies, one, lanes, isSphere, moved, length);
    writeBounds(bodies, one, lanes, isSphere, isRun);
  }

  remove(index: number): void {
    const { inserted } = this;
    const { bodies } = this.tree;
    bodies.flags[index] |= BODY_DEAD;
    this.handles[index]?.markRemoved();
    if (this.waitingMoves.size > 0) this.waitingMoves.delete(index);
    this.size--;
    this.bodiesRemoved++;
    // A node that was visited before must not show the body any more; while a query runs, everything stays as it is.
    if (this.pool.depth === 0) this.version++;
    if (bodies.slot[index] >= 0) {
      this.removed.push(index);
      return;
    }
    // Still pending: nothing else knows it, so its place in the queue and its index are free at once.
    const place = QUEUE_BASE - bodies.slot[index];
    const last = inserted.array[--inserted.length];
    inserted.array[place] = last;
    bodies.slot[last] = QUEUE_BASE - place;
    this.release(index);
  }

  /** Writes the bounds that a body was last given, be they applied or waiting; returns whether they are a sphere. */
  readNewest(index: number, target: Float64Array): boolean {
    const waiting = this.waitingMoves.get(index);
    if (waiting !== undefined) {
      target.set(waiting.lanes);
      return waiting.isSphere;
    }
    const { bodies } = this.tree;
    for (let lane = 0; lane < BOX_STRIDE; lane++) target[lane] = bodies.bounds[index * BOX_STRIDE + lane];
    return bodies.isSphere(index);
  }

  /** Throws, or answers true, as the rule says, if bounds leave a region that is known and must not grow. */
  private isOutside(where: string, lanes: ArrayLike<number>, at: number, isSphere: boolean): boolean {
    if (this.options.outside === 'grow' || this.region === null) return false;
    const { box } = this;
    for (let axis = 0; axis < 3; axis++) {
      box[axis] = isSphere ? lanes[at + axis] - lanes[at + 3] : lanes[at + axis];
      box[axis + 3] = isSphere ? lanes[at + axis] + lanes[at + 3] : lanes[at + axis + 3];
    }
    if (cubeContains(this.region, box)) return false;
    if (this.options.outside === 'remove') return true;
    const { minX, minY, minZ, edge } = this.region;
    throw new RangeError(
      `${where}: the bounds leave the region, the cube of edge ${edge} at (${minX}, ${minY}, ${minZ}); enlarge the region, or choose outside: 'grow' or 'remove'.`,
    );
  }

  /** Throws, before anything changes, if one shape of a batch leaves the region and the rule is to throw. */
  checkInside(where: string, lanes: ArrayLike<number>, stride: number, isSphere: boolean): void {
    if (this.options.outside !== 'throw') return;
    for (let at = 0; at < lanes.length; at += stride) this.isOutside(where, lanes, at, isSphere);
  }

  /** Applies everything that waits to the tree. Must not be called while a query runs. */
  flush(): void {
    if (this.pending === 0) return;
    this.applyPending();
    refitSome(this.tree);
    moveArrays(this.tree);
  }

  /** Once per update: applies everything that waits, advances countdowns, cuts off what has expired and merges what has become too few. */
  advance(): void {
    if (this.pending > 0) this.applyPending();
    this.version++;
    expireEmptyLeaves(this.tree);
    mergeListed(this.tree);
    refitSome(this.tree);
    moveArrays(this.tree);
  }

  /** Kills every handle and lets the memory go: the store is about to be dropped. */
  markAllRemoved(): void {
    this.version++;
    this.tree.wasm?.release();
    for (const body of this.handles) body?.markRemoved();
  }

  /** Names what is wrong between the bodies and the queue; the tree has a check of its own. */
  validate(): string[] {
    const { bodies } = this.tree;
    const faults: string[] = [];
    let alive = 0;
    for (let index = 0; index < bodies.count; index++) {
      const body = this.handles[index];
      if (this.isAlive(index)) alive++;
      else if (bodies.slot[index] >= 0 && !this.removed.array.subarray(0, this.removed.length).includes(index)) {
        faults.push(`body ${index}: is dead, but still lies in slot ${bodies.slot[index]}`);
      }
      if (body !== undefined && body.index !== (this.isAlive(index) ? index : -1)) faults.push(`body ${index}: its handle says ${body.index}`);
    }
    if (alive !== this.size) faults.push(`bodies: ${this.size} are counted, but ${alive} are alive`);
    for (let place = 0; place < this.inserted.length; place++) {
      const index = this.inserted.array[place];
      if (bodies.slot[index] !== QUEUE_BASE - place) faults.push(`body ${index}: waits at place ${place}, but names slot ${bodies.slot[index]}`);
    }
    if (alive !== this.tree.placed - this.removed.length + this.inserted.length) {
      faults.push(`bodies: ${alive} are alive, but ${this.tree.placed} are placed, ${this.inserted.length} wait, and ${this.removed.length} are to be removed`);
    }
    return faults;
  }

  private applyPending(): void {
    this.applyWaitingMoves();
    this.version++;
    this.applyRemovals();
    relocateMany(this.tree, this.moved);
    this.applyInserts();
  }

  private applyWaitingMoves(): void {
    for (const [index, { lanes, isSphere }] of this.waitingMoves) this.drift(index, lanes, isSphere);
    this.waitingMoves.clear();
  }

  private applyRemovals(): void {
    const { tree, removed } = this;
    removeMany(tree, removed);
    for (let k = 0; k < removed.length; k++) this.release(removed.array[k]);
    removed.length = 0;
  }

  private applyInserts(): void {
    const { tree, inserted } = this;
    if (inserted.length === 0) return;
    if (tree.placed > 0 || tree.nodes.count > 1) {
      placeMany(tree, inserted);
      inserted.length = 0;
      return;
    }
    const batch = inserted.array.subarray(0, inserted.length);
    inserted.length = 0;
    const extent = tree.bodies.extentOf(batch);
    if (!tree.hasRoot) tree.openRoot(this.region ?? smallestCubeAround(extent, tree.minCellSize));
    encloseInRoot(tree, extent);
    buildFrom(tree, batch);
  }

  private release(index: number): void {
    const { bodies } = this.tree;
    if (bodies.categoryMask[index] === 0) this.tree.maskless--;
    bodies.slot[index] = NO_SLOT;
    bodies.flags[index] = BODY_DEAD;
    // Beyond its end an array would grow, or become a dictionary.
    if (index < this.handles.length) this.handles[index] = undefined;
    if (index < this.data.length) this.data[index] = undefined;
    bodies.release(index);
  }
}
