/**
 * After the horizon has become the shortest, the next updates drop the margins of all bodies once, a part in each. These bodies sink, and get shorter fat bounds with
 * their next move. Otherwise a body that no longer moves would keep its long margin, and queries would stay slow.
 */

import { BODY_DEAD, BODY_HAS_MARGIN } from '../layout.ts';
import { IndexList } from '../storage/index-list.ts';
import type { Tree } from '../tree.ts';
import { relocateMany } from './relocate.ts';

/** Bodies per update: at least this many, and at least one in 2^6 of all. */
const MIN_BODIES = 64;
const BODIES_SHIFT = 6;

/** Drops the margins of the next bodies in the order of their indices, until all have lost theirs, and relocates these bodies. Nothing may be queued. */
export function shortenMargins(tree: Tree): void {
  const { bodies, horizon } = tree;
  const { flags, slot } = bodies;
  const begin = horizon.nextLongMargin;
  if (begin >= bodies.count) return;
  const end = Math.min(begin + Math.max(MIN_BODIES, bodies.count >> BODIES_SHIFT), bodies.count);
  horizon.nextLongMargin = end;
  const list = shortenMargins_list;
  for (let index = begin; index < end; index++) {
    if ((flags[index] & (BODY_DEAD | BODY_HAS_MARGIN)) !== BODY_HAS_MARGIN || slot[index] < 0) continue;
    bodies.dropMargin(index);
    list.push(index);
  }
  relocateMany(tree, list);
}
const shortenMargins_list = /* @__PURE__ */ new IndexList(0);
