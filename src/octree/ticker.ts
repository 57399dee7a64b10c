/**
 * One tick of `update`: bodies move themselves, the queue is applied, nodes expire and merge, and the change readers
 * report. The tree does not change until all reports are made. And the figures that an octree reports about itself.
 */

import type { AnyBody, Body } from './bodies/body.ts';
import type { BodyStore } from './bodies/body-store.ts';
import type { BodyOptions } from './bodies/options.ts';
import { attempt, type ChangeReaders } from './change-readers.ts';
import { withWorkspace, type QueryRunner } from './queries/query-runner.ts';
import type { TreeCounters } from '../tree/tree.ts';
import type { MathTypes, PlainMath } from './input/math-types.ts';

type Update = NonNullable<BodyOptions<never, never>['update']>;

export class Ticker {
  /** True while a tick runs, callbacks included. */
  isRunning = false;

  private readonly store: BodyStore;
  private readonly runner: QueryRunner;
  private readonly readers: ChangeReaders;
  /** The counts at the end of the last tick. */
  private readonly counters: TreeCounters;
  private bodiesRemoved: number;
  /** The callbacks of bodies, in the order in which the bodies were inserted. Those of removed bodies are dropped. */
  private updates: { readonly body: AnyBody; readonly update: Update }[] = [];

  constructor(store: BodyStore, runner: QueryRunner, readers: ChangeReaders) {
    this.store = store;
    this.runner = runner;
    this.readers = readers;
    this.counters = { ...store.tree.counters };
    this.bodiesRemoved = store.bodiesRemoved;
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
      counts = this.takeCounts();
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

  /**
   * The counts since the last call. Written field by field: spreading the objects would take longer than the rest of a
   * tick without moves.
   */
  private takeCounts(): TickStatistics {
    const { store, counters: last } = this;
    const { counters: now, nodes } = store.tree;
    const { bodiesOutside, outside } = store;
    const tick = {
      bodies: store.size,
      pending: store.pending,
      nodes: nodes.count,
      depth: store.tree.depth,
      bytes: store.tree.bytes,
      nodesCreated: now.nodesCreated - last.nodesCreated,
      nodesReused: now.nodesReused - last.nodesReused,
      nodesExpired: now.nodesExpired - last.nodesExpired,
      nodesMerged: now.nodesMerged - last.nodesMerged,
      bodiesRelocated: now.bodiesRelocated - last.bodiesRelocated,
      bodiesRemoved: store.bodiesRemoved - this.bodiesRemoved,
      bodiesOutside,
      outside: outside.length === 0 ? NONE : outside,
    };
    last.nodesCreated = now.nodesCreated;
    last.nodesReused = now.nodesReused;
    last.nodesExpired = now.nodesExpired;
    last.nodesMerged = now.nodesMerged;
    last.bodiesRelocated = now.bodiesRelocated;
    this.bodiesRemoved = store.bodiesRemoved;
    return tick;
  }
}

function isAlive(body: AnyBody): boolean {
  return body.index >= 0;
}

/** The state of an octree, and counts since its construction or the last `clear`. */
export interface OctreeStatistics extends Readonly<TreeCounters> {
  /** Living bodies, pending ones included. */
  readonly bodies: number;
  /** Queued operations, which the next query or update applies. */
  readonly pending: number;
  /** Nodes in use. */
  readonly nodes: number;
  /** Depth of the deepest node in use; 0 if there is only the root. */
  readonly depth: number;
  /** Memory of the tree's arrays, in bytes. */
  readonly bytes: number;
}

/** The state after an update, and counts of what happened since the previous update. */
export interface TickStatistics<T = unknown, M extends MathTypes = PlainMath> extends OctreeStatistics {
  /**
   * Bodies removed since the previous update, by `remove` or for leaving the region. Includes bodies that were inserted
   * outside it.
   */
  readonly bodiesRemoved: number;
  /** How many of them left the region, or were inserted outside it, with the option `outside: 'remove'`. */
  readonly bodiesOutside: number;
  /**
   * These bodies, in the order in which they left: to remove what shows them. Their handles are dead, so read `data`.
   * What an update that has thrown could not report, the next one reports. Of more than 65,536 the first ones may be
   * left out.
   */
  readonly outside: readonly Body<T, M>[];
}

const NONE: readonly AnyBody[] = /* @__PURE__ */ Object.freeze([]);

export function statisticsOf(store: BodyStore): OctreeStatistics {
  const { tree } = store;
  return {
    bodies: store.size,
    pending: store.pending,
    nodes: tree.nodes.count,
    depth: tree.depth,
    bytes: tree.bytes,
    ...tree.counters,
  };
}
