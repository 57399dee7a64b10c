/** The octree as its users see it: this file is about the life of bodies; the questions are in octree-queries. */

import { validateTree } from '../tree/validate.ts';
import { walkNodes, WalkSignal } from '../tree/traverse/walk-nodes.ts';
import { Body } from './body.ts';
import { readBulkInsert, readBulkMove, readIndex, readIndices } from './bulk.ts';
import { describe, requireFunction, requireNotNegative } from './input-checks.ts';
import { readBounds, type BoxLike, type Region, type SphereLike } from './shapes.ts';
import { OctreeNode } from './octree-node.ts';
import { OctreeQueries } from './octree-queries.ts';
import { readBodyOptions, resolveOptions, type BodyOptions, type BulkOptions, type OctreeOptions } from './options.ts';
import { statisticsOf, type OctreeStatistics, type TickStatistics } from './statistics.ts';
import { Ticker } from './ticker.ts';

/**
 * One scene database that holds every body of a scene, moving or still, and answers what a camera sees, what a ray hits, what is near
 * and what touches what.
 *
 * Inserts, moves and removals are queued and applied together, before the next question is answered or by `update`. So a question
 * never misses a body inserted before it, and never reports one removed before it. Call `update` once a frame: it is what lets empty
 * branches expire and under-full ones merge. `T` is what the user stores with each body.
 */
export class Octree<T = unknown> extends OctreeQueries<T> {
  private ticker: Ticker<T>;
  private readonly lanes = new Float64Array(6);

  /**
   * @throws {RangeError} If a value lies outside its range.
   * @throws {TypeError} If an option is of the wrong kind.
   */
  constructor(options: OctreeOptions = {}) {
    super(resolveOptions(options));
    this.ticker = new Ticker<T>(this.store, this.questions);
  }

  /** Living bodies, pending ones included. */
  get size(): number {
    return this.store.size;
  }

  /** The root's cell; null as long as neither the `region` option nor a first batch has set it. */
  get region(): Region | null {
    const { region } = this.store;
    return region === null ? null : { min: { x: region.minX, y: region.minY, z: region.minZ }, edge: region.edge };
  }

  /** The state of the tree and what happened since the start; does not apply the queue. */
  get statistics(): OctreeStatistics {
    return statisticsOf(this.store);
  }

  /**
   * Queues a body. Its bounds are copied: the caller may reuse the object.
   *
   * @param bounds A Box3 or a Sphere, or anything shaped like them; a sphere is kept and hit as a sphere.
   * @returns The handle of the body; one that is removed already if the body lies outside and the rule is to remove it.
   * @throws {RangeError} If a number is not finite or beyond 2^50, a box is inverted, a radius negative, or the body lies outside and the rule is to throw.
   * @throws {TypeError} If the shape is neither.
   */
  insert(bounds: BoxLike | SphereLike, data: T, options: BodyOptions<T> = {}): Body<T> {
    const where = 'Octree.insert';
    const mask = readBodyOptions(where, options);
    const isSphere = readBounds(where, bounds, this.lanes);
    const body = this.store.insert(where, this.lanes, isSphere, data, mask, options);
    if (body.index >= 0) this.ticker.enlist(body);
    return body;
  }

  /**
   * Queues many bodies at once, without a handle each; `bodyAt` makes them when they are asked for.
   *
   * @param bounds Boxes of six numbers (min x y z, max x y z) or spheres of four (centre x y z, radius), as `kind` says.
   * @returns The index of each body, in order, counting up from 0 in a new octree; 2^32 - 1 for one that lies outside where the rule is to remove it.
   * @throws As `insert` does; a rejected batch changes nothing.
   */
  insertMany(bounds: Float32Array | Float64Array, options: BulkOptions<T>): Uint32Array {
    const where = 'Octree.insertMany';
    const batch = readBulkInsert(where, bounds, options);
    this.store.checkInside(where, bounds, batch.stride, batch.isSphere);
    return this.store.addMany(where, bounds, batch);
  }

  /**
   * Gives many bodies new bounds at once: boxes if there are six numbers an index, spheres if there are four. Of a repeated index the
   * last bounds count.
   *
   * A body that leaves the region is removed where the rule says so.
   *
   * @throws {RangeError} If an index is unknown, a number is wrong, or a body leaves the region and the rule is to throw; a rejected batch changes nothing.
   */
  moveMany(indices: ArrayLike<number>, bounds: Float32Array | Float64Array): void {
    const where = 'Octree.moveMany';
    const move = readBulkMove(where, this.store, indices, bounds);
    this.store.moveMany(where, move.indices, bounds, move.isSphere, move.check);
  }

  /**
   * Removes many bodies at once; a repeated index counts once.
   *
   * @returns How many were removed.
   * @throws {RangeError} If an index is unknown; then nothing is removed.
   */
  removeMany(indices: ArrayLike<number>): number {
    readIndices('Octree.removeMany', this.store, indices);
    const before = this.store.size;
    for (let k = 0; k < indices.length; k++) if (this.store.isAlive(indices[k])) this.store.remove(indices[k]);
    return before - this.store.size;
  }

  /** The handle of a living body. @throws {RangeError} If the index is unknown. */
  bodyAt(index: number): Body<T> {
    return this.store.bodyAt(readIndex('Octree.bodyAt', this.store, index));
  }

  /** What was stored with a living body. @throws {RangeError} If the index is unknown. */
  dataAt(index: number): T | undefined {
    return this.store.dataAt(readIndex('Octree.dataAt', this.store, index));
  }

  /** Whether a body, by its handle, lives in this octree. */
  has(body: Body<T>): boolean {
    return body instanceof Body && body.belongsTo(this.store);
  }

  /**
   * One tick: calls the bodies' own `update`, applies the queue, lets empty leaves expire and under-full ones merge, and calls
   * `onIntersection` for each overlap of a body that has one.
   *
   * @param deltaSeconds Seconds, finite and not negative, handed to the bodies; lifespans count calls, not time.
   * @returns The state after the tick, with the counts of what happened since the tick before.
   * @throws {RangeError} If `deltaSeconds` is not finite or negative.
   * @throws {Error} If called from a callback of a query or of `update`.
   * @throws What a callback has thrown, the first if there are several, once the tick is done.
   */
  update(deltaSeconds: number = 0): TickStatistics {
    this.refuseInCallback('Octree.update');
    requireNotNegative('Octree.update', 'deltaSeconds', deltaSeconds, 'pass the seconds since the last frame');
    if (deltaSeconds === Infinity) throw new RangeError('Octree.update: deltaSeconds must be finite, but is Infinity; pass the seconds since the last frame.');
    return this.ticker.tick(deltaSeconds);
  }

  /**
   * Removes all bodies and forgets the tree; the octree is as it was when it was made.
   *
   * @throws {Error} If called from a callback of a query or of `update`.
   */
  clear(): void {
    this.refuseInCallback('Octree.clear');
    this.reset();
    this.ticker = new Ticker<T>(this.store, this.questions);
  }

  /**
   * Calls the visitor for every node, parents first, children in octant order. The visitor may ask and write, like every callback.
   *
   * @param target Lent to the visitor for each node, so that nothing is allocated; without it each node is a fresh copy to keep.
   */
  visitNodes(visitor: (node: OctreeNode<T>) => void, target?: OctreeNode<T>): void {
    this.walkFor('Octree.visitNodes', visitor, target, (node) => {
      visitor(node);
    });
  }

  /**
   * A free walk, for questions nobody thought of: the visitor sees a node's cell, fitted box and bodies, parents first, and answers
   * whether to go on below it (`WalkSignal.Continue`, or nothing), to leave that out (`Prune`) or to end the walk (`Stop`).
   *
   * @param target Lent to the visitor for each node, so that nothing is allocated; without it each node is a fresh copy to keep.
   * @throws {TypeError} If the visitor is no function or answers anything else, or the target is no OctreeNode.
   */
  walk(visitor: (node: OctreeNode<T>) => WalkSignal | void, target?: OctreeNode<T>): void {
    this.walkFor('Octree.walk', visitor, target, visitor);
  }

  /** Applies the queue, checks every invariant and names each fault; [] when all is sound. For tests: costs about a rebuild. */
  validate(): string[] {
    this.questions.begin('Octree.validate');
    try {
      this.questions.settle();
      return [...validateTree(this.store.tree), ...this.store.validate()];
    } finally {
      this.questions.end();
    }
  }

  private walkFor(where: string, given: unknown, target: OctreeNode<T> | undefined, visitor: (node: OctreeNode<T>) => WalkSignal | void): void {
    if (given === undefined) throw new TypeError(`${where}: visitor must be a function, but is ${describe(given)}; pass (node) => {}.`);
    requireFunction(where, 'visitor', given);
    if (target !== undefined && !(target instanceof OctreeNode)) throw new TypeError(`${where}: target must be an OctreeNode, but is ${describe(target)}; leave it out for fresh ones.`);
    const { scratch } = this.questions.begin(where);
    try {
      this.questions.settle();
      walkNodes(this.store.tree, scratch, (id) => {
        const signal: unknown = visitor((target ?? new OctreeNode<T>()).read(this.store, id));
        if (isSignal(signal)) return signal;
        throw new TypeError(`${where}: visitor must answer a WalkSignal or nothing, but answered ${describe(signal)}; use WalkSignal.Continue, Prune or Stop.`);
      });
    } finally {
      this.questions.end();
    }
  }

  private refuseInCallback(where: string): void {
    if (!this.ticker.isRunning && !this.questions.isAsking) return;
    throw new Error(`${where}: must not be called from a callback of a query or of update; call it afterwards.`);
  }
}

function isSignal(answer: unknown): answer is WalkSignal | undefined {
  return answer === undefined || answer === WalkSignal.Continue || answer === WalkSignal.Prune || answer === WalkSignal.Stop;
}
