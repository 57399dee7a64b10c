/**
 * Runs the queries of an octree. Every query takes the same steps: borrow a workspace, read the arguments, apply the
 * queued writes, collect indices, and, for the `intersect...` form, write records. A `QueryKind` holds what differs
 * between the kinds of query.
 */

import { passes, type BodyFilter, type Filter, type Search } from './search.ts';
import type { HitQuery } from './hit-query.ts';
import { collectRange, type RangeQuery } from './range-query.ts';
import type { Workspace, WorkspacePool } from './workspace.ts';
import { copyIndices, IndexList } from '../../tree/storage/index-list.ts';
import type { Tree } from '../../tree/tree.ts';
import type { BodyStore } from '../bodies/body-store.ts';
import { type AnyRecord, RecordWriter } from './record-writer.ts';
import type { AnyOptions } from './query-options.ts';
import { requireMemory, throwType } from '../input/input-checks.ts';

/**
 * One kind of query. `Shape` is its first argument, `Second` the second one of a kind that has two before its options.
 */
export interface QueryKind<Shape, Options extends AnyOptions = AnyOptions, Second = undefined> {
  /** Checks the arguments, sets the workspace's query from them, and returns the categories to report. */
  read(workspace: Workspace, shape: Shape, options: Options | undefined, second: Second): number;
  /** Runs the query through one of the runner's `collect...` methods; returns the number of results. */
  run(runner: QueryRunner, workspace: Workspace, out: IndexList): number;
  /** Writes the record of result `k`. `shape` is the argument of the query. */
  write(writer: RecordWriter, workspace: Workspace, k: number, shape: Shape): void;
}

export class QueryRunner {
  readonly store: BodyStore;
  private readonly pool: WorkspacePool;
  /** Writes single records. No user code runs while it writes, so nested queries may share it. */
  private readonly singleWriter: RecordWriter;
  /** The list of `firstIndex`. No user code runs between the last write to it and the read. */
  private readonly firstList = new IndexList(1);

  constructor(store: BodyStore, pool: WorkspacePool) {
    this.store = store;
    this.pool = pool;
    this.singleWriter = new RecordWriter(store, []);
  }

  /** Whether a query runs, so that the caller is one of its callbacks. */
  get isRunning(): boolean {
    return this.pool.depth > 0;
  }

  /**
   * Fills `list` with the indices of the results; returns the number of results. `where` is the public name of the
   * query, for errors.
   */
  indices<Shape, Options extends AnyOptions, Second = undefined>(
    where: string,
    kind: QueryKind<Shape, Options, Second>,
    shape: Shape,
    list: IndexList,
    options: Options | undefined,
    second?: Second,
  ): number {
    requireList(where, list);
    const workspace = this.begin(where);
    try {
      return this.run(workspace, kind, shape, list, options, second);
    } finally {
      this.end();
    }
  }

  /** Fills `target` with the records of the results, in the order of `indices`, and returns it. */
  records<Shape, Options extends AnyOptions, Result extends AnyRecord, Second = undefined>(
    where: string,
    kind: QueryKind<Shape, Options, Second>,
    shape: Shape,
    options: Options | undefined,
    target: Result[] = [],
    second?: Second,
  ): Result[] {
    requireTarget(where, target);
    const workspace = this.begin(where);
    try {
      const found = this.run(workspace, kind, shape, workspace.list, options, second);
      if (found === 0) {
        target.length = 0;
        return target;
      }
      // A volume of the user runs callbacks while records are written. They may query into the same target.
      const records = workspace.volume?.runsUserCode === true ? target.splice(0) : target;
      const writer = new RecordWriter(this.store, records);
      for (let k = 0; k < found; k++) kind.write(writer, workspace, k, shape);
      writer.finish();
      if (records === target) return target;
      target.length = 0;
      for (const record of records) target.push(record);
      return target;
    } finally {
      this.end();
    }
  }

  /** The record of the first result, or null. `target` is the record to write, if there is one. */
  first<Shape, Options extends AnyOptions, Result extends AnyRecord, Second = undefined>(
    where: string,
    kind: QueryKind<Shape, Options, Second>,
    shape: Shape,
    options: Options | undefined,
    target: Result | null = null,
    second?: Second,
  ): Result | null {
    requireRecord(where, target);
    const workspace = this.begin(where);
    try {
      if (this.run(workspace, kind, shape, workspace.list, options, second) === 0) return null;
      const { singleWriter } = this;
      singleWriter.beginSingle(target);
      kind.write(singleWriter, workspace, 0, shape);
      return singleWriter.finishSingle() as Result;
    } finally {
      this.end();
    }
  }

  /** The index of the first result, or -1. */
  firstIndex<Shape, Options extends AnyOptions>(
    where: string,
    kind: QueryKind<Shape, Options>,
    shape: Shape,
    options: Options | undefined,
  ): number {
    const { firstList } = this;
    return this.indices(where, kind, shape, firstList, options) === 0 ? -1 : firstList.array[0];
  }

  /**
   * Borrows a workspace, until `end`. As long as one is borrowed, writes are queued and the bounds that queries test do
   * not change.
   */
  begin(where: string): Workspace {
    const workspace = this.pool.borrow();
    workspace.where = where;
    return workspace;
  }

  end(): void {
    this.pool.giveBack();
  }

  /**
   * Applies the queued writes, unless the caller runs inside another query, which needs the tree as it is. Call it
   * after `begin`.
   */
  flush(): void {
    if (this.pool.depth === 1) this.store.flush();
  }

  private run<Shape, Options extends AnyOptions, Second = undefined>(
    workspace: Workspace,
    kind: QueryKind<Shape, Options, Second>,
    shape: Shape,
    out: IndexList,
    options: Options | undefined,
    second: Second | undefined,
  ): number {
    this.prepare(workspace, kind.read(workspace, shape, options, second as Second));
    return kind.run(this, workspace, out);
  }

  /**
   * Applies the queued writes, resets the costs, and sets what the query may report; which body is left out after the
   * writes, because they may remove it. The options must have been read.
   */
  prepare(workspace: Workspace, categories: number): void {
    const { except } = workspace;
    if (except !== undefined && except.index >= 0 && except.indexIn(this.store) < 0) {
      throw new RangeError(
        `${workspace.where}: options.except is body ${except.index} of another octree; pass a body of this one, or leave it out.`,
      );
    }
    this.flush();
    workspace.categories = categories;
    workspace.tree = this.tree;
    workspace.scratch.resetCosts();
    if (except !== undefined) workspace.exceptIndex = this.store.reportedIndex(except);
  }

  /** The bodies that touch a volume, in tree order. */
  collectRange(workspace: Workspace, query: RangeQuery, out: IndexList): number {
    const list = this.listFor(workspace, out, query.runsUserCode);
    collectRange(workspace, query, list);
    this.keepPassing(workspace, list, null);
    return this.finishList(workspace, list, out);
  }

  /**
   * Where a query collects its results: in the list of the caller, unless user code runs meanwhile, which may query
   * into the same list.
   */
  listFor({ list, stats, userFilter }: Workspace, out: IndexList, runsUserCode = false): IndexList {
    return userFilter === undefined && stats === undefined && !runsUserCode ? out : list;
  }

  /** Finishes a query that has collected its `count` results in `list`. Returns their number. */
  finishList(workspace: Workspace, list: IndexList, out: IndexList, count = list.length): number {
    writeStats(workspace, count);
    if (list !== out) copyIndices(list, out);
    return count;
  }

  /** The bodies that a ray or a moving shape hits, by distance; the distances are left in the workspace's hits. */
  collectHits(workspace: Workspace, query: HitQuery, out: IndexList): number {
    const { hits } = workspace;
    query.collectAll(workspace, workspace.list);
    this.keepPassing(workspace, hits, hits.distances);
    return this.finishList(workspace, hits, out);
  }

  /**
   * Drops the body to leave out, for which the filter is not called, and those that do not pass from a list, to which
   * the filter has no access. Keeps the order, and moves `distances` along.
   */
  private keepPassing(workspace: Workspace, list: IndexList, distances: Float64Array | null): void {
    const { exceptIndex, userFilter: filter, where } = workspace;
    if (exceptIndex < 0 && filter === undefined) return;
    const { array, length } = list;
    let kept = 0;
    for (let k = 0; k < length; k++) {
      const index = array[k];
      if (index === exceptIndex || (filter !== undefined && !passes(this.store, where, filter, index))) continue;
      if (distances !== null) distances[kept] = distances[k];
      array[kept++] = index;
    }
    list.length = kept;
  }

  /** The first body that a ray or a moving shape hits, if any; with `anyBody` one that need not be the first. */
  collectFirstHit(workspace: Workspace, query: HitQuery, out: IndexList, anyBody = false): number {
    query.findFirst(this.searchOf(workspace), anyBody);
    return this.finishList(workspace, workspace.hits, out);
  }

  get tree(): Tree {
    return this.store.tree;
  }

  /** The search of a query whose walk tests the filter itself, and may end early. */
  searchOf(workspace: Workspace): Search {
    const { userFilter } = workspace;
    if (userFilter !== undefined) workspace.filter = this.filterByIndex(workspace, userFilter);
    else if (workspace.exceptIndex >= 0) workspace.filter = workspace.isNotExcepted;
    return workspace;
  }

  /**
   * A separate function: a function that contains a closure allocates the closure's context at every call, even if it
   * returns before using it.
   */
  private filterByIndex({ where, exceptIndex }: Workspace, filter: Filter): BodyFilter {
    return (index) => index !== exceptIndex && passes(this.store, where, filter, index);
  }
}

/**
 * Runs `use` with a workspace that is borrowed meanwhile, for a query that is no `QueryKind`. Allocates a closure, so
 * queries that promise to allocate nothing call `begin` and `end`.
 */
export function withWorkspace<Result>(
  runner: QueryRunner,
  where: string,
  use: (workspace: Workspace) => Result,
): Result {
  const workspace = runner.begin(where);
  try {
    return use(workspace);
  } finally {
    runner.end();
  }
}

export function writeStats({ scratch, stats }: Workspace, reported: number): void {
  if (stats === undefined) return;
  stats.nodesVisited = scratch.nodesVisited;
  stats.nodesContained = scratch.nodesContained;
  stats.bodiesTested = scratch.bodiesTested;
  stats.bodiesReported = reported;
}

export function requireList(where: string, list: IndexList): void {
  // By its methods, not by its class, like all objects of the library: an application may have loaded it twice.
  if (typeof (list as IndexList | null | undefined)?.reserve !== 'function')
    throwType(where, 'list', 'be an IndexList', list, 'make one with new IndexList()');
  if (list.array.length === 0) requireMemory(where, 'list.array', list.array);
}

export function requireTarget(where: string, target: unknown): void {
  if (!Array.isArray(target)) throwType(where, 'target', 'be an array', target, 'leave it out for a fresh one');
}

function requireRecord(where: string, target: unknown): void {
  if (target === null || (target as AnyRecord | undefined)?.isSingle !== undefined) return;
  throwType(
    where,
    'target',
    'be a record',
    target,
    'pass one that a query has returned, or leave it out for a fresh one',
  );
}
