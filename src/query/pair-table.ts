/**
 * A hash table that finds the number of a pair by its members. Open addressing with linear probing; at most half of the places are
 * used. The members stay where the user of this class keeps them.
 *
 * Source: Knuth, The Art of Computer Programming, vol. 3, section 6.4, algorithms L and R (deletion without marks).
 */

const FIRST_CAPACITY = 128;
export const NOT_FOUND = -1;

export interface PairMembers {
  /** A member of a pair: the first one for end 0, the second for end 1. */
  member(pair: number, end: 0 | 1): number;
}

export class PairTable {
  private readonly members: PairMembers;
  /** Pairs plus one; 0 is an empty place. The length is a power of two. */
  private places = new Int32Array(FIRST_CAPACITY);
  private count = 0;

  constructor(members: PairMembers) {
    this.members = members;
  }

  /** The pair of two members, or NOT_FOUND. */
  find(a: number, b: number): number {
    const { members, places } = this;
    const last = places.length - 1;
    for (let place = hash(a, b) & last; places[place] !== 0; place = (place + 1) & last) {
      const pair = places[place] - 1;
      if (members.member(pair, 0) === a && members.member(pair, 1) === b) return pair;
    }
    return NOT_FOUND;
  }

  /** Adds a pair that is not in the table. */
  add(pair: number): void {
    if (2 * (this.count + 1) > this.places.length) this.grow();
    this.count++;
    this.put(pair);
  }

  /** Removes a pair that is in the table. Its members must not have changed. */
  remove(pair: number): void {
    const { places } = this;
    const last = places.length - 1;
    let hole = this.home(pair);
    while (places[hole] !== pair + 1) hole = (hole + 1) & last;
    this.count--;
    // Each following pair moves to the hole, unless its search begins after it.
    for (let place = (hole + 1) & last; places[place] !== 0; place = (place + 1) & last) {
      const home = this.home(places[place] - 1);
      if (((place - home) & last) < ((place - hole) & last)) continue;
      places[hole] = places[place];
      hole = place;
    }
    places[hole] = 0;
  }

  /** The place at which the search for a pair begins. */
  private home(pair: number): number {
    return hash(this.members.member(pair, 0), this.members.member(pair, 1)) & (this.places.length - 1);
  }

  private put(pair: number): void {
    const { places } = this;
    const last = places.length - 1;
    let place = this.home(pair);
    while (places[place] !== 0) place = (place + 1) & last;
    places[place] = pair + 1;
  }

  private grow(): void {
    const { places } = this;
    this.places = new Int32Array(2 * places.length);
    for (const place of places) if (place !== 0) this.put(place - 1);
  }
}

/** Multiplicative hashing; the shift brings the well mixed upper bits down. */
function hash(a: number, b: number): number {
  const mixed = Math.imul(Math.imul(a, 0x9e3779b1) ^ b, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}
