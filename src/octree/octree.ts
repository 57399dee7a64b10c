/**
 * The public class `Octree`: its writes and updates. Its queries, and what reads bodies, are inherited from
 * readable-octree.ts; everything else is a feature.
 */

import { flagsOf } from './bodies/body-store.ts';
import { BODY_OPTIONS, type BodyOptions, type BulkOptions, type OctreeOptions } from './bodies/options.ts';
import { isBody, type AnyBody, type Body } from './bodies/body.ts';
import { readBulkInsert, readBulkMove, readIndices, readBulkMasks, requireIndices } from './bodies/bulk.ts';
import {
  readBodyMask,
  requireBoolean,
  requireFiniteNotNegative,
  requireFunction,
  throwType,
} from './input/input-checks.ts';
import { requireOptions } from './input/known-options.ts';
import { plainMath, type MathFactory, type MathTypes, type PlainMath } from './input/math-types.ts';
import { readBounds, type BoxLike, type SphereLike } from './input/shapes.ts';
import { ReadableOctree } from './readable-octree.ts';
import type { TickStatistics } from './ticker.ts';

/**
 * A database of all bodies of a scene, moving or static, with queries for what a camera sees, what a ray hits, what is
 * near and what overlaps.
 *
 * Inserts, moves and removals are queued and applied together, by the next query or by `update`. So a query never
 * misses a body that was inserted before it, and never reports one that was removed before it. Call `update` once per
 * frame: only `update` removes empty leaves and merges under-full nodes. `T` is the type of the data that the user
 * stores with each body.
 *
 * The methods are what nearly every program uses. Everything else is a function of the same entry point that takes the
 * octree first:
 *
 * - Moving shapes: `castSphere`, `castSphereAll`, `collectSphereCast`, `castBox`, `castBoxAll`, `collectBoxCast`,
 *   `visitCast`. Rays: `castRays`, `visitRay`.
 * - Volumes: `intersect` and `collect` with a `Capsule`, a `Segment`, an `OrientedBox`, a `Convex`, or a
 *   `CustomVolume`.
 * - By distance: `nearest`, `collectNearest`, `visitNearest`, from a point, a box or a `RayRange`; for the list of a
 *   query `sortByDistance`, `assignBands`.
 * - Pairs of bodies: `intersectPairs`, `collectPairs`.
 * - Behind walls: `setOccluder`, `collectVisible`, `intersectVisible`; `solidBoxes` finds what is solid in a mesh.
 * - Changes, reported by `update`: `trackContacts`, `onIntersection`, `watch`, `watchDistances`.
 * - Ids, which are never reused: `idOf`, `idsOf`, `indexOfId`, `moveManyById`, `setMaskManyById`, `removeManyById`.
 * - The whole world: `translate`. For tests: `validate` of `scene-octree/debug`.
 *
 * @example
 * ```ts
 * import { Octree } from 'scene-octree';
 *
 * const octree = new Octree<string>();
 * octree.insert({ min: { x: -1, y: 0, z: -9 }, max: { x: 1, y: 6, z: -7 } }, 'tree', { isStatic: true });
 * const bird = octree.insert({ center: { x: 0, y: 9, z: -8 }, radius: 0.5 }, 'bird');
 * bird.setCenter({ x: 0, y: 7, z: -8 });
 * octree.update(1 / 60); // once a frame
 * const hit = octree.firstHit({ origin: { x: 0, y: 7, z: 5 }, direction: { x: 0, y: 0, z: -1 } });
 * console.log(hit?.body.data, hit?.distance); // prints: bird 12.5
 * ```
 */
export class Octree<T = unknown, M extends MathTypes = PlainMath> extends ReadableOctree<T, M> {
  /** Bounds of the body being inserted. */
  private readonly bounds = new Float64Array(6);

  /**
   * @throws {RangeError} If a value lies outside its range.
   * @throws {TypeError} If an option is of the wrong type.
   */
  constructor(options?: OctreeOptions);
  /** @internal */
  constructor(options: OctreeOptions | undefined, math: MathFactory<M>);
  constructor(options: OctreeOptions = {}, math: MathFactory<M> = plainMath as MathFactory<M>) {
    super(options, math);
  }

  /**
   * Queues a body. Its bounds are copied, so the caller may reuse the object.
   *
   * @param bounds A Box3 or a Sphere, or anything shaped like them. Queries test a sphere as a sphere, not as its box.
   * @returns The handle of the body. If the body lies outside the region and `outside` is 'remove', its index is -1.
   * @throws {RangeError} If a number is not finite or beyond 2^50, a box is empty, a radius is negative, or, with
   *   `outside: 'throw'`, the body lies outside the region.
   * @throws {TypeError} If the bounds are shaped like neither.
   */
  insert(bounds: BoxLike | SphereLike, data: T, options: BodyOptions<T, M> = {}): Body<T, M> {
    const where = 'Octree.insert';
    requireOptions(where, options, BODY_OPTIONS);
    const { mask, isStatic, update } = options;
    requireFunction(where, 'options.update', update);
    const isBodyStatic = requireBoolean(where, 'options.isStatic', isStatic);
    const bodyMask = readBodyMask(where, 'options.mask', mask);
    // Last, because a getter of the options may insert another body.
    const isSphere = readBounds(where, bounds, this.bounds);
    const store = this.internals.storeToWrite(where);
    const body = store.insert(where, this.bounds, flagsOf(isSphere, isBodyStatic), data, bodyMask);
    if (body.index >= 0 && update !== undefined) this.internals.ticker.register(body, update);
    return body as Body<T, M>;
  }

  /**
   * Queues many bodies at once. No handles are created; `bodyAt` creates them on demand.
   *
   * @param bounds According to `options.kind`, boxes of six numbers (min x y z, max x y z) or spheres of four (centre x
   *   y z, radius).
   * @returns The index of each body, in order, from 0 up in a new octree; 2^32 - 1 for one that lies outside the region
   *   if `outside` is 'remove'.
   * @throws As `insert`. A rejected call changes nothing.
   */
  insertMany(bounds: Float32Array | Float64Array, options: BulkOptions<T>): Uint32Array {
    const where = 'Octree.insertMany';
    const bulk = readBulkInsert(where, bounds, options);
    const store = this.internals.storeToWrite(where);
    store.checkInside(where, bounds, bulk.stride, bulk.isSphere);
    return store.addMany(where, bounds, bulk);
  }

  /**
   * Gives many bodies new bounds at once: boxes if there are six numbers per index, spheres if there are four. Three
   * numbers per index are centres: each body, box or sphere, keeps its kind and its size. A box becomes the centre plus
   * and minus half of its size. The size is that of its last full bounds (`insert`, `setBox`, or six numbers here), so
   * rounding does not add up, however often the box moves. If an index is repeated, its last bounds count. A body that
   * leaves the region is removed if `outside` is 'remove'.
   *
   * Cost: at 100,000 bodies a call with centres takes about as long as one with boxes, at 10,000 1.4 times as long.
   * Centres need 24 bytes more per body.
   *
   * @throws {RangeError} If an index is unknown, a number is out of range, or a body leaves the region and `outside` is
   *   'throw'. A rejected call changes nothing.
   */
  moveMany(indices: ArrayLike<number>, bounds: Float32Array | Float64Array): void {
    const where = 'Octree.moveMany';
    const integers = readIndices(where, indices);
    const store = this.internals.storeToWrite(where);
    store.moveMany(where, readBulkMove(where, store, integers, bounds));
  }

  /**
   * Removes many bodies at once. A repeated index counts once.
   *
   * @returns The number of bodies removed.
   * @throws {RangeError} If an index is unknown. Then nothing is removed.
   */
  removeMany(indices: ArrayLike<number>): number {
    const where = 'Octree.removeMany';
    const integers = readIndices(where, indices);
    const store = this.internals.storeToWrite(where);
    requireIndices(where, store, integers);
    return store.removeMany(integers);
  }

  /**
   * Gives many bodies other categories, as `body.setMask` does. If an index is repeated, its last mask counts.
   *
   * @param mask One mask of 32 bits for all bodies, or one per index.
   * @throws {RangeError} If an index is unknown, a mask is not an integer of 32 bits, or there is not one mask per
   *   index. A rejected call changes nothing.
   * @throws {TypeError} If a mask is not a number.
   */
  setMaskMany(indices: ArrayLike<number>, mask: number | ArrayLike<number>): void {
    const where = 'Octree.setMaskMany';
    const integers = readIndices(where, indices);
    const masks = readBulkMasks(where, 'mask', mask, integers.length);
    const store = this.internals.storeToWrite(where);
    requireIndices(where, store, integers);
    store.setMaskMany(integers, masks);
  }

  /**
   * Removes a body, as `body.remove()` does.
   *
   * @returns False if it was removed before.
   * @throws {TypeError} If the argument is not a Body.
   * @throws {RangeError} If the body belongs to another octree.
   */
  remove(body: Body<T, M>): boolean {
    if (!isBody(body))
      throwType(
        'Octree.remove',
        'body',
        'be a Body',
        body,
        'pass what insert returned, or use removeMany for an index',
      );
    if (body.index >= 0 && !body.belongsTo(this.internals.store))
      throw new RangeError('Octree.remove: this body belongs to another octree; call body.remove().');
    return (body as AnyBody).remove();
  }

  /**
   * One tick: calls `update` of the bodies that have one, applies the queue, removes empty leaves whose lifespan has
   * ended, merges under-full nodes, and reports changes: to contacts, sensors and the callbacks of `onIntersection`.
   *
   * @param deltaSeconds Seconds, finite and not negative, passed to the bodies' `update`. Lifespans count calls, not
   *   time.
   * @returns The state after the tick, and counts of what happened since the previous tick.
   * @throws {RangeError} If `deltaSeconds` is not finite or negative.
   * @throws {Error} If called from a callback of a query or of `update`.
   * @throws The first error that a callback has thrown, after the tick.
   */
  update(deltaSeconds: number = 0): TickStatistics<T, M> {
    const where = 'Octree.update';
    this.internals.storeToWrite(where);
    requireFiniteNotNegative(where, 'deltaSeconds', deltaSeconds, 'pass the seconds since the last frame');
    return this.internals.update(deltaSeconds) as TickStatistics<T, M>;
  }

  /**
   * Removes all bodies and the tree. The octree is then as after its construction. But contacts and sensors continue,
   * with empty lists: they report no `ended` and no `left` for the bodies that were removed.
   *
   * @throws {Error} If called from a callback of a query or of `update`.
   */
  clear(): void {
    this.internals.storeToWrite('Octree.clear');
    this.internals.clear();
  }
}
