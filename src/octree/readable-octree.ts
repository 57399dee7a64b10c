/**
 * An octree that can be read: its bodies, its queries, the tree and its statistics. `Octree` adds the writes. The
 * octrees of containers have none, so that containers do not carry the code that checks them: 1.4 kB. What differs
 * between the kinds of query is in query-kinds.ts; the runner does the rest.
 */

import { walkNodes, WalkSignal } from '../tree/traverse/walk-nodes.ts';
import type { IndexList } from '../tree/storage/index-list.ts';
import { isBody, readBoxOf, readSphereOf, type Body } from './bodies/body.ts';
import { requireIndex } from './bodies/bulk.ts';
import { OctreeNode } from './bodies/octree-node.ts';
import { resolveOptions, type OctreeOptions } from './bodies/options.ts';
import { describe, requireFunction, throwType } from './input/input-checks.ts';
import type { MathFactory, MathTypes } from './input/math-types.ts';
import type { FrustumLike, RayLike } from './input/query-shapes.ts';
import type { BoxLike, PointLike, Region, SphereLike } from './input/shapes.ts';
import { OctreeInternals } from './internals.ts';
import type { IntersectionRecord } from './queries/record-writer.ts';
import { ANY_HIT, BOX, FIRST_HIT, FRUSTUM, POINT, RAY, SPHERE } from './queries/query-kinds.ts';
import type { FrustumOptions, QueryOptions, RayOptions } from './queries/query-options.ts';
import { withWorkspace } from './queries/query-runner.ts';
import { statisticsOf, type OctreeStatistics } from './ticker.ts';

type Records<T, M extends MathTypes> = IntersectionRecord<T, M>[];

/**
 * The queries of the octree, each in two forms. `intersect...` returns records, which belong to the caller.
 * `collect...` empties a list of the caller, fills it with indices and returns the number of results; it allocates
 * nothing once the list is long enough.
 *
 * Results are exact: they equal the results of a loop over all bodies. Boundaries are closed: touching counts. Lengths
 * and coordinates are world units. A `target` array is emptied and filled, and the records in it are reused. Tree order
 * is the same for the same history of calls.
 *
 * A query first applies the queued writes. It may be called from any callback. But while another query runs or `update`
 * reports changes (in a filter, in a visitor, in a callback of `onIntersection`, contacts or sensors), writes stay
 * queued: all queries see the octree as it was when that query or those reports began.
 *
 * All queries throw a RangeError for a number that is not finite, a coordinate beyond 2^50, or a negative radius,
 * and a TypeError for a wrong shape, target, list or option. They throw before anything changes.
 *
 * The same holds for the queries that are functions, such as `nearest(octree, point, count)`.
 */
export abstract class ReadableOctree<T, M extends MathTypes> {
  /** @internal What the features work on. */
  readonly internals: OctreeInternals;

  /** @param keeper See `ResolvedOptions.keeper`. */
  constructor(options: OctreeOptions, math: MathFactory<M>, keeper: string | null = null) {
    this.internals = new OctreeInternals(resolveOptions(options, keeper), math);
  }

  /** Living bodies, pending ones included. */
  get size(): number {
    return this.internals.store.size;
  }

  /** Whether the body of a handle is alive in this octree. */
  has(body: Body<T, M>): boolean {
    return isBody(body) && body.belongsTo(this.internals.store);
  }

  /** The handle of a living body. @throws {RangeError} If the index is unknown. */
  bodyAt(index: number): Body<T, M> {
    requireIndex('Octree.bodyAt', this.internals.store, index);
    return this.internals.store.bodyAt(index) as Body<T, M>;
  }

  /**
   * The data of a living body; undefined for a body of `insertMany` without data.
   *
   * @throws {RangeError} If the index is unknown.
   */
  dataAt(index: number): T {
    requireIndex('Octree.dataAt', this.internals.store, index);
    return this.internals.store.dataAt(index) as T;
  }

  /**
   * The box of a living body as last set, or the box around its sphere. Creates no handle.
   *
   * @param target Filled and returned. Without it a new box is allocated.
   * @throws {RangeError} If the index is unknown.
   * @throws {TypeError} If the target is not shaped like a box.
   */
  getBoxAt(index: number, target?: M['box']): M['box'] {
    requireIndex('Octree.getBoxAt', this.internals.store, index);
    return readBoxOf('Octree.getBoxAt', this.internals.store, index, target);
  }

  /** The sphere of a living body as last set, or the sphere around its box. Otherwise as `getBoxAt`. */
  getSphereAt(index: number, target?: M['sphere']): M['sphere'] {
    requireIndex('Octree.getSphereAt', this.internals.store, index);
    return readSphereOf('Octree.getSphereAt', this.internals.store, index, target);
  }

  /**
   * The living bodies, by ascending index: `for (const body of octree)`. Creates the handles of bodies that have none.
   * Bodies may be inserted, moved and removed meanwhile: a body is left out if it was removed before its turn. `clear`
   * ends the loop.
   */
  *[Symbol.iterator](): Generator<Body<T, M>, void, undefined> {
    const { store } = this.internals;
    for (let index = 0; store === this.internals.store && index < store.indexCount; index++)
      if (store.isAlive(index)) yield store.bodyAt(index) as Body<T, M>;
  }

  /** The root's cell; null until the `region` option or the first bodies have set it. */
  get region(): Region | null {
    const { region } = this.internals.store;
    return region === null ? null : { min: { x: region.minX, y: region.minY, z: region.minZ }, edge: region.edge };
  }

  /** The state of the tree, and counts since the start. Does not apply the queue. */
  get statistics(): OctreeStatistics {
    return statisticsOf(this.internals.store);
  }

  /**
   * Every body that touches the inner side of all planes of a frustum, in tree order. The far plane of a camera with an
   * infinite far distance is ignored.
   *
   * Cost: a box test per node and body near a plane. Nodes that the frustum contains are taken without tests.
   */
  intersectFrustum(frustum: FrustumLike, options?: FrustumOptions<T, M>, target?: Records<T, M>): Records<T, M> {
    return this.internals.runner.records('Octree.intersectFrustum', FRUSTUM, frustum, options, target);
  }

  /**
   * Writes the indices of the bodies that touch a frustum to a list, in tree order; returns how many. They are those of
   * `intersectFrustum`. Allocates nothing.
   */
  collectFrustum(frustum: FrustumLike, list: IndexList, options?: FrustumOptions<T, M>): number {
    return this.internals.runner.indices('Octree.collectFrustum', FRUSTUM, frustum, list, options);
  }

  /**
   * Every body that a ray enters at a distance from near to far, by distance, then index. A body that contains the
   * origin is at distance 0.
   *
   * Cost: a slab test per node and body near the ray, and a sort of the hits.
   */
  intersectRay(ray: RayLike, options?: RayOptions<T, M>, target?: Records<T, M>): Records<T, M> {
    return this.internals.runner.records('Octree.intersectRay', RAY, ray, options, target);
  }

  /**
   * Writes the indices of the bodies that a ray enters to a list, by distance, then index; returns how many. They are
   * those of `intersectRay`. Allocates nothing.
   */
  collectRay(ray: RayLike, list: IndexList, options?: RayOptions<T, M>): number {
    return this.internals.runner.indices('Octree.collectRay', RAY, ray, list, options);
  }

  /**
   * The body that a ray enters first, or null. With a `target`, a record that a query has returned before, it writes to
   * that record and returns it, and then allocates nothing; without a hit it leaves the target as it is. Cost: visits
   * the nearest nodes first and none beyond the hit.
   */
  firstHit(
    ray: RayLike,
    options?: RayOptions<T, M>,
    target?: IntersectionRecord<T, M> | null,
  ): IntersectionRecord<T, M> | null {
    return this.internals.runner.first('Octree.firstHit', FIRST_HIT, ray, options, target);
  }

  /** The index of the body that a ray enters first, or -1. Allocates nothing. */
  firstHitIndex(ray: RayLike, options?: RayOptions<T, M>): number {
    return this.internals.runner.firstIndex('Octree.firstHitIndex', FIRST_HIT, ray, options);
  }

  /**
   * Whether a ray enters any body at a distance from near to far: a line of sight is free if this is false. It is true
   * when `firstHit` is not null.
   *
   * Cost: visits the nearest nodes first and stops at the first body found, which need not be the nearest. Allocates
   * nothing.
   */
  hasHit(ray: RayLike, options?: RayOptions<T, M>): boolean {
    return this.internals.runner.firstIndex('Octree.hasHit', ANY_HIT, ray, options) >= 0;
  }

  /**
   * Every body that touches a box, in tree order. An empty box, whose min is above its max on any axis, as in three,
   * touches nothing. Cost: a box test per node and body near its faces. Nodes that the box contains are taken without
   * tests.
   */
  intersectBox(box: BoxLike, options?: QueryOptions<T, M>, target?: Records<T, M>): Records<T, M> {
    return this.internals.runner.records('Octree.intersectBox', BOX, box, options, target);
  }

  /**
   * Writes the indices of the bodies that touch a box to a list, in tree order; returns how many. They are those of
   * `intersectBox`. Allocates nothing.
   */
  collectBox(box: BoxLike, list: IndexList, options?: QueryOptions<T, M>): number {
    return this.internals.runner.indices('Octree.collectBox', BOX, box, list, options);
  }

  /**
   * Every body that touches a sphere, in tree order. The radius may be any finite number from 0. Cost: as
   * `intersectBox`.
   */
  intersectSphere(sphere: SphereLike, options?: QueryOptions<T, M>, target?: Records<T, M>): Records<T, M> {
    return this.internals.runner.records('Octree.intersectSphere', SPHERE, sphere, options, target);
  }

  /**
   * Writes the indices of the bodies that touch a sphere to a list, in tree order; returns how many. They are those of
   * `intersectSphere`. Allocates nothing.
   */
  collectSphere(sphere: SphereLike, list: IndexList, options?: QueryOptions<T, M>): number {
    return this.internals.runner.indices('Octree.collectSphere', SPHERE, sphere, list, options);
  }

  /** Every body that contains a point, in tree order. */
  intersectPoint(point: PointLike, options?: QueryOptions<T, M>, target?: Records<T, M>): Records<T, M> {
    return this.internals.runner.records('Octree.intersectPoint', POINT, point, options, target);
  }

  /**
   * Writes the indices of the bodies that contain a point to a list, in tree order; returns how many. They are those of
   * `intersectPoint`. Allocates nothing.
   */
  collectPoint(point: PointLike, list: IndexList, options?: QueryOptions<T, M>): number {
    return this.internals.runner.indices('Octree.collectPoint', POINT, point, list, options);
  }

  /**
   * Calls the visitor for every node, parents first, children in octant order. Like every callback, the visitor may
   * query and write.
   *
   * @param target Filled and passed for each node, so that nothing is allocated. Without it each node is a new object,
   *   which may be kept.
   */
  visitNodes(visitor: (node: OctreeNode<T, M>) => void, target?: OctreeNode<T, M>): void {
    this.walkFor('Octree.visitNodes', visitor, target, (node) => {
      visitor(node);
    });
  }

  /**
   * A walk for queries that the octree does not have. The visitor gets each node with its cell, fitted box and bodies,
   * parents first. It returns `WalkSignal.Continue` or nothing to visit the children, `Prune` to skip them, or `Stop`
   * to end the walk.
   *
   * @param target As in `visitNodes`.
   * @throws {TypeError} If the visitor is not a function or returns anything else, or the target is not an OctreeNode.
   */
  walk(visitor: (node: OctreeNode<T, M>) => WalkSignal | void, target?: OctreeNode<T, M>): void {
    this.walkFor('Octree.walk', visitor, target, visitor);
  }

  /** Checks the arguments as given by the caller, then walks with `visitor`, which wraps the given one. */
  private walkFor(
    where: string,
    given: unknown,
    target: OctreeNode<T, M> | undefined,
    visitor: (node: OctreeNode<T, M>) => WalkSignal | void,
  ): void {
    if (given === undefined) throwType(where, 'visitor', 'be a function', given, 'pass (node) => {}');
    requireFunction(where, 'visitor', given);
    if (target !== undefined && typeof (target as OctreeNode<T, M> | null)?.bodies !== 'function')
      throwType(where, 'target', 'be an OctreeNode', target, 'leave it out for fresh ones');
    const { runner, store } = this.internals;
    withWorkspace(runner, where, ({ scratch }) => {
      runner.flush();
      walkNodes(store.tree, scratch, (node) => {
        const signal: unknown = visitor(
          (target ?? new OctreeNode<T, M>(store.math as MathFactory<M>)).read(store, node),
        );
        if (isSignal(signal)) return signal;
        throw new TypeError(
          `${where}: visitor must return a WalkSignal or nothing, but returned ${describe(signal)}; use WalkSignal.Continue, Prune or Stop.`,
        );
      });
    });
  }
}

function isSignal(value: unknown): value is WalkSignal | undefined {
  return (
    value === undefined || value === WalkSignal.Continue || value === WalkSignal.Prune || value === WalkSignal.Stop
  );
}
