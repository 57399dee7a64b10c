/**
 * A hash table that finds the number of a pair by its members. Open addressing with linear probing; at most half of the
 * buckets are used. The members stay where the user of this class keeps them.
 *
 * Source: Knuth, The Art of Computer Programming, vol. 3, section 6.4, algorithms L and R (deletion without marks).
 */

const INITIAL_CAPACITY = 128;
export const NOT_FOUND = -1;

export interface PairMembers {
  /** A member of a pair: the first one for end 0, the second for end 1. */
  member(pair: number, end: 0 | 1): number;
}

export class PairTable {
  private readonly members: PairMembers;
  /** Pairs plus one; 0 is an empty bucket. The length is a power of two. */
  private buckets = new Int32Array(INITIAL_CAPACITY);
  private count = 0;

  constructor(members: PairMembers) {
    this.members = members;
  }

  /** The pair of two members, or NOT_FOUND. */
  find(a: number, b: number): number {
    const { members, buckets } = this;
    const last = buckets.length - 1;
    for (let bucket = hash(a, b) & last; buckets[bucket] !== 0; bucket = (bucket + 1) & last) {
      const pair = buckets[bucket] - 1;
      if (members.member(pair, 0) === a && members.member(pair, 1) === b) return pair;
    }
    return NOT_FOUND;
  }

  /** Adds a pair that is not in the table. */
  add(pair: number): void {
    if (2 * (this.count + 1) > this.buckets.length) this.grow();
    this.count++;
    this.put(pair);
  }

  /** Removes a pair that is in the table. Its members must not have changed. */
  remove(pair: number): void {
    const { buckets } = this;
    const last = buckets.length - 1;
    let hole = this.home(pair);
    while (buckets[hole] !== pair + 1) hole = (hole + 1) & last;
    this.count--;
    // Each following pair moves to the hole, unless its search begins after it.
    for (let bucket = (hole + 1) & last; buckets[bucket] !== 0; bucket = (bucket + 1) & last) {
      const home = this.home(buckets[bucket] - 1);
      if (((bucket - home) & last) < ((bucket - hole) & last)) continue;
      buckets[hole] = buckets[bucket];
      hole = bucket;
    }
    buckets[hole] = 0;
  }

  /** The bucket at which the search for a pair begins. */
  private home(pair: number): number {
    return hash(this.members.member(pair, 0), this.members.member(pair, 1)) & (this.buckets.length - 1);
  }

  private put(pair: number): void {
    const { buckets } = this;
    const last = buckets.length - 1;
    let bucket = this.home(pair);
    while (buckets[bucket] !== 0) bucket = (bucket + 1) & last;
    buckets[bucket] = pair + 1;
  }

  private grow(): void {
    const { buckets } = this;
    this.buckets = new Int32Array(2 * buckets.length);
    for (const bucket of buckets) if (bucket !== 0) this.put(bucket - 1);
  }
}

/** Multiplicative hashing; the shift brings the well mixed upper bits down. */
function hash(a: number, b: number): number {
  const mixed = Math.imul(Math.imul(a, 0x9e3779b1) ^ b, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}
