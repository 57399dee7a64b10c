/** Keeps the lists of one `Contacts`: the pairs of the tracker that pass the filter. */

import type { AnyBody } from '../../octree/bodies/body.ts';
import { reportedBodyAt, type BodyStore } from '../../octree/bodies/body-store.ts';
import type { ChangeReader } from '../../octree/change-readers.ts';
import type { Filter } from '../../octree/queries/query-filter.ts';
import type { QueryRunner } from '../../octree/queries/query-runner.ts';
import type { Workspace } from '../../octree/queries/workspace.ts';
import { IndexList } from '../../tree/storage/index-list.ts';
import { APART } from '../tracking/tracker.ts';
import { NO_TAG, type CandidatePairs } from '../tracking/candidate-pairs.ts';
import { PairSorter } from '../tracking/pair-sorter.ts';
import { ContactTracker, type TrackedPairs } from './contact-tracker.ts';

const WHERE = 'trackContacts';

export class ContactReader implements ChangeReader {
  readonly began = new IndexList(0);
  /** Shares its array with `current`, which begins with the pairs that stayed. */
  readonly stayed = new IndexList(0);
  readonly ended = new IndexList(0);
  isStopped = false;

  private readonly tracked: TrackedPairs;
  private readonly filter: Filter | undefined;
  private store: BodyStore | null = null;
  private runner: QueryRunner | null = null;
  private tracker: ContactTracker | null = null;
  /**
   * The pairs that overlap now and pass the filter: first the pairs that stayed, then the pairs that began. The
   * position of each is the tag of its pair in the tracker.
   */
  private readonly current = new IndexList(0);
  /** The number of each of them in the tracker. */
  private readonly numbers = new IndexList(0);

  private readonly sorter = new PairSorter();

  constructor(tracked: TrackedPairs, filter: Filter | undefined) {
    this.tracked = tracked;
    this.filter = filter;
  }

  get count(): number {
    return this.numbers.length;
  }

  restart(store: BodyStore, runner: QueryRunner): void {
    this.store = store;
    this.runner = runner;
    this.tracker = new ContactTracker(store, this.tracked, null);
    this.clear();
  }

  stop(): void {
    this.isStopped = true;
    this.tracker = null;
    this.clear();
  }

  readChanges(workspace: Workspace): void {
    this.tracker?.readChanges(workspace);
  }

  report(errors: unknown[]): void {
    const { began, current, ended, filter, numbers, stayed, tracker } = this;
    if (tracker === null) return;
    const { changed, pairs } = tracker;
    this.sorter.sort(pairs, changed);
    began.length = 0;
    ended.length = 0;
    for (let k = 0; k < changed.length; k++) {
      const pair = changed.array[k];
      // A pair that the filter has refused has no tag.
      if (pairs.state(pair) !== APART || pairs.tag(pair) === NO_TAG) continue;
      pushPair(ended, pairs.member(pair, 0), pairs.member(pair, 1));
      this.remove(pairs, pair);
    }
    stayed.length = current.length;
    for (let k = 0; k < changed.length; k++) {
      const pair = changed.array[k];
      if (pairs.state(pair) === APART) continue;
      const a = pairs.member(pair, 0);
      const b = pairs.member(pair, 1);
      if (filter !== undefined && !this.passes(filter, a, b, errors)) continue;
      // The filter may stop the reader.
      if (this.isStopped) return;
      pairs.setTag(pair, numbers.length);
      numbers.push(pair);
      pushPair(current, a, b);
      pushPair(began, a, b);
    }
    // `current` may have got a longer array.
    stayed.array = current.array;
    tracker.release();
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

  bodyAt(index: number): AnyBody {
    return reportedBodyAt('Contacts.bodyAt', this.store!, index);
  }

  private passes(filter: Filter, a: number, b: number, errors: unknown[]): boolean {
    const runner = this.runner!;
    try {
      return runner.passes(WHERE, filter, a) && runner.passes(WHERE, filter, b);
    } catch (error) {
      errors.push(error);
      return false;
    }
  }

  private clear(): void {
    this.current.length = 0;
    this.numbers.length = 0;
    this.began.length = 0;
    this.ended.length = 0;
    this.stayed.length = 0;
  }
}

function pushPair(list: IndexList, a: number, b: number): void {
  list.push(a);
  list.push(b);
}
