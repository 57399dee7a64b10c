/** The options of the octree, its bodies and its queries, with their defaults, and the functions that check and read them. */

import { isPowerOfTwo } from '../math/integer-cube.ts';
import { ALL_CATEGORIES } from '../tree/layout.ts';
import type { IndexList } from '../tree/storage/index-list.ts';
import { Body } from './body.ts';
import { describe, requireBoolean, requireFinite, requireFunction, requireNotNegative, requireObject } from './input-checks.ts';
import type { IntersectionRecord } from './intersection-record.ts';
import { requireKnownOptions, type KnownOptions } from './known-options.ts';
import { readMask } from './mask.ts';
import type { MathTypes, PlainMath } from './math-types.ts';
import type { FrustumLike } from './query-shapes.ts';
import { readRegion, type BoundsKind, type PointLike, type Region } from './shapes.ts';

/**
 * What happens to a body whose bounds leave the region. 'grow': the root doubles until it contains the body. 'remove': the body is removed.
 * 'throw': the call throws a RangeError and changes nothing.
 */
export type OutsideRule = 'grow' | 'remove' | 'throw';

/** The options of `new Octree()`. They cannot be changed later. */
export interface OctreeOptions {
  /** Cell of the root: integer corners, power-of-two edge. Default: the smallest such cube around the first batch. */
  readonly region?: Region;
  /** Edge of the smallest cell in world units, a power of two of at least 1. Default 1. */
  readonly minCellSize?: number;
  /** A node accepts a body that fits into its cell scaled by this factor about its centre: from 1 (strict octree) to 8. Default 2. */
  readonly looseness?: number;
  /** Bodies that a leaf holds before it splits, 1 to 4096. Default 16. */
  readonly leafCapacity?: number;
  /** What happens to a body whose bounds leave the region. Default 'grow'. */
  readonly outside?: OutsideRule;
  /** Whether an empty leaf is kept until its lifespan ends; if false, the next update removes it. Default true. */
  readonly lifespan?: boolean;
  /**
   * Number of bodies from which all queries except pairs run as SIMD in WebAssembly, in about half the time. The results and their order are the
   * same. With `candidates`, and in `stats`, a few more bodies may count, because these tests run in Float32. Default 1000; 0 for always, Infinity
   * for never.
   *
   * The arrays of the tree then lie in a WebAssembly.Memory of their own. Browsers allow little more than a hundred of them, so at most 64 octrees
   * have one at a time; `clear` and garbage collection free it. An octree without one runs the same queries in JavaScript. So does every octree
   * where SIMD is missing, or where the content security policy lacks 'wasm-unsafe-eval'; browsers may report this violation of the policy
   * once, which Infinity avoids.
   */
  readonly simdFrom?: number;
}

/** The options of `octree.insert`. */
export interface BodyOptions<T, M extends MathTypes = PlainMath> {
  /** Categories of the body, 32 bits. Default all ones. 0 hides the body from every query. */
  readonly mask?: number;
  /** Two static bodies never form a pair, and a static body gets no margin, so moving it costs more. Default false. */
  readonly isStatic?: boolean;
  /**
   * Called by `octree.update` before the moves of the tick are applied; may call `setBox`, `setSphere` and `remove`. The returned value is ignored.
   * If a callback throws, the callbacks of other bodies still run; the first error is thrown after the tick.
   */
  readonly update?: (this: Body<T, M>, deltaSeconds: number) => boolean | void;
  /** Called at the end of `octree.update` for each body that overlaps this one. Errors as in `update`. */
  readonly onIntersection?: (this: Body<T, M>, record: IntersectionRecord<T, M>) => void;
}

/** The options of `octree.insertMany`. */
export interface BulkOptions<T> {
  /** Whether the bounds are boxes of 6 numbers or spheres of 4. */
  readonly kind: BoundsKind;
  /** Data of each body. */
  readonly data?: ArrayLike<T>;
  /** Categories, 32 bits: one mask for all bodies, or one per body. Default all ones. */
  readonly mask?: number | ArrayLike<number>;
  /** As in `BodyOptions`. Default false. */
  readonly isStatic?: boolean;
}

/** The options of `octree.moveMany`, `setMaskMany` and `removeMany`. */
export interface IdOptions {
  /** Whether the bodies are given by ids, see `octree.idOf`, instead of indices. Bodies that were removed are skipped. Default false. */
  readonly ids?: boolean;
}

/** The cost of a query. All four fields are overwritten when the query has ended without an error. */
export interface QueryStats {
  /** Nodes whose children or bodies were tested; in pair queries, pairs of nodes. */
  nodesVisited: number;
  /** Nodes contained in the volume: everything below them was taken without a test. */
  nodesContained: number;
  /** Bodies whose slot bounds were tested. */
  bodiesTested: number;
  /** Bodies, or pairs, reported. */
  bodiesReported: number;
}

/** The options that all queries have. */
export interface QueryOptions<T, M extends MathTypes = PlainMath> {
  /** Reports only bodies with `(body.mask & mask) !== 0`. Default all ones. */
  readonly mask?: number;
  /** Reports only bodies for which this returns true. It sees the octree as it was when the outermost query began. */
  readonly filter?: (body: Body<T, M>) => boolean;
  /**
   * A body of this octree that is left out, with all its pairs; the filter is not called for it. `nearest` finds `count` others. A body that was removed
   * leaves out nothing; one that a callback removes while a query runs is left out until the outermost query ends. Allocates nothing.
   */
  readonly except?: Body<unknown>;
  /** Filled with the cost of the query. */
  readonly stats?: QueryStats;
  /**
   * Broad phase only: reports every body whose slot bounds pass, without the exact test. Slot bounds contain the body's bounds, so the candidates
   * include every exact result. `nearest` may report more than `count` bodies, `firstHit` the first slot bounds on the ray. Default false.
   */
  readonly candidates?: boolean;
}

/** The options of `octree.trackContacts`. */
export interface ContactOptions<T, M extends MathTypes = PlainMath> {
  /** Both bodies of a pair must have one of these categories. Default all ones. */
  readonly mask?: number;
  /**
   * Both bodies of a pair must pass. Called by `update` when a pair begins to overlap; the result holds until the pair ends. It may query and write;
   * writes take effect after the update. If it throws, the pair is left out, and the first error is thrown after the tick.
   */
  readonly filter?: (body: Body<T, M>) => boolean;
}

/** The options of ray queries. */
export interface RayOptions<T, M extends MathTypes = PlainMath> extends QueryOptions<T, M> {
  /** Minimum entry distance, world units, closed. Default 0. */
  readonly near?: number;
  /** Maximum entry distance, world units, closed. Default Infinity. */
  readonly far?: number;
}

/** The options of `octree.castRays`. The maximum distance of each ray is its seventh number. */
export interface RayBatchOptions<T, M extends MathTypes = PlainMath> extends QueryOptions<T, M> {
  /** Minimum entry distance of all rays, world units, closed. Default 0. */
  readonly near?: number;
  /** Number of rays, for arrays that are longer. Default: all of `rays`. */
  readonly count?: number;
}

/** The options of `nearest` and `collectNearest`. */
export interface NearestOptions<T, M extends MathTypes = PlainMath> extends QueryOptions<T, M> {
  /** World units, closed. Default Infinity. */
  readonly maxDistance?: number;
  /** From a ray: the minimum distance from its origin that counts, world units, closed. Default 0. */
  readonly near?: number;
  /** From a ray: the maximum distance from its origin that counts, world units, closed. Default Infinity. If it is less than `near`, nothing is found. */
  readonly far?: number;
}

/** The options of pair queries. */
export interface PairOptions<T, M extends MathTypes = PlainMath> extends QueryOptions<T, M> {
  /**
   * Maximum distance between the bounds of two bodies, world units, closed. Default 0: bodies that touch. Static pairs are left out at any
   * distance.
   */
  readonly within?: number;
  /**
   * Categories of the second body of each pair, 32 bits; `mask` is then that of the first. Finds the pairs between two groups. Default: `mask`
   * for both.
   */
  readonly otherMask?: number;
}

/** The options of frustum queries. */
export interface FrustumOptions<T, M extends MathTypes = PlainMath> extends QueryOptions<T, M> {
  /** Drops the false positives of the plane test, such as large boxes beside a corner of the frustum. Default false. */
  readonly exact?: boolean;
  /**
   * Drops bodies that look smaller than this: their diameter is less than `minSize` times the distance of their centre from `eye` or, without `eye`,
   * less than `minSize`. The diameter of a box is its diagonal. So `minSize` is the width of the smallest body at distance 1, as seen by a perspective
   * camera; for an orthographic camera leave `eye` out. Finite, 0 or more: with `eye` a ratio of size to distance, without it a length in world
   * units. Default 0: drops none.
   *
   * A branch whose largest body is too small is skipped without tests. A moving body counts by its fat bounds there, so fewer branches are skipped.
   * Cost: the query runs in JavaScript, and tests every visible body.
   */
  readonly minSize?: number;
  /** Where the camera is; for `minSize`. */
  readonly eye?: PointLike;
}

/** One view of `octree.collectViews`: the arguments of `collectFrustum`. It may have other fields too. */
export interface FrustumView<T, M extends MathTypes = PlainMath> {
  /** What the view sees: the frustum of a camera, of a shadow cascade, of a face of a cube. */
  readonly frustum: FrustumLike;
  /** Receives the indices. No other view of the call may have the same list. */
  readonly list: IndexList;
  /** As in `collectFrustum`, for this view alone. */
  readonly options?: FrustumOptions<T, M>;
}

/** The octree's options, checked, with defaults filled in. */
export interface ResolvedOptions {
  readonly region: Region | null;
  readonly minCellSize: number;
  readonly looseness: number;
  readonly leafCapacity: number;
  readonly outside: OutsideRule;
  readonly lifespan: boolean;
  readonly simdFrom: number;
}

const OCTREE_OPTIONS: KnownOptions = /* @__PURE__ */ Object.keys({
  region: true, minCellSize: true, looseness: true, leafCapacity: true, outside: true, lifespan: true, simdFrom: true,
} satisfies Record<keyof OctreeOptions, true>);

const BODY_OPTIONS: KnownOptions = /* @__PURE__ */ Object.keys({ mask: true, isStatic: true, update: true, onIntersection: true } satisfies Record<keyof BodyOptions<never>, true>);

export const BULK_OPTIONS: KnownOptions = /* @__PURE__ */ Object.keys({ kind: true, data: true, mask: true, isStatic: true } satisfies Record<keyof BulkOptions<never>, true>);

const ID_OPTIONS: KnownOptions = /* @__PURE__ */ Object.keys({ ids: true } satisfies Record<keyof IdOptions, true>);

const CONTACT_OPTIONS: KnownOptions = /* @__PURE__ */ Object.keys({ mask: true, filter: true } satisfies Record<keyof ContactOptions<never>, true>);

/** The options of all queries together, so that several queries may share one object. */
const QUERY_OPTIONS: KnownOptions = /* @__PURE__ */ Object.keys({
  mask: true, filter: true, except: true, stats: true, candidates: true, near: true, far: true, maxDistance: true, within: true, otherMask: true, exact: true, minSize: true, eye: true, count: true,
} satisfies Record<keyof QueryOptions<never> | keyof RayOptions<never> | keyof NearestOptions<never> | keyof PairOptions<never> | keyof FrustumOptions<never> | keyof RayBatchOptions<never>, true>);

const OUTSIDE_RULES: readonly string[] = ['grow', 'remove', 'throw'];
/** Bodies below which plain JavaScript is as fast as WebAssembly. */
const SIMD_FROM = 1000;
const MAX_LOOSENESS = 8;
const MAX_LEAF_CAPACITY = 4096;

export function resolveOptions(options: OctreeOptions): ResolvedOptions {
  const where = 'Octree';
  requireOptions(where, options, OCTREE_OPTIONS);
  const { region, minCellSize = 1, looseness = 2, leafCapacity = 16, outside = 'grow', lifespan = true, simdFrom = SIMD_FROM } = options;
  requireFinite(where, 'minCellSize', minCellSize, 'use a power of two of at least 1');
  if (!isPowerOfTwo(minCellSize) || minCellSize < 1 || minCellSize > 2 ** 30) {
    throw new RangeError(`${where}: minCellSize must be a power of two from 1 to 2^30, but is ${minCellSize}; use 1 if unsure.`);
  }
  requireFinite(where, 'looseness', looseness, 'use a number from 1 to 8');
  if (looseness < 1 || looseness > MAX_LOOSENESS) {
    throw new RangeError(`${where}: looseness must lie between 1 and ${MAX_LOOSENESS}, but is ${looseness}; use 2 if unsure.`);
  }
  requireFinite(where, 'leafCapacity', leafCapacity, 'use an integer from 1 to 4096');
  if (!Number.isInteger(leafCapacity) || leafCapacity < 1 || leafCapacity > MAX_LEAF_CAPACITY) {
    throw new RangeError(`${where}: leafCapacity must be an integer from 1 to ${MAX_LEAF_CAPACITY}, but is ${leafCapacity}; use 16 if unsure.`);
  }
  if (!OUTSIDE_RULES.includes(outside)) {
    throw new TypeError(`${where}: outside must be 'grow', 'remove' or 'throw', but is ${describe(outside)}; leave it out for 'grow'.`);
  }
  requireBoolean(where, 'lifespan', lifespan);
  requireNotNegative(where, 'simdFrom', simdFrom, `leave it out for ${SIMD_FROM}, or use Infinity for never`);
  return { region: region === undefined ? null : readRegion(where, region, minCellSize), minCellSize, looseness, leafCapacity, outside, lifespan, simdFrom };
}

/** Checks the options of a body and returns its categories. */
export function readBodyOptions<T, M extends MathTypes>(where: string, options: BodyOptions<T, M>): number {
  requireOptions(where, options, BODY_OPTIONS);
  requireFunction(where, 'options.update', options.update);
  requireFunction(where, 'options.onIntersection', options.onIntersection);
  requireBoolean(where, 'options.isStatic', options.isStatic);
  return readMask(where, 'options.mask', options.mask);
}

/** Whether bodies are given by ids. */
export function readIdOptions(where: string, options: IdOptions | undefined): boolean {
  if (options === undefined) return false;
  requireOptions(where, options, ID_OPTIONS);
  requireBoolean(where, 'options.ids', options.ids);
  return options.ids === true;
}

/** Checks the options that contacts and sensors share, and returns the categories to report. `known` are all options of the function. */
export function readWatchOptions<T, M extends MathTypes>(where: string, options: ContactOptions<T, M>, known: KnownOptions = CONTACT_OPTIONS): number {
  requireOptions(where, options, known);
  requireFunction(where, 'options.filter', options.filter);
  return readMask(where, 'options.mask', options.mask);
}

/** Checks the options that all queries share and returns the categories to report. */
export function readQueryOptions<T, M extends MathTypes>(where: string, options: QueryOptions<T, M> | undefined): number {
  if (options === undefined) return ALL_CATEGORIES;
  requireOptions(where, options, QUERY_OPTIONS);
  requireFunction(where, 'options.filter', options.filter);
  requireBoolean(where, 'options.candidates', options.candidates);
  requireExcept(where, options.except);
  if (options.stats !== undefined) requireObject(where, 'options.stats', options.stats, 'pass {} to be filled');
  return readMask(where, 'options.mask', options.mask);
}

/** Whether any query has an option with this name. */
export function isQueryOption(name: string): boolean {
  return QUERY_OPTIONS.includes(name);
}

function requireExcept(where: string, except: unknown): void {
  if (except === undefined || except instanceof Body) return;
  throw new TypeError(`${where}: options.except must be a Body, but is ${describe(except)}; pass what insert or bodyAt returned, or leave it out.`);
}

function requireOptions(where: string, options: object, known: KnownOptions): void {
  requireObject(where, 'options', options, 'pass {} or leave it out');
  // An array would pass as options: it has a method `filter`.
  if (Array.isArray(options) || ArrayBuffer.isView(options)) throw new TypeError(`${where}: options must be an object, but is an array; pass a target array after the options.`);
  requireKnownOptions(where, options, known);
}

/** An optional number from 0 to Infinity. */
export function readDistanceOption(where: string, field: string, value: number | undefined, byDefault: number): number {
  return value === undefined ? byDefault : requireNotNegative(where, `options.${field}`, value, `leave it out for ${byDefault}`);
}
