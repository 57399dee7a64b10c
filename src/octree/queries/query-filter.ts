/** The filter of the caller, applied to what a query has found. */

import type { HitList } from './hit-list.ts';
import { copyIndices, type IndexList } from '../../tree/storage/index-list.ts';
import type { Body } from '../bodies/body.ts';
import type { MathTypes } from '../input/math-types.ts';
import type { QueryOptions } from './query-options.ts';

/** The filter in query options. */
export type Filter<T, M extends MathTypes> = NonNullable<QueryOptions<T, M>['filter']>;

/** Creates the handle that a filter gets as its argument. */
export interface Bodies<T, M extends MathTypes> {
  bodyAt(index: number): Body<T, M>;
}

/** Whether a body passes a filter. `where` is the public name of the function, for errors. */
export function passes<T, M extends MathTypes>(bodies: Bodies<T, M>, where: string, filter: Filter<T, M>, index: number): boolean {
  const result: unknown = filter(bodies.bodyAt(index));
  if (typeof result === 'object' && result !== null && 'then' in result) {
    throw new TypeError(`${where}: options.filter must return true or false, but returned a promise; use a filter that is not async.`);
  }
  return Boolean(result);
}

/** Drops the hits that do not pass. */
export function filterHits<T, M extends MathTypes>(bodies: Bodies<T, M>, where: string, filter: Filter<T, M>, hits: HitList): void {
  let kept = 0;
  for (let k = 0; k < hits.length; k++) {
    if (!passes(bodies, where, filter, hits.indices[k])) continue;
    hits.indices[kept] = hits.indices[k];
    hits.distances[kept++] = hits.distances[k];
  }
  hits.length = kept;
}

/** Replaces `out` by the bodies in `from` that pass. Overwrites `from`. */
export function copyFiltered<T, M extends MathTypes>(bodies: Bodies<T, M>, where: string, filter: Filter<T, M>, from: IndexList, out: IndexList): void {
  let kept = 0;
  for (let k = 0; k < from.length; k++) if (passes(bodies, where, filter, from.array[k])) from.array[kept++] = from.array[k];
  from.length = kept;
  if (from !== out) copyIndices(from, out);
}

/** As `copyFiltered`, for pairs: both bodies must pass. */
export function copyFilteredPairs<T, M extends MathTypes>(bodies: Bodies<T, M>, where: string, filter: Filter<T, M>, from: IndexList, out: IndexList): void {
  let kept = 0;
  for (let k = 0; k < from.length; k += 2) {
    const a = from.array[k];
    const b = from.array[k + 1];
    if (!passes(bodies, where, filter, a) || !passes(bodies, where, filter, b)) continue;
    from.array[kept++] = a;
    from.array[kept++] = b;
  }
  from.length = kept;
  if (from !== out) copyIndices(from, out);
}
