/**
 * Finds changes of what seldom changes, and matters only at the edge of a picture: materials for shadow maps, and whether an object has callbacks.
 * Each update compares a part of the members, in turn, so that its cost has a bound.
 */

import type { Member } from './member.ts';

/** Members per update, about 0.1 microseconds each. In a group with more members, some changes are found some updates later. */
const MEMBERS_PER_UPDATE = 2048;

export class MemberTurn {
  /** In no particular order. Invariant: `members[k].turn` is k. */
  private readonly members: Member[] = [];
  /** Number of members before the first one of the next update. */
  private first = 0;

  add(member: Member): void {
    if (member.turn < 0) member.turn = this.members.push(member) - 1;
  }

  delete(member: Member): void {
    const { members } = this;
    const place = member.turn;
    if (place < 0) return;
    const last = members.pop()!;
    member.turn = -1;
    if (last === member) return;
    members[place] = last;
    last.turn = place;
  }

  /** Calls back for each changed member among the next ones. */
  visitChanged(visitor: (member: Member) => void): void {
    const { members, first } = this;
    const end = Math.min(first + MEMBERS_PER_UPDATE, members.length);
    for (let k = first; k < end; k++) if (!members[k].hasSameSources) visitor(members[k]);
    this.first = end < members.length ? end : 0;
  }
}
