/** Tests of bodies apart from geometry: categories, the filter of the caller, and the one body to leave out. */

import type { BodyArrays } from '../../tree/storage/body-arrays.ts';
import type { IndexList } from '../../tree/storage/index-list.ts';
import type { HitList } from './hit-list.ts';

/** Returns whether a body may be reported; null reports every body. */
export type BodyFilter = ((index: number) => boolean) | null;

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

/** Drops a body from hits that hold it at most once. Keeps the order. */
export function dropHit(hits: HitList, index: number): void {
  const { indices, distances, length } = hits;
  for (let k = 0; k < length; k++) {
    if (indices[k] !== index) continue;
    indices.copyWithin(k, k + 1, length);
    distances.copyWithin(k, k + 1, length);
    hits.length--;
    return;
  }
}
