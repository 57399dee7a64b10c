// Culls for the views of a frame by the octree and by a loop over all buildings: are the lists equal, and how long does each take?

import { FrustumLoop } from '../shared/frustum-loop.ts';
import { RecentTimes } from '../shared/recent-times.ts';
import type { City } from './city.ts';

const WINDOW_MS = 4000;

export class Comparison {
  readonly octree = new RecentTimes(WINDOW_MS);
  readonly loop = new RecentTimes(WINDOW_MS);
  /** Whether all lists were equal the last time; null before. */
  doAgree: boolean | null = null;
  private readonly frustumLoop: FrustumLoop;
  private isLoopFirst = false;

  constructor({ bounds }: City) {
    this.frustumLoop = new FrustumLoop(bounds);
  }

  compare(city: City, now: number): void {
    // Alternates the order, because the second one finds more in the processor caches.
    this.isLoopFirst = !this.isLoopFirst;
    if (this.isLoopFirst) this.runLoop(city, now);
    const start = performance.now();
    city.collect();
    this.octree.add(performance.now() - start, now);
    if (!this.isLoopFirst) this.runLoop(city, now);
  }

  /** Compares the lists, which hold the results of this frame, whether the octree was timed before or not. */
  private runLoop({ active }: City, now: number): void {
    const { frustumLoop } = this;
    let time = 0;
    this.doAgree = true;
    for (const { frustum, list } of active) {
      const start = performance.now();
      frustumLoop.cull(frustum);
      time += performance.now() - start;
      this.doAgree = frustumLoop.agreesWith(list.array, list.length) && this.doAgree;
    }
    this.loop.add(time, now);
  }
}
