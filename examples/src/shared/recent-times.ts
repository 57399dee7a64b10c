// Stores the measurements of a recent time window, by default one second, and computes their median and mean.

/** Maximum number of measurements; older ones are overwritten even if they are in the window. */
const CAPACITY = 512;

export class RecentTimes {
  private readonly takenAt = new Float64Array(CAPACITY);
  private readonly values = new Float64Array(CAPACITY);
  private readonly sorted = new Float64Array(CAPACITY);
  private readonly windowMs: number;
  private total = 0;

  constructor(windowMs = 1000) {
    this.windowMs = windowMs;
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

  /** Median of the window; NaN if it is empty. */
  medianAt(now: number): number {
    const count = this.sortAt(now);
    return count === 0 ? Number.NaN : this.sorted[count >> 1];
  }

  /**
   * Mean of the middle half of the window, by size; NaN if the window is empty. For times close to the precision of the
   * clock: finer than the median, and as little changed by single pauses. If the clock is so coarse that the middle
   * half is 0, the mean of all.
   */
  meanAt(now: number): number {
    const { sorted } = this;
    const count = this.sortAt(now);
    const quarter = count >> 2;
    return meanOf(sorted.subarray(quarter, count - quarter)) || meanOf(sorted.subarray(0, count));
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

const meanOf = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length;
