/** Tracks the pairs of bodies that touch, or are within a distance: the tree against itself. See `Tracker`. */

import type { Workspace } from '../../octree/queries/workspace.ts';
import { BODY_STATIC } from '../../tree/layout.ts';
import type { IndexList } from '../../tree/storage/index-list.ts';
import { categoriesOfOther, PairTest, withinMargin } from '../pairs/pair-test.ts';
import { NO_LINK } from '../tracking/candidate-pairs.ts';
import { APART, BODY, Tracker, type ChangingTree } from '../tracking/tracker.ts';

const TOUCHING = 1;

/** Which pairs are tracked. */
export interface TrackedPairs {
  /** One body of a pair has one of these categories, the other one of `otherCategories`. */
  readonly categories: number;
  readonly otherCategories: number;
  /**
   * World units, at most MAX_RADIUS; 0 for bodies that touch. A pair begins within the first one, and ends beyond the
   * second one, which is not smaller.
   */
  readonly beginDistance: number;
  readonly endDistance: number;
}

/** The bodies to which tracking is limited: each pair has at least one of them. */
export interface Listeners {
  readonly indices: IndexList;
  /** By body index: 1 for a listener. Its length is at least the number of bodies. */
  marks: Uint8Array;
}

export class ContactTracker extends Tracker {
  private readonly tracked: TrackedPairs;
  /** Null: all pairs. */
  private readonly listeners: Listeners | null;
  private readonly pairTest = new PairTest();

  constructor(bodies: ChangingTree, tracked: TrackedPairs, listeners: Listeners | null) {
    super(bodies, bodies.tree);
    this.tracked = tracked;
    this.listeners = listeners;
    // Until `adopt`: the first search also finds pairs that touched before and have not ended.
    this.margin = withinMargin(tracked.endDistance);
    this.keepsTouching = tracked.endDistance > tracked.beginDistance;
  }

  /**
   * Continues with pairs that touched before this tracker began, after its first `readChanges`: adds those that have
   * ended to the changes. `touching` holds two bodies a pair, the smaller index first. Writes the number of
   * each pair to `numbers`, and its position there to its tag.
   */
  adopt({ array }: IndexList, numbers: IndexList): void {
    this.margin = withinMargin(this.tracked.beginDistance);
    const { changed, pairs } = this;
    for (let k = 0; k < numbers.length; k++) {
      const [a, b] = [array[2 * k], array[2 * k + 1]];
      let link = pairs.firstLink(BODY, a);
      while (link !== NO_LINK && pairs.other(link) !== b) link = pairs.nextLink(link);
      let pair = link >> 1;
      if (link === NO_LINK) {
        pair = pairs.add(a, b, APART);
        pairs.drop(pair, true);
      }
      // Until now the pair was tested as one that begins.
      if (pairs.state(pair) === APART && link !== NO_LINK) pairs.setState(pair, this.stateOf(a, b, TOUCHING));
      if (pairs.state(pair) === APART) changed.push(pair);
      pairs.setTag(pair, k);
      numbers.array[k] = pair;
    }
  }

  protected override categoriesFor(mask: number): number {
    return categoriesOfOther(mask, this.tracked.categories, this.tracked.otherCategories);
  }

  protected get maxSearches(): number {
    return this.listeners === null ? Infinity : this.listeners.indices.length;
  }

  /** Adds the candidates of all listeners, or of all bodies. */
  protected searchAll(workspace: Workspace): void {
    const { arrays, listeners } = this;
    const count = listeners === null ? arrays.count : listeners.indices.length;
    for (let k = 0; k < count; k++)
      this.searchFor(BODY, listeners === null ? k : listeners.indices.array[k], workspace);
  }

  protected override addCandidate(a: number, b: number): void {
    const { arrays, listeners } = this;
    const { flags } = arrays;
    if (a === b || (flags[a] & flags[b] & BODY_STATIC) !== 0) return;
    if (listeners !== null && (listeners.marks[a] | listeners.marks[b]) === 0) return;
    super.addCandidate(Math.min(a, b), Math.max(a, b));
  }

  protected stateOf(a: number, b: number, before: number): number {
    const { arrays, pairTest, tracked } = this;
    pairTest.distance[0] = before === APART ? tracked.beginDistance : tracked.endDistance;
    return pairTest.accepts(arrays, a, b) ? TOUCHING : APART;
  }
}
