/**
 * What all questions of the form "which bodies touch this volume" share: walk the tree with the volume as kernel (see frustum, box,
 * sphere), and drop what is of other categories.
 */

import type { Contact } from '../math/contact.ts';
import type { ExactTest, RangeKernel } from '../tree/traverse/kernel.ts';
import { ALL_CATEGORIES } from '../tree/layout.ts';
import type { BodyArrays } from '../tree/storage/body-arrays.ts';
import type { IndexList } from '../tree/storage/index-list.ts';
import type { Scratch } from '../tree/traverse/scratch.ts';
import type { Tree } from '../tree/tree.ts';
import { walkOverlapping } from '../tree/traverse/walk.ts';
import { keepCategories } from './body-filter.ts';

export interface RangeQuery extends RangeKernel, ExactTest {
  /** Prepares for a walk of a tree, once the volume is set. */
  begin(tree: Tree): void;
  /** Whether a body lies wholly inside the volume. */
  contains(bodies: BodyArrays, index: number): boolean;
}

/** A range query with a finite volume, so that its results can be described by a contact. */
export interface ContactQuery extends RangeQuery {
  /**
   * Writes the contact between a body and the volume to `target` and returns it. `values` are the exact bounds of the body: centre and radius
   * if it is a sphere, else min and max.
   */
  writeContact(values: Float64Array, isSphere: boolean, target: Contact): Contact;
}

/** Fills `out` with the bodies of the wanted categories that touch the volume, in tree order; or with all that it would test. */
export function collectRange(tree: Tree, query: RangeQuery, categories: number, candidatesOnly: boolean, scratch: Scratch, out: IndexList): void {
  out.length = 0;
  query.begin(tree);
  walkOverlapping(tree, query, candidatesOnly ? null : query, categories, scratch, out);
  if (categories !== ALL_CATEGORIES || tree.maskless > 0) keepCategories(tree.bodies, categories, out);
}
