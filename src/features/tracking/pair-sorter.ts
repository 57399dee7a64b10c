/** Sorts pairs by their first member, then the second. Keeps its working memory for the next call. */

import { RadixSorter } from '../../math/sorting.ts';
import { grownCapacity } from '../../math/typed-arrays.ts';
import type { IndexList } from '../../tree/storage/index-list.ts';
import type { CandidatePairs } from './candidate-pairs.ts';

export class PairSorter {
  private keys = new Uint32Array(0);
  private seconds = new Uint32Array(0);
  private readonly sorter = new RadixSorter();

  /** Sorts a list of candidate pairs. */
  sort(pairs: CandidatePairs, { array, length }: IndexList): void {
    if (length < 2) return;
    this.reserve(length);
    const { keys, sorter } = this;
    // The sort is stable, so that sorting by the second member first gives the order of both.
    for (let k = 0; k < length; k++) keys[k] = pairs.member(array[k], 1);
    sorter.sort(keys, array, 0, length);
    for (let k = 0; k < length; k++) keys[k] = pairs.member(array[k], 0);
    sorter.sort(keys, array, 0, length);
  }

  /** Sorts a list that holds the members of each pair, two numbers. */
  sortMembers({ array, length }: IndexList): void {
    if (length < 4) return;
    const count = length / 2;
    this.reserve(count);
    const { keys, seconds, sorter } = this;
    for (let k = 0; k < count; k++) {
      keys[k] = array[2 * k + 1];
      seconds[k] = array[2 * k];
    }
    // Sorts by the second members, and moves the first members along; then by the first members.
    sorter.sort(keys, seconds, 0, count);
    sorter.sort(seconds, keys, 0, count);
    for (let k = 0; k < count; k++) {
      array[2 * k] = seconds[k];
      array[2 * k + 1] = keys[k];
    }
  }

  private reserve(count: number): void {
    if (count <= this.keys.length) return;
    this.keys = new Uint32Array(grownCapacity(count, this.keys.length));
    this.seconds = new Uint32Array(this.keys.length);
  }
}
