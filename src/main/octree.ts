/** The octree of the main entry: that of `src/scene`, with three's Vector3, Box3, Sphere and Ray in its results. */

import { Body as AnyBody } from '../scene/body.ts';
import type { Contacts as AnyContacts } from '../scene/contacts.ts';
import { IntersectionRecord as AnyRecord } from '../scene/intersection-record.ts';
import { Octree as AnyOctree } from '../scene/octree.ts';
import { OctreeNode as AnyNode } from '../scene/octree-node.ts';
import type * as options from '../scene/options.ts';
import { threeMath, type ThreeMath } from './three-math.ts';

/**
 * A database of all bodies of a scene, moving or static, with queries for what a camera sees, what a ray hits, what is near and what overlaps.
 *
 * Inserts, moves and removals are queued and applied together, by the next query or by `update`. So a query never misses a body that was inserted
 * before it, and never reports one that was removed before it. Call `update` once per frame: only `update` removes empty leaves and merges
 * under-full nodes. `T` is the type of the data that the user stores with each body.
 */
export class Octree<T = unknown> extends AnyOctree<T, ThreeMath> {
  /**
   * @throws {RangeError} If a value lies outside its range.
   * @throws {TypeError} If an option is of the wrong type.
   */
  constructor(options?: options.OctreeOptions) {
    super(options, threeMath);
  }
}

/** The handle of a body, which the user keeps. Once its body is removed, a handle stays dead for ever. `getBox` returns a Box3, `getSphere` a Sphere. */
export type Body<T> = AnyBody<T, ThreeMath>;
/** For `instanceof`: handles come from `octree.insert`. */
export const Body = AnyBody as abstract new <T>(...internal: never) => Body<T>;

/** One result of a query. `position` and `normal` are a Vector3, `ray` is a Ray. */
export type IntersectionRecord<T> = AnyRecord<T, ThreeMath>;
/** For `instanceof`: records come from queries. */
export const IntersectionRecord = AnyRecord as abstract new <T>(...internal: never) => IntersectionRecord<T>;

/** A node as visitors and records see it. `fitted` is a Box3. */
export type OctreeNode<T> = AnyNode<T, ThreeMath>;
/** `new OctreeNode<T>()` is a target for `walk` and `visitNodes`. */
export const OctreeNode = AnyNode as new <T>() => OctreeNode<T>;

export type Contacts<T> = AnyContacts<T, ThreeMath>;

export type BodyOptions<T> = options.BodyOptions<T, ThreeMath>;
export type ContactOptions<T> = options.ContactOptions<T, ThreeMath>;
export type QueryOptions<T> = options.QueryOptions<T, ThreeMath>;
export type RayOptions<T> = options.RayOptions<T, ThreeMath>;
export type NearestOptions<T> = options.NearestOptions<T, ThreeMath>;
export type FrustumOptions<T> = options.FrustumOptions<T, ThreeMath>;
export type PairOptions<T> = options.PairOptions<T, ThreeMath>;
