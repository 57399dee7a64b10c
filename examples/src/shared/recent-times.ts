// Stores the measurements of a recent time window, by default one second, and computes their median and mean.

import { clockStep, isWellMeasured } from './clock.ts';

/** A median has digits if it is this many steps of the clock. */
const STEPS_OF_MEDIAN = 20;
/** Maximum number of measurements; older ones are overwritten even if they are in the window. */
const CAPACITY = 512;

export class RecentTimes {
  private readonly takenAt = new Float64Array(CAPACITY);
  private readonly values = new Float64Array(CAPACITY);
  private readonly sorted = new Float64Array(CAPACITY);
  private readonly windowMs: number;
  private readonly minCount: number;
  private total = 0;

  /**
   * @param minCount Measurements from which on there is a median or a mean. More than one where the first ones run code
   *   that is not compiled yet.
   */
  constructor(windowMs = 1000, minCount = 1) {
    this.windowMs = windowMs;
    this.minCount = minCount;
  }

  add(value: number, now: number): void {
    this.takenAt[this.total % CAPACITY] = now;
    this.values[this.total % CAPACITY] = value;
    this.total++;
  }

  /** Number of measurements in the window. */
  countAt(now: number): number {
    const oldest = Math.max(0, this.total - CAPACITY);
    let count = 0;
    while (this.total - count > oldest && now - this.takenAt[(this.total - count - 1) % CAPACITY] <= this.windowMs)
      count++;
    return count;
  }

  /**
   * Median of the window. Where the steps of the clock are too coarse for it, the mean, which has digits. NaN until
   * there are enough measurements.
   */
  medianAt(now: number): number {
    const median = this.sorted[this.sortAt(now) >> 1];
    return median >= STEPS_OF_MEDIAN * clockStep() ? (this.isEnoughAt(now) ? median : Number.NaN) : this.meanAt(now);
  }

  /** Mean of the window without pauses, see `meanWithoutPauses`; NaN until there are enough measurements. */
  meanAt(now: number): number {
    if (!this.isEnoughAt(now)) return Number.NaN;
    return meanWithoutPauses(this.sorted.subarray(0, this.sortAt(now)));
  }

  /** Whether the window has enough measurements, and the clock has moved often enough in them. */
  private isEnoughAt(now: number): boolean {
    const count = this.sortAt(now);
    return (
      count >= this.minCount && isWellMeasured(this.sorted.subarray(0, count).reduce((sum, value) => sum + value, 0))
    );
  }

  /** Visits the measurements of the window, oldest first. */
  forEachAt(now: number, visit: (value: number, takenAt: number) => void): void {
    for (let at = this.total - this.countAt(now); at < this.total; at++)
      visit(this.values[at % CAPACITY], this.takenAt[at % CAPACITY]);
  }

  clear(): void {
    this.total = 0;
  }

  /** Writes the values of the window in ascending order to `sorted`. Returns how many. */
  private sortAt(now: number): number {
    const count = this.countAt(now);
    for (let back = 0; back < count; back++) this.sorted[back] = this.values[(this.total - 1 - back) % CAPACITY];
    this.sorted.subarray(0, count).sort();
    return count;
  }
}

/** A value is a pause if it is greater than this many times the upper quartile. */
const PAUSE = 3;

/**
 * Mean of measured times without single pauses; NaN if there are none. Unlike a median it has digits where the clock is
 * coarser than one of the times: of many times of 0.03 ms, a clock of 0.1 ms measures 30 % as 0.1 ms and the others as
 * 0.
 *
 * @param sorted In ascending order.
 */
export function meanWithoutPauses(sorted: Float64Array): number {
  // The least time above 0 is at least one step of the clock: a value that exceeds the quartile by it is no pause.
  const step = sorted.find((value) => value > 0) ?? 0;
  const limit = PAUSE * sorted[(sorted.length * 3) >> 2] + step;
  let [sum, count] = [0, 0];
  for (const value of sorted) {
    if (value > limit) break;
    sum += value;
    count++;
  }
  return sum / count;
}
