/**
 * The members with callbacks that passes have drawn since the last update. A callback may have moved its object and
 * computed its matrices, so rays and queries before the next update have to look for such moves. All other members are
 * where the update found them.
 */

import type { Object3D } from 'three';
import type { Member } from './member.ts';

export class DrawnCallbacks {
  /** By object: all members with a body and callbacks. */
  private readonly members = new Map<Object3D, Member>();
  /** Those that passes have drawn. */
  readonly drawn = new Set<Member>();

  /** Adds a member if it has callbacks. */
  add(member: Member): void {
    if (member.boundsSource?.sources.some(({ hasCallbacks }) => hasCallbacks)) this.members.set(member.object, member);
    else this.delete(member);
  }

  delete(member: Member): void {
    this.members.delete(member.object);
    this.drawn.delete(member);
  }

  /** Records what a pass draws. @param objects The objects of the members; null if it may draw any member. */
  record(objects: readonly Object3D[] | null): void {
    const { members, drawn } = this;
    if (members.size === 0) return;
    if (objects === null) for (const member of members.values()) drawn.add(member);
    else for (const object of objects) if (members.has(object)) drawn.add(members.get(object)!);
  }
}
