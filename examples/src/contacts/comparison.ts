// Compares the tracked contacts with all pairs from scratch: the same pairs, in how much time?

import { collectPairs, IndexList } from '../../../src/index.ts';
import { RecentTimes } from '../shared/recent-times.ts';
import type { Table } from './table.ts';

const WINDOW_MS = 4000;
/** The first measurements run code that is not compiled yet. */
const MIN_SAMPLES = 4;

export class Comparison {
  /** Times of `update` with contacts, and of `collectPairs`. */
  readonly tracked = new RecentTimes(WINDOW_MS, MIN_SAMPLES);
  readonly fromScratch = new RecentTimes(WINDOW_MS, MIN_SAMPLES);
  /** Whether both had the same pairs the last time; null before. */
  doAgree: boolean | null = null;
  private readonly pairs = new IndexList();

  compare({ octree, contacts: { began, stayed, count } }: Table, now: number): void {
    const start = performance.now();
    const pairCount = collectPairs(octree, this.pairs);
    this.fromScratch.add(performance.now() - start, now);
    const known = new Set<number>();
    for (const { array, length } of [began, stayed])
      for (let k = 0; k < length; k += 2) known.add(keyOf(array[k], array[k + 1]));
    this.doAgree = pairCount === count && known.size === count;
    for (let k = 0; k < 2 * pairCount; k += 2)
      this.doAgree &&= known.has(keyOf(this.pairs.array[k], this.pairs.array[k + 1]));
  }

  clear(): void {
    this.tracked.clear();
    this.fromScratch.clear();
    this.doAgree = null;
  }
}

/** One number for two indices below 2^26. */
const keyOf = (a: number, b: number): number => Math.min(a, b) * 0x400_0000 + Math.max(a, b);
