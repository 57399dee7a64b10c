// Compares the sensors with queries by hand: the same changes since the start, and the time of each.

import { RecentTimes } from '../shared/recent-times.ts';
import type { SlicedWork } from '../shared/slices.ts';
import { ByHand } from './by-hand.ts';
import type { TownWatch } from './town-watch.ts';

const WINDOW_MS = 4000;

export class Comparison {
  readonly watched = new RecentTimes(WINDOW_MS);
  readonly queried = new RecentTimes(WINDOW_MS);
  /** Whether both have seen the same changes so far; null before the first step. */
  doAgree: boolean | null = null;
  private readonly byHand: ByHand;

  private constructor(byHand: ByHand) {
    this.byHand = byHand;
  }

  /** @param town Before its first step. */
  static *build(town: TownWatch): SlicedWork<Comparison> {
    return new Comparison(yield* ByHand.build(town));
  }

  /** Call it after each step of the town. */
  step(town: TownWatch, now: number): void {
    const { byHand } = this;
    byHand.step(town);
    this.watched.add(town.milliseconds, now);
    this.queried.add(byHand.milliseconds, now);
    this.doAgree = byHand.entered === town.entered && byHand.left === town.left && byHand.changed === town.changed;
  }
}
