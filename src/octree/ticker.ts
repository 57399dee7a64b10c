/**
 * One tick of `update`: bodies move themselves, the queue is applied, nodes expire and merge, and the change readers
 * report. The tree does not change until all reports are made.
 */

import type { AnyBody } from './bodies/body.ts';
import type { BodyStore } from './bodies/body-store.ts';
import type { BodyOptions } from './bodies/body-options.ts';
import { attempt, type ChangeReaders } from './change-readers.ts';
import { withWorkspace, type QueryRunner } from './queries/query-runner.ts';
import { TickCounter, type TickStatistics } from './statistics.ts';

type Update = NonNullable<BodyOptions<never, never>['update']>;

export class Ticker {
  /** True while a tick runs, callbacks included. */
  isRunning = false;

  private readonly store: BodyStore;
  private readonly runner: QueryRunner;
  private readonly readers: ChangeReaders;
  private readonly counter: TickCounter;
  /** The callbacks of bodies, in the order in which the bodies were inserted. Those of removed bodies are dropped. */
  private updates: { readonly body: AnyBody; readonly update: Update }[] = [];

  constructor(store: BodyStore, runner: QueryRunner, readers: ChangeReaders) {
    this.store = store;
    this.runner = runner;
    this.readers = readers;
    this.counter = new TickCounter(store);
  }

  /** Registers the `update` callback of a new body. */
  register(body: AnyBody, update: Update): void {
    this.updates.push({ body, update });
  }

  /** Runs a tick. If callbacks throw, the other callbacks still run; the first error is thrown after the tick. */
  tick(deltaSeconds: number): TickStatistics {
    let counts: TickStatistics;
    try {
      this.run(deltaSeconds);
    } finally {
      // Also after an error, so that the next tick begins to count at 0.
      counts = this.counter.take();
    }
    // After an error they wait for the next tick.
    if (counts.bodiesOutside > 0) {
      this.store.outside = [];
      this.store.bodiesOutside = 0;
    }
    return counts;
  }

  /** As `tick`, without the counts, which take longer than the rest of a tick without moves. */
  run(deltaSeconds: number): void {
    const errors: unknown[] = [];
    this.isRunning = true;
    try {
      this.store.freeReported();
      this.moveBodies(deltaSeconds, errors);
      this.store.advance();
      this.reportChanges(errors);
      if (errors.length > 0) throw errors[0];
    } finally {
      this.isRunning = false;
    }
  }

  private moveBodies(deltaSeconds: number, errors: unknown[]): void {
    if (this.updates.length === 0) return;
    this.updates = this.updates.filter(({ body }) => isAlive(body));
    // A copy: a body that a callback inserts gets its first `update` in the next tick.
    for (const { body, update } of this.updates.slice()) {
      if (!isAlive(body)) continue;
      // Not by `attempt`, whose closure for each body makes this loop take 1.3 to 1.6 times as long.
      try {
        update.call(body as never, deltaSeconds);
      } catch (error) {
        errors.push(error);
      }
    }
  }

  private reportChanges(errors: unknown[]): void {
    const { changes } = this.store;
    const readers = this.readers.list;
    if (readers.length === 0) {
      changes.reset();
      return;
    }
    // As long as a workspace is borrowed, writes of callbacks are queued, and indices stay valid.
    withWorkspace(this.runner, 'Octree.update', (workspace) => {
      // Where memory is missing a reader may throw. The others still read and report.
      for (const reader of readers) attempt(errors, () => reader.readChanges(workspace, errors));
      // Before the first callback: what callbacks write belongs to the next update.
      changes.reset();
      for (const reader of readers) attempt(errors, () => reader.report(errors));
    });
  }
}

function isAlive(body: AnyBody): boolean {
  return body.index >= 0;
}
