/**
 * Finds changes of what seldom changes, and matters only at the edge of a picture: materials for shadow maps, and whether an object has callbacks.
 * Each update compares a part of the members, in turn, so that its cost has a bound.
 */

import type { Member } from './member.ts';

/** Members per update, about 0.1 microseconds each. In a group with more members, some changes are found some updates later. */
const MEMBERS_PER_UPDATE = 2048;

export class MemberTurn {
  /** Number of members before the first one of the next update. */
  private first = 0;

  /** Calls back for each changed member among the next ones. Not for static members, and not for members without a body. */
  visitChanged(members: readonly Member[], visitor: (member: Member) => void): void {
    const end = Math.min(this.first + MEMBERS_PER_UPDATE, members.length);
    for (let k = this.first; k < end; k++) {
      const member = members[k];
      if (member.body !== null && !member.body.isStatic && !member.hasSameSources) visitor(member);
    }
    this.first = end < members.length ? end : 0;
  }
}
