/** Callbacks for the overlaps of single bodies, the listeners. Their pairs are tracked from update to update. */

import { withCapacity } from '../../math/typed-arrays.ts';
import type { BodyStore } from '../../octree/bodies/body-store.ts';
import { requireBody, type AnyBody, type Body } from '../../octree/bodies/body.ts';
import { attempt, type ChangeReader } from '../../octree/change-readers.ts';
import { throwType } from '../../octree/input/input-checks.ts';
import type { MathTypes } from '../../octree/input/math-types.ts';
import { internalsOf, type OctreeInternals } from '../../octree/internals.ts';
import type { Octree } from '../../octree/octree.ts';
import { type AnyRecord, type IntersectionRecord, RecordWriter } from '../../octree/queries/record-writer.ts';
import type { Workspace } from '../../octree/queries/workspace.ts';
import { ALL_CATEGORIES } from '../../tree/layout.ts';
import { IndexList } from '../../tree/storage/index-list.ts';
import { writePair } from '../pairs/pairs.ts';
import { PairSorter } from '../tracking/candidate-pairs.ts';
import { APART } from '../tracking/tracker.ts';
import { ContactTracker, type Listeners, type TrackedPairs } from './contact-tracker.ts';

/** Called with the record of an overlap, for a body of any octree. */
type OverlapCallback = (record: AnyRecord) => void;

const ALL_TOUCHING: TrackedPairs = {
  categories: ALL_CATEGORIES,
  otherCategories: ALL_CATEGORIES,
  beginDistance: 0,
  endDistance: 0,
};

/**
 * Calls a function at the end of each `octree.update` for each body that overlaps a body, touching included, until the
 * body is removed. Pairs of two static bodies are left out. A second call for the same body replaces the function.
 *
 * The function may query and write; what it writes takes effect after the update. If it throws, the others still run,
 * and the first error is thrown after the tick. To follow all pairs, or to know when an overlap begins and ends, use
 * `trackContacts`.
 *
 * Cost: grows with the number of bodies that move, and with the number of overlaps of bodies that have a function.
 *
 * @param octree The octree of the body.
 * @param body The body whose neighbours are reported. It must live.
 * @param callback Gets the record of the pair; its `body` is the given body, its `other` the one that overlaps it.
 * @throws {TypeError} If the body is not a Body, or the callback is not a function.
 * @throws {RangeError} If the body was removed, or belongs to another octree.
 *
 * @example
 * ```ts
 * import { Octree, onIntersection } from 'scene-octree';
 *
 * const octree = new Octree<string>();
 * const ball = octree.insert({ center: { x: 0, y: 1.5, z: 0 }, radius: 1 }, 'ball');
 * octree.insert({ center: { x: 0, y: 0, z: 0 }, radius: 1 }, 'cup', { isStatic: true });
 * onIntersection(octree, ball, ({ other, distance }) => console.log(`in the ${other?.data} by ${-distance}`));
 * octree.update(1 / 60); // prints: in the cup by 0.5
 * ```
 */
export function onIntersection<T, M extends MathTypes>(
  octree: Octree<T, M>,
  body: Body<T, M>,
  callback: (record: IntersectionRecord<T, M>) => void,
): void {
  const where = 'onIntersection';
  const internals = internalsOf(where, octree);
  requireBody(where, internals.store, body);
  if (typeof callback !== 'function') throwType(where, 'callback', 'be a function', callback, 'pass (record) => {}');
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
  declare private tracker: ContactTracker;
  /** As in `Contacts`. */
  private isCurrent = false;
  /** The pairs that overlap in this update, as numbers in the tracker, by the smaller index, then the other. */
  private readonly found = new IndexList(0);
  private readonly sorter = new PairSorter();

  constructor(internals: OctreeInternals) {
    this.internals = internals;
    internals.readers.add(this);
  }

  add(body: AnyBody, callback: OverlapCallback): void {
    const { changes, indexCount } = this.internals.store;
    changes.reserve(indexCount, 0);
    // The pairs of a body at rest are found only if it is searched for.
    changes.recordCategories(body.index);
    this.callbacks.set(body.index, { body, callback });
    this.removals = -1;
  }

  restart(): void {
    this.removals = -1;
    this.isCurrent = false;
  }

  readChanges(workspace: Workspace): void {
    const { found, isCurrent, listeners } = this;
    const { store } = this.internals;
    const { bodiesRemoved, tree } = store;
    this.isCurrent = false;
    found.length = 0;
    if (!isCurrent) this.tracker = new ContactTracker(store, ALL_TOUCHING, listeners);
    const { tracker } = this;
    listeners.marks = withCapacity(listeners.marks, tree.bodies.count);
    if (this.removals !== bodiesRemoved) this.listListeners();
    this.removals = bodiesRemoved;
    tracker.readChanges(workspace);
    const { pairs } = tracker;
    pairs.releaseDropped();
    for (let pair = 0; pair < pairs.recordCount; pair++)
      if (pairs.isLinked(pair) && pairs.state(pair) !== APART) found.push(pair);
    this.sorter.sort(pairs, found);
    this.isCurrent = true;
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

  report(errors: unknown[]): void {
    const { store } = this.internals;
    if (!this.isCurrent) return;
    const { pairs } = this.tracker;
    const { array, length } = this.found;
    for (let k = 0; k < length; k++) {
      const a = pairs.end(array[k], 0);
      const b = pairs.end(array[k], 1);
      // A callback of an earlier pair may have removed one of them. Within a pair both are called.
      if (!store.isAlive(a) || !store.isAlive(b)) continue;
      this.call(store, a, b, errors);
      this.call(store, b, a, errors);
    }
  }

  private call(store: BodyStore, index: number, other: number, errors: unknown[]): void {
    const listener = this.callbacks.get(index);
    if (listener === undefined) return;
    attempt(errors, () => listener.callback(writePair(new RecordWriter(store, []), index, other)));
  }
}
