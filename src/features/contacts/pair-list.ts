/**
 * A list of the pairs that touch now, without gaps. The position of each pair is stored in its record, so that a pair
 * is taken out in constant time: the last pair of the list takes its place.
 */

import { withCapacity } from '../../math/typed-arrays.ts';
import { IndexList } from '../../tree/storage/index-list.ts';
import { NO_POSITION, type CandidatePairs } from '../tracking/candidate-pairs.ts';

const INITIAL_CAPACITY = 64;

export class PairList {
  /** The members of each pair, two numbers. */
  readonly members = new IndexList(2 * INITIAL_CAPACITY);
  /** The number of each pair in `CandidatePairs`. */
  private numbers = new Int32Array(INITIAL_CAPACITY);

  get length(): number {
    return this.members.length >> 1;
  }

  add(pairs: CandidatePairs, pair: number): void {
    const { length, members } = this;
    if (length === this.numbers.length) this.numbers = withCapacity(this.numbers, length + 1);
    members.push(pairs.member(pair, 0));
    members.push(pairs.member(pair, 1));
    this.numbers[length] = pair;
    pairs.setPosition(pair, length);
  }

  /** Takes a pair out. Returns false if it is not in the list. */
  remove(pairs: CandidatePairs, pair: number): boolean {
    const at = pairs.position(pair);
    if (at === NO_POSITION) return false;
    const { numbers } = this;
    const { array } = this.members;
    const last = this.length - 1;
    this.members.length -= 2;
    array[2 * at] = array[2 * last];
    array[2 * at + 1] = array[2 * last + 1];
    numbers[at] = numbers[last];
    pairs.setPosition(numbers[at], at);
    pairs.setPosition(pair, NO_POSITION);
    return true;
  }

  clear(): void {
    this.members.length = 0;
  }
}
