// Casts the rays of a tick in one call and one by one: are the hits equal, and how long does each take? The rays one by
// one take several frames, so that they do not block the page. Only buildings stop rays, and these do not move.

import { timeOf } from '../shared/clock.ts';
import { RecentTimes } from '../shared/recent-times.ts';
import { RAY_STRIDE, type Sight } from './sight.ts';

const WINDOW_MS = 8000;
const MIN_COUNT = 4;
/** Milliseconds of single rays in a frame. */
const SLICE_MS = 6;
/** Single rays between two looks at the clock. */
const CHUNK = 128;

export class Comparison {
  readonly batch = new RecentTimes(WINDOW_MS, MIN_COUNT);
  readonly single = new RecentTimes(WINDOW_MS, MIN_COUNT);
  /** Whether all hits were equal the last time; null before. */
  doAgree: boolean | null = null;
  private ofBatch = { indices: new Int32Array(), distances: new Float64Array() };
  private ofSingle = { indices: new Int32Array(), distances: new Float64Array() };
  /** The rays that are compared. They are from an earlier tick. */
  private rays = new Float64Array();
  private rayCount = 0;
  /** Single rays that have been cast, and their time. */
  private done = 0;
  private milliseconds = 0;

  /**
   * Casts the rays of the last tick in one call, and keeps them for `advance`. Does nothing while a comparison runs.
   */
  begin(sight: Sight, now: number): void {
    if (this.done < this.rayCount) return;
    const { rayCount } = sight;
    if (this.ofBatch.indices.length < rayCount) {
      [this.ofBatch, this.ofSingle] = [0, 1].map(() => ({
        indices: new Int32Array(2 * rayCount),
        distances: new Float64Array(2 * rayCount),
      }));
      this.rays = new Float64Array(2 * rayCount * RAY_STRIDE);
    }
    this.rays.set(sight.rays.subarray(0, rayCount * RAY_STRIDE));
    this.rayCount = rayCount;
    this.done = 0;
    this.milliseconds = 0;
    this.batch.add(
      timeOf(() => sight.castBatch(this.ofBatch, this.rays, rayCount)),
      now,
    );
  }

  /** Casts some of the rays one by one. After the last one it compares. */
  advance(sight: Sight, now: number): void {
    const { rayCount } = this;
    if (this.done === rayCount) return;
    const start = performance.now();
    while (this.done < rayCount && performance.now() - start < SLICE_MS) {
      const to = Math.min(rayCount, this.done + CHUNK);
      sight.castEach(this.ofSingle, this.rays, this.done, to);
      this.done = to;
    }
    this.milliseconds += performance.now() - start;
    if (this.done < rayCount) return;
    this.single.add(this.milliseconds, now);
    this.doAgree = true;
    for (let k = 0; k < rayCount; k++) {
      this.doAgree &&=
        this.ofBatch.indices[k] === this.ofSingle.indices[k] &&
        this.ofBatch.distances[k] === this.ofSingle.distances[k];
    }
  }

  clear(): void {
    this.batch.clear();
    this.single.clear();
    this.doAgree = null;
    this.rayCount = this.done = 0;
  }
}
