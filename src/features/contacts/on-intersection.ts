/**
 * Callbacks for the overlaps of single bodies, the listeners. There are two ways to find the overlaps, which give the
 * same result. Tracking costs nothing while nothing moves, but searches the candidates of all bodies that have escaped.
 * Polling queries every listener in every update: few listeners among many bodies that all move take 0.65 to 0.8 of the
 * time of tracking, 3,000 of 10,000 bodies of which 1 % move 7 times as long.
 */

import { BOX_STRIDE } from '../../math/box.ts';
import { withCapacity } from '../../math/typed-arrays.ts';
import type { BodyStore } from '../../octree/bodies/body-store.ts';
import { isBody, type AnyBody, type Body } from '../../octree/bodies/body.ts';
import type { ChangeReader } from '../../octree/change-readers.ts';
import { throwType } from '../../octree/input/input-checks.ts';
import type { MathTypes } from '../../octree/input/math-types.ts';
import { internalsOf, type OctreeInternals } from '../../octree/internals.ts';
import type { Octree } from '../../octree/octree.ts';
import type { AnyRecord, IntersectionRecord } from '../../octree/queries/intersection-record.ts';
import { RecordWriter } from '../../octree/queries/record-writer.ts';
import type { Workspace } from '../../octree/queries/workspace.ts';
import { ALL_CATEGORIES, BODY_STATIC } from '../../tree/layout.ts';
import { IndexList } from '../../tree/storage/index-list.ts';
import { walkOverlapping } from '../../tree/traverse/walk.ts';
import type { Tree } from '../../tree/tree.ts';
import { PairTest } from '../pairs/pair-test.ts';
import { writePair } from '../pairs/pairs.ts';
import { PairSorter } from '../tracking/candidate-pairs.ts';
import { APART } from '../tracking/tracker.ts';
import { ContactTracker, type Listeners, type TrackedPairs } from './contact-tracker.ts';

/** Called with the record of an overlap, for a body of any octree. */
type OverlapCallback = (record: AnyRecord) => void;

/** Number of moves that cost as much as one query. */
const MOVES_PER_QUERY = 64;
const ALL_TOUCHING: TrackedPairs = { categories: ALL_CATEGORIES, otherCategories: ALL_CATEGORIES, distance: 0 };

/**
 * Calls a function at the end of each `octree.update` for each body that overlaps a body, touching included, until the
 * body is removed. Pairs of two static bodies are left out. A second call for the same body replaces the function.
 *
 * The function may query and write; what it writes takes effect after the update. If it throws, the others still run,
 * and the first error is thrown after the tick. To follow all pairs, or to know when an overlap begins and ends, use
 * `trackContacts`.
 *
 * Cost: grows with the number of bodies that have a function, or with the number of bodies that move, whichever is
 * less.
 *
 * @param callback Gets the record of the pair; its `body` is the given body, its `other` the one that overlaps it.
 * @throws {TypeError} If the body is not a Body, or the callback is not a function.
 * @throws {RangeError} If the body was removed, or belongs to another octree.
 */
export function onIntersection<T, M extends MathTypes>(
  octree: Octree<T, M>,
  body: Body<T, M>,
  callback: (record: IntersectionRecord<T, M>) => void,
): void {
  const where = 'onIntersection';
  const internals = internalsOf(where, octree);
  if (!isBody(body)) throwType(where, 'body', 'be a Body', body, 'pass what insert or bodyAt returned');
  if (typeof callback !== 'function') throwType(where, 'callback', 'be a function', callback, 'pass (record) => {}');
  if (!octree.has(body))
    throw new RangeError(
      `${where}: body must be a living body of this octree, but was removed or belongs to another one; insert it first.`,
    );
  internals.stateOf(OverlapReports).add(body, callback as OverlapCallback);
}

/** @internal Finds the overlaps of the listeners after each update, and calls their callbacks. */
export class OverlapReports implements ChangeReader {
  private readonly internals: OctreeInternals;
  /** By body index. A removed body stays until the next update, or until another body gets its index. */
  private readonly callbacks = new Map<number, { readonly body: AnyBody; readonly callback: OverlapCallback }>();
  private readonly listeners: Listeners = { indices: new IndexList(0), marks: new Uint8Array(0) };
  /** Number of bodies removed from the store when `listeners` was filled; -1 if there are new listeners. */
  private removals = -1;
  /** Null while the overlaps are polled. */
  private tracker: ContactTracker | null = null;
  /**
   * The ends of each pair that overlaps in this update, two numbers, the smaller body first, ordered by the first,
   * then the second. Pairs of two static bodies are left out.
   */
  private readonly found = new IndexList(0);
  private readonly sorter = new PairSorter();
  private readonly test = new PairTest();
  private readonly box = new Float64Array(BOX_STRIDE);
  private isReader = false;

  constructor(internals: OctreeInternals) {
    this.internals = internals;
  }

  add(body: AnyBody, callback: OverlapCallback): void {
    this.callbacks.set(body.index, { body, callback });
    this.removals = -1;
    // While pairs are tracked, those of a body at rest are found only if it is searched for.
    if (this.tracker !== null) this.internals.store.changes.recordCategories(body.index);
    if (!this.isReader) this.internals.readers.add(this);
    this.isReader = true;
  }

  restart(): void {
    this.removals = -1;
    this.tracker = null;
  }

  readChanges(workspace: Workspace): void {
    const { found, listeners } = this;
    const { bodiesRemoved, tree } = this.internals.store;
    listeners.marks = withCapacity(listeners.marks, tree.bodies.count);
    if (this.removals !== bodiesRemoved) this.listListeners();
    this.removals = bodiesRemoved;
    this.choose();
    found.length = 0;
    if (this.tracker === null) this.poll(tree, workspace);
    else this.track(this.tracker, workspace);
    this.sorter.sortEnds(found);
  }

  /** Lists the living bodies with a callback, and drops the others. */
  private listListeners(): void {
    const { indices, marks } = this.listeners;
    indices.length = 0;
    for (const [index, { body }] of this.callbacks) {
      marks[index] = Number(body.index >= 0);
      if (body.index >= 0) indices.push(index);
      else this.callbacks.delete(index);
    }
  }

  /**
   * Starts to track where it would cost less than half of polling, and ends where it costs more. Costs are in queries.
   */
  private choose(): void {
    const { store } = this.internals;
    const { changes } = store;
    const polling = this.listeners.indices.length;
    const tracking = changes.renewCount + changes.moveCount / MOVES_PER_QUERY;
    if (this.tracker === null && 2 * tracking < polling) {
      changes.addReader();
      this.tracker = new ContactTracker(store, ALL_TOUCHING, this.listeners);
    } else if (this.tracker !== null && (tracking > polling || polling === 0)) {
      changes.removeReader();
      this.tracker = null;
    }
  }

  private track(tracker: ContactTracker, workspace: Workspace): void {
    const { found } = this;
    const { pairs } = tracker;
    tracker.readChanges(workspace);
    tracker.release();
    for (let pair = 0; pair < pairs.recordCount; pair++) {
      if (!pairs.isLinked(pair) || pairs.state(pair) === APART) continue;
      found.push(pairs.end(pair, 0));
      found.push(pairs.end(pair, 1));
    }
  }

  private poll(tree: Tree, { boxQuery, list, scratch }: Workspace): void {
    const { found } = this;
    const { bodies } = tree;
    const { indices, marks } = this.listeners;
    for (let position = 0; position < indices.length; position++) {
      const index = indices.array[position];
      // A body without categories is never reported.
      if (bodies.categoryMask[index] === 0) continue;
      boxQuery.set(bodies.readBox(index, this.box));
      list.length = 0;
      walkOverlapping(tree, boxQuery, null, ALL_CATEGORIES, scratch, list);
      for (let k = 0; k < list.length; k++) {
        const other = list.array[k];
        // A pair of two listeners is found twice: the query of the smaller index reports it.
        if (other === index || (marks[other] !== 0 && other < index)) continue;
        if ((bodies.flags[index] & bodies.flags[other] & BODY_STATIC) !== 0 || bodies.categoryMask[other] === 0)
          continue;
        if (!this.test.accepts(bodies, index, other)) continue;
        found.push(Math.min(index, other));
        found.push(Math.max(index, other));
      }
    }
  }

  report(errors: unknown[]): void {
    const { store } = this.internals;
    const { array, length } = this.found;
    for (let k = 0; k < length; k += 2) {
      const a = array[k];
      const b = array[k + 1];
      // A callback of an earlier pair may have removed one of them. Within a pair both are called.
      if (!store.isAlive(a) || !store.isAlive(b)) continue;
      this.call(store, a, b, errors);
      this.call(store, b, a, errors);
    }
  }

  private call(store: BodyStore, index: number, other: number, errors: unknown[]): void {
    const listener = this.callbacks.get(index);
    if (listener === undefined) return;
    try {
      listener.callback(writePair(new RecordWriter(store, []), index, other));
    } catch (error) {
      errors.push(error);
    }
  }
}
