/**
 * A growable list of body indices. The caller owns it; the `collect...` queries fill it, and allocate only when it has to grow.
 */

const FIRST_CAPACITY = 64;

export class IndexList {
  /**
   * The indices are its first `length` numbers. When the list grows, it gets a new, longer array: read the field after the query.
   */
  array: Uint32Array;
  length = 0;

  constructor(capacity: number = FIRST_CAPACITY) {
    if (typeof capacity !== 'number') throw new TypeError(`IndexList: capacity must be a number, but is a ${typeof capacity}; leave it out if unsure.`);
    if (!Number.isInteger(capacity) || capacity < 0 || capacity > 2 ** 30) {
      throw new RangeError(`IndexList: capacity must be an integer from 0 to 2^30, but is ${capacity}; leave it out if unsure.`);
    }
    this.array = new Uint32Array(capacity);
  }

  /** Grows the array, if necessary, to hold `capacity` indices. Keeps the indices in the list. */
  reserve(capacity: number): void {
    if (capacity <= this.array.length) return;
    const longer = new Uint32Array(Math.max(capacity, this.array.length * 2, FIRST_CAPACITY));
    longer.set(this.array.subarray(0, this.length));
    this.array = longer;
  }

  push(index: number): void {
    this.reserve(this.length + 1);
    this.array[this.length++] = index;
  }
}
