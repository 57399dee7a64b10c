/**
 * The lowest layer of the public class: it owns the store of bodies and the query runner, and has the query methods. What differs from kind to kind is in
 * query-kinds.ts; the runner does the rest.
 */

import { WorkspacePool } from './queries/workspace.ts';
import type { CreateAccelerator } from '../tree/accelerator.ts';
import type { IndexList } from '../tree/storage/index-list.ts';
import { BodyIds } from '../features/ids/body-ids.ts';
import { assignBands, sortByDistance } from '../features/distances/body-distances.ts';
import { BodyStore } from './bodies/body-store.ts';
import type { IntersectionRecord } from './queries/intersection-record.ts';
import type { MathFactory, MathTypes } from './input/math-types.ts';
import type { NearestVisitor } from '../features/nearest/nearest-arguments.ts';
import type { ResolvedOptions } from './bodies/octree-options.ts';
import type { FrustumOptions, FrustumView, NearestOptions, PairOptions, QueryOptions, RayBatchOptions, RayOptions } from './queries/query-options.ts';
import { ANY_HIT, BOX, BOX_CAST, CAPSULE, CONVEX, FIRST_BOX_CAST, FIRST_HIT, FIRST_SPHERE_CAST, FRUSTUM, NEAREST, ORIENTED_BOX, PAIRS, POINT, RAY, SEGMENT, SPHERE, SPHERE_CAST } from './queries/query-kinds.ts';
import { QueryRunner } from './queries/query-runner.ts';
import type { RayHits } from '../features/ray-batches/ray-arguments.ts';
import type { CapsuleLike, FrustumLike, OrientedBoxLike, PlaneLike, RayLike, SegmentLike } from './input/query-shapes.ts';
import type { BoxLike, PointLike, SphereLike } from './input/shapes.ts';

type Records<T, M extends MathTypes> = IntersectionRecord<T, M>[];

/**
 * The queries of the octree, each in two forms. `intersect...` returns records, which belong to the caller. `collect...` empties a list of the caller,
 * fills it with indices and returns the number of results; it allocates nothing once the list is long enough.
 *
 * Every query first applies the queued writes. Every query may be called from a callback. In a filter or visitor of another query, in `onIntersection`,
 * and in a filter or callback of contacts and sensors it applies nothing: it uses the octree as it was when the outermost query, or the reports of the
 * update, began. Results are exact: they equal the results of a loop over all bodies. Boundaries are closed: touching counts. Lengths and coordinates are
 * world units. A `target` array is emptied and filled, and the records in it are reused. Tree order is the same for the same history of calls.
 *
 * All queries throw a RangeError for a number that is not finite, a coordinate beyond 2^50, an inverted box or a negative radius, and a TypeError for a
 * wrong shape, target, list or option. They throw before anything changes.
 */
export abstract class OctreeQueries<T, M extends MathTypes> {
  /** @internal */
  protected store: BodyStore<T, M>;
  /** @internal */
  protected runner: QueryRunner<T, M>;

  private readonly options: ResolvedOptions;
  private readonly math: MathFactory<M>;
  private readonly createAccelerator: CreateAccelerator;
  private readonly pool = new WorkspacePool();

  constructor(options: ResolvedOptions, math: MathFactory<M>, createAccelerator: CreateAccelerator) {
    this.options = options;
    this.math = math;
    this.createAccelerator = createAccelerator;
    this.store = new BodyStore<T, M>(options, this.pool, math, new BodyIds(), createAccelerator(options.simdFrom));
    this.runner = new QueryRunner<T, M>(this.store, this.pool);
  }

  /** Drops the store with all bodies and starts with an empty one. */
  protected reset(): void {
    this.store.markAllRemoved();
    this.store = new BodyStore<T, M>(this.options, this.pool, this.math, this.store.ids, this.createAccelerator(this.options.simdFrom));
    this.runner = new QueryRunner<T, M>(this.store, this.pool);
  }

  /**
   * Every body that touches the inner side of all planes of a frustum, in tree order. The far plane of a camera with an infinite far distance is
   * ignored.
   *
   * Cost: a box test per node and body near a plane. Nodes that the frustum contains are taken without tests.
   */
  intersectFrustum(frustum: FrustumLike, options?: FrustumOptions<T, M>, target?: Records<T, M>): Records<T, M> {
    return this.runner.records('Octree.intersectFrustum', FRUSTUM, frustum, options, target);
  }

  /** As `intersectFrustum`, but writes indices to `list`, in tree order; returns how many. */
  collectFrustum(frustum: FrustumLike, list: IndexList, options?: FrustumOptions<T, M>): number {
    return this.runner.collect('Octree.collectFrustum', FRUSTUM, frustum, list, options);
  }

  /**
   * `collectFrustum` for several views of a frame: the camera, shadow cascades, both eyes, the faces of a cube, a minimap. Each list receives what
   * `collectFrustum` writes for its view alone, in the same order. Returns the number of indices in all lists. All views are checked before the first
   * list changes, and all see the octree as it is at the call, whatever a filter writes. There may be any number of views, even none.
   *
   * Cost: the sum of the queries. `options.stats` of a view receives its own. Allocates nothing once the lists are long enough.
   *
   * @throws {RangeError} If two views have the same list, or for the reasons of `collectFrustum`. No list changes then.
   * @throws {TypeError} If a view is not of the form {frustum, list, options}.
   */
  collectViews(views: readonly FrustumView<T, M>[]): number {
    return this.runner.collectViews('Octree.collectViews', views);
  }

  /**
   * Every body that a ray enters at a distance from near to far, by distance, then index. A body that contains the origin is at distance 0.
   *
   * Cost: a slab test per node and body near the ray, and a sort of the hits.
   */
  intersectRay(ray: RayLike, options?: RayOptions<T, M>, target?: Records<T, M>): Records<T, M> {
    return this.runner.records('Octree.intersectRay', RAY, ray, options, target);
  }

  /** As `intersectRay`, but writes indices to `list`, by distance, then index; returns how many. */
  collectRay(ray: RayLike, list: IndexList, options?: RayOptions<T, M>): number {
    return this.runner.collect('Octree.collectRay', RAY, ray, list, options);
  }

  /**
   * The first record of `intersectRay`, or null. With a `target`, a record that a query has returned before, it writes to that record and returns it, and
   * then allocates nothing; without a hit it leaves the target as it is. Cost: visits the nearest nodes first and none beyond the hit.
   */
  firstHit(ray: RayLike, options?: RayOptions<T, M>, target?: IntersectionRecord<T, M> | null): IntersectionRecord<T, M> | null {
    return this.runner.first('Octree.firstHit', FIRST_HIT, ray, options, target);
  }

  /** The index of the body of `firstHit`, or -1. Allocates nothing. */
  firstHitIndex(ray: RayLike, options?: RayOptions<T, M>): number {
    return this.runner.firstIndex('Octree.firstHitIndex', FIRST_HIT, ray, options);
  }

  /**
   * `firstHit` of many rays in one call: writes an index, a distance and, if requested, a normal per ray to the arrays in `hits`. Returns the number of
   * rays that hit a body.
   *
   * Cost: in large trees (see `simdFrom`) and from 128 rays on, rays with the same signs of direction go through the tree together, up to 128 at a time.
   * 10,000 rays then take about half the time of `firstHit` for each, whatever their order in the array. In smaller trees, with fewer rays, and inside the
   * filter of another query: as `firstHitIndex`. Allocates nothing.
   *
   * The filter is called in no particular order of rays and bodies. It must depend on the body alone, and must not write to the arrays.
   *
   * @param rays Seven numbers per ray: origin x y z, direction x y z of any length but 0, and the maximum distance, closed, in world units; may be
   *   Infinity.
   * @throws {RangeError} If an array of `hits` is too short, `rays` has not seven numbers per ray, or a number of a ray is invalid; nothing is written then.
   * @throws {TypeError} If an array is of the wrong type, or an option is unknown or of the wrong type.
   */
  castRays(rays: Float32Array | Float64Array, hits: RayHits, options?: RayBatchOptions<T, M>): number {
    return this.runner.castRays('Octree.castRays', rays, hits, options);
  }

  /**
   * Whether a ray enters any body at a distance from near to far: a line of sight is free if this is false. It is true when `firstHit` is not null.
   *
   * Cost: visits the nearest nodes first and stops at the first body found, which need not be the nearest. Allocates nothing.
   */
  hasHit(ray: RayLike, options?: RayOptions<T, M>): boolean {
    return this.runner.count('Octree.hasHit', ANY_HIT, ray, options) > 0;
  }

  /**
   * Every body that a sphere touches while it moves by `motion`, by time, then index. `time` runs from 0, at the start, to 1, at the end; `distance` is the
   * part of the motion in world units. A body that the sphere touches at its start has time 0 and `inside`. A body that it touches at its end is
   * found too. A motion of length 0 finds what `intersectSphere` finds.
   *
   * Cost: a slab test per node and body near the path, and a sort of the hits.
   */
  castSphereAll(sphere: SphereLike, motion: PointLike, options?: QueryOptions<T, M>, target?: Records<T, M>): Records<T, M> {
    return this.runner.records('Octree.castSphereAll', SPHERE_CAST, sphere, options, target, motion);
  }

  /** As `castSphereAll`, but writes indices to `list`, by time, then index; returns how many. */
  collectSphereCast(sphere: SphereLike, motion: PointLike, list: IndexList, options?: QueryOptions<T, M>): number {
    return this.runner.collect('Octree.collectSphereCast', SPHERE_CAST, sphere, list, options, motion);
  }

  /** The first record of `castSphereAll`, or null; `target` as in `firstHit`. Cost: visits the nearest nodes first and none beyond the hit. */
  castSphere(sphere: SphereLike, motion: PointLike, options?: QueryOptions<T, M>, target?: IntersectionRecord<T, M> | null): IntersectionRecord<T, M> | null {
    return this.runner.first('Octree.castSphere', FIRST_SPHERE_CAST, sphere, options, target, motion);
  }

  /** As `castSphereAll`, for a box that moves without turning. */
  castBoxAll(box: BoxLike, motion: PointLike, options?: QueryOptions<T, M>, target?: Records<T, M>): Records<T, M> {
    return this.runner.records('Octree.castBoxAll', BOX_CAST, box, options, target, motion);
  }

  /** As `castBoxAll`, but writes indices to `list`, by time, then index; returns how many. */
  collectBoxCast(box: BoxLike, motion: PointLike, list: IndexList, options?: QueryOptions<T, M>): number {
    return this.runner.collect('Octree.collectBoxCast', BOX_CAST, box, list, options, motion);
  }

  /** The first record of `castBoxAll`, or null; `target` as in `firstHit`. Cost: visits the nearest nodes first and none beyond the hit. */
  castBox(box: BoxLike, motion: PointLike, options?: QueryOptions<T, M>, target?: IntersectionRecord<T, M> | null): IntersectionRecord<T, M> | null {
    return this.runner.first('Octree.castBox', FIRST_BOX_CAST, box, options, target, motion);
  }

  /** Every body that touches a box, in tree order. Cost: a box test per node and body near its faces. Nodes that the box contains are taken without tests. */
  intersectBox(box: BoxLike, options?: QueryOptions<T, M>, target?: Records<T, M>): Records<T, M> {
    return this.runner.records('Octree.intersectBox', BOX, box, options, target);
  }

  /** As `intersectBox`, but writes indices to `list`, in tree order; returns how many. */
  collectBox(box: BoxLike, list: IndexList, options?: QueryOptions<T, M>): number {
    return this.runner.collect('Octree.collectBox', BOX, box, list, options);
  }

  /** Every body that touches a sphere, in tree order. The radius may be any finite number from 0. Cost: as `intersectBox`. */
  intersectSphere(sphere: SphereLike, options?: QueryOptions<T, M>, target?: Records<T, M>): Records<T, M> {
    return this.runner.records('Octree.intersectSphere', SPHERE, sphere, options, target);
  }

  /** As `intersectSphere`, but writes indices to `list`, in tree order; returns how many. */
  collectSphere(sphere: SphereLike, list: IndexList, options?: QueryOptions<T, M>): number {
    return this.runner.collect('Octree.collectSphere', SPHERE, sphere, list, options);
  }

  /**
   * Every body that touches a capsule, in tree order. Start and end may be equal; the radius may be any finite number from 0.
   *
   * The contact of a record is computed from one sphere of the capsule: the sphere about the point of the axis nearest to the body. If the axis
   * passes through a box, this point is the middle of the part inside. Cost: as a shape cast along the capsule.
   */
  intersectCapsule(capsule: CapsuleLike, options?: QueryOptions<T, M>, target?: Records<T, M>): Records<T, M> {
    return this.runner.records('Octree.intersectCapsule', CAPSULE, capsule, options, target);
  }

  /** As `intersectCapsule`, but writes indices to `list`, in tree order; returns how many. */
  collectCapsule(capsule: CapsuleLike, list: IndexList, options?: QueryOptions<T, M>): number {
    return this.runner.collect('Octree.collectCapsule', CAPSULE, capsule, list, options);
  }

  /**
   * Every body that touches a segment, in tree order; contacts as for a capsule of radius 0. For an order along the segment, use `intersectRay` with
   * `far`, or `castSphereAll`.
   */
  intersectSegment(segment: SegmentLike, options?: QueryOptions<T, M>, target?: Records<T, M>): Records<T, M> {
    return this.runner.records('Octree.intersectSegment', SEGMENT, segment, options, target);
  }

  /** As `intersectSegment`, but writes indices to `list`, in tree order; returns how many. */
  collectSegment(segment: SegmentLike, list: IndexList, options?: QueryOptions<T, M>): number {
    return this.runner.collect('Octree.collectSegment', SEGMENT, segment, list, options);
  }

  /**
   * Every body that touches a box of any orientation, in tree order.
   *
   * The contact of a record with a box body is along the axis of the smallest overlap: a face normal of one of the two boxes, or perpendicular to an edge of
   * each. Cost: as `intersectFrustum` with six planes, and nine more axes for each body near a face.
   *
   * @throws {RangeError} If the columns of the rotation are not perpendicular unit vectors, or a half size is negative or not finite.
   */
  intersectOrientedBox(orientedBox: OrientedBoxLike, options?: QueryOptions<T, M>, target?: Records<T, M>): Records<T, M> {
    return this.runner.records('Octree.intersectOrientedBox', ORIENTED_BOX, orientedBox, options, target);
  }

  /** As `intersectOrientedBox`, but writes indices to `list`, in tree order; returns how many. */
  collectOrientedBox(orientedBox: OrientedBoxLike, list: IndexList, options?: QueryOptions<T, M>): number {
    return this.runner.collect('Octree.collectOrientedBox', ORIENTED_BOX, orientedBox, list, options);
  }

  /**
   * Every body that touches a convex volume, in tree order. The volume is the intersection of the inner half-spaces of any number of planes; it may be
   * unbounded, and may be empty. A gap of up to 1e-9 of the scene's largest coordinate (or of 1, if that is larger) counts as touching. `position` of
   * a record is the centre of the body, `normal` is (0, 0, 0), `distance` is 0.
   *
   * `intersectFrustum` tests bodies against each plane alone; this query tests them against the volume. Cost: that of `intersectFrustum`, an exact
   * test for each body near a plane, and a preparation that grows with the cube of the number of planes: with 6 planes some microseconds, with 30
   * about a millisecond.
   *
   * @throws {RangeError} If a number is not finite, or a normal has no length.
   */
  intersectConvex(planes: readonly PlaneLike[], options?: QueryOptions<T, M>, target?: Records<T, M>): Records<T, M> {
    return this.runner.records('Octree.intersectConvex', CONVEX, planes, options, target);
  }

  /** As `intersectConvex`, but writes indices to `list`, in tree order; returns how many. */
  collectConvex(planes: readonly PlaneLike[], list: IndexList, options?: QueryOptions<T, M>): number {
    return this.runner.collect('Octree.collectConvex', CONVEX, planes, list, options);
  }

  /** Every body that contains a point, in tree order. */
  intersectPoint(point: PointLike, options?: QueryOptions<T, M>, target?: Records<T, M>): Records<T, M> {
    return this.runner.records('Octree.intersectPoint', POINT, point, options, target);
  }

  /** As `intersectPoint`, but writes indices to `list`, in tree order; returns how many. */
  collectPoint(point: PointLike, list: IndexList, options?: QueryOptions<T, M>): number {
    return this.runner.collect('Octree.collectPoint', POINT, point, list, options);
  }

  /**
   * The `count` bodies nearest to a point, a box or a ray within `maxDistance`, by the distance between the surfaces, then index. The distance is 0 for
   * bodies that contain the point, touch the box, or are hit by the ray. A ray reaches from `near` to `far`; its records tell by `alongRay` where it is
   * nearest to the body.
   *
   * Cost: visits the nearest nodes first, and none farther away than the last of `count` bodies found. From a ray it runs in JavaScript.
   *
   * @throws {RangeError} If `count` is not an integer from 0.
   */
  nearest(from: PointLike | BoxLike | RayLike, count: number, options?: NearestOptions<T, M>, target?: Records<T, M>): Records<T, M> {
    return this.runner.records('Octree.nearest', NEAREST, from, options, target, count);
  }

  /** As `nearest`, but writes indices to `list`, by distance, then index; returns how many. */
  collectNearest(from: PointLike | BoxLike | RayLike, count: number, list: IndexList, options?: NearestOptions<T, M>): number {
    return this.runner.collect('Octree.collectNearest', NEAREST, from, list, options, count);
  }

  /**
   * Visits bodies in the order of `nearest`: by distance, then index. The visitor returns the new maximum distance: bodies beyond it are not visited, a
   * body exactly at it is. Use it to search inside bodies, for example for the nearest triangle: return the distance of the nearest one so far. The
   * maximum only shrinks: a larger value is ignored. `false` ends the search; nothing (undefined) leaves the maximum as it is.
   *
   * The visitor may query and write; it sees the octree as it was when the outermost query began. If it throws, the search ends.
   *
   * Cost: as `nearest` for as many bodies as are visited, in JavaScript. Returns the number of visits.
   *
   * @throws {TypeError} If the visitor is not a function, or returns anything but a number, `false` or undefined.
   * @throws {RangeError} If the visitor returns NaN or a negative number.
   */
  visitNearest(from: PointLike | BoxLike | RayLike, visitor: NearestVisitor<T, M>, options?: NearestOptions<T, M>): number {
    return this.runner.visitNearest('Octree.visitNearest', from, visitor, options);
  }

  /**
   * Sorts a list that a query has filled, such as the visible bodies, from front to back: by the distance of the bodies from a point, as `nearest` measures
   * it, then index. Returns the list. Allocates nothing once the lists are long enough. Cost: linear in the length.
   *
   * @throws {RangeError} If an index in the list belongs to no body, or a number is not finite. Then the list stays as it was.
   */
  sortByDistance(list: IndexList, from: PointLike): IndexList {
    sortByDistance('Octree.sortByDistance', this.runner, this.store, list, from);
    return list;
  }

  /**
   * Finds in which band of distance from a point each body in a list is, such as the level of detail of each visible body. Band 0 reaches to the first
   * distance, band 1 from there to the second, and so on, the distance itself included; beyond the last distance is band `distances.length`. The distance of a
   * body is measured as in `nearest`.
   *
   * `bands` is read and written. Before the call `bands[index]` is the band of a body in the last call, after it the band now. With `hysteresis`, a fraction
   * of the distance, a body in a farther band comes back only within (1 - hysteresis) times the distance, so that it does not flicker between two bands. The
   * numbers of bodies that are not in the list do not change. If an index is used again for a new body, its number is that of the removed body: set it to 0.
   *
   * Returns the number of bodies whose band has changed. Allocates nothing. Cost: linear in the length of the list.
   *
   * @param distances Ascending, world units; 1 to 100.
   * @param bands A number for each index up to the largest one in the list; at first all 0.
   * @param hysteresis At least 0, below 1. Default 0.
   * @throws {RangeError} If a number is out of range, an index in the list belongs to no body, or `bands` is too short. Then nothing is written.
   */
  assignBands(list: IndexList, from: PointLike, distances: ArrayLike<number>, bands: Uint8Array, hysteresis = 0): number {
    return assignBands('Octree.assignBands', this.runner, this.store, list, from, distances, bands, hysteresis);
  }

  /**
   * Every pair of bodies that touch, or are within `options.within` of each other, once, except pairs of two static bodies. The order of the pairs is the same
   * for the same history of calls. The first body of a pair has a category of `options.mask`, the second one of `options.otherMask`; if both orders are
   * possible, the body with the smaller index is the first. Both must pass the filter. A record's `distance` is the gap, negative for bodies that overlap.
   *
   * Cost: the tree is traversed against itself; about a microsecond per body if each has a few neighbours.
   *
   * @throws {RangeError} If `within` is negative or NaN.
   */
  intersectPairs(options?: PairOptions<T, M>, target?: Records<T, M>): Records<T, M> {
    return this.runner.records('Octree.intersectPairs', PAIRS, undefined, options, target);
  }

  /** As `intersectPairs`, but writes two indices per pair; returns the number of pairs. */
  collectPairs(list: IndexList, options?: PairOptions<T, M>): number {
    return this.runner.collect('Octree.collectPairs', PAIRS, undefined, list, options);
  }
}
