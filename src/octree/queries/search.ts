/**
 * What a query has apart from its geometry: what it may report, its working memory, and the tests of bodies by
 * categories, by the filter of the caller and by the one body to leave out. And the list of hits by distance.
 */

import { ALL_CATEGORIES } from '../../tree/layout.ts';
import type { BodyArrays } from '../../tree/storage/body-arrays.ts';
import { IndexList } from '../../tree/storage/index-list.ts';
import { Scratch } from '../../tree/traverse/kernel.ts';
import type { Tree } from '../../tree/tree.ts';
import type { BodyStore } from '../bodies/body-store.ts';
import type { AnyOptions } from './query-options.ts';
import { withCapacity } from '../../math/typed-arrays.ts';

/** Returns whether a body may be reported; null reports every body. */
export type BodyFilter = ((index: number) => boolean) | null;

/** What one query may report, and its working memory. Each call has its own: see `Workspace`. */
export class Search {
  /** Only bodies with one of these are reported. */
  categories = ALL_CATEGORIES;
  /** Whether slot bounds decide, without the exact test. */
  candidatesOnly = false;
  /** The filter of the caller, for bodies. */
  userFilter: AnyOptions['filter'];
  /**
   * `userFilter`, for indices, and false for the body to leave out; null if there is neither. Only set by `searchOf`:
   * queries that filter a list of results take 0.87 of the time without it.
   */
  filter: BodyFilter = null;
  /** The tree that is searched; null between queries. */
  tree: Tree | null = null;
  readonly scratch = new Scratch();
  /** The bodies found by distance. */
  readonly hits = new HitList();
}

/** The filter in query options. */
export type Filter = NonNullable<AnyOptions['filter']>;

/** Whether a body passes a filter. `where` is the public name of the function, for errors. */
export function passes(bodies: BodyStore, where: string, filter: Filter, index: number): boolean {
  if (typeof filter !== 'function') return filter.has(index);
  const result: unknown = filter(bodies.bodyAt(index) as never);
  if (typeof result === 'object' && result !== null && 'then' in result) {
    throw new TypeError(
      `${where}: options.filter must return true or false, but returned a promise; use a filter that is not async.`,
    );
  }
  return Boolean(result);
}

/** Drops the bodies that have none of `categories`, in place. */
export function keepCategories(bodies: BodyArrays, categories: number, list: IndexList): void {
  const { categoryMask } = bodies;
  const { array, length } = list;
  let kept = 0;
  for (let k = 0; k < length; k++) if ((categoryMask[array[k]] & categories) !== 0) array[kept++] = array[k];
  list.length = kept;
}

/** Bodies with their distances, ordered by distance, then index: a sorted list, or a heap of the nearest ones. */
export class HitList extends IndexList {
  distances = new Float64Array(16);
  /** Distance of the hit that `push` adds next. In an array, because V8 may box a double that crosses a call. */
  readonly distance = new Float64Array(1);

  constructor() {
    super(16);
  }

  override reserve(capacity: number): void {
    this.distances = withCapacity(this.distances, capacity);
    super.reserve(capacity);
  }

  /** Appends a hit at `distance`. */
  override push(index: number): void {
    if (this.length === this.array.length) this.reserve(this.length + 1);
    this.distances[this.length] = this.distance[0];
    this.array[this.length++] = index;
  }

  /** Sorts ascending, in place: heap sort. */
  sort(): void {
    this.makeHeap();
    for (let end = this.length - 1; end > 0; end--) {
      this.swap(0, end);
      this.siftDown(0, end);
    }
  }

  /** Makes a heap of hits that were pushed, the farthest hit on top. */
  makeHeap(): void {
    for (let k = (this.length >> 1) - 1; k >= 0; k--) this.siftDown(k, this.length);
  }

  isBefore(hit: number, other: number): boolean {
    const { distances, array } = this;
    return distances[hit] < distances[other] || (distances[hit] === distances[other] && array[hit] < array[other]);
  }

  /** Moves a hit down in the heap of the first `end` hits, to its place. */
  siftDown(k: number, end: number): void {
    for (let child = 2 * k + 1; child < end; child = 2 * k + 1) {
      if (child + 1 < end && this.isBefore(child, child + 1)) child++;
      if (!this.isBefore(k, child)) return;
      this.swap(k, child);
      k = child;
    }
  }

  swap(a: number, b: number): void {
    const { distances, array } = this;
    const distance = distances[a];
    distances[a] = distances[b];
    distances[b] = distance;
    const index = array[a];
    array[a] = array[b];
    array[b] = index;
  }
}
