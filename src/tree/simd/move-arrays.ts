/** A walker can only read what lies in its memory: the arrays of a large tree move there, where everybody else reads and writes them too. */

import type { Tree } from '../tree.ts';
import { BODY, ENTRIES, FITTED, LINKS, NODE_CATEGORIES, RUN_END, RUN_START } from './memory-map.ts';
import { Walker } from './walker.ts';

/**
 * Sees to it that the walker has the arrays of a tree, if there are bodies enough; a tree that becomes small again keeps it. To be called when the
 * tree has changed: arrays that have grown meanwhile are new ones, outside of the memory, and then all move into that of a new walker.
 */
export function moveArrays(tree: Tree): void {
  const { nodes, slots, walker } = tree;
  // Those of nodes are replaced together, and so are those of slots.
  if (walker !== null && walker.holds(nodes.fitted) && walker.holds(slots.entries)) return;
  walker?.release();
  tree.walker = null;
  if (tree.placed === 0 || tree.placed < tree.simdFrom) return;
  const { fitted, links, categoryMask, runStart, runEnd } = nodes;
  const { entries, body } = slots;
  const taking = Walker.create([fitted, links, categoryMask, runStart, runEnd, entries, body].map(({ byteLength }) => byteLength));
  if (taking === null) return;
  nodes.fitted = taking.takeFloats(FITTED, fitted);
  nodes.links = taking.takeInts(LINKS, links);
  nodes.categoryMask = taking.takeInts(NODE_CATEGORIES, categoryMask);
  nodes.runStart = taking.takeInts(RUN_START, runStart);
  nodes.runEnd = taking.takeInts(RUN_END, runEnd);
  slots.entries = taking.takeFloats(ENTRIES, entries);
  slots.body = taking.takeInts(BODY, body);
  tree.walker = taking;
}
