/**
 * Finds rare changes that affect only objects at the edge of the view: materials for shadow maps
 * (`customDepthMaterial`, `customDistanceMaterial`), and draw callbacks that are set or removed. Each update compares
 * the next 2048 members, in a round robin, so that its cost has a bound.
 */

import type { Member } from './member.ts';

/**
 * Members per update, about 0.1 microseconds each. In a group with more members, some changes are found some updates
 * later.
 */
const MEMBERS_PER_UPDATE = 2048;

export class RareChangeWatch {
  /** In no particular order. Invariant: `members[k].rareChangeIndex` is k. */
  private readonly members: Member[] = [];
  /** Index of the first member that the next update compares. */
  private first = 0;

  add(member: Member): void {
    if (member.rareChangeIndex < 0) member.rareChangeIndex = this.members.push(member) - 1;
  }

  delete(member: Member): void {
    const { members } = this;
    const index = member.rareChangeIndex;
    if (index < 0) return;
    const last = members.pop()!;
    member.rareChangeIndex = -1;
    if (last === member) return;
    members[index] = last;
    last.rareChangeIndex = index;
  }

  /** Compares the next members, and calls back for each that has changed. */
  visitChanged(visitor: (member: Member) => void): void {
    const { members, first } = this;
    const end = Math.min(first + MEMBERS_PER_UPDATE, members.length);
    for (let k = first; k < end; k++) if (!members[k].isUpToDate) visitor(members[k]);
    this.first = end < members.length ? end : 0;
  }
}
