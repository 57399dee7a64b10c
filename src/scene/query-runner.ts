/**
 * How a question is answered: bring the tree up to date, borrow a workspace, let the query collect indices, apply the filter,
 * and hand out indices or records. The shapes are checked already when they come here.
 */

import type { BodyFilter } from '../query/body-filter.ts';
import type { HitList } from '../query/hit-list.ts';
import { collectRange, type RangeQuery } from '../query/range-query.ts';
import type { Workspace, WorkspacePool } from '../query/workspace.ts';
import type { IndexList } from '../tree/storage/index-list.ts';
import type { Tree } from '../tree/tree.ts';
import type { BodyStore } from './body-store.ts';
import type { IntersectionRecord } from './intersection-record.ts';
import type { QueryOptions } from './options.ts';
import { RecordWriter } from './record-writer.ts';

export class QueryRunner<T> {
  private readonly store: BodyStore<T>;
  private readonly pool: WorkspacePool;

  constructor(store: BodyStore<T>, pool: WorkspacePool) {
    this.store = store;
    this.pool = pool;
  }

  get tree(): Tree {
    return this.store.tree;
  }

  /** Whether a question is being answered, so that the caller is one of its callbacks. */
  get isAsking(): boolean {
    return this.pool.depth > 0;
  }

  /** Borrows a workspace for one question; `end` gives it back. */
  begin(where: string): Workspace {
    const workspace = this.pool.borrow();
    workspace.where = where;
    return workspace;
  }

  end(): void {
    this.pool.giveBack();
  }

  /** Brings the tree up to date, unless a question further out still needs it as it is. */
  settle(): void {
    if (this.pool.depth === 1) this.store.flush();
  }

  /** Fills `out` with the indices that a range query answers. */
  collectRange(workspace: Workspace, query: RangeQuery, categories: number, options: QueryOptions<T> | undefined, out: IndexList): number {
    const { scratch, list } = workspace;
    const filter = options?.filter;
    const candidatesOnly = options?.candidates === true;
    if (filter === undefined) {
      collectRange(this.store.tree, query, categories, candidatesOnly, scratch, out);
    } else {
      collectRange(this.store.tree, query, categories, candidatesOnly, scratch, list);
      this.copyFiltered(workspace.where, list, filter, out);
    }
    writeStats(workspace, options, out.length);
    return out.length;
  }

  collectRay(workspace: Workspace, categories: number, options: QueryOptions<T> | undefined, out: IndexList): number {
    const { ray, scratch, list, hits } = workspace;
    ray.collectAll(this.store.tree, categories, options?.candidates === true, scratch, list, hits);
    this.filterHits(workspace.where, hits, options?.filter);
    return this.finishHits(workspace, options, out);
  }

  /** Leaves the first hit, if any, in the workspace's hits. */
  findFirstHit(workspace: Workspace, categories: number, options: QueryOptions<T> | undefined): boolean {
    const { ray, scratch, hits } = workspace;
    ray.findFirst(this.store.tree, categories, options?.candidates === true, this.acceptOf(workspace.where, options), scratch, hits);
    writeStats(workspace, options, hits.length);
    return hits.length > 0;
  }

  collectNearest(workspace: Workspace, categories: number, options: QueryOptions<T> | undefined, out: IndexList): number {
    const { nearest, scratch, hits } = workspace;
    const accept = this.acceptOf(workspace.where, options);
    if (options?.candidates === true) nearest.findCandidates(this.store.tree, categories, accept, scratch, hits);
    else nearest.find(this.store.tree, categories, accept, scratch, hits);
    return this.finishHits(workspace, options, out);
  }

  collectPairs(workspace: Workspace, categories: number, options: QueryOptions<T> | undefined, out: IndexList): number {
    const { pairs, scratch, list } = workspace;
    const filter = options?.filter;
    const candidatesOnly = options?.candidates === true;
    if (filter === undefined) pairs.collect(this.store.tree, categories, candidatesOnly, scratch, out);
    else {
      pairs.collect(this.store.tree, categories, candidatesOnly, scratch, list);
      this.copyFilteredPairs(workspace.where, list, filter, out);
    }
    writeStats(workspace, options, out.length / 2);
    return out.length / 2;
  }

  records(target: IntersectionRecord<T>[] = []): RecordWriter<T> {
    return new RecordWriter<T>(this.store, target);
  }

  private finishHits(workspace: Workspace, options: QueryOptions<T> | undefined, out: IndexList): number {
    const { hits } = workspace;
    out.length = 0;
    out.reserve(hits.length);
    for (let k = 0; k < hits.length; k++) out.array[k] = hits.indices[k];
    out.length = hits.length;
    writeStats(workspace, options, hits.length);
    return hits.length;
  }

  private acceptOf(where: string, options: QueryOptions<T> | undefined): BodyFilter {
    return options?.filter === undefined ? null : this.acceptBy(where, options.filter);
  }

  /** By itself: a function that returns a closure allocates even when it does not come to that. */
  private acceptBy(where: string, filter: NonNullable<QueryOptions<T>['filter']>): BodyFilter {
    return (index) => this.passes(where, filter, index);
  }

  private filterHits(where: string, hits: HitList, filter: QueryOptions<T>['filter']): void {
    if (filter === undefined) return;
    let kept = 0;
    for (let k = 0; k < hits.length; k++) {
      if (!this.passes(where, filter, hits.indices[k])) continue;
      hits.indices[kept] = hits.indices[k];
      hits.distances[kept++] = hits.distances[k];
    }
    hits.length = kept;
  }

  private copyFiltered(where: string, from: IndexList, filter: NonNullable<QueryOptions<T>['filter']>, out: IndexList): void {
    let kept = 0;
    for (let k = 0; k < from.length; k++) if (this.passes(where, filter, from.array[k])) from.array[kept++] = from.array[k];
    from.length = kept;
    copyList(from, out);
  }

  private copyFilteredPairs(where: string, from: IndexList, filter: NonNullable<QueryOptions<T>['filter']>, out: IndexList): void {
    let kept = 0;
    for (let k = 0; k < from.length; k += 2) {
      const a = from.array[k];
      const b = from.array[k + 1];
      if (!this.passes(where, filter, a) || !this.passes(where, filter, b)) continue;
      from.array[kept++] = a;
      from.array[kept++] = b;
    }
    from.length = kept;
    copyList(from, out);
  }

  private passes(where: string, filter: NonNullable<QueryOptions<T>['filter']>, index: number): boolean {
    const answer: unknown = filter(this.store.bodyAt(index));
    if (typeof answer === 'object' && answer !== null && 'then' in answer) {
      throw new TypeError(`${where}: options.filter must answer true or false, but answered a promise; filter without waiting.`);
    }
    return Boolean(answer);
  }
}

function copyList(from: IndexList, to: IndexList): void {
  if (from === to) return;
  to.length = 0;
  to.reserve(from.length);
  for (let k = 0; k < from.length; k++) to.array[k] = from.array[k];
  to.length = from.length;
}

function writeStats<T>(workspace: Workspace, options: QueryOptions<T> | undefined, reported: number): void {
  const stats = options?.stats;
  if (stats === undefined) return;
  const { scratch } = workspace;
  stats.nodesVisited = scratch.nodesVisited;
  stats.nodesContained = scratch.nodesContained;
  stats.bodiesTested = scratch.bodiesTested;
  stats.bodiesReported = reported;
}
