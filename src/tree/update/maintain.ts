/** The maintenance of a tree: what each update does after all writes were applied. */

import type { Tree } from '../tree.ts';
import { expireEmptyLeaves, mergeListed } from './expire.ts';
import { refitSome } from './refit.ts';

/**
 * Cuts off empty leaves whose lifespan has ended, merges under-full nodes, and refits a part of the nodes. In this
 * order: the first two list nodes for a refit. Call it once per update.
 */
export function maintain(tree: Tree): void {
  expireEmptyLeaves(tree);
  mergeListed(tree);
  refitSome(tree);
  tree.accelerator?.adoptArrays(tree);
}
