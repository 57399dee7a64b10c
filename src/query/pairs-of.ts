/** The pairs of some bodies, the listeners, with all bodies. At the end of a tick, the callbacks of listeners get these pairs. */

import { BOX_STRIDE } from '../math/box.ts';
import { ALL_CATEGORIES, BODY_STATIC } from '../tree/layout.ts';
import { walkOverlapping } from '../tree/traverse/walk.ts';
import type { Tree } from '../tree/tree.ts';
import { bodiesTouch } from './separation.ts';
import type { Workspace } from './workspace.ts';

/** Share of the bodies. With more listeners, one query for all pairs costs less than a box query for each listener. */
const MAX_LISTENER_SHARE = 1 / 4;

/**
 * The pairs [a, b], a < b, of touching bodies of which at least one is a listener and at least one is not static, ordered by a,
 * then b. `listeners` are indices of bodies in the tree, each once.
 */
export function pairsOf(tree: Tree, listeners: readonly number[], workspace: Workspace): [number, number][] {
  const pairs = listeners.length > tree.placed * MAX_LISTENER_SHARE ? filterAllPairs(tree, listeners, workspace) : queryEach(tree, listeners, workspace);
  return pairs.sort(([a, b], [c, d]) => a - c || b - d);
}

function filterAllPairs(tree: Tree, listeners: readonly number[], workspace: Workspace): [number, number][] {
  const { list, pairs: query, scratch } = workspace;
  const isListener = new Set(listeners);
  const pairs: [number, number][] = [];
  query.set(0, ALL_CATEGORIES);
  query.collect(tree, ALL_CATEGORIES, false, scratch, list);
  for (let k = 0; k < list.length; k += 2) {
    const a = list.array[k];
    const b = list.array[k + 1];
    if (isListener.has(a) || isListener.has(b)) pairs.push([a, b]);
  }
  return pairs;
}

function queryEach(tree: Tree, listeners: readonly number[], workspace: Workspace): [number, number][] {
  const { box, list, scratch } = workspace;
  const { bodies } = tree;
  const isListener = new Set(listeners);
  const boxA = new Float64Array(BOX_STRIDE);
  const boxB = new Float64Array(BOX_STRIDE);
  const pairs: [number, number][] = [];
  for (const index of listeners) {
    box.set(bodies.readBox(index, boxA));
    list.length = 0;
    walkOverlapping(tree, box, null, ALL_CATEGORIES, scratch, list);
    for (let k = 0; k < list.length; k++) {
      const other = list.array[k];
      // A pair of two listeners is found twice: the query of the smaller index reports it.
      if (other === index || (isListener.has(other) && other < index)) continue;
      if ((bodies.flags[index] & bodies.flags[other] & BODY_STATIC) !== 0) continue;
      // A body without categories is never reported.
      if (bodies.categoryMask[index] === 0 || bodies.categoryMask[other] === 0) continue;
      if (bodiesTouch(bodies, index, other, boxA, boxB)) pairs.push(index < other ? [index, other] : [other, index]);
    }
  }
  return pairs;
}
