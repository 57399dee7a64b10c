/** The pairs of overlapping bodies, followed from update to update. */

import type { MathTypes } from '../../octree/input/math-types.ts';
import { internalsOf } from '../../octree/internals.ts';
import type { Octree } from '../../octree/octree.ts';
import { readMaskAndFilter, type ContactOptions } from './contact-options.ts';
import { ContactReader } from './contact-reader.ts';
import { Contacts } from './contacts.ts';

/**
 * Keeps the overlapping pairs of bodies from update to update: after each `update` the lists of the result tell which pairs began, stayed and ended.
 * The first update after the call reports all pairs as begun.
 *
 * Cost: grows with the number of bodies that move, not with the number of all bodies. Each call keeps pairs of its own.
 *
 * @throws {RangeError} If `mask` is not an integer of 32 bits.
 * @throws {TypeError} If an option is of the wrong type.
 */
export function trackContacts<T, M extends MathTypes>(octree: Octree<T, M>, options: ContactOptions<T, M> = {}): Contacts<T, M> {
  const { readers } = internalsOf('trackContacts', octree);
  const categories = readMaskAndFilter('trackContacts', options);
  return new Contacts<T, M>(new ContactReader(categories, options.filter), readers);
}
