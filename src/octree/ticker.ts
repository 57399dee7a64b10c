/**
 * One tick of `update`: bodies move themselves, the queue is applied, nodes expire and merge, and the change readers
 * report. The tree does not change until all reports are made.
 */

import type { AnyBody } from './bodies/body.ts';
import type { BodyStore } from './bodies/body-store.ts';
import type { BodyOptions } from './bodies/body-options.ts';
import type { ChangeReaders } from './change-readers.ts';
import type { QueryRunner } from './queries/query-runner.ts';
import { TickCounter, type TickStatistics } from './statistics.ts';

type Update = NonNullable<BodyOptions<never, never>['update']>;

export class Ticker {
  /** True while a tick runs, callbacks included. */
  isRunning = false;

  private readonly store: BodyStore;
  private readonly runner: QueryRunner;
  private readonly readers: ChangeReaders;
  private readonly counter: TickCounter;
  private readonly updates = new UpdateList();

  constructor(store: BodyStore, runner: QueryRunner, readers: ChangeReaders) {
    this.store = store;
    this.runner = runner;
    this.readers = readers;
    this.counter = new TickCounter(store);
  }

  /** Registers the `update` callback of a new body. */
  register(body: AnyBody, update: Update): void {
    this.updates.add(body, update);
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
    // The list is a copy: a body that a callback inserts gets its first `update` in the next tick.
    for (const { body, callback } of this.updates.living()) {
      if (!isAlive(body)) continue;
      try {
        callback.call(body as never, deltaSeconds);
      } catch (error) {
        errors.push(error);
      }
    }
  }

  private reportChanges(errors: unknown[]): void {
    const { changes } = this.store;
    const readers = this.readers.list;
    if (readers.length > 0) {
      // As long as a workspace is borrowed, writes of callbacks are queued, and indices stay valid.
      const workspace = this.runner.begin('Octree.update');
      try {
        // Where memory is missing a reader may throw. The others still read and report.
        for (const reader of readers) {
          try {
            reader.readChanges(workspace, errors);
          } catch (error) {
            errors.push(error);
          }
        }
        // Before the first callback: what callbacks write belongs to the next update.
        changes.reset();
        for (const reader of readers) {
          try {
            reader.report(errors);
          } catch (error) {
            errors.push(error);
          }
        }
      } finally {
        this.runner.end();
      }
    } else changes.reset();
  }
}

interface Registration {
  readonly body: AnyBody;
  readonly callback: Update;
}

/**
 * The `update` callbacks of bodies, in the order in which the bodies were inserted. `living` drops the callbacks of
 * removed bodies.
 */
class UpdateList {
  private registrations: Registration[] = [];

  add(body: AnyBody, callback: Update): void {
    this.registrations.push({ body, callback });
  }

  /** The callbacks of living bodies, as a fresh list. */
  living(): readonly Registration[] {
    if (this.registrations.length === 0) return this.registrations;
    this.registrations = this.registrations.filter(({ body }) => isAlive(body));
    return this.registrations.slice();
  }
}

function isAlive(body: AnyBody): boolean {
  return body.index >= 0;
}
