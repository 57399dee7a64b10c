/**
 * Finds rare changes that affect only objects at the edge of the view: materials for shadow maps
 * (`customDepthMaterial`, `customDistanceMaterial`), and draw callbacks that are set or removed. Each update compares
 * the members of the next 2048 drawn objects, in a round robin, so that its cost has a bound.
 */

import type { Member } from './member.ts';

/**
 * Drawn objects per update, about 0.1 microseconds each. In a group with more objects, some changes are found some
 * updates later.
 */
const OBJECTS_PER_UPDATE = 2048;

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
    const { members } = this;
    let k = this.first;
    for (let rest = OBJECTS_PER_UPDATE; rest > 0 && k < members.length; k++) {
      if (!members[k].isUpToDate) visitor(members[k]);
      rest -= members[k].compound?.drawn.length ?? 1;
    }
    this.first = k < members.length ? k : 0;
  }
}
