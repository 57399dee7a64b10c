/** The maintenance of a tree: what each update does after all writes were applied. */

import { moveArraysToWasm } from '../array-memory.ts';
import type { Tree } from '../tree.ts';
import { expireEmptyLeaves, mergeListed } from './expire.ts';
import { refitSome } from './refit.ts';

/**
 * Cuts off empty leaves whose lifespan has ended, merges under-full nodes, and refits a part of the nodes. In this order: the first two list nodes for a
 * refit. At the end the arrays of a large tree lie in WebAssembly memory. Call it once per update.
 */
export function maintain(tree: Tree): void {
  expireEmptyLeaves(tree);
  mergeListed(tree);
  refitSome(tree);
  moveArraysToWasm(tree);
}
