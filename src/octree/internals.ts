/**
 * What an octree consists of, for the class `Octree` and for the features, which are functions that take an octree. A
 * feature connects itself here when it is first used: by `readers` if it follows changes, by a `QueryKind` and `runner`
 * if it is a query, and by `stateOf` if it keeps something for each octree.
 */

import { BodyStore } from './bodies/body-store.ts';
import type { ResolvedOptions } from './bodies/options.ts';
import { ChangeReaders } from './change-readers.ts';
import { throwType } from './input/input-checks.ts';
import type { MathFactory, MathTypes } from './input/math-types.ts';
import { QueryRunner } from './queries/query-runner.ts';
import { WorkspacePool } from './queries/workspace.ts';
import { type TickStatistics, Ticker } from './ticker.ts';
import { createAccelerator } from '../wasm/accelerator.ts';

export class OctreeInternals {
  /**
   * JSON.stringify calls it. As the first property it is also what structuredClone and postMessage fail at: V8 prints
   * the beginning of its code.
   */
  readonly toJSON = refuseToSave;
  readonly readers = new ChangeReaders(this);
  declare store: BodyStore;
  declare runner: QueryRunner;
  declare ticker: Ticker;

  readonly options: ResolvedOptions;
  private readonly pool: WorkspacePool;
  private readonly states = new Map<unknown, unknown>();

  constructor(options: ResolvedOptions, math: MathFactory<MathTypes>) {
    this.options = options;
    this.pool = new WorkspacePool(math);
    this.start(null);
  }

  /** See `Octree.update`. */
  update(deltaSeconds: number): TickStatistics {
    this.refuseInCallback('Octree.update');
    return this.ticker.tick(deltaSeconds);
  }

  /** As `update(0)`, of the octree of a container, which needs no counts. */
  updateWithoutCounts(): void {
    this.refuseInCallback('Octree.update');
    this.ticker.run(0);
  }

  /** Drops the store with all bodies and starts with an empty one. */
  clear(): void {
    this.refuseInCallback('Octree.clear');
    const { indexCount, indexOwner } = this.store;
    indexOwner?.reserve(indexCount);
    this.start(this.store);
  }

  /** Starts with an empty store, in place of `old`. All change readers start with it. */
  private start(old: BodyStore | null): void {
    const store = new BodyStore(this.options, this.pool, this.pool.math, createAccelerator(this.options.simdFrom));
    const runner = new QueryRunner(store, this.pool);
    this.ticker = new Ticker(store, runner, this.readers);
    // From here on nothing fails.
    old?.markAllRemoved();
    store.indexOwner = old?.indexOwner ?? null;
    this.store = store;
    this.runner = runner;
    this.readers.restart();
  }

  /** The store, for a write by the user. Throws if only the container of the octree may write. */
  storeToWrite(where: string): BodyStore {
    this.store.requireWritable(where);
    return this.store;
  }

  /** What a feature keeps for this octree, by its class; created at the first call. */
  stateOf<State>(kind: new (internals: OctreeInternals) => State): State {
    let state = this.states.get(kind) as State | undefined;
    if (state === undefined) this.states.set(kind, (state = new kind(this)));
    return state;
  }

  /** Throws if the caller is a callback of a query or of `update`. */
  refuseInCallback(where: string): void {
    if (!this.ticker.isRunning && !this.runner.isRunning) return;
    throw new Error(`${where}: must not be called from a callback of a query or of update; call it afterwards.`);
  }
}

/** The octree that a feature takes, whatever its types. */
export interface HasInternals {
  /** @internal */
  readonly internals: OctreeInternals;
}

/** The internals of the octree that was passed to a feature. */
export function internalsOf(where: string, octree: HasInternals): OctreeInternals {
  // Not by its class: the application may have loaded the library twice.
  const internals = (octree as HasInternals | null | undefined)?.internals;
  if (typeof internals?.stateOf === 'function') return internals;
  return throwType(where, 'octree', 'be an Octree', octree, 'pass one first, such as group.octree');
}

function refuseToSave(): never {
  throw new TypeError(
    'Octree: save body.data and body.getBox() of each body, and insert them again; an octree cannot be saved or sent as it is.',
  );
}
