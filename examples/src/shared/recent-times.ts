// Measurements of the last second and their median.

const WINDOW_MS = 1000;
const CAPACITY = 512;

export class RecentTimes {
  private readonly takenAt = new Float64Array(CAPACITY);
  private readonly values = new Float64Array(CAPACITY);
  private readonly sorted = new Float64Array(CAPACITY);
  private total = 0;

  add(value: number, now: number): void {
    this.takenAt[this.total % CAPACITY] = now;
    this.values[this.total % CAPACITY] = value;
    this.total++;
  }

  /** How many were added within the last second. */
  countAt(now: number): number {
    const oldest = Math.max(0, this.total - CAPACITY);
    let count = 0;
    while (this.total - count > oldest && now - this.takenAt[(this.total - count - 1) % CAPACITY] <= WINDOW_MS) count++;
    return count;
  }

  /** Median of the last second, or NaN. */
  medianAt(now: number): number {
    const count = this.countAt(now);
    if (count === 0) return Number.NaN;
    for (let back = 0; back < count; back++) this.sorted[back] = this.values[(this.total - 1 - back) % CAPACITY];
    return this.sorted.subarray(0, count).sort()[count >> 1];
  }

  clear(): void {
    this.total = 0;
  }
}
