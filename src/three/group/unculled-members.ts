/**
 * Members without bounds, which every pass draws, and the update in which to look for bounds again. Most of these never
 * get bounds (lights, cameras), so the interval doubles with every attempt.
 */

import type { Member } from './member.ts';

/** Longest interval between two attempts, in updates: about a second at 60 frames per second. */
const MAX_RETRY_INTERVAL = 64;

export class UnculledMembers {
  /** Number of the update in which to try again. */
  private readonly retryUpdates = new Map<Member, number>();
  private updateCount = 0;

  [Symbol.iterator](): IterableIterator<Member> {
    return this.retryUpdates.keys();
  }

  /** Adds a member after an attempt that found no bounds. @param interval Of updates, until the next attempt. */
  add(member: Member, interval = Math.min(Math.max(1, 2 * member.retryInterval), MAX_RETRY_INTERVAL)): void {
    member.retryInterval = interval;
    this.retryUpdates.set(member, this.updateCount + interval);
  }

  /** @param isBounded Whether the member has bounds now; then the next interval starts at 1 again. */
  delete(member: Member, isBounded: boolean): void {
    if (isBounded) member.retryInterval = 0;
    this.retryUpdates.delete(member);
  }

  /** Counts an update, and calls back for each member whose interval has passed. */
  visitDue(visitor: (member: Member) => void): void {
    this.updateCount++;
    for (const [member, retryUpdate] of this.retryUpdates) if (retryUpdate <= this.updateCount) visitor(member);
  }
}
