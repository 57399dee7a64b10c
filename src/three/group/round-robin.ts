/**
 * Finds rare changes that matter only at the edge of a picture: of materials for shadow maps, and of whether an object has callbacks.
 * Round robin: each update compares the next part of the members, so that its cost has a bound.
 */

import type { Member } from './member.ts';

/** Members per update, about 0.1 microseconds each. In a group with more members, some changes are found some updates later. */
const MEMBERS_PER_UPDATE = 2048;

export class RoundRobin {
  /** In no particular order. Invariant: `members[k].roundRobinIndex` is k. */
  private readonly members: Member[] = [];
  /** Number of members before the first one of the next update. */
  private first = 0;

  add(member: Member): void {
    if (member.roundRobinIndex < 0) member.roundRobinIndex = this.members.push(member) - 1;
  }

  delete(member: Member): void {
    const { members } = this;
    const place = member.roundRobinIndex;
    if (place < 0) return;
    const last = members.pop()!;
    member.roundRobinIndex = -1;
    if (last === member) return;
    members[place] = last;
    last.roundRobinIndex = place;
  }

  /** Calls back for each changed member among the next ones. */
  visitChanged(visitor: (member: Member) => void): void {
    const { members, first } = this;
    const end = Math.min(first + MEMBERS_PER_UPDATE, members.length);
    for (let k = first; k < end; k++) if (!members[k].isUpToDate) visitor(members[k]);
    this.first = end < members.length ? end : 0;
  }
}
