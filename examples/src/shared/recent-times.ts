// Stores the measurements of a recent time window, by default one second, and computes their median.

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
    while (this.total - count > oldest && now - this.takenAt[(this.total - count - 1) % CAPACITY] <= this.windowMs) count++;
    return count;
  }

  /** Median of the window; NaN if it is empty. */
  medianAt(now: number): number {
    const count = this.countAt(now);
    if (count === 0) return Number.NaN;
    for (let back = 0; back < count; back++) this.sorted[back] = this.values[(this.total - 1 - back) % CAPACITY];
    return this.sorted.subarray(0, count).sort()[count >> 1];
  }

  /** Visits the measurements of the window, oldest first. */
  forEachAt(now: number, visit: (value: number, takenAt: number) => void): void {
    for (let at = this.total - this.countAt(now); at < this.total; at++) visit(this.values[at % CAPACITY], this.takenAt[at % CAPACITY]);
  }

  clear(): void {
    this.total = 0;
  }
}
