/** Pairs of bodies that touch, or are within a distance of each other. */

import type { IndexList } from '../../tree/storage/index-list.ts';
import { MAX_RADIUS } from '../../math/sphere.ts';
import { readMask, requireBoolean } from '../../octree/input/input-checks.ts';
import type { KnownOptions } from '../../octree/input/known-options.ts';
import type { BodyStore } from '../../octree/bodies/body-store.ts';
import type { MathTypes, PlainMath } from '../../octree/input/math-types.ts';
import { internalsOf } from '../../octree/internals.ts';
import type { Octree } from '../../octree/octree.ts';
import type { AnyRecord, IntersectionRecord, RecordWriter } from '../../octree/queries/record-writer.ts';
import { passes } from '../../octree/queries/search.ts';
import {
  readDistanceOption,
  readQueryOptions,
  withOptions,
  type QueryOptions,
} from '../../octree/queries/query-options.ts';
import type { QueryKind } from '../../octree/queries/query-runner.ts';
import { PairQuery } from './pair-query.ts';
import type { Workspace } from '../../octree/queries/workspace.ts';

/** The options of pair queries. */
export interface PairOptions<T, M extends MathTypes = PlainMath> extends QueryOptions<T, M> {
  /**
   * Maximum distance between the bounds of two bodies, world units, closed. Default 0: bodies that touch.
   */
  readonly within?: number;
  /**
   * Categories of the second body of each pair, 32 bits; `mask` then holds the categories of the first. Finds the pairs
   * between two groups. Default: `mask` for both.
   */
  readonly otherMask?: number;
  /**
   * Whether two static bodies may form a pair, as in a clash check of a model. Default false: a simulation does not
   * move static bodies, so their pairs never change.
   */
  readonly staticPairs?: boolean;
}

const PAIR_OPTIONS: KnownOptions = /* @__PURE__ */ withOptions('within', 'otherMask', 'staticPairs');

const PAIRS: QueryKind<undefined, PairOptions<never, never>> = {
  read(workspace, _shape, options) {
    const { where } = workspace;
    const categories = readQueryOptions(workspace, options, PAIR_OPTIONS);
    const query = workspace.queryOf(PairQuery);
    query.otherCategories = readOtherMask(where, options, categories);
    query.distance = readWithin(where, options);
    query.staticPairs = requireBoolean(where, 'options.staticPairs', options?.staticPairs);
    return categories;
  },
  run(runner, workspace, out) {
    const list = runner.listFor(workspace, out);
    workspace.queryOf(PairQuery).findPairs(runner.tree, workspace, list);
    if (workspace.exceptIndex >= 0 || workspace.userFilter !== undefined) filterPairs(runner.store, workspace, list);
    return runner.finishList(workspace, list, out, list.length / 2);
  },
  write: (writer, { list }, k) => void writePair(writer, list.array[2 * k], list.array[2 * k + 1]),
};

/**
 * Every pair of bodies that touch, or are within `options.within` of each other, once. Without `options.staticPairs`
 * pairs of two static bodies are left out. The order of the pairs is the same for the same history of calls. The first
 * body of a pair has a category of `options.mask`, the second one of `options.otherMask`; if both orders are possible,
 * the body with the smaller index is the first. Both must pass the filter. A record's `distance` is the gap, negative
 * for bodies that overlap.
 *
 * Cost: the tree is traversed against itself; about a microsecond per body if each has a few neighbours.
 *
 * @param octree The octree whose bodies are asked.
 * @param options `within` in world units, `otherMask`, `staticPairs`, and what all queries take: see `PairOptions`.
 * @param target An array whose records are written to and returned. Default: a new one.
 * @throws {RangeError} If `within` is negative or NaN.
 *
 * @example
 * ```ts
 * import { intersectPairs, Octree } from 'scene-octree';
 *
 * const octree = new Octree<string>();
 * octree.insert({ center: { x: 0, y: 0, z: 0 }, radius: 1 }, 'ant');
 * octree.insert({ center: { x: 5, y: 0, z: 0 }, radius: 1 }, 'bee');
 * for (const { body, other, distance } of intersectPairs(octree, { within: 10 }))
 *   console.log(`${body.data} and ${other?.data} are ${distance} apart`); // prints: ant and bee are 3 apart
 * ```
 */
export function intersectPairs<T, M extends MathTypes>(
  octree: Octree<T, M>,
  options?: PairOptions<T, M>,
  target?: IntersectionRecord<T, M>[],
): IntersectionRecord<T, M>[] {
  return internalsOf('intersectPairs', octree).runner.records('intersectPairs', PAIRS, undefined, options, target);
}

/**
 * Writes the pairs of bodies that touch, or are within a distance, to a list, two indices for each: those of
 * `intersectPairs`, in the same order. Returns the number of pairs. Allocates nothing.
 *
 * @param octree The octree whose bodies are asked.
 * @param list Emptied and filled with indices. Keep it from call to call.
 * @param options `within` in world units, `otherMask`, `staticPairs`, and what all queries take: see `PairOptions`.
 *
 * @example
 * ```ts
 * import { collectPairs, IndexList, Octree } from 'scene-octree';
 *
 * const octree = new Octree<string>();
 * for (const x of [0, 1, 50]) octree.insert({ center: { x, y: 0, z: 0 }, radius: 1 }, `ball at ${x}`);
 * const list = new IndexList();
 * const count = collectPairs(octree, list);
 * const [a, b] = list.array;
 * console.log(count, octree.dataAt(a), octree.dataAt(b)); // prints: 1 ball at 0 ball at 1
 * ```
 */
export function collectPairs<T, M extends MathTypes>(
  octree: Octree<T, M>,
  list: IndexList,
  options?: PairOptions<T, M>,
): number {
  return internalsOf('collectPairs', octree).runner.indices('collectPairs', PAIRS, undefined, list, options);
}

/**
 * Keeps the pairs of which both bodies pass, without those of the body to leave out, for which the filter is not
 * called. Keeps the order.
 */
function filterPairs(bodies: BodyStore, { exceptIndex, userFilter: filter, where }: Workspace, list: IndexList): void {
  const { array, length } = list;
  let kept = 0;
  for (let k = 0; k < length; k += 2) {
    const a = array[k];
    const b = array[k + 1];
    if (a === exceptIndex || b === exceptIndex) continue;
    if (filter !== undefined && (!passes(bodies, where, filter, a) || !passes(bodies, where, filter, b))) continue;
    array[kept++] = a;
    array[kept++] = b;
  }
  list.length = kept;
}

type PairReach = Pick<PairOptions<never>, 'within' | 'otherMask'>;

/** The distance of `options.within`, at most MAX_RADIUS. */
export function readWithin(where: string, options: PairReach | undefined): number {
  return Math.min(readDistanceOption(where, 'within', options?.within, 0), MAX_RADIUS);
}

/** The categories of `options.otherMask`; by default `categories`, which `options.mask` has given. */
export function readOtherMask(where: string, options: PairReach | undefined, categories: number): number {
  const mask = options?.otherMask;
  return mask === undefined ? categories : readMask(where, 'options.otherMask', mask);
}

/**
 * Writes the record of two bodies, which touch or are within a distance of each other; the record's `body` is the first
 * one.
 */
export function writePair(writer: RecordWriter, index: number, other: number): AnyRecord {
  const { bounds, otherBounds, contact, store } = writer;
  const { bodies } = store.tree;
  const record = writer.next(index);
  const isSphere = bodies.readBounds(index, bounds);
  const isOtherSphere = bodies.readBounds(other, otherBounds);
  writer.writeContact(record, contact.between(bounds, isSphere, otherBounds, isOtherSphere));
  record.other = store.bodyAt(other);
  return record;
}
