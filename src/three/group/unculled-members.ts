/** Members without bounds, which are shown in every pass, and when to see whether they have some: ever more rarely, as most never will. */

import type { Member } from './member.ts';

/** Updates between two looks at most. */
const MAX_RETRY_INTERVAL = 64;

export class UnculledMembers {
  /** The update in which to look again. */
  private readonly dues = new Map<Member, number>();
  private updates = 0;

  [Symbol.iterator](): IterableIterator<Member> {
    return this.dues.keys();
  }

  add(member: Member): void {
    member.retryInterval = Math.min(Math.max(1, 2 * member.retryInterval), MAX_RETRY_INTERVAL);
    this.dues.set(member, this.updates + member.retryInterval);
  }

  /** @param isBounded Whether it has bounds now; otherwise it is only gone. */
  delete(member: Member, isBounded: boolean): void {
    if (isBounded) member.retryInterval = 0;
    this.dues.delete(member);
  }

  /** Counts an update, and calls back for those to look at. */
  visitDue(visitor: (member: Member) => void): void {
    this.updates++;
    for (const [member, due] of this.dues) if (due <= this.updates) visitor(member);
  }
}
