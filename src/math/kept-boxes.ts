/** The output of filters of boxes: numbers of boxes, and what the filter has computed for each. */

import { grownCapacity } from './typed-arrays.ts';

export class KeptBoxes {
  /** The boxes: numbers of nodes or slots. */
  numbers: Int32Array;
  /** By position in the list. A filter writes one of the two. */
  overlaps: Int32Array;
  distances: Float64Array;
  length = 0;

  constructor(capacity = 64) {
    this.numbers = new Int32Array(capacity);
    this.overlaps = new Int32Array(capacity);
    this.distances = new Float64Array(capacity);
  }

  /** Empties the list, and makes room for `count` boxes. A filter does not check the room. */
  clear(count: number): void {
    this.length = 0;
    // Allocated last: its length is the capacity of all.
    const { length } = this.distances;
    if (count <= length) return;
    const capacity = grownCapacity(count, length);
    this.numbers = new Int32Array(capacity);
    this.overlaps = new Int32Array(capacity);
    this.distances = new Float64Array(capacity);
  }
}
