/**
 * Bodies at rest: a body with a margin whose bounds have not changed for a while loses the margin, so that queries test
 * it as in a new tree, and sinks to the node of its exact bounds. Its next move then escapes, like its first one.
 *
 * A move inside fat bounds sets no flag, because that would slow it down. So each update checks a part of the bodies
 * with a margin: it compares a sum of their bounds with the sum at the previous check.
 */

import { BOX_STRIDE } from '../../math/box.ts';
import { IndexList } from '../storage/index-list.ts';
import type { Tree } from '../tree.ts';
import { relocateMany } from './relocate.ts';

/**
 * log2 of the largest number of updates in a round through the list. A round takes 32 to 64 updates, or one per body if
 * the list has fewer than 64. The order changes from round to round, so a body loses its margin at most three rounds
 * after its last move.
 */
const SHARE_SHIFT = 6;
/** Reused, so that an update allocates nothing. */
const reusedRested = /* @__PURE__ */ new IndexList();

/** Checks the next part of the bodies with a margin. Those at rest lose it, and are placed by their exact bounds. */
export function dropRestedMargins(tree: Tree): void {
  const { bodies, margins } = tree;
  const { bounds, checkedSums } = bodies;
  const rested = reusedRested;
  if (tree.marginsLeft === 0) {
    tree.marginsLeft = margins.length;
    tree.marginShare = (margins.length >> SHARE_SHIFT) + 1;
  }
  const end = Math.max(0, tree.marginsLeft - tree.marginShare);
  // Backwards, because the last body of the list takes the place of one that leaves it.
  while (tree.marginsLeft > end) {
    const index = margins.array[--tree.marginsLeft];
    const at = index * BOX_STRIDE;
    // Different factors, so that hardly any step leaves the sum unchanged. After such a step a moving body loses its
    // margin, and gets a new one at its next move.
    const sum = Math.fround(bounds[at] + 3 * bounds[at + 1] + 5 * bounds[at + 2] + 7 * bounds[at + 3]);
    const hasMargin = bodies.hasMargin(index);
    if (hasMargin && checkedSums[index] !== sum && sum !== 0) {
      checkedSums[index] = sum;
      continue;
    }
    checkedSums[index] = 0;
    margins.array[tree.marginsLeft] = margins.array[--margins.length];
    if (hasMargin) rested.push(index);
  }
  for (let k = 0; k < rested.length; k++) bodies.dropMargin(rested.array[k]);
  if (rested.length > 0) relocateMany(tree, rested);
}
