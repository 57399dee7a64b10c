/**
 * One tick of `update`: bodies move themselves, the queue is applied, nodes expire and merge, and overlaps are reported. Overlaps are computed after
 * all moves of the tick. The tree does not change until all overlaps are reported.
 */

import { ListenerPairs } from '../features/contacts/listener-pairs.ts';
import type { IndexList } from '../tree/storage/index-list.ts';
import type { Body } from './bodies/body.ts';
import type { BodyStore } from './bodies/body-store.ts';
import type { ChangeReaders } from './change-readers.ts';
import { ListenerRegistry, type OnIntersection } from '../features/contacts/listener-registry.ts';
import type { MathTypes } from './input/math-types.ts';
import type { BodyOptions } from './bodies/body-options.ts';
import type { QueryRunner } from './queries/query-runner.ts';
import { TickCounter, type TickStatistics } from './statistics.ts';

type Update<T, M extends MathTypes> = NonNullable<BodyOptions<T, M>['update']>;

export class Ticker<T, M extends MathTypes> {
  /** True while a tick runs, callbacks included. */
  isRunning = false;

  private readonly store: BodyStore<T, M>;
  private readonly runner: QueryRunner<T, M>;
  private readonly readers: ChangeReaders<T, M>;
  private readonly counter: TickCounter<T, M>;
  private readonly updates = new UpdateList<T, M>();
  private readonly listeners = new ListenerRegistry<T, M>();
  private readonly listenerPairs = new ListenerPairs(this.listeners);

  constructor(store: BodyStore<T, M>, runner: QueryRunner<T, M>, readers: ChangeReaders<T, M>) {
    this.store = store;
    this.runner = runner;
    this.readers = readers;
    this.counter = new TickCounter<T, M>(store);
  }

  /** Registers the callbacks of a new body, if it has any. */
  register(body: Body<T, M>, { update, onIntersection }: BodyOptions<T, M>): void {
    if (update !== undefined) this.updates.add(body, update);
    if (onIntersection !== undefined) this.listeners.add(body, onIntersection);
  }

  /** The bodies were translated. */
  translate(): void {
    this.listenerPairs.translate();
  }

  /** Runs a tick. If callbacks throw, the other callbacks still run; the first error is thrown after the tick. */
  tick(deltaSeconds: number): TickStatistics {
    const errors: unknown[] = [];
    this.isRunning = true;
    try {
      this.store.freeReported();
      this.moveBodies(deltaSeconds, errors);
      this.store.advance();
      const tick = this.counter.take(this.reportChanges(errors));
      if (errors.length > 0) throw errors[0];
      return tick;
    } finally {
      this.isRunning = false;
    }
  }

  private moveBodies(deltaSeconds: number, errors: unknown[]): void {
    // The list is a copy: a body that a callback inserts gets its first `update` in the next tick.
    for (const { body, callback } of this.updates.living()) {
      if (!isAlive(body)) continue;
      try {
        callback.call(body, deltaSeconds);
      } catch (error) {
        errors.push(error);
      }
    }
  }

  /** Reports to contacts, to sensors and to `onIntersection`; returns the number of pairs reported to `onIntersection`. */
  private reportChanges(errors: unknown[]): number {
    const { listeners, runner, store } = this;
    const { changes, tree } = store;
    const readers = this.readers.list();
    listeners.refresh(store.bodiesRemoved, tree.bodies.count);
    if (readers.length === 0 && listeners.indices.length === 0 && !this.listenerPairs.isTracking) {
      changes.reset();
      return 0;
    }
    // The work of contacts and sensors counts as one query for each move, the work of `onIntersection` as one query for each listener.
    tree.horizon.recordQueries(listeners.indices.length + (readers.length > 0 ? changes.moveCount : 0), 0);
    // As long as a workspace is borrowed, writes of callbacks are queued, and indices stay valid.
    const workspace = runner.begin('Octree.update');
    try {
      for (const reader of readers) reader.update(workspace);
      const pairs = this.listenerPairs.find(tree, changes, workspace);
      // Before the first callback: what callbacks write belongs to the next update.
      changes.reset();
      for (const reader of readers) reader.report(errors);
      return this.reportOverlaps(pairs, errors);
    } finally {
      runner.end();
    }
  }

  /** Calls `onIntersection` for each pair with a body that has one; returns the number of pairs that were reported. */
  private reportOverlaps({ array, length }: IndexList, errors: unknown[]): number {
    const { listeners, store } = this;
    let reported = 0;
    for (let k = 0; k < length; k += 2) {
      const a = array[k];
      const b = array[k + 1];
      // A callback of an earlier pair may have removed one of them. Within a pair both are called.
      if (!store.isAlive(a) || !store.isAlive(b)) continue;
      reported++;
      this.report(listeners.callbackOf(a), a, b, errors);
      this.report(listeners.callbackOf(b), b, a, errors);
    }
    return reported;
  }

  private report(callback: OnIntersection<T, M> | undefined, index: number, other: number, errors: unknown[]): void {
    if (callback === undefined) return;
    try {
      callback.call(this.store.bodyAt(index), this.runner.pairRecord(index, other));
    } catch (error) {
      errors.push(error);
    }
  }
}

interface Registration<T, M extends MathTypes> {
  readonly body: Body<T, M>;
  readonly callback: Update<T, M>;
}

/**
 * The `update` callbacks of bodies, in the order in which the bodies were inserted. `living` drops the callbacks of removed bodies, and so does `add`
 * whenever the list has doubled.
 */
class UpdateList<T, M extends MathTypes> {
  private registrations: Registration<T, M>[] = [];
  /** Length at which removed bodies are dropped. */
  private limit = 64;

  add(body: Body<T, M>, callback: Update<T, M>): void {
    if (this.registrations.length >= this.limit) this.limit = Math.max(64, 2 * this.living().length);
    this.registrations.push({ body, callback });
  }

  /** The callbacks of living bodies, as a fresh list. */
  living(): readonly Registration<T, M>[] {
    this.registrations = this.registrations.filter(({ body }) => isAlive(body));
    return this.registrations.slice();
  }
}

function isAlive<T, M extends MathTypes>(body: Body<T, M>): boolean {
  return body.index >= 0;
}
