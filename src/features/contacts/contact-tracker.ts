/** Tracks the pairs of touching bodies: the tree against itself. See `Tracker`. */

import { BOX_STRIDE } from '../../math/box.ts';
import type { Workspace } from '../../octree/queries/workspace.ts';
import { BODY_STATIC } from '../../tree/layout.ts';
import type { IndexList } from '../../tree/storage/index-list.ts';
import { TouchingPairQuery } from '../pairs/touching-pairs.ts';
import { bodiesTouch } from '../pairs/pair-tests.ts';
import { APART, Tracker, type ChangingTree } from '../tracking/tracker.ts';

/**
 * Part of all bodies. If the candidates of more bodies than this are searched, one query for all pairs is cheaper than
 * one query for each of these bodies.
 */
const MAX_SEARCHED_SHARE = 1 / 12;
const TOUCHING = 1;

/** The bodies to which tracking is limited: each pair has at least one of them. */
export interface Listeners {
  readonly indices: IndexList;
  /** By body index: 1 for a listener. Its length is at least the number of bodies. */
  readonly marks: Uint8Array;
}

export class ContactTracker extends Tracker {
  /** Both bodies of a pair have one of these categories. */
  private readonly categories: number;
  /** Each pair has at least one listener. Null: all pairs. */
  private readonly listeners: Listeners | null;
  private readonly query = new TouchingPairQuery();
  private readonly boxA = new Float64Array(BOX_STRIDE);
  private readonly boxB = new Float64Array(BOX_STRIDE);

  constructor(bodies: ChangingTree, categories: number, listeners: Listeners | null) {
    super(bodies, bodies);
    this.categories = categories;
    this.listeners = listeners;
  }

  protected categoriesFor(mask: number): number {
    return (mask & this.categories) === 0 ? 0 : this.categories;
  }

  protected get maxSearches(): number {
    return this.bodies.tree.placedCount * MAX_SEARCHED_SHARE;
  }

  /** Adds the candidates of all listeners, or of all bodies. */
  protected searchAll(workspace: Workspace): void {
    const { categories, listeners } = this;
    const { list, scratch } = workspace;
    if (listeners !== null && listeners.indices.length <= this.maxSearches) {
      const { array, length } = listeners.indices;
      for (let k = 0; k < length; k++) this.searchOne(array[k], workspace);
      return;
    }
    this.query.findPairs(this.bodies.tree, categories, categories, true, scratch, list);
    for (let k = 0; k < list.length; k += 2) this.addCandidate(list.array[k], list.array[k + 1]);
  }

  protected override addCandidate(a: number, b: number): void {
    const { arrays, listeners } = this;
    const { flags } = arrays;
    if (a === b || (flags[a] & flags[b] & BODY_STATIC) !== 0) return;
    if (listeners !== null && (listeners.marks[a] | listeners.marks[b]) === 0) return;
    super.addCandidate(Math.min(a, b), Math.max(a, b));
  }

  protected stateOf(a: number, b: number): number {
    return bodiesTouch(this.arrays, a, b, this.boxA, this.boxB) ? TOUCHING : APART;
  }

  protected writeSlack(link: number, other: number, index: number): void {
    this.anchors.writePairSlack(link, index, other, this.arrays);
  }
}
