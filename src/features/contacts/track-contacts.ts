/** `trackContacts`, its options and its result: the pairs of overlapping bodies, followed from update to update. */

import { MAX_RADIUS } from '../../math/sphere.ts';
import type { Body } from '../../octree/bodies/body.ts';
import { readMask, requireFunction } from '../../octree/input/input-checks.ts';
import { requireOptions, type KnownOptions } from '../../octree/input/known-options.ts';
import type { MathTypes, PlainMath } from '../../octree/input/math-types.ts';
import { internalsOf, type OctreeInternals } from '../../octree/internals.ts';
import type { Octree } from '../../octree/octree.ts';
import { requireHysteresis } from '../distances/body-distances.ts';
import { readOtherMask, readWithin, type PairOptions } from '../pairs/pairs.ts';
import { ContactTracker, type TrackedPairs } from './contact-tracker.ts';
import { passes, type Filter } from '../../octree/queries/search.ts';
import type { Workspace } from '../../octree/queries/workspace.ts';
import { IndexList } from '../../tree/storage/index-list.ts';
import { APART } from '../tracking/tracker.ts';
import { NO_TAG, PairSorter, type CandidatePairs } from '../tracking/candidate-pairs.ts';
import { reportedBodyAt } from '../tracking/reported-bodies.ts';

/** The options of `trackContacts`. */
export interface ContactOptions<T, M extends MathTypes = PlainMath> extends Pick<
  PairOptions<T, M>,
  'within' | 'otherMask'
> {
  /**
   * Both bodies of a pair must have one of these categories; with `otherMask`, one of the two bodies. Default all ones.
   */
  readonly mask?: number;
  /**
   * Both bodies of a pair must pass. Called by `update` when a pair begins to overlap; the result holds until the pair
   * ends. It may query and write; writes take effect after the update. If it throws, the pair is left out, and the
   * first error is thrown after the tick.
   */
  readonly filter?: (body: Body<T, M>) => boolean;
  /**
   * A fraction of `within`. A pair begins within `within`, and ends beyond `within * (1 + hysteresis)`, so that two
   * bodies near the distance do not begin and end again and again. At least 0, below 1. Default 0.
   */
  readonly hysteresis?: number;
}

const WHERE = 'trackContacts';

const CONTACT_OPTIONS: KnownOptions<ContactOptions<never>> = ['mask', 'filter', 'within', 'otherMask', 'hysteresis'];

/**
 * Keeps the pairs of bodies that touch, or are within `options.within` of each other, from update to update: after each
 * `update` the lists of the result tell which pairs began, stayed and ended. The first update after the call reports
 * all pairs as begun.
 *
 * Cost: grows with the number of bodies that move, not with the number of all bodies. Each call keeps pairs of its own.
 *
 * @param octree The octree to follow.
 * @param options `within` in world units, `hysteresis`, `mask`, `otherMask`, `filter`: see `ContactOptions`.
 * @throws {RangeError} If a mask is not an integer of 32 bits, `within` is negative or NaN, or `hysteresis` is not from
 *   0 to 1.
 * @throws {TypeError} If an option is of the wrong type.
 *
 * @example
 * ```ts
 * import { Octree, trackContacts } from 'scene-octree';
 *
 * const octree = new Octree<string>();
 * const ann = octree.insert({ center: { x: 0, y: 0, z: 0 }, radius: 1 }, 'Ann');
 * octree.insert({ center: { x: 30, y: 0, z: 0 }, radius: 1 }, 'Ben');
 * const { began } = trackContacts(octree, { within: 10 });
 * ann.setCenter({ x: 20, y: 0, z: 0 });
 * octree.update(1 / 60);
 * // Two indices for each pair.
 * for (let k = 0; k < began.length; k += 2)
 *   console.log(octree.dataAt(began.array[k]), 'meets', octree.dataAt(began.array[k + 1])); // prints: Ann meets Ben
 * ```
 */
export function trackContacts<T, M extends MathTypes>(
  octree: Octree<T, M>,
  options: ContactOptions<T, M> = {},
): Contacts<T, M> {
  const internals = internalsOf(WHERE, octree);
  requireOptions(WHERE, options, CONTACT_OPTIONS);
  const { mask, filter, hysteresis = 0 } = options;
  requireFunction(WHERE, 'options.filter', filter);
  const categories = readMask(WHERE, 'options.mask', mask);
  const otherCategories = readOtherMask(WHERE, options, categories);
  requireHysteresis(WHERE, 'options.hysteresis', hysteresis);
  const beginDistance = readWithin(WHERE, options);
  const endDistance = Math.min(beginDistance * (1 + hysteresis), MAX_RADIUS);
  return new Contacts<T, M>(internals, { categories, otherCategories, beginDistance, endDistance }, filter);
}

/**
 * The overlapping pairs of bodies, kept from update to update. Each `octree.update` replaces the contents of the three
 * lists; nothing else does, so that they describe the moment of the last update. The lists belong to the octree: read
 * them, do not change them.
 *
 * A list holds two indices a pair, the smaller one first, also with `otherMask`. Pairs of two static bodies are left
 * out. Without hysteresis `began` and `stayed` together are the pairs that `collectPairs` would report at that moment
 * with the same options.
 *
 * A pair ends when its bodies part, and when one of them is removed. The index of a removed body is in no other use
 * until the next update begins; `bodyAt` returns its handle, whose `index` is -1.
 */
export class Contacts<T, M extends MathTypes = PlainMath> {
  /** Whether `stop` was called. */
  readonly isStopped: boolean = false;
  /** Pairs that overlap now, but did not in the update before; by the smaller index, then the other. */
  readonly began: IndexList = new IndexList(0);
  /**
   * Pairs that overlap now and did in the update before. Order: new pairs are appended; when a pair ends, the last pair
   * takes its place.
   */
  readonly stayed: IndexList = new IndexList(0);
  /** Pairs that overlapped in the update before, but do not now; by the smaller index, then the other. */
  readonly ended: IndexList = new IndexList(0);

  private readonly internals: OctreeInternals;
  private readonly tracked: TrackedPairs;
  private readonly filter: Filter | undefined;
  declare private tracker: ContactTracker;
  /** False until the tracker has read all changes; if it could not, for lack of memory, a new one starts. */
  private isCurrent = false;
  /**
   * The pairs that overlap now and pass the filter: first the pairs that stayed, then the pairs that began. The
   * position of each is the tag of its pair in the tracker. `stayed` shares its array.
   */
  private readonly current = new IndexList(0);
  /** The number of each of them in the tracker. */
  private readonly numbers = new IndexList(0);
  private readonly sorter = new PairSorter();

  /** @internal */
  constructor(internals: OctreeInternals, tracked: TrackedPairs, filter: ((body: never) => boolean) | undefined) {
    this.internals = internals;
    this.tracked = tracked;
    this.filter = filter as Filter | undefined;
    internals.readers.add(this);
  }

  /** Number of pairs that overlap now: the pairs of `began` and of `stayed`. */
  get count(): number {
    return this.numbers.length;
  }

  /**
   * The body of an index in the lists. For a body that was removed it is a handle with `index` -1 and the body's data,
   * until the next update begins.
   *
   * @throws {RangeError} If the index belongs to no body.
   */
  bodyAt(index: number): Body<T, M> {
    return reportedBodyAt('Contacts.bodyAt', this.internals.store, index) as Body<T, M>;
  }

  /** Ends the tracking: the lists are empty from now on. Does nothing if it was called before. */
  stop(): void {
    if (this.isStopped) return;
    (this as { isStopped: boolean }).isStopped = true;
    this.clear();
    this.internals.readers.remove(this);
  }

  /** @internal */
  restart(): void {
    this.isCurrent = false;
    this.clear();
  }

  /** @internal */
  readChanges(workspace: Workspace): void {
    const { began, current, ended, isCurrent, numbers } = this;
    this.isCurrent = false;
    if (!isCurrent) this.tracker = new ContactTracker(this.internals.store, this.tracked, null);
    const { changed, pairs } = this.tracker;
    this.tracker.readChanges(workspace);
    if (!isCurrent) this.tracker.adopt(current, numbers);
    this.sorter.sort(pairs, changed);
    // `report` allocates nothing.
    for (const list of [began, ended]) list.reserve(2 * changed.length);
    current.reserve(current.length + 2 * changed.length);
    numbers.reserve(numbers.length + changed.length);
    this.isCurrent = true;
  }

  /** @internal */
  report(errors: unknown[]): void {
    const { began, current, ended, numbers, stayed, tracker } = this;
    began.length = 0;
    ended.length = 0;
    stayed.array = current.array;
    stayed.length = current.length;
    if (this.isStopped || !this.isCurrent) return;
    const { changed, pairs } = tracker;
    for (let k = 0; k < changed.length; k++) {
      const pair = changed.array[k];
      // A pair that the filter has refused has no tag.
      if (pairs.state(pair) !== APART || pairs.tag(pair) === NO_TAG) continue;
      pushPair(ended, pairs.end(pair, 0), pairs.end(pair, 1));
      this.remove(pairs, pair);
    }
    stayed.length = current.length;
    for (let k = 0; k < changed.length; k++) {
      const pair = changed.array[k];
      // A pair with a tag touched before, and is tracked anew.
      if (pairs.state(pair) === APART || pairs.tag(pair) !== NO_TAG) continue;
      const a = pairs.end(pair, 0);
      const b = pairs.end(pair, 1);
      if (!this.accepts(a, b, errors)) continue;
      // The filter may stop the tracking.
      if (this.isStopped) return;
      pairs.setTag(pair, numbers.length);
      numbers.push(pair);
      pushPair(current, a, b);
      pushPair(began, a, b);
    }
    pairs.releaseDropped();
  }

  /** Takes a pair out of the current pairs: the last one takes its place. */
  private remove(pairs: CandidatePairs, pair: number): void {
    const { current, numbers } = this;
    const at = pairs.tag(pair);
    const last = --numbers.length;
    current.length -= 2;
    current.array[2 * at] = current.array[2 * last];
    current.array[2 * at + 1] = current.array[2 * last + 1];
    numbers.array[at] = numbers.array[last];
    pairs.setTag(numbers.array[at], at);
    pairs.setTag(pair, NO_TAG);
  }

  private accepts(a: number, b: number, errors: unknown[]): boolean {
    const { filter } = this;
    const { store } = this.internals;
    try {
      return filter === undefined || (passes(store, WHERE, filter, a) && passes(store, WHERE, filter, b));
    } catch (error) {
      errors.push(error);
      return false;
    }
  }

  private clear(): void {
    for (const list of [this.current, this.numbers, this.began, this.ended, this.stayed]) list.length = 0;
  }
}

function pushPair(list: IndexList, a: number, b: number): void {
  list.push(a);
  list.push(b);
}
