/** A list of values that is compared with the values of the last time, one by one, and takes over those that differ. */
export class Values {
  /** Whether what `take` has read may change without a change of the values. */
  isUnknown = false;
  private readonly values: unknown[] = [];
  private count = 0;
  private isChanged = false;

  /** Compares the next value. */
  next(value: unknown): void {
    const k = this.count++;
    if (k < this.values.length && Object.is(this.values[k], value)) return;
    this.values[k] = value;
    this.isChanged = true;
  }

  /** Compares the next values. */
  push(...values: readonly unknown[]): void {
    for (const value of values) this.next(value);
  }

  /**
   * Compares a whole list. Returns whether any value, their number, or `isUnknown` differs from the last time. A
   * change that was found before an error of `read` is returned by the next call.
   *
   * @param read Compares the values; returns `isUnknown`, false if left out.
   */
  take(read: (values: this) => boolean | void): boolean {
    this.count = 0;
    this.isUnknown = read(this) === true;
    this.next(this.isUnknown);
    return this.end();
  }

  /** Ends the list. Returns whether any value, or their number, differs from the last time. */
  end(): boolean {
    const isChanged = this.isChanged || this.count !== this.values.length;
    if (isChanged) this.values.length = this.count;
    this.count = 0;
    this.isChanged = false;
    return isChanged;
  }
}
