/** A list of values, compared with the list of the last call. */

/** The list that the next comparison fills: a snapshot keeps one list, not two. */
let spare: unknown[] = [];

export class Snapshot {
  /** Whether what was read may change without a change of the values. */
  isUnknown = false;
  private values: unknown[] = [];

  /**
   * Reads the values again. Returns whether any differs from the last call.
   *
   * @param read Adds them; returns `isUnknown`, false if left out.
   */
  take(read: (values: unknown[]) => boolean | void): boolean {
    const { values, isUnknown } = this;
    // Reading may run code of the user, which may compare other lists.
    const next = spare;
    spare = [];
    this.isUnknown = read(next) === true;
    let isEqual = isUnknown === this.isUnknown && next.length === values.length;
    for (let k = 0; isEqual && k < next.length; k++) isEqual = Object.is(next[k], values[k]);
    if (!isEqual) this.values = next;
    spare = isEqual ? next : values;
    spare.length = 0;
    return !isEqual;
  }
}
