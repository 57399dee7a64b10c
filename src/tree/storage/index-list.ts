/** A growable list of body indices. */

import { withCapacity } from '../../math/typed-arrays.ts';

const INITIAL_CAPACITY = 64;

/**
 * The target of the `collect...` queries. The caller owns it and may use it for any number of queries; they allocate
 * only when it has to grow.
 *
 * @example
 * ```ts
 * import { IndexList, Octree } from 'scene-octree';
 *
 * const octree = new Octree<string>();
 * octree.insert({ center: { x: 0, y: 0, z: 0 }, radius: 1 }, 'ball');
 * const list = new IndexList(); // keep it from frame to frame
 * const count = octree.collectSphere({ center: { x: 1, y: 0, z: 0 }, radius: 5 }, list);
 * for (let k = 0; k < count; k++) console.log(octree.dataAt(list.array[k])); // prints: ball
 * ```
 */
export class IndexList {
  /**
   * The indices are its first `length` numbers. When the list grows, it gets a new, longer array: read the field after
   * the query.
   */
  array: Uint32Array;
  /** Number of indices. Set it to 0 to empty the list. */
  length = 0;

  /**
   * @param capacity Number of indices to make room for. Default 64.
   * @throws {TypeError} If the capacity is not a number.
   * @throws {RangeError} If it is not an integer from 0 to 2^30.
   */
  constructor(capacity: number = INITIAL_CAPACITY) {
    if (!Number.isInteger(capacity) || capacity < 0 || capacity > 2 ** 30) {
      const isNumber = typeof capacity === 'number';
      throw new (isNumber ? RangeError : TypeError)(
        `IndexList: capacity must be an integer from 0 to 2^30, but is ${isNumber ? capacity : `a ${typeof capacity}`}; leave it out if unsure.`,
      );
    }
    this.array = new Uint32Array(capacity);
  }

  /** Grows the array, if necessary, to hold `capacity` indices. Keeps the indices in the list. */
  reserve(capacity: number): void {
    if (capacity > this.array.length) this.array = withCapacity(this.array, capacity);
  }

  /** The indices in order: `for (const index of list)`. A loop over `array` is faster. */
  [Symbol.iterator](): IterableIterator<number> {
    return this.array.subarray(0, this.length).values();
  }

  /** Appends an index. */
  push(index: number): void {
    this.reserve(this.length + 1);
    this.array[this.length++] = index;
  }
}

/** Copies the indices of another list to `target`, which loses its own. */
export function copyIndices({ array, length }: IndexList, target: IndexList): void {
  target.length = 0;
  target.reserve(length);
  const to = target.array;
  for (let k = 0; k < length; k++) to[k] = array[k];
  target.length = length;
}
