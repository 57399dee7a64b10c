/**
 * The members whose bounds the next update computes. As a Set in the order of adding, but without hashing: in each
 * update all that has moved enters the list and leaves it.
 */

import type { Member } from './member.ts';

export class PendingMembers {
  size = 0;
  /** Null where a member has left. */
  private readonly places: (Member | null)[] = [];
  private visits = 0;

  has({ pendingAt }: Member): boolean {
    return pendingAt >= 0;
  }

  add(member: Member): void {
    if (member.pendingAt >= 0) return;
    // At least half are empty: so a member that leaves costs a constant time.
    if (this.places.length > 2 * this.size) this.compact();
    member.pendingAt = this.places.length;
    this.places.push(member);
    this.size++;
  }

  delete(member: Member): void {
    if (member.pendingAt < 0) return;
    this.places[member.pendingAt] = null;
    member.pendingAt = -1;
    this.size--;
  }

  /** Visits all members, also those that are added meanwhile. */
  visit(visitor: (member: Member) => void): void {
    const { places } = this;
    this.visits++;
    try {
      for (let k = 0; k < places.length; k++) if (places[k] !== null) visitor(places[k]!);
    } finally {
      this.visits--;
      this.compact();
    }
  }

  *[Symbol.iterator](): Generator<Member> {
    for (const member of this.places) if (member !== null) yield member;
  }

  /** Removes the empty places, unless a visit counts them. */
  private compact(): void {
    if (this.visits > 0) return;
    const { places } = this;
    let count = 0;
    for (const member of places) {
      if (member === null) continue;
      member.pendingAt = count;
      places[count++] = member;
    }
    places.length = count;
  }
}
