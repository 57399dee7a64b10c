/**
 * What a query has apart from its geometry: what it may report, its working memory, and the tests of bodies by
 * categories, by the filter of the caller and by the one body to leave out.
 */

import { ALL_CATEGORIES } from '../../tree/layout.ts';
import type { BodyArrays } from '../../tree/storage/body-arrays.ts';
import type { IndexList } from '../../tree/storage/index-list.ts';
import { Scratch } from '../../tree/traverse/scratch.ts';
import type { Tree } from '../../tree/tree.ts';
import type { BodyStore } from '../bodies/body-store.ts';
import { HitList } from './hit-list.ts';
import type { AnyOptions } from './query-options.ts';

/** Returns whether a body may be reported; null reports every body. */
export type BodyFilter = ((index: number) => boolean) | null;

/** What one query may report, and its working memory. Each call has its own: see `Workspace`. */
export class Search {
  /** Only bodies with one of these are reported. */
  categories = ALL_CATEGORIES;
  /** Whether slot bounds decide, without the exact test. */
  candidatesOnly = false;
  /** The filter of the caller, for bodies. */
  userFilter: AnyOptions['filter'];
  /**
   * `userFilter`, for indices, and false for the body to leave out; null if there is neither. Only set by `searchOf`:
   * queries that filter a list of results take 0.87 of the time without it.
   */
  filter: BodyFilter = null;
  /** The tree that is searched; null between queries. */
  tree: Tree | null = null;
  readonly scratch = new Scratch();
  /** The bodies found by distance. */
  readonly hits = new HitList();
}

/** The filter in query options. */
export type Filter = NonNullable<AnyOptions['filter']>;

/** Whether a body passes a filter. `where` is the public name of the function, for errors. */
export function passes(bodies: BodyStore, where: string, filter: Filter, index: number): boolean {
  if (typeof filter !== 'function') return filter.has(index);
  const result: unknown = filter(bodies.bodyAt(index) as never);
  if (typeof result === 'object' && result !== null && 'then' in result) {
    throw new TypeError(
      `${where}: options.filter must return true or false, but returned a promise; use a filter that is not async.`,
    );
  }
  return Boolean(result);
}

/** Drops the bodies that do not pass from a list, to which the filter has no access. */
export function keepPassing(bodies: BodyStore, where: string, filter: Filter, list: IndexList): void {
  let kept = 0;
  for (let k = 0; k < list.length; k++)
    if (passes(bodies, where, filter, list.array[k])) list.array[kept++] = list.array[k];
  list.length = kept;
}

/** Drops the bodies that have none of `categories`, in place. */
export function keepCategories(bodies: BodyArrays, categories: number, list: IndexList): void {
  const { categoryMask } = bodies;
  const { array, length } = list;
  let kept = 0;
  for (let k = 0; k < length; k++) if ((categoryMask[array[k]] & categories) !== 0) array[kept++] = array[k];
  list.length = kept;
}

/** Drops a body from a list that holds it at most once. Keeps the order. */
export function dropBody(list: IndexList, index: number): void {
  const { array, length } = list;
  for (let k = 0; k < length; k++) {
    if (array[k] !== index) continue;
    array.copyWithin(k, k + 1, length);
    list.length--;
    return;
  }
}
