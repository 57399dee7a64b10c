/** Tests of bodies apart from geometry: categories, and the filter of the caller. */

import type { BodyArrays } from '../tree/storage/body-arrays.ts';
import type { IndexList } from '../tree/storage/index-list.ts';

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
