/**
 * A set of small integers as bits. One sweep lists it in ascending order, which is faster than a sort if the set is not
 * sparse.
 */
export class BitSet {
  /** All 0 between uses. */
  private words = new Int32Array(0);

  /** Call it before `add`, for integers below `limit`. */
  reserve(limit: number): void {
    const count = (limit + 31) >>> 5;
    if (count > this.words.length) this.words = new Int32Array(2 * count);
  }

  add(value: number): void {
    this.words[value >>> 5] |= 1 << (value & 31);
  }

  /**
   * Writes the integers, all below `limit`, to `target` in ascending order, and empties the set. Returns their number.
   */
  drain(target: Uint32Array, limit: number): number {
    const { words } = this;
    const end = (limit + 31) >>> 5;
    let count = 0;
    for (let w = 0; w < end; w++) {
      // Takes the lowest bit, again and again.
      for (let word = words[w]; word !== 0; word &= word - 1)
        target[count++] = (w << 5) + 31 - Math.clz32(word & -word);
      words[w] = 0;
    }
    return count;
  }
}
