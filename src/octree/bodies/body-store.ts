/**
 * The bodies of an octree: their handles, their data, their indices, and the region that they may lie in. Writes wait
 * in a queue; `flush` applies them to the tree together, in one bulk build the first time.
 */

import { BOX_STRIDE } from '../../math/box.ts';
import { cubeContains, type IntegerCube } from '../../math/integer-cube.ts';
import { SPHERE_STRIDE, writeBoxOf } from '../../math/sphere.ts';
import type { FloatArray } from '../../math/typed-arrays.ts';
import type { Accelerator } from '../../tree/accelerator.ts';
import { BODY_DEAD, BODY_SPHERE, BODY_STATIC } from '../../tree/layout.ts';
import { NO_SLOT } from '../../tree/storage/body-arrays.ts';
import { ChangeLog } from '../../tree/storage/change-log.ts';
import { Tree } from '../../tree/tree.ts';
import { maintain } from '../../tree/update/maintain.ts';
import { CENTER_STRIDE, BulkMove, writeBounds } from '../../tree/update/move.ts';
import { refitSome } from '../../tree/update/refit.ts';
import { Body, type AnyBody, type BodyOwner } from './body.ts';
import { isCoordinate } from '../input/input-checks.ts';
import type { MathFactory, MathTypes } from '../input/math-types.ts';
import type { ResolvedOptions } from './options.ts';
import { WriteQueue } from './write-queue.ts';

/** Handles of bodies outside the region that wait for the next update. Test: grow.test. */
const MAX_OUTSIDE = 2 ** 16;
/** Returned as the index of a body that is not inserted because it lies outside the region. */
const NOT_INSERTED = -1;

/** How many queries are running, nested ones included. */
interface QueryDepth {
  readonly depth: number;
}

/** Decides whether the index of a removed body may be used again. The feature of ids connects itself here. */
export interface IndexOwner {
  /** The body of an index was removed. Returns false if the index must not be used again. */
  release(index: number): boolean;
  /** Makes room for `count` indices: `release` and `releaseAll` then allocate no memory. */
  reserve(count: number): void;
  /** All bodies were removed. */
  releaseAll(): void;
}

/** A checked call of `insertMany`. */
export interface BulkInsert {
  readonly count: number;
  /** Numbers per body: 6 for boxes, 4 for spheres. */
  readonly stride: number;
  readonly isSphere: boolean;
  readonly isStatic: boolean;
  readonly data: ArrayLike<unknown> | undefined;
  /** One mask for all bodies, or one per body. */
  readonly masks: number | Int32Array;
}

export class BodyStore implements BodyOwner {
  readonly math: MathFactory<MathTypes>;
  readonly tree: Tree;
  /** What has changed since the last update. */
  readonly changes = new ChangeLog();
  /** Null while no ids are used: every index may be used again. */
  indexOwner: IndexOwner | null = null;
  /** Called with each index that is freed. The feature of occluders connects itself here. */
  declare onFree?: (index: number) => void;
  /**
   * Changes whenever the bodies of a node may have changed: with each flush that applies writes, each update or
   * translation, and each removal outside queries.
   */
  version = 0;
  /** Living bodies, pending ones included. */
  size = 0;
  /** Bodies removed since the start. */
  bodiesRemoved = 0;
  /**
   * The handles of those that have left the region since the last update, or were inserted outside it: the last ones,
   * `MAX_OUTSIDE` at least.
   */
  outside: AnyBody[] = [];
  /** How many these are in all. */
  bodiesOutside = 0;

  readonly options: ResolvedOptions;
  /** Handles by body index, created on demand. */
  readonly handles: (AnyBody | undefined)[] = [];
  private readonly data: unknown[] = [];
  readonly queue: WriteQueue;
  /** A query runs while the depth of the pool is above 0. */
  private readonly pool: QueryDepth;
  private readonly box = new Float64Array(BOX_STRIDE);
  /** What `isOutside` compares with the region. */
  private readonly comparedBox = new Float64Array(BOX_STRIDE);

  constructor(
    options: ResolvedOptions,
    pool: QueryDepth,
    math: MathFactory<MathTypes>,
    accelerator: Accelerator | null,
  ) {
    this.math = math;
    this.options = options;
    this.pool = pool;
    this.tree = new Tree(options, accelerator);
    this.queue = new WriteQueue(this.tree, this.changes);
    if (options.region === null) return;
    const { min, edge } = options.region;
    this.tree.setRootCell({ minX: min.x, minY: min.y, minZ: min.z, edge });
  }

  /** What Node prints for this as a part of a body, a node or a record, in place of the whole octree. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return `Octree of ${this.size}`;
  }

  /** The root's cell; null until the option or the first bodies have set it. */
  get region(): IntegerCube | null {
    return this.options.region !== null || this.tree.hasRoot ? this.tree.region : null;
  }

  /** Number of queued operations, which the next flush applies. */
  get pending(): number {
    return this.queue.length;
  }

  /** Indices handed out so far, the indices of removed bodies included. */
  get indexCount(): number {
    return this.tree.bodies.count;
  }

  isAlive(index: number): boolean {
    const { bodies } = this.tree;
    return Number.isInteger(index) && index >= 0 && index < bodies.count && (bodies.flags[index] & BODY_DEAD) === 0;
  }

  requireWritable(where: string): void {
    const { keeper } = this.options;
    if (keeper !== null) throw new Error(`${where}: ${keeper}.`);
  }

  /** The handle of a body, created at the first call. */
  bodyAt(index: number): AnyBody {
    const handle = this.handles[index];
    if (handle !== undefined) return handle;
    const { flags } = this.tree.bodies;
    const isStatic = (flags[index] & BODY_STATIC) !== 0;
    const body = new Body(this, index, this.data[index], this.queue.latestMask(index), isStatic);
    this.handles[index] = body;
    // A query may report a body that a callback has removed meanwhile; its new handle is dead from the start.
    if (!this.isAlive(index)) body.markRemoved();
    return body;
  }

  /**
   * The index by which queries report the body of a handle; -1 if they do not. A body that a callback removes is
   * reported until the outermost query has ended.
   */
  reportedIndex(body: Body<unknown>): number {
    const index = body.indexIn(this);
    return index >= 0 && this.handles[index] === body ? index : -1;
  }

  dataAt(index: number): unknown {
    return this.data[index];
  }

  /**
   * Adds a body and returns its handle, which is dead if the body lies outside the region and `outside` is 'remove'.
   * The bounds are checked already.
   */
  insert(where: string, values: Float64Array, flags: number, data: unknown, mask: number): AnyBody {
    const index = this.add(where, values, 0, flags, data, mask);
    if (index === NOT_INSERTED) return this.outside.at(-1)!;
    const body = new Body(this, index, data, mask, (flags & BODY_STATIC) !== 0);
    this.handles[index] = body;
    return body;
  }

  /**
   * Adds many bodies; returns the index of each, 2^32 - 1 for one that was left out. The bounds are checked already,
   * also against the region if `outside` is 'throw'.
   */
  addMany(where: string, bounds: FloatArray, bulk: BulkInsert): Uint32Array {
    const { count, stride, isSphere, isStatic, data, masks } = bulk;
    const flags = flagsOf(isSphere, isStatic);
    const { bodies } = this.tree;
    const indices = new Uint32Array(count);
    this.queue.reserve(count);
    if (this.options.outside === 'remove') {
      for (let k = 0; k < count; k++)
        indices[k] = this.add(where, bounds, k * stride, flags, data?.[k], maskAt(masks, k));
      return indices;
    }
    const end = bodies.count + count;
    for (let k = 0; k < count; k++) indices[k] = this.addWithoutBounds(flags, data?.[k], maskAt(masks, k));
    // No index of a removed body was reused, so they are consecutive.
    writeBounds(bodies, new BulkMove(indices, bounds, stride), bodies.count === end);
    return indices;
  }

  /**
   * Adds a body with the bounds at offset `at`; returns its index, or `NOT_INSERTED` if it lies outside the region and
   * `outside` is 'remove'.
   */
  private add(
    where: string,
    values: ArrayLike<number>,
    at: number,
    flags: number,
    data: unknown,
    mask: number,
  ): number {
    const isSphere = (flags & BODY_SPHERE) !== 0;
    if (this.isOutside(where, values, at, isSphere)) {
      this.bodiesRemoved++;
      this.listOutside(new Body(this, NOT_INSERTED, data, mask, (flags & BODY_STATIC) !== 0));
      return NOT_INSERTED;
    }
    this.queue.reserve(1);
    const index = this.addWithoutBounds(flags, data, mask);
    const { bounds } = this.tree.bodies;
    const to = index * BOX_STRIDE;
    for (let k = 0; k < (isSphere ? 4 : 6); k++) bounds[to + k] = values[at + k];
    return index;
  }

  /** Adds a body, for which there is room. The caller writes its bounds. */
  private addWithoutBounds(flags: number, data: unknown, mask: number): number {
    const index = this.tree.bodies.allocate(flags, mask);
    this.queue.insert(index);
    if (mask === 0) this.tree.uncategorizedCount++;
    if (data !== undefined) this.data[index] = data;
    this.size++;
    return index;
  }

  /**
   * Gives a living body new bounds, or the same kind and size around a new centre: numbers of a `BulkMove` with this
   * stride. They are checked already.
   */
  move(where: string, index: number, numbers: FloatArray, stride: number): void {
    if (this.options.outside !== 'grow' || this.pool.depth > 0) {
      const { bounds, isSphere, halfSize } = this.boundsOf(index, numbers, stride);
      if (this.isOutside(where, bounds, 0, isSphere)) return this.removeOutside(index);
      if (this.pool.depth > 0) return this.queue.deferMove(index, bounds, isSphere, halfSize);
    }
    this.queue.move(index, numbers, stride);
  }

  /** Throws, before anything changes, if one of many shapes leaves the region and that is an error. */
  checkInside(where: string, values: ArrayLike<number>, stride: number, isSphere: boolean): void {
    if (this.options.outside !== 'throw') return;
    for (let at = 0; at < values.length; at += stride) this.isOutside(where, values, at, isSphere);
  }

  /**
   * Whether bounds leave the region, if it is known and must not grow. Throws instead of returning true if that is an
   * error.
   */
  private isOutside(where: string, values: ArrayLike<number>, at: number, isSphere: boolean): boolean {
    const { comparedBox, options, region } = this;
    if (options.outside === 'grow' || region === null) return false;
    writeBoxOf(values, at, isSphere, comparedBox);
    if (cubeContains(region, comparedBox)) return false;
    if (options.outside === 'remove') return true;
    const { minX, minY, minZ, edge } = region;
    throw new RangeError(
      `${where}: the bounds leave the region, the cube of edge ${edge} at (${minX}, ${minY}, ${minZ}); enlarge the region, or choose outside: 'grow' or 'remove'.`,
    );
  }

  private removeOutside(index: number): void {
    this.reserveRemovals(1);
    this.listOutside(this.bodyAt(index));
    this.drop(index);
  }

  /** A program that never calls `update` must not fill the memory. */
  private listOutside(body: AnyBody): void {
    this.bodiesOutside++;
    if (this.outside.length === 2 * MAX_OUTSIDE) this.outside.splice(0, MAX_OUTSIDE);
    this.outside.push(body);
  }

  /** Whether the bounds of a living body around a centre lie within the limit of coordinates. */
  fitsAround(index: number, center: FloatArray): boolean {
    const { box } = this;
    const isSphere = this.readLatest(index, box);
    for (let axis = 0; axis < 3; axis++) {
      const half = isSphere ? box[3] : (box[axis + 3] - box[axis]) * 0.5;
      if (!isCoordinate(Math.abs(center[axis]) + half)) return false;
    }
    return true;
  }

  /**
   * The bounds that a move gives to a living body. Around a centre, of three numbers, they have its kind and, for a
   * box, its half size; they are overwritten by the next call.
   */
  private boundsOf(
    index: number,
    numbers: FloatArray,
    stride: number,
  ): { bounds: FloatArray; isSphere: boolean; halfSize: readonly number[] | null } {
    if (stride !== CENTER_STRIDE) return { bounds: numbers, isSphere: stride === SPHERE_STRIDE, halfSize: null };
    const bounds = this.box;
    const isSphere = this.readLatest(index, bounds);
    const halfSize = isSphere ? null : this.queue.readHalfSize(index);
    for (let axis = 0; axis < 3; axis++) {
      bounds[axis] = numbers[axis] - (halfSize?.[axis] ?? 0);
      if (halfSize !== null) bounds[axis + 3] = numbers[axis] + halfSize[axis];
    }
    return { bounds, isSphere, halfSize };
  }

  /**
   * Gives bodies new bounds; if an index is repeated, its last bounds count. Throws before anything changes if an index
   * or its bounds are invalid.
   */
  moveMany(where: string, bulk: BulkMove): void {
    const { check, indices, bounds: values, stride } = bulk;
    if (this.options.outside === 'grow' && this.pool.depth === 0) {
      this.queue.moveMany(bulk);
      return;
    }
    for (let k = 0; k < indices.length; k++) check?.(k);
    // Earlier bounds of a repeated index must not remove the body if its last bounds lie inside.
    const last = new Map<number, FloatArray>();
    for (let k = 0; k < indices.length; k++) {
      const numbers = values.subarray(k * stride, (k + 1) * stride);
      last.set(indices[k], numbers);
      if (this.options.outside !== 'throw') continue;
      const { bounds, isSphere } = this.boundsOf(indices[k], numbers, stride);
      this.isOutside(where, bounds, 0, isSphere);
    }
    this.reserveRemovals(indices.length);
    this.queue.reserveMoves(indices.length);
    if (stride === CENTER_STRIDE) this.tree.bodies.allocateHalfSizes();
    for (const [index, numbers] of last) this.move(where, index, numbers, stride);
  }

  /** Gives a living body other categories, which are checked already. Its handle keeps the mask as it is passed. */
  setMask(index: number, mask: number): void {
    if (this.pool.depth > 0) this.queue.deferMask(index, mask | 0);
    else this.queue.setMask(index, mask | 0);
    this.handles[index]?.storeMask(mask);
  }

  /** Gives bodies other categories: one mask for all, or one per index. Removed bodies are skipped. */
  setMaskMany(indices: ArrayLike<number>, masks: number | Int32Array): void {
    for (let k = 0; k < indices.length; k++) if (this.isAlive(indices[k])) this.setMask(indices[k], maskAt(masks, k));
  }

  /** Removes bodies; skips those that were removed before. Returns how many it has removed. */
  removeMany(indices: ArrayLike<number>): number {
    const { size } = this;
    this.reserveRemovals(indices.length);
    for (let k = 0; k < indices.length; k++) if (this.isAlive(indices[k])) this.drop(indices[k]);
    return size - this.size;
  }

  remove(index: number): void {
    this.reserveRemovals(1);
    this.drop(index);
  }

  /** Makes room for `count` removals. */
  private reserveRemovals(count: number): void {
    this.queue.reserveRemovals(count);
    this.indexOwner?.reserve(this.indexCount);
  }

  /** Removes a body. `reserveRemovals` must have been called. */
  private drop(index: number): void {
    this.tree.bodies.flags[index] |= BODY_DEAD;
    this.handles[index]?.markRemoved();
    this.size--;
    this.bodiesRemoved++;
    // Invalidates visited `OctreeNode`s, whose `bodies()` would return the removed body. Not while a query runs: its
    // tree does not change, so the nodes that it has visited stay valid.
    if (this.pool.depth === 0) this.version++;
    if (this.queue.remove(index)) this.release(index);
  }

  /**
   * Writes the bounds last set for a body, whether applied or queued, to `target`; returns whether they are a sphere.
   */
  readLatest(index: number, target: Float64Array): boolean {
    return this.queue.readLatest(index, target);
  }

  /**
   * Applies all queued writes to the tree. The outermost query calls it before its walk. From then until the query ends
   * it must not be called.
   */
  flush(): void {
    if (this.pending > 0) this.writeTree(refitSome);
  }

  /** Once per update: applies all queued writes, and maintains the tree. */
  advance(): void {
    this.writeTree(maintain);
  }

  /**
   * Applies all queued writes, then calls `write`. If that throws, the tree is emptied and all bodies are queued again,
   * so that the next flush builds it from them.
   */
  writeTree(write: (tree: Tree) => void): void {
    this.version++;
    if (this.queue.removed.length > 0) this.indexOwner?.reserve(this.indexCount);
    this.queue.apply(this.region, this.release, write);
  }

  /** Marks every handle as removed and frees the memory of the accelerator, before the store itself is dropped. */
  markAllRemoved(): void {
    this.version++;
    this.indexOwner?.releaseAll();
    this.tree.accelerator?.release();
    for (const body of this.handles) body?.markRemoved();
  }

  /** Frees the indices of removed bodies that the last update has reported to contacts and sensors. */
  freeReported(): void {
    if (!this.changes.hasReported) return;
    this.indexOwner?.reserve(this.indexCount);
    this.changes.releaseReported(this.free);
  }

  /** Frees the index of a removed body, but not before contacts and sensors have reported it. */
  private readonly release = (index: number): void => {
    const { bodies } = this.tree;
    if (bodies.categoryMask[index] === 0) this.tree.uncategorizedCount--;
    bodies.slot[index] = NO_SLOT;
    bodies.flags[index] = BODY_DEAD;
    if (this.changes.isKept) this.changes.hold(index);
    else this.free(index);
  };

  private readonly free = (index: number): void => {
    // A write beyond the end would lengthen the array, or turn it into a dictionary.
    if (index < this.handles.length) this.handles[index] = undefined;
    if (index < this.data.length) this.data[index] = undefined;
    this.onFree?.(index);
    if (this.indexOwner?.release(index) !== false) this.tree.bodies.release(index);
  };
}

/** The flags of a new body. */
export function flagsOf(isSphere: boolean, isStatic: boolean): number {
  return (isSphere ? BODY_SPHERE : 0) | (isStatic ? BODY_STATIC : 0);
}

function maskAt(masks: number | Int32Array, k: number): number {
  return typeof masks === 'number' ? masks : masks[k];
}
