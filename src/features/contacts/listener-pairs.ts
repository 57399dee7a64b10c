/**
 * The touching pairs of some bodies, the listeners, with all bodies: for the callbacks at the end of an update. There are two ways
 * to find them, which give the same result. Polling queries every listener in every update. Tracking keeps candidate pairs, so that its
 * work grows with the number of moves of all bodies. The costs of the last updates decide which of the two runs.
 */

import { BOX_STRIDE } from '../../math/box.ts';
import { ALL_CATEGORIES, BODY_STATIC } from '../../tree/layout.ts';
import type { ChangeLog } from '../../tree/storage/change-log.ts';
import { IndexList, copyIndices } from '../../tree/storage/index-list.ts';
import { walkOverlapping } from '../../tree/traverse/walk.ts';
import type { Tree } from '../../tree/tree.ts';
import { ContactTracker, MAX_SEARCHED_SHARE, type Listeners } from './contact-tracker.ts';
import { PairList } from './pair-list.ts';
import { PairSorter } from '../tracking/pair-sorter.ts';
import { PairQuery } from '../pairs/pair-query.ts';
import { bodiesTouch } from '../pairs/within-test.ts';
import type { Workspace } from '../../octree/queries/workspace.ts';

/** Number of moves that cost as much as one query. */
const MOVES_PER_QUERY = 64;
/**
 * Hysteresis: `balance` rises by 1 in an update in which tracking would have cost less than half of polling, and falls by 1 where it would have cost more
 * than polling. Tracking starts at SWITCH_AFTER and ends at 0. Starting it costs one query per listener.
 */
const SWITCH_AFTER = 4;

/** Tracking, with the pairs that touch now. */
interface Tracking {
  readonly tracker: ContactTracker;
  readonly current: PairList;
}

export class ListenerPairs {
  private readonly listeners: Listeners;
  private tracking: Tracking | null = null;
  /** From 0 (poll) to SWITCH_AFTER (track). */
  private balance = 0;
  private readonly found = new IndexList(0);
  private readonly sorter = new PairSorter();
  private readonly boxA = new Float64Array(BOX_STRIDE);
  private readonly boxB = new Float64Array(BOX_STRIDE);

  constructor(listeners: Listeners) {
    this.listeners = listeners;
  }

  get isTracking(): boolean {
    return this.tracking !== null;
  }

  /**
   * The members of each pair, two numbers, the smaller body first, ordered by the first, then the second. Pairs of two static bodies are left out.
   * Valid until the next call. Call it once per update, before the change log is reset.
   */
  find(tree: Tree, changes: ChangeLog, workspace: Workspace): IndexList {
    this.choose(tree, changes);
    const { found, tracking } = this;
    found.length = 0;
    if (tracking !== null) this.track(tracking, tree, changes, workspace);
    else if (this.listeners.indices.length > tree.placedCount * MAX_SEARCHED_SHARE) this.filterAllPairs(tree, workspace);
    else this.queryEach(tree, workspace);
    this.sorter.sortMembers(found);
    return found;
  }

  /** The whole tree was translated. */
  translate(): void {
    this.tracking?.tracker.translate();
  }

  /** Chooses polling or tracking for this update. Costs are in queries. */
  private choose(tree: Tree, changes: ChangeLog): void {
    const polling = Math.min(this.listeners.indices.length, tree.placedCount * MAX_SEARCHED_SHARE);
    const tracking = changes.renewCount + changes.moveCount / MOVES_PER_QUERY;
    if (2 * tracking < polling) this.balance = Math.min(this.balance + 1, SWITCH_AFTER);
    else if (tracking > polling) this.balance = Math.max(this.balance - 1, 0);
    if (polling === 0) this.balance = 0;
    if (this.tracking === null && this.balance === SWITCH_AFTER) {
      changes.addReader();
      this.tracking = { tracker: new ContactTracker(ALL_CATEGORIES, this.listeners), current: new PairList() };
    } else if (this.tracking !== null && this.balance === 0) {
      changes.removeReader();
      this.tracking = null;
    }
  }

  private track({ tracker, current }: Tracking, tree: Tree, changes: ChangeLog, workspace: Workspace): void {
    const { pairs, began, ended } = tracker;
    tracker.update(tree, changes, workspace);
    for (let k = 0; k < ended.length; k++) current.remove(pairs, ended.array[k]);
    for (let k = 0; k < began.length; k++) current.add(pairs, began.array[k]);
    tracker.release();
    copyIndices(current.members, this.found);
  }

  private filterAllPairs(tree: Tree, workspace: Workspace): void {
    const { list, scratch } = workspace;
    const pairQuery = workspace.queryOf(PairQuery);
    const { found } = this;
    const { marks } = this.listeners;
    pairQuery.set(0, ALL_CATEGORIES);
    pairQuery.collect(tree, ALL_CATEGORIES, false, scratch, list);
    for (let k = 0; k < list.length; k += 2) {
      const a = list.array[k];
      const b = list.array[k + 1];
      if ((marks[a] | marks[b]) === 0) continue;
      found.push(a);
      found.push(b);
    }
  }

  private queryEach(tree: Tree, { boxQuery, list, scratch }: Workspace): void {
    const { found } = this;
    const { bodies } = tree;
    const { indices, marks } = this.listeners;
    for (let position = 0; position < indices.length; position++) {
      const index = indices.array[position];
      // A body without categories is never reported.
      if (bodies.categoryMask[index] === 0) continue;
      boxQuery.set(bodies.readBox(index, this.boxA));
      list.length = 0;
      walkOverlapping(tree, boxQuery, null, ALL_CATEGORIES, scratch, list);
      for (let k = 0; k < list.length; k++) {
        const other = list.array[k];
        // A pair of two listeners is found twice: the query of the smaller index reports it.
        if (other === index || (marks[other] !== 0 && other < index)) continue;
        if ((bodies.flags[index] & bodies.flags[other] & BODY_STATIC) !== 0 || bodies.categoryMask[other] === 0) continue;
        if (!bodiesTouch(bodies, index, other, this.boxA, this.boxB)) continue;
        found.push(Math.min(index, other));
        found.push(Math.max(index, other));
      }
    }
  }
}
