/**
 * The octree of the main entry: the class of `src/octree`, with three's Vector3, Box3, Sphere and Ray in its results.
 */

import { Body as AnyBody } from '../octree/bodies/body.ts';
import type {
  ContactOptions as AnyContactOptions,
  Contacts as AnyContacts,
} from '../features/contacts/track-contacts.ts';
import { IntersectionRecord as AnyRecord } from '../octree/queries/record-writer.ts';
import { Octree as AnyOctree } from '../octree/octree.ts';
import { OctreeNode as AnyNode } from '../octree/bodies/octree-node.ts';
import type { NearestOptions as AnyNearestOptions } from '../features/nearest/nearest-arguments.ts';
import type { HitVisitor as AnyHitVisitor } from '../octree/queries/visitor-limit.ts';
import type { PairOptions as AnyPairOptions } from '../features/pairs/pairs.ts';
import type { RayBundleOptions as AnyRayBundleOptions } from '../features/ray-bundles/cast-rays.ts';
import type * as sensors from '../features/sensors/sensors.ts';
import { CustomVolume as AnyCustomVolume, type VolumeTest } from '../features/volumes/custom-volume.ts';
import type { VisibleOptions as AnyVisibleOptions } from '../occlusion/visible/visible.ts';
import type { BodyOptions as AnyBodyOptions, OctreeOptions } from '../octree/bodies/options.ts';
import type { TickStatistics as AnyTickStatistics } from '../octree/ticker.ts';
import type * as queries from '../octree/queries/query-options.ts';
import { threeMath, type ReadOnlyMath, type ThreeMath } from './three-math.ts';

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
 * - Behind what stands in front: `setOccluder`, `collectVisible`, `intersectVisible`.
 * - Pairs of bodies: `intersectPairs`, `collectPairs`.
 * - Changes, reported by `update`: `trackContacts`, `onIntersection`, `watch`, `watchDistances`.
 * - Ids, which are never reused: `idOf`, `idsOf`, `indexOfId`, `moveManyById`, `setMaskManyById`, `removeManyById`.
 * - The whole world: `translate`. For tests: `validate` of `scene-octree/debug`.
 *
 * @example
 * ```ts
 * import { Box3, Ray, Sphere, Vector3 } from 'three';
 * import { Octree } from 'scene-octree';
 *
 * const octree = new Octree<string>();
 * octree.insert(new Box3(new Vector3(-1, 0, -9), new Vector3(1, 6, -7)), 'tree', { isStatic: true });
 * const bird = octree.insert(new Sphere(new Vector3(0, 9, -8), 0.5), 'bird');
 * bird.setCenter(new Vector3(0, 7, -8));
 * octree.update(1 / 60); // once a frame
 * const hit = octree.firstHit(new Ray(new Vector3(0, 7, 5), new Vector3(0, 0, -1)));
 * console.log(hit?.body.data, hit?.distance); // prints: bird 12.5
 * ```
 */
export class Octree<T = unknown> extends AnyOctree<T, ThreeMath> {
  /**
   * @throws {RangeError} If a value lies outside its range.
   * @throws {TypeError} If an option is of the wrong type.
   */
  constructor(options?: OctreeOptions) {
    super(options, threeMath);
  }
}

/** Read by TypeScript in its error for a call of a method that writes. */
type ReadOnly = 'The octree belongs to its container: change the children or the instances there';

/**
 * The octree of an OctreeGroup or an OctreeInstances: every query, and every function that only reads. Its container
 * alone writes to it. Any other write, also by a method of a body or by `translate`, throws an Error before anything
 * changes. `trackContacts`, `watch` and the like follow it, but a group that moves may insert all bodies again: then
 * all pairs end and begin. It is no instance of the class `Octree`: containers do not carry the code of its writes.
 */
export interface ReadOnlyOctree<T> extends AnyOctree<T, ReadOnlyMath> {
  insert(this: ReadOnly, ...args: Parameters<AnyOctree<T, ReadOnlyMath>['insert']>): never;
  insertMany(this: ReadOnly, ...args: Parameters<AnyOctree<T, ReadOnlyMath>['insertMany']>): never;
  moveMany(this: ReadOnly, ...args: unknown[]): never;
  setMaskMany(this: ReadOnly, ...args: unknown[]): never;
  remove(this: ReadOnly, ...args: Parameters<AnyOctree<T, ReadOnlyMath>['remove']>): never;
  removeMany(this: ReadOnly, ...args: unknown[]): never;
  clear(this: ReadOnly, ...args: unknown[]): never;
  /** Not for users: `updateMatrixWorld` of the container calls it. */
  update(this: ReadOnly, ...args: unknown[]): never;
}

/**
 * The handle of a body, which the user keeps. Once its body is removed, a handle stays dead for ever. `getBox` returns
 * a Box3, `getSphere` a Sphere. The class is exported for `instanceof`.
 */
export interface Body<T> extends AnyBody<T, ThreeMath> {}
/** @hidden */
export const Body = AnyBody as abstract new <T>(...internal: never) => Body<T>;

/**
 * One result of a query. `position` and `normal` are a Vector3, `ray` is a Ray. The class is exported for `instanceof`.
 */
export interface IntersectionRecord<T> extends AnyRecord<T, ThreeMath> {}
/** @hidden */
export const IntersectionRecord = AnyRecord as abstract new <T>(...internal: never) => IntersectionRecord<T>;

/**
 * A node as visitors and records see it. `fitted` is a Box3. `new OctreeNode<T>()` is a target for `octree.walk` and
 * `octree.visitNodes`.
 */
export interface OctreeNode<T> extends AnyNode<T, ThreeMath> {}
/** @hidden */
export const OctreeNode = AnyNode as new <T>() => OctreeNode<T>;

/** A volume of your own, by three callbacks, which get a Box3 and a Sphere. The class is exported for `instanceof`. */
export interface CustomVolume extends AnyCustomVolume<ThreeMath> {}
/** @hidden */
export const CustomVolume = AnyCustomVolume as new (callbacks: VolumeTest<ThreeMath>) => CustomVolume;

/** The pairs of bodies that overlap, followed from update to update. Its records have three's vectors. */
export interface Contacts<T> extends AnyContacts<T, ThreeMath> {}
/** What is inside a volume, followed from update to update. */
export interface Sensor<T> extends sensors.Sensor<T, ThreeMath> {}
/** In which band of distance from a point each body is, followed from update to update. */
export interface DistanceBands<T> extends sensors.DistanceBands<T, ThreeMath> {}

/** What `octree.update` returns: the state after it, and counts of what happened since the previous one. */
export interface TickStatistics<T = unknown> extends AnyTickStatistics<T, ThreeMath> {}
/** The options of `octree.insert`. */
export interface BodyOptions<T> extends AnyBodyOptions<T, ThreeMath> {}
/** The options that all queries have. */
export interface QueryOptions<T> extends queries.QueryOptions<T, ThreeMath> {}
/** The options of `castRays`. The maximum distance of each ray is its seventh number. */
export interface RayBundleOptions<T> extends AnyRayBundleOptions<T, ThreeMath> {}
/** The options of ray queries. */
export interface RayOptions<T> extends queries.RayOptions<T, ThreeMath> {}
/** The options of `nearest` and `collectNearest`. */
export interface NearestOptions<T> extends AnyNearestOptions<T, ThreeMath> {}
/** The visitor of `visitNearest`, `visitCast` and `visitRay`. */
export type HitVisitor<T> = AnyHitVisitor<T, ThreeMath>;
/** The options of frustum queries. */
export interface FrustumOptions<T> extends queries.FrustumOptions<T, ThreeMath> {}
/** The options of pair queries. */
export interface PairOptions<T> extends AnyPairOptions<T, ThreeMath> {}
/** The options of `trackContacts`. */
export interface ContactOptions<T> extends AnyContactOptions<T, ThreeMath> {}
/** The options of `watch`. */
export interface SensorOptions<T> extends sensors.SensorOptions<T, ThreeMath> {}
/** The options of `watchDistances`. */
export interface BandOptions<T> extends sensors.BandOptions<T, ThreeMath> {}
/** The options of `collectVisible` and `intersectVisible`. */
export interface VisibleOptions<T> extends AnyVisibleOptions<T, ThreeMath> {}
