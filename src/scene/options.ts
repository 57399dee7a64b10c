/** The options of the octree, its bodies and its questions, and how they are read. */

import { isPowerOfTwo } from '../math/integer-cube.ts';
import { ALL_CATEGORIES } from '../tree/layout.ts';
import type { Body } from './body.ts';
import { describe, requireBoolean, requireFinite, requireFunction, requireNotNegative, requireObject } from './input-checks.ts';
import type { IntersectionRecord } from './intersection-record.ts';
import { readRegion, type BoundsKind, type Region } from './shapes.ts';

/** What happens to a body whose bounds leave the region. */
export type OutsideRule = 'grow' | 'remove' | 'throw';

export interface OctreeOptions {
  /** Cell of the root: integer corners, power-of-two edge. Default: the smallest such cube around the first batch. */
  readonly region?: Region;
  /** Edge of the smallest cell in world units, a power of two of at least 1. Default 1. */
  readonly minCellSize?: number;
  /** How much larger than its cell, about its centre, a node accepts bodies: from 1 (strict) to 8. Default 2. */
  readonly looseness?: number;
  /** Bodies that a leaf may hold before it splits, 1 to 4096. Default 16. */
  readonly leafCapacity?: number;
  /** Default 'grow': the root doubles until it encloses the body. */
  readonly outside?: OutsideRule;
  /** Whether a leaf that is left empty waits for its lifespan to end; if not, the next update cuts it off. Default true. */
  readonly lifespan?: boolean;
  /**
   * Number of bodies from which on all questions but pairs are answered by SIMD in WebAssembly, in about half the time. The answers and their
   * order are the same; with `candidates`, and in `stats`, a few more may count that Float32 cannot tell apart.
   *
   * The arrays of the tree then lie in a WebAssembly.Memory of their own. Browsers have room for little more than a hundred, so at most 64 octrees
   * have one at a time, until they are cleared or collected as garbage. Without one, without SIMD, or under a content security policy without
   * 'wasm-unsafe-eval', JavaScript answers all the same; browsers may report the breach of the policy once, which Infinity avoids. Default 1000;
   * 0 for always, Infinity for never.
   */
  readonly simdFrom?: number;
}

export interface BodyOptions<T> {
  /** Categories of the body, 32 bits. Default all ones; 0 hides the body from every query. */
  readonly mask?: number;
  /** Two static bodies never pair, and a static body gets no room to move. Default false. */
  readonly isStatic?: boolean;
  /**
   * Called by `octree.update` before the moves of the tick are applied; may call `setBox`, `setSphere`, `remove`. What moves is what was
   * set: the answer need not say so. One that throws does not keep others from their turn; the first error is thrown after the tick.
   */
  readonly update?: (this: Body<T>, deltaSeconds: number) => boolean | void;
  /** Called at the end of `octree.update` for each body that overlaps this one; errors as of `update`. */
  readonly onIntersection?: (this: Body<T>, record: IntersectionRecord<T>) => void;
}

export interface BulkOptions<T> {
  readonly kind: BoundsKind;
  /** Data of each body. */
  readonly data?: ArrayLike<T>;
  /** Categories of all bodies, or of each. */
  readonly mask?: number | ArrayLike<number>;
  readonly isStatic?: boolean;
}

/** What a query has cost; all four are overwritten once it has ended without an error. */
export interface QueryStats {
  /** Nodes that were looked into; of `intersectPairs`, pairs of nodes. */
  nodesVisited: number;
  /** Nodes that lay wholly inside and were taken, with everything below them, without a test. */
  nodesContained: number;
  /** Bodies whose entry was tested. */
  bodiesTested: number;
  /** Bodies, or pairs, reported. */
  bodiesReported: number;
}

export interface QueryOptions<T> {
  /** Reports bodies with `(body.mask & mask) !== 0`. Default all ones. */
  readonly mask?: number;
  /** Reports a body only if this answers true. It sees the tree as it was when the outermost query began. */
  readonly filter?: (body: Body<T>) => boolean;
  /** Filled with what the query has cost. */
  readonly stats?: QueryStats;
  /**
   * Broad phase only: reports all that the tree would test further, by the entries that it keeps, which enclose the bounds. Always more
   * than the answer, never less; `nearest` may report more than `count`, `firstHit` the first entry on the way. Default false.
   */
  readonly candidates?: boolean;
}

export interface RayOptions<T> extends QueryOptions<T> {
  /** Closed interval of the entry distance, world units. Default 0 to Infinity. */
  readonly near?: number;
  readonly far?: number;
}

export interface NearestOptions<T> extends QueryOptions<T> {
  /** World units, closed. Default Infinity. */
  readonly maxDistance?: number;
}

export interface FrustumOptions<T> extends QueryOptions<T> {
  /** Drops the false positives of the plane test, such as big boxes beside a corner of the frustum. Default false. */
  readonly exact?: boolean;
}

export interface ResolvedOptions {
  readonly region: Region | null;
  readonly minCellSize: number;
  readonly looseness: number;
  readonly leafCapacity: number;
  readonly outside: OutsideRule;
  readonly lifespan: boolean;
  readonly simdFrom: number;
}

const OUTSIDE_RULES: readonly string[] = ['grow', 'remove', 'throw'];
/** With fewer bodies plain JavaScript is as fast. */
const SIMD_FROM = 1000;
const MAX_LOOSENESS = 8;
const MAX_LEAF_CAPACITY = 4096;

export function resolveOptions(options: OctreeOptions): ResolvedOptions {
  const where = 'Octree';
  requireOptions(where, options);
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

/** The 32 bits of a mask. */
export function readMask(where: string, field: string, mask: unknown): number {
  if (mask === undefined) return ALL_CATEGORIES;
  if (typeof mask !== 'number') throw new TypeError(`${where}: ${field} must be a number of 32 bits, but is ${describe(mask)}; leave it out for all ones.`);
  if (!isMask(mask)) {
    throw new RangeError(`${where}: ${field} must be an integer of 32 bits, but is ${mask}; leave it out for all ones.`);
  }
  return mask | 0;
}

/** Whether a number is one of 32 bits, with or without a sign. */
export function isMask(mask: number): boolean {
  return Number.isInteger(mask) && mask >= -(2 ** 31) && mask < 2 ** 32;
}

/** Checks the options of a body; returns its categories. */
export function readBodyOptions<T>(where: string, options: BodyOptions<T>): number {
  requireOptions(where, options);
  requireFunction(where, 'options.update', options.update);
  requireFunction(where, 'options.onIntersection', options.onIntersection);
  requireBoolean(where, 'options.isStatic', options.isStatic);
  return readMask(where, 'options.mask', options.mask);
}

/** Checks what all questions have in common; returns the wanted categories. */
export function readQueryOptions<T>(where: string, options: QueryOptions<T> | undefined): number {
  if (options === undefined) return ALL_CATEGORIES;
  requireOptions(where, options);
  requireFunction(where, 'options.filter', options.filter);
  requireBoolean(where, 'options.candidates', options.candidates);
  if (options.stats !== undefined) requireObject(where, 'options.stats', options.stats, 'pass {} to be filled');
  return readMask(where, 'options.mask', options.mask);
}

function requireOptions(where: string, options: unknown): void {
  requireObject(where, 'options', options, 'pass {} or leave it out');
  // Arrays have a `filter` of their own.
  if (Array.isArray(options) || ArrayBuffer.isView(options)) throw new TypeError(`${where}: options must be an object, but is an array; a target array comes behind the options.`);
}

export function readDistanceOption(where: string, field: string, value: number | undefined, byDefault: number): number {
  return value === undefined ? byDefault : requireNotNegative(where, `options.${field}`, value, `leave it out for ${byDefault}`);
}
