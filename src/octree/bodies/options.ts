/** The options of an octree, of `insert` and of `insertMany`: types, defaults and checks. */

import { isPowerOfTwo, MIN_EDGE } from '../../math/integer-cube.ts';
import { LOOK_AHEAD, type TreeOptions } from '../../tree/tree.ts';
import {
  isBetween,
  isIntegerBetween,
  requireBoolean,
  requireNotNegative,
  requireNumber,
  throwType,
} from '../input/input-checks.ts';
import { requireOptions, type KnownOptions } from '../input/known-options.ts';
import { readRegion, type Region, type BoundsKind } from '../input/shapes.ts';
import type { Body } from './body.ts';
import type { MathTypes, PlainMath } from '../input/math-types.ts';

/**
 * What happens to a body whose bounds leave the region. 'grow': the root doubles until it contains the body. 'remove':
 * the body is removed. 'throw': the call throws a RangeError and changes nothing.
 */
export type OutsideRule = 'grow' | 'remove' | 'throw';

/** The options of `new Octree()`. They cannot be changed later. */
export interface OctreeOptions {
  /**
   * Cell of the root: a power-of-two edge, and corners that are integers or, if `minCellSize` is below 1, multiples of
   * it. Default: the smallest such cube around the first bodies, all that are inserted before the first query or
   * update.
   */
  readonly region?: Region;
  /**
   * Edge of the smallest cell in world units, a power of two from 2^-30 to 2^30. Default 1; the containers of
   * `scene-octree/three` choose it by their bodies. Where bodies are small in your units (metres for XR, degrees), take
   * about their size.
   */
  readonly minCellSize?: number;
  /**
   * A node accepts a body that fits into its cell scaled by this factor about its centre: from 1 (strict octree) to 8.
   * Default 2.
   */
  readonly looseness?: number;
  /** Bodies that a leaf holds before it splits, 1 to 4096. Default 16. */
  readonly leafCapacity?: number;
  /** What happens to a body whose bounds leave the region. Default 'grow'. */
  readonly outside?: OutsideRule;
  /** Whether an empty leaf is kept until its lifespan ends; if false, the next update removes it. Default true. */
  readonly lifespan?: boolean;
  /**
   * For how many moves like its last one, at most, a moving body is placed: in the smallest cell that accepts it now
   * and until then; 0 to 1000. With more, fast bodies change their node less often, but lie in larger cells, so that
   * queries, contacts and sensors test more bodies. Default 48; 96 or 192 for thousands of fast bodies with few
   * queries.
   */
  readonly lookAhead?: number;
  /**
   * Number of bodies from which queries run as SIMD in WebAssembly, in about half the time. At any number of bodies
   * these run in JavaScript: pairs of touching bodies, `nearest` from a `RayRange`, `visitNearest`, and a
   * `CustomVolume`. The results and their order do not depend on it. Only with `candidates`, and in `stats`,
   * WebAssembly may report a few more bodies, because its tests run in Float32. Default 1000; 0 for always, Infinity
   * for never.
   *
   * An octree that runs in WebAssembly has a WebAssembly.Memory of its own. Browsers allow little more than a hundred,
   * so all octrees together use at most 64. `clear` and garbage collection free them. An octree that gets none runs the
   * same queries in JavaScript. So does every octree where SIMD is missing, or where the content security policy lacks
   * 'wasm-unsafe-eval'; browsers may report this violation of the policy once, which Infinity avoids.
   */
  readonly simdFrom?: number;
}

/** The octree's options, checked, with defaults filled in. */
export interface ResolvedOptions extends Required<TreeOptions> {
  readonly region: Region | null;
  readonly outside: OutsideRule;
  readonly simdFrom: number;
  /** Set if only a container writes to the octree: the text of the error of every write by a user. */
  readonly keeper: string | null;
}

const OCTREE_OPTIONS: KnownOptions<OctreeOptions> = [
  'region',
  'minCellSize',
  'looseness',
  'leafCapacity',
  'outside',
  'lifespan',
  'lookAhead',
  'simdFrom',
];
/** The options of a container: one of its own, and those of its octree, whose region always grows. */
export const containerOptions = (own: string): KnownOptions => [
  own,
  ...OCTREE_OPTIONS.filter((name) => name !== 'outside'),
];

const OUTSIDE_RULES: readonly string[] = ['grow', 'remove', 'throw'];
/** Bodies below which plain JavaScript is as fast as WebAssembly. Test: limits.test. */
const SIMD_FROM = 1000;
// Largest values of options. Test: limits.test.
const MAX_LOOSENESS = 8;
const MAX_LEAF_CAPACITY = 4096;
const MAX_LOOK_AHEAD = 1000;

export function resolveOptions(options: OctreeOptions, keeper: string | null = null): ResolvedOptions {
  const where = 'Octree';
  requireOptions(where, options, OCTREE_OPTIONS);
  const {
    region,
    minCellSize = 1,
    looseness = 2,
    leafCapacity = 16,
    outside = 'grow',
    lifespan = true,
    lookAhead = LOOK_AHEAD,
    simdFrom = SIMD_FROM,
  } = options;
  const isCellSize = isBetween(minCellSize, MIN_EDGE, 2 ** 30) && isPowerOfTwo(minCellSize);
  requireNumber(
    where,
    'minCellSize',
    'be a power of two from 2^-30 to 2^30',
    minCellSize,
    isCellSize,
    'use 1 if unsure',
  );
  requireBetween(where, 'looseness', looseness, 1, MAX_LOOSENESS, 2);
  requireNumber(
    where,
    'leafCapacity',
    `be an integer from 1 to ${MAX_LEAF_CAPACITY}`,
    leafCapacity,
    isIntegerBetween(leafCapacity, 1, MAX_LEAF_CAPACITY),
    'use 16 if unsure',
  );
  if (!OUTSIDE_RULES.includes(outside)) {
    throwType(where, 'outside', "be 'grow', 'remove' or 'throw'", outside, "leave it out for 'grow'");
  }
  requireBoolean(where, 'lifespan', lifespan);
  requireBetween(where, 'lookAhead', lookAhead, 0, MAX_LOOK_AHEAD, LOOK_AHEAD);
  requireNotNegative(where, 'simdFrom', simdFrom, `leave it out for ${SIMD_FROM}, or use Infinity for never`);
  return {
    region: region === undefined ? null : readRegion(where, region, minCellSize),
    minCellSize,
    adaptsCells: keeper !== null && options.minCellSize === undefined,
    looseness,
    leafCapacity,
    outside,
    lifespan,
    lookAhead,
    simdFrom,
    keeper,
  };
}

function requireBetween(
  where: string,
  field: string,
  value: number,
  min: number,
  max: number,
  byDefault: number,
): void {
  const isFine = isBetween(value, min, max);
  requireNumber(where, field, `lie between ${min} and ${max}`, value, isFine, `use ${byDefault} if unsure`);
}

/** The options of `octree.insert`. */
export interface BodyOptions<T, M extends MathTypes = PlainMath> {
  /** Categories of the body, 32 bits. Default all ones. 0 hides the body from every query. */
  readonly mask?: number;
  /**
   * Two static bodies form a pair only with `staticPairs` of `intersectPairs`, and a static body gets no margin, so
   * moving it costs more. Default false.
   */
  readonly isStatic?: boolean;
  /**
   * Called by `octree.update` before the moves of the tick are applied; may move, insert and remove bodies. The
   * returned value is ignored. If a callback throws, the callbacks of other bodies still run; the first error is thrown
   * after the tick.
   */
  readonly update?: (this: Body<T, M>, deltaSeconds: number) => boolean | void;
}

export const BODY_OPTIONS: KnownOptions<BodyOptions<never>> = ['mask', 'isStatic', 'update'];

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

export const BULK_OPTIONS: KnownOptions<BulkOptions<never>> = ['kind', 'data', 'mask', 'isStatic'];
