// Casts the rays of a tick in one call and one by one: are the hits equal, and how long does each take?

import { RecentTimes } from '../shared/recent-times.ts';
import type { Sight } from './sight.ts';

const WINDOW_MS = 4000;

export class Comparison {
  readonly batch = new RecentTimes(WINDOW_MS);
  readonly single = new RecentTimes(WINDOW_MS);
  /** Whether all hits were equal the last time; null before. */
  doAgree: boolean | null = null;
  private ofBatch = { indices: new Int32Array(), distances: new Float64Array() };
  private ofSingle = { indices: new Int32Array(), distances: new Float64Array() };
  private isSingleFirst = false;

  compare(sight: Sight, now: number): void {
    const { rayCount } = sight;
    if (this.ofBatch.indices.length < rayCount) {
      [this.ofBatch, this.ofSingle] = [0, 1].map(() => ({ indices: new Int32Array(2 * rayCount), distances: new Float64Array(2 * rayCount) }));
    }
    // Alternates the order, because the second one finds the tree in the processor caches.
    this.isSingleFirst = !this.isSingleFirst;
    for (const isSingle of [this.isSingleFirst, !this.isSingleFirst]) {
      const start = performance.now();
      if (isSingle) sight.castEach(this.ofSingle);
      else sight.castBatch(this.ofBatch);
      (isSingle ? this.single : this.batch).add(performance.now() - start, now);
    }
    this.doAgree = true;
    for (let k = 0; k < rayCount; k++) {
      this.doAgree &&= this.ofBatch.indices[k] === this.ofSingle.indices[k] && this.ofBatch.distances[k] === this.ofSingle.distances[k];
    }
  }

  clear(): void {
    this.batch.clear();
    this.single.clear();
    this.doAgree = null;
  }
}
