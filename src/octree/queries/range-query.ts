/**
 * What all queries of the form "which bodies touch this volume" share: they walk the tree with the volume as kernel,
 * and drop the bodies of other categories.
 */

import type { Contact } from '../../math/contact.ts';
import { ALL_CATEGORIES } from '../../tree/layout.ts';
import type { BodyArrays } from '../../tree/storage/body-arrays.ts';
import type { IndexList } from '../../tree/storage/index-list.ts';
import type { ExactTest, RangeKernel } from '../../tree/traverse/kernel.ts';
import type { Scratch } from '../../tree/traverse/scratch.ts';
import { walkOverlapping } from '../../tree/traverse/walk.ts';
import type { Tree } from '../../tree/tree.ts';
import { keepCategories } from './search.ts';

/**
 * One kind of volume: its kernel, its exact test and what records need. The rules for `filterBoxes` and `touches` are
 * in src/tree/traverse/kernel.ts. A SIMD kernel is optional: a query that runs in JavaScript only has
 * `simdKernel = NO_SIMD_KERNEL` and no `writeVolume`.
 */
export interface RangeQuery extends RangeKernel, ExactTest {
  /** Whether the volume calls callbacks of the user. Left out by volumes that do not. */
  readonly runsUserCode?: boolean;
  /**
   * Prepares for a walk of a tree with a root, after the volume was set. Must not write to the tree. One exception:
   * `SizeLimit` makes the tree keep the largest diagonals of nodes from then on. Most kinds need no tree.
   */
  begin?(tree: Tree): void;
  /**
   * Drops bodies from the result of a walk, by what the walk does not test. Returns true if another walk is to replace
   * that result. Most kinds have no such test.
   */
  refine?(tree: Tree, list: IndexList): boolean;
  /**
   * Whether a body lies entirely inside the volume, by its exact bounds; for `inside` of a record. The overlap of a
   * kernel cannot tell it: CONTAINED only saves tests, and a kernel may return INTERSECTING for a body that is inside.
   */
  contains(bodies: BodyArrays, index: number): boolean;
  /**
   * Writes the contact between a body and the volume to `target` and returns it. `values` are the exact bounds of the
   * body: centre and radius if it is a sphere, else min and max. Left out by volumes without contacts, such as
   * unbounded ones.
   */
  writeContact?(values: Float64Array, isSphere: boolean, target: Contact): Contact;
}

/**
 * Fills `out` with the bodies of the given categories that touch the volume, in tree order. With `candidatesOnly` it
 * skips the exact test and keeps all bodies whose slot bounds may touch the volume.
 */
export function collectRange(
  tree: Tree,
  query: RangeQuery,
  categories: number,
  candidatesOnly: boolean,
  scratch: Scratch,
  out: IndexList,
): void {
  do {
    out.length = 0;
    if (tree.hasRoot) query.begin?.(tree);
    walkOverlapping(tree, query, candidatesOnly ? null : query, categories, scratch, out);
    if (categories !== ALL_CATEGORIES || tree.uncategorizedCount > 0) keepCategories(tree.bodies, categories, out);
  } while (query.refine?.(tree, out) === true);
}
