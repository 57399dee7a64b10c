/** A list of values, compared with the list of the last call. */
export class Snapshot {
  /** Whether what was read may change without a change of the values. */
  isUnknown = false;
  private values: unknown[] = [];
  private next: unknown[] = [];

  /**
   * Reads the values again. Returns whether any differs from the last call.
   *
   * @param read Adds them; returns `isUnknown`, false if left out.
   */
  take(read: (values: unknown[]) => boolean | void): boolean {
    const { values, next } = this;
    next.length = 0;
    const wasUnknown = this.isUnknown;
    this.isUnknown = read(next) === true;
    this.values = next;
    this.next = values;
    if (wasUnknown !== this.isUnknown || next.length !== values.length) return true;
    for (let k = 0; k < next.length; k++) if (!Object.is(next[k], values[k])) return true;
    return false;
  }
}
