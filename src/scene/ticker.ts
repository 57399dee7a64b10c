/**
 * One tick of `update`: bodies move themselves, the queue is applied, nodes expire and merge, and overlaps are reported. Overlaps are computed after
 * all moves of the tick. The tree does not change until all overlaps are reported.
 */

import { pairsOf } from '../query/pairs-of.ts';
import type { Body } from './body.ts';
import type { BodyStore } from './body-store.ts';
import type { MathTypes } from './math-types.ts';
import type { BodyOptions } from './options.ts';
import type { QueryRunner } from './query-runner.ts';
import { TickCounter, type TickStatistics } from './statistics.ts';

type Update<T, M extends MathTypes> = NonNullable<BodyOptions<T, M>['update']>;
type OnIntersection<T, M extends MathTypes> = NonNullable<BodyOptions<T, M>['onIntersection']>;

export class Ticker<T, M extends MathTypes> {
  /** True while a tick runs, callbacks included. */
  isRunning = false;

  private readonly store: BodyStore<T, M>;
  private readonly runner: QueryRunner<T, M>;
  private readonly counter: TickCounter<T, M>;
  private readonly updates = new CallbackList<T, M, Update<T, M>>();
  private readonly listeners = new CallbackList<T, M, OnIntersection<T, M>>();

  constructor(store: BodyStore<T, M>, runner: QueryRunner<T, M>) {
    this.store = store;
    this.runner = runner;
    this.counter = new TickCounter<T, M>(store);
  }

  /** Registers the callbacks of a new body, if it has any. */
  register(body: Body<T, M>, { update, onIntersection }: BodyOptions<T, M>): void {
    if (update !== undefined) this.updates.add(body, update);
    if (onIntersection !== undefined) this.listeners.add(body, onIntersection);
  }

  /** Runs a tick. If callbacks throw, the other callbacks still run; the first error is thrown after the tick. */
  tick(deltaSeconds: number): TickStatistics {
    const errors: unknown[] = [];
    this.isRunning = true;
    try {
      this.moveBodies(deltaSeconds, errors);
      this.store.advance();
      const tick = this.counter.take(this.reportOverlaps(errors));
      if (errors.length > 0) throw errors[0];
      return tick;
    } finally {
      this.isRunning = false;
    }
  }

  private moveBodies(deltaSeconds: number, errors: unknown[]): void {
    // The list is a copy: the callback of a body that another callback inserts is first called in the next tick.
    for (const { body, callback } of this.updates.living()) {
      if (!isAlive(body)) continue;
      try {
        callback.call(body, deltaSeconds);
      } catch (error) {
        errors.push(error);
      }
    }
  }

  /** Calls `onIntersection` for each overlap of a body that has one; returns the number of pairs that were reported. */
  private reportOverlaps(errors: unknown[]): number {
    const listeners = this.listeners.living();
    if (listeners.length === 0) return 0;
    const { store, runner } = this;
    // Indices stay valid during the callbacks: as long as a workspace is borrowed, removals are queued.
    const callbacks = new Map(listeners.map(({ body, callback }) => [body.index, callback]));
    const workspace = runner.begin('Octree.update');
    try {
      let reported = 0;
      const indices = listeners.map(({ body }) => body.index);
      for (const [a, b] of pairsOf(store.tree, indices, workspace)) {
        const bodyA = store.bodyAt(a);
        const bodyB = store.bodyAt(b);
        // A callback of an earlier pair may have removed one of them. Within a pair both are called.
        if (!isAlive(bodyA) || !isAlive(bodyB)) continue;
        reported++;
        this.report(callbacks.get(a), a, b, errors);
        this.report(callbacks.get(b), b, a, errors);
      }
      return reported;
    } finally {
      runner.end();
    }
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

interface Registration<T, M extends MathTypes, C> {
  readonly body: Body<T, M>;
  readonly callback: C;
}

/**
 * Callbacks of bodies, in the order in which the bodies were inserted. `living` drops those of removed bodies, and so does `add` whenever the list
 * has doubled.
 */
class CallbackList<T, M extends MathTypes, C> {
  private registrations: Registration<T, M, C>[] = [];
  /** Length at which removed bodies are dropped. */
  private limit = 64;

  add(body: Body<T, M>, callback: C): void {
    if (this.registrations.length >= this.limit) this.limit = Math.max(64, 2 * this.living().length);
    this.registrations.push({ body, callback });
  }

  /** The callbacks of living bodies, as a fresh list. */
  living(): readonly Registration<T, M, C>[] {
    this.registrations = this.registrations.filter(({ body }) => isAlive(body));
    return this.registrations.slice();
  }
}

function isAlive<T, M extends MathTypes>(body: Body<T, M>): boolean {
  return body.index >= 0;
}
