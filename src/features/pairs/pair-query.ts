/** The pairs of bodies that touch, or that are within a distance of each other. One mask limits the first body of a pair, another one the second. */

import { MAX_RADIUS } from '../../math/sphere.ts';
import { ALL_CATEGORIES } from '../../tree/layout.ts';
import type { IndexList } from '../../tree/storage/index-list.ts';
import type { Scratch } from '../../tree/traverse/scratch.ts';
import type { Tree } from '../../tree/tree.ts';
import { PairsWithinQuery } from './pairs-within.ts';
import { TouchingPairQuery } from './touching-pairs.ts';

export class PairQuery {
  /** Maximum distance of the bodies of a pair, in world units; 0 for bodies that touch. */
  private distance = 0;
  /** Categories of the second body of a pair. */
  private otherCategories = ALL_CATEGORIES;
  private readonly touching = new TouchingPairQuery();
  private readonly within = new PairsWithinQuery();

  set(distance: number, otherCategories: number): void {
    this.distance = Math.min(distance, MAX_RADIUS);
    this.otherCategories = otherCategories;
  }

  /** Fills `out` with two indices a pair. The first body of each has one of `categories`. See `TouchingPairQuery` and `PairsWithinQuery`. */
  collect(tree: Tree, categories: number, candidatesOnly: boolean, scratch: Scratch, out: IndexList): void {
    const { distance, otherCategories } = this;
    if (distance === 0) this.touching.collect(tree, categories, otherCategories, candidatesOnly, scratch, out);
    else this.within.collect(tree, distance, categories, otherCategories, candidatesOnly, scratch, out);
  }
}
