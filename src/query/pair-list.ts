/**
 * A list of the pairs that touch now, without gaps. The position of each pair is stored in its record, so that a pair is taken out
 * in constant time: the last pair of the list takes its place.
 */

import type { IndexList } from '../tree/storage/index-list.ts';
import { NO_POSITION, type CandidatePairs } from './candidate-pairs.ts';

const FIRST_CAPACITY = 64;

export class PairList {
  length = 0;
  /** The members of each pair, two numbers. */
  private members = new Uint32Array(2 * FIRST_CAPACITY);
  private ids = new Int32Array(FIRST_CAPACITY);

  add(pairs: CandidatePairs, pair: number): void {
    if (this.length === this.ids.length) this.grow();
    const at = this.length++;
    this.members[2 * at] = pairs.member(pair, 0);
    this.members[2 * at + 1] = pairs.member(pair, 1);
    this.ids[at] = pair;
    pairs.setPosition(pair, at);
  }

  /** Takes a pair out. Returns false if it is not in the list. */
  remove(pairs: CandidatePairs, pair: number): boolean {
    const at = pairs.position(pair);
    if (at === NO_POSITION) return false;
    const { members, ids } = this;
    const last = --this.length;
    members[2 * at] = members[2 * last];
    members[2 * at + 1] = members[2 * last + 1];
    ids[at] = ids[last];
    pairs.setPosition(ids[at], at);
    pairs.setPosition(pair, NO_POSITION);
    return true;
  }

  clear(): void {
    this.length = 0;
  }

  /** Writes the members of the first `count` pairs to `out`. */
  copyTo(out: IndexList, count: number): void {
    const { members } = this;
    out.length = 0;
    out.reserve(2 * count);
    const { array } = out;
    for (let k = 0; k < 2 * count; k++) array[k] = members[k];
    out.length = 2 * count;
  }

  private grow(): void {
    const { members, ids } = this;
    (this.members = new Uint32Array(2 * members.length)).set(members);
    (this.ids = new Int32Array(2 * ids.length)).set(ids);
  }
}
