/** Keeps the lists of one `Contacts`: the pairs of the tracker that pass the filter. */

import { ContactTracker } from './contact-tracker.ts';
import { PairList } from './pair-list.ts';
import type { Workspace } from '../../octree/queries/workspace.ts';
import { IndexList } from '../../tree/storage/index-list.ts';
import type { AnyBody } from '../../octree/bodies/body.ts';
import type { BodyStore } from '../../octree/bodies/body-store.ts';
import type { ChangeReader } from '../../octree/change-readers.ts';
import type { Filter } from '../../octree/queries/query-filter.ts';
import type { QueryRunner } from '../../octree/queries/query-runner.ts';

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
  private tracker: ContactTracker;
  /** The pairs that overlap now and pass the filter: first the pairs that stayed, then the pairs that began. */
  private readonly current = new PairList();

  constructor(categories: number, filter: Filter | undefined) {
    this.categories = categories;
    this.filter = filter;
    this.tracker = new ContactTracker(categories, null);
  }

  get count(): number {
    return this.current.length;
  }

  restart(store: BodyStore, runner: QueryRunner): void {
    this.store = store;
    this.runner = runner;
    this.clear();
  }

  stop(): void {
    this.isStopped = true;
    this.clear();
  }

  translate(): void {
    this.tracker.translate();
  }

  update(workspace: Workspace): void {
    const { tree, changes } = this.store!;
    this.tracker.update(tree, changes, workspace);
  }

  report(errors: unknown[]): void {
    if (this.isStopped) return;
    const { began, current, ended, stayed, tracker } = this;
    const { members } = current;
    const { pairs } = tracker;
    ended.length = 0;
    for (let k = 0; k < tracker.ended.length; k++) {
      const pair = tracker.ended.array[k];
      if (!current.remove(pairs, pair)) continue;
      ended.push(pairs.member(pair, 0));
      ended.push(pairs.member(pair, 1));
    }
    stayed.array = members.array;
    stayed.length = members.length;
    began.length = 0;
    // The filter may stop the reader.
    for (let k = 0; k < tracker.began.length && !this.isStopped; k++) {
      const pair = tracker.began.array[k];
      const a = pairs.member(pair, 0);
      const b = pairs.member(pair, 1);
      if (this.filter !== undefined && !this.passes(this.filter, a, b, errors)) continue;
      current.add(pairs, pair);
      began.push(a);
      began.push(b);
    }
    // `current.add` may have replaced the array by a longer one.
    stayed.array = members.array;
    tracker.release();
    if (this.isStopped) this.clear();
  }

  bodyAt(index: number): AnyBody {
    return this.store!.reportedBodyAt('Contacts.bodyAt', index);
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
    this.tracker = new ContactTracker(this.categories, null);
    this.current.clear();
    this.began.length = 0;
    this.ended.length = 0;
    this.stayed.length = 0;
  }
}
