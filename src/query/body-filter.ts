/** What excludes bodies beyond geometry: their categories, and a filter of the caller. */

import type { BodyArrays } from '../tree/storage/body-arrays.ts';
import type { IndexList } from '../tree/storage/index-list.ts';

/** Returns whether a body may be reported; null reports every body. */
export type BodyFilter = ((index: number) => boolean) | null;

/** Drops the bodies of which no category is in `categories`, in place. */
export function keepCategories(bodies: BodyArrays, categories: number, list: IndexList): void {
  const { categoryMask } = bodies;
  const { array, length } = list;
  let kept = 0;
  for (let k = 0; k < length; k++) if ((categoryMask[array[k]] & categories) !== 0) array[kept++] = array[k];
  list.length = kept;
}
