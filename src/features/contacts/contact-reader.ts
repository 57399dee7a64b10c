/** Keeps the lists of one `Contacts`: the pairs of the tracker that pass the filter. */

import type { AnyBody } from '../../octree/bodies/body.ts';
import { reportedBodyAt, type BodyStore } from '../../octree/bodies/body-store.ts';
import type { ChangeReader } from '../../octree/change-readers.ts';
import type { Filter } from '../../octree/queries/query-filter.ts';
import type { QueryRunner } from '../../octree/queries/query-runner.ts';
import type { Workspace } from '../../octree/queries/workspace.ts';
import { IndexList } from '../../tree/storage/index-list.ts';
import { APART } from '../tracking/tracker.ts';
import { ContactTracker } from './contact-tracker.ts';
import { PairList } from './pair-list.ts';

const WHERE = 'trackContacts';

export class ContactReader implements ChangeReader {
  readonly began = new IndexList(0);
  /** Shares its array with `current`, which begins with the pairs that stayed. */
  readonly stayed = new IndexList(0);
  readonly ended = new IndexList(0);
  isStopped = false;

  private readonly categories: number;
  private readonly filter: Filter | undefined;
  private store: BodyStore | null = null;
  private runner: QueryRunner | null = null;
  private tracker: ContactTracker | null = null;
  /** The pairs that overlap now and pass the filter: first the pairs that stayed, then the pairs that began. */
  private readonly current = new PairList();

  constructor(categories: number, filter: Filter | undefined) {
    this.categories = categories;
    this.filter = filter;
  }

  get count(): number {
    return this.current.length;
  }

  restart(store: BodyStore, runner: QueryRunner): void {
    this.store = store;
    this.runner = runner;
    this.tracker = new ContactTracker(store, this.categories, null);
    this.clear();
  }

  stop(): void {
    this.isStopped = true;
    this.tracker = null;
    this.clear();
  }

  translate(): void {
    this.tracker!.translate();
  }

  readChanges(workspace: Workspace): void {
    this.tracker?.readChanges(workspace);
  }

  report(errors: unknown[]): void {
    const { began, current, ended, filter, stayed, tracker } = this;
    if (tracker === null) return;
    const { changed, pairs } = tracker;
    const { members } = current;
    began.length = 0;
    ended.length = 0;
    for (let k = 0; k < changed.length; k++) {
      const pair = changed.array[k];
      if (pairs.state(pair) === APART && current.remove(pairs, pair))
        pushPair(ended, pairs.member(pair, 0), pairs.member(pair, 1));
    }
    stayed.length = members.length;
    for (let k = 0; k < changed.length; k++) {
      const pair = changed.array[k];
      if (pairs.state(pair) === APART) continue;
      const a = pairs.member(pair, 0);
      const b = pairs.member(pair, 1);
      if (filter !== undefined && !this.passes(filter, a, b, errors)) continue;
      // The filter may stop the reader.
      if (this.isStopped) return;
      current.add(pairs, pair);
      pushPair(began, a, b);
    }
    // `current.add` may have replaced the array by a longer one.
    stayed.array = members.array;
    tracker.release();
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
    this.current.clear();
    this.began.length = 0;
    this.ended.length = 0;
    this.stayed.length = 0;
  }
}

function pushPair(list: IndexList, a: number, b: number): void {
  list.push(a);
  list.push(b);
}
