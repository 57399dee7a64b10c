/** The options of queries: their types, names and checks. */

import { ALL_CATEGORIES } from '../../tree/layout.ts';
import { isBody, type Body } from '../bodies/body.ts';
import { readMask, requireBoolean, requireNotNegative, throwType } from '../input/input-checks.ts';
import { requireOptions, type KnownOptions } from '../input/known-options.ts';
import type { MathTypes, PlainMath } from '../input/math-types.ts';
import type { PointLike } from '../input/shapes.ts';

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

/** A set of body indices, such as a `Set<number>`, or the `BodySet` of scene-octree/save. */
export interface IndexSet {
  /** Whether an index is in it. */
  has(index: number): boolean;
}

/** The options that all queries have. */
export interface QueryOptions<T, M extends MathTypes = PlainMath> {
  /** Reports only bodies with `(body.mask & mask) !== 0`. Default all ones. */
  readonly mask?: number;
  /**
   * Reports only bodies for which this returns true. It may query; such a query sees the octree as it was when the
   * outermost query began. Or a set of indices: reports only bodies whose index is in it. That creates no handles.
   */
  readonly filter?: ((body: Body<T, M>) => boolean) | IndexSet;
  /**
   * A body of this octree that is left out, with all its pairs; the filter is not called for it. `nearest` finds
   * `count` others. If it is no longer in the octree, nothing is left out. If a callback removes it while a query runs,
   * it is left out until the outermost query ends. Allocates nothing. Null leaves out none: `bodyOf` of a container may
   * return it.
   */
  readonly except?: Body<unknown> | null;
  /** Filled with the cost of the query. */
  readonly stats?: QueryStats;
  /**
   * Broad phase only: reports every body whose slot bounds pass, without the exact test. Slot bounds contain the body's
   * bounds, so the candidates include every exact result. `nearest` may report more than `count` bodies. `firstHit`
   * reports the body whose slot bounds come first on the ray. Default false.
   */
  readonly candidates?: boolean;
}

/** The options of any query, inside the library: only the runner calls the filter. */
export type AnyOptions = QueryOptions<never, never>;

/** The options of ray queries. */
export interface RayOptions<T, M extends MathTypes = PlainMath> extends QueryOptions<T, M> {
  /** Minimum entry distance, world units, closed. Default 0. */
  readonly near?: number;
  /** Maximum entry distance, world units, closed. Default Infinity. */
  readonly far?: number;
}

/** The options of frustum queries. */
export interface FrustumOptions<T, M extends MathTypes = PlainMath> extends QueryOptions<T, M> {
  /** Drops the false positives of the plane test, such as large boxes beside a corner of the frustum. Default false. */
  readonly exact?: boolean;
  /**
   * Drops bodies that look smaller than this: their diameter is less than `minSize` times the distance of their centre
   * from `eye` or, without `eye`, less than `minSize`. The diameter of a box is its diagonal. So `minSize` is the width
   * of the smallest body at distance 1, as seen by a perspective camera; for an orthographic camera leave `eye` out.
   * Finite, 0 or more: with `eye` a ratio of size to distance, without it a length in world units. Default 0: drops
   * none.
   *
   * Cost: that of a query without it, and a test of every visible body, which is less than a loop over the result. If
   * more than a thousand bodies are visible and most of them are too small, a second walk skips each subtree whose
   * largest body is too small; `stats` then has the cost of the second walk. It measures moving bodies by their fat
   * bounds, so it skips fewer subtrees among these. Bodies are dropped by their exact bounds, also with `candidates`.
   */
  readonly minSize?: number;
  /** Where the camera is; for `minSize`. */
  readonly eye?: PointLike;
}

/** The names of the options that all queries have. */
const QUERY_OPTIONS: KnownOptions<QueryOptions<never>> = ['mask', 'filter', 'except', 'stats', 'candidates'];
export const RAY_OPTIONS: KnownOptions = /* @__PURE__ */ withOptions('near', 'far');
export const FRUSTUM_OPTIONS: KnownOptions = /* @__PURE__ */ withOptions('exact', 'minSize', 'eye');

/** The options that all queries have, and more. */
export function withOptions(...names: readonly string[]): KnownOptions {
  return [...QUERY_OPTIONS, ...names];
}

/** Where a query keeps the options that all queries have. They are read once. */
export interface ReadOptions {
  readonly where: string;
  userFilter: AnyOptions['filter'];
  candidatesOnly: boolean;
  except: NonNullable<AnyOptions['except']> | undefined;
  stats: AnyOptions['stats'];
}

/**
 * Checks and reads the options that all queries share; returns the categories to report. `known` are all options of the
 * query.
 */
export function readQueryOptions(
  target: ReadOptions,
  options: AnyOptions | undefined,
  known: KnownOptions = QUERY_OPTIONS,
): number {
  if (options === undefined) return ALL_CATEGORIES;
  const { where } = target;
  requireOptions(where, options, known);
  const { filter, candidates, except, stats, mask } = options;
  if (filter !== undefined && typeof filter !== 'function' && typeof (filter as IndexSet | null)?.has !== 'function')
    throwType(where, 'options.filter', 'be a function or a set of indices', filter, 'leave it out for none');
  target.userFilter = filter;
  target.candidatesOnly = requireBoolean(where, 'options.candidates', candidates);
  if (except !== undefined && except !== null && !isBody(except))
    throwType(where, 'options.except', 'be a Body', except, 'pass what insert or bodyAt returned, or leave it out');
  target.except = except ?? undefined;
  // For a value that is no object this holds too.
  if (stats !== undefined && Object.isFrozen(stats))
    throwType(where, 'options.stats', 'be an object that is not frozen', stats, 'pass {} to be filled');
  target.stats = stats;
  return readMask(where, 'options.mask', mask);
}

/** An optional number from 0 to Infinity. */
export function readDistanceOption(where: string, field: string, value: number | undefined, byDefault: number): number {
  return value === undefined
    ? byDefault
    : requireNotNegative(where, `options.${field}`, value, `leave it out for ${byDefault}`);
}
