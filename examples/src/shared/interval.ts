// An interval, for work that a page does less often than in each frame.

export class Interval {
  private readonly milliseconds: number;
  private last = -Infinity;

  constructor(milliseconds: number) {
    this.milliseconds = milliseconds;
  }

  /** True at most once per interval: a call that returns true begins the next one. */
  isDue(now: number): boolean {
    if (now - this.last < this.milliseconds) return false;
    this.last = now;
    return true;
  }

  /** Makes the next call return true. */
  reset(): void {
    this.last = -Infinity;
  }
}
