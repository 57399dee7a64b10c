// Culls for the views of each frame by the octree, and in some frames also by a loop over all buildings: are the lists
// equal, and how long does each take?

import { timeOf } from '../shared/clock.ts';
import { FrustumLoop } from '../shared/frustum-loop.ts';
import { Interval } from '../shared/interval.ts';
import { RecentTimes } from '../shared/recent-times.ts';
import type { City } from './city.ts';

const WINDOW_MS = 8000;
const MIN_COUNT = 8;
/** From one frame with the loop to the next: in every fourth frame, if there are 60 per second. */
const LOOP_EVERY_MS = 60;

export class Comparison {
  /** How long each took in the frames in which both ran. */
  readonly octree = new RecentTimes(WINDOW_MS, MIN_COUNT);
  readonly loop = new RecentTimes(WINDOW_MS, MIN_COUNT);
  /** Whether all lists were equal the last time; null before. */
  doAgree: boolean | null = null;
  /** By view: each keeps its list, as the octree does. */
  private readonly loops: readonly FrustumLoop[];
  private readonly interval = new Interval(LOOP_EVERY_MS);
  private isLoopFirst = false;

  constructor({ all, bounds }: City) {
    this.loops = all.map(() => new FrustumLoop(bounds));
  }

  /** Fills the lists of all views of a frame. */
  cull(city: City, now: number): void {
    if (!this.interval.isDue(now)) {
      city.cull();
      return;
    }
    // Alternates the order, because the second one finds more in the processor caches.
    this.isLoopFirst = !this.isLoopFirst;
    if (this.isLoopFirst) this.runLoop(city, now);
    this.octree.add(
      timeOf(() => city.cull()),
      now,
    );
    if (!this.isLoopFirst) this.runLoop(city, now);
    this.doAgree = city.active.every((view) =>
      this.loops[city.all.indexOf(view)].agreesWith(view.list.array, view.list.length),
    );
  }

  private runLoop({ all, active }: City, now: number): void {
    const time = timeOf(() => {
      for (const view of active) this.loops[all.indexOf(view)].cull(view.frustum);
    });
    this.loop.add(time, now);
  }
}
