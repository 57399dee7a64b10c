/**
 * Finds the pairs of touching bodies that have begun and ended since the last update. The work grows with what changed:
 * candidate pairs, whose slot bounds overlap, are kept from update to update. New candidates are searched only for bodies with
 * new slot bounds or new categories, and exact bounds are tested only for candidates with a body that has moved.
 *
 * Invariant: after an update, every pair of bodies whose slot bounds overlap is a candidate, except for the pairs that `addCandidate` leaves out.
 * Slot bounds grow only when they are renewed, which the change log records.
 *
 * Source: the broad phase of Box2D; Catto, "Dynamic Bounding Volume Hierarchies", GDC 2019.
 */

import { BOX_STRIDE, boxesOverlap } from '../../math/box.ts';
import { BODY_STATIC } from '../../tree/layout.ts';
import type { BodyArrays } from '../../tree/storage/body-arrays.ts';
import { MOVED, RENEWED, type ChangeLog } from '../../tree/storage/change-log.ts';
import { IndexList } from '../../tree/storage/index-list.ts';
import { walkOverlapping } from '../../tree/traverse/walk.ts';
import type { Tree } from '../../tree/tree.ts';
import { Anchors } from '../tracking/anchors.ts';
import { CandidatePairs, NO_LINK, NO_PAIR, RECORDS_PER_TEST } from '../tracking/candidate-pairs.ts';
import { PairSorter } from '../tracking/pair-sorter.ts';
import { PairQuery } from '../pairs/pair-query.ts';
import { bodiesTouch } from '../pairs/within-test.ts';
import type { Workspace } from '../../octree/queries/workspace.ts';

/** Part of all bodies. If the candidates of more bodies than this are searched, one query for all pairs is cheaper than one query for each of these bodies. */
export const MAX_SEARCHED_SHARE = 1 / 12;

/** States of a candidate. To drop a pair that touches is a change, see `CandidatePairs.drop`. */
const APART = 0;
const TOUCHING = 1;

/** The bodies to which tracking is limited: each pair has at least one of them. */
export interface Listeners {
  readonly indices: IndexList;
  /** By body index: 1 for a listener. Its length is at least the number of bodies. */
  readonly marks: Uint8Array;
}

export class ContactTracker {
  readonly pairs = new CandidatePairs(true);
  /** Pairs that began to touch in the last update, and pairs that ended. Sorted by the smaller body, then the other. */
  readonly began = new IndexList(0);
  readonly ended = new IndexList(0);

  /** Both bodies of a pair have one of these categories. */
  private readonly categories: number;
  /** Each pair has at least one listener. Null: all pairs. */
  private readonly listeners: Listeners | null;
  private readonly anchors = new Anchors();
  private isFresh = true;
  private readonly sorter = new PairSorter();
  private readonly box = new Float64Array(BOX_STRIDE);
  private readonly otherBox = new Float64Array(BOX_STRIDE);

  constructor(categories: number, listeners: Listeners | null) {
    this.categories = categories;
    this.listeners = listeners;
  }

  /** Call it once per update, after all writes have been applied; `release` must have been called since the last update. */
  update(tree: Tree, changes: ChangeLog, workspace: Workspace): void {
    this.began.length = 0;
    this.ended.length = 0;
    if (!tree.hasRoot) return;
    this.pairs.reserve(0, tree.bodies.count);
    this.anchors.reserve(tree.bodies.count);
    const marks = changes.marksOf(tree.bodies.count);
    if (this.isFresh) {
      this.isFresh = false;
      this.search(tree, this.listeners?.indices ?? null, marks, 0, workspace);
      this.scan(tree.bodies, marks, 0);
    } else {
      this.dropRemoved(changes);
      this.dropSeparated(tree, changes);
      this.search(tree, changes.renewed, marks, RENEWED, workspace);
      this.testMoved(tree, changes);
    }
    this.sorter.sort(this.pairs, this.began);
    this.sorter.sort(this.pairs, this.ended);
  }

  /** The whole tree was translated: anchors are out of date. The change log lists the bodies whose bounds were rounded. */
  translate(): void {
    this.anchors.clearAll();
  }

  /** Frees the ended pairs, after they were read. */
  release(): void {
    this.pairs.releaseDropped();
  }

  private dropRemoved({ removed }: ChangeLog): void {
    const { pairs } = this;
    for (let k = 0; k < removed.length; k++) {
      const index = removed.array[k];
      for (let link = pairs.firstLink(0, index); link !== NO_LINK; link = pairs.firstLink(0, index)) this.drop(link >> 1);
    }
  }

  /** Drops the candidates of renewed bodies that have left the categories, or whose slot bounds do not overlap any more. */
  private dropSeparated({ bodies, slots }: Tree, { renewed }: ChangeLog): void {
    const { categories, pairs } = this;
    const { categoryMask, slot } = bodies;
    const { slotBounds } = slots;
    for (let k = 0; k < renewed.length; k++) {
      const index = renewed.array[k];
      const at = slot[index] * BOX_STRIDE;
      const hasCategory = (categoryMask[index] & categories) !== 0;
      for (let link = pairs.firstLink(0, index); link !== NO_LINK; ) {
        const next = pairs.nextLink(link);
        if (!hasCategory || !boxesOverlap(slotBounds, at, slotBounds, slot[pairs.other(link)] * BOX_STRIDE)) this.drop(link >> 1);
        link = next;
      }
    }
  }

  private drop(pair: number): void {
    if (this.pairs.drop(pair)) this.ended.push(pair);
  }

  /**
   * Adds the missing candidates of the bodies in `indices`; null means all bodies. `mark` is the mark of these bodies in `marks`; with 0 the marks are not
   * tested. `addCandidate` leaves out pairs without a listener.
   */
  private search(tree: Tree, indices: IndexList | null, marks: Uint8Array, mark: number, workspace: Workspace): void {
    if (indices !== null && indices.length <= tree.placedCount * MAX_SEARCHED_SHARE) {
      for (let k = 0; k < indices.length; k++) this.searchOne(tree, indices.array[k], workspace);
      return;
    }
    const { list, scratch } = workspace;
    const pairQuery = workspace.queryOf(PairQuery);
    pairQuery.set(0, this.categories);
    pairQuery.collect(tree, this.categories, true, scratch, list);
    const { array } = list;
    for (let k = 0; k < list.length; k += 2) {
      if (((marks[array[k]] | marks[array[k + 1]]) & mark) === mark) this.addCandidate(tree.bodies, array[k], array[k + 1]);
    }
  }

  private searchOne(tree: Tree, index: number, { boxQuery, list, scratch }: Workspace): void {
    const { bodies } = tree;
    // It may have been removed since its slot bounds were renewed.
    if (!bodies.isPlaced(index) || (bodies.categoryMask[index] & this.categories) === 0) return;
    tree.slots.readSlotBounds(bodies.slot[index], this.box);
    boxQuery.set(this.box);
    list.length = 0;
    walkOverlapping(tree, boxQuery, null, this.categories, scratch, list);
    for (let k = 0; k < list.length; k++) if (list.array[k] !== index) this.addCandidate(bodies, index, list.array[k]);
  }

  private addCandidate({ categoryMask, flags }: BodyArrays, a: number, b: number): void {
    const { categories, listeners, pairs } = this;
    if ((flags[a] & flags[b] & BODY_STATIC) !== 0) return;
    if ((categoryMask[a] & categories) === 0 || (categoryMask[b] & categories) === 0) return;
    if (listeners !== null && (listeners.marks[a] | listeners.marks[b]) === 0) return;
    const first = Math.min(a, b);
    const second = Math.max(a, b);
    if (pairs.find(first, second) === NO_PAIR) pairs.add(first, second);
  }

  /** Tests the candidates with at least one marked body; with mark 0 all candidates. Reads the pairs in the order of memory. */
  private scan(bodies: BodyArrays, marks: Uint8Array, mark: number): void {
    const { pairs } = this;
    for (let pair = 0; pair < pairs.recordCount; pair++) {
      if (!pairs.isLinked(pair)) continue;
      const a = pairs.member(pair, 0);
      const b = pairs.member(pair, 1);
      if (((marks[a] | marks[b]) & mark) === mark) this.test(bodies, pair, a, b);
    }
  }

  /** Tests the candidates of the bodies that have moved. */
  private testMoved({ bodies }: Tree, changes: ChangeLog): void {
    const { anchors, pairs } = this;
    const { bounds } = bodies;
    const { moved } = changes;
    const marks = changes.marksOf(bodies.count);
    if (pairs.isScanCheaper(moved.length, bodies.count) || this.needsManyTests(moved, bounds)) {
      // The scan does not renew anchors: no slack is valid after it.
      anchors.clearAll();
      this.scan(bodies, marks, MOVED);
      return;
    }
    for (let k = 0; k < moved.length; k++) {
      const index = moved.array[k];
      // The slack of a body without candidates becomes 0: nothing compares the body with its anchor, so it may leave its slack unnoticed.
      if (pairs.firstLink(0, index) === NO_LINK) anchors.clear(index);
      else if ((marks[index] & RENEWED) !== 0 || !anchors.isWithinSlack(index, bounds)) this.testBody(bodies, index);
    }
  }

  /** Whether a scan of all candidates takes less time than tests of the bodies that have moved farther than their slack. */
  private needsManyTests({ array, length }: IndexList, bounds: Float64Array): boolean {
    const { anchors, pairs } = this;
    const maxTests = pairs.recordCount / RECORDS_PER_TEST;
    let tests = 0;
    for (let k = 0; k < length && tests <= maxTests; k++) {
      const count = pairs.countOf(0, array[k]);
      if (count > 0 && !anchors.isWithinSlack(array[k], bounds)) tests += count;
    }
    return tests > maxTests;
  }

  /** Tests all candidates of a body, and computes how far it may move before the next test. */
  private testBody(bodies: BodyArrays, index: number): void {
    const { anchors, pairs } = this;
    anchors.begin(index, bodies);
    for (let link = pairs.firstLink(0, index); link !== NO_LINK; link = pairs.nextLink(link)) {
      const other = pairs.other(link);
      this.test(bodies, link >> 1, index, other);
      anchors.limitByPair(index, other, bodies);
    }
    anchors.finish(index);
  }

  private test(bodies: BodyArrays, pair: number, a: number, b: number): void {
    const { pairs } = this;
    const touches = bodiesTouch(bodies, a, b, this.box, this.otherBox);
    const state = touches ? TOUCHING : APART;
    if (state === pairs.state(pair)) return;
    pairs.setState(pair, state);
    if (touches) this.began.push(pair);
    else this.ended.push(pair);
  }
}
