/**
 * All members in the order of a traversal of the group, and the answer to "which of these, in that order?": each is marked at its
 * place, and one sweep over the marks, a byte each, lists them. Sorting would cost more than all else a pass asks for.
 */

import type { Object3D } from 'three';
import type { Member } from './member.ts';

/** Places of dropped members that are not worth a new roll. */
const MOST_GAPS = 64;

export class MemberRoll {
  /** By place; dropped members leave gaps, which are never marked. */
  private members: Member[] = [];
  private memberCount = 0;
  private isOrdered = true;
  private marks = new Uint8Array(64);
  /** Place and member of each body. */
  private placeOfBody = new Uint32Array(64);
  private readonly memberOfBody: (Member | undefined)[] = [];

  append(member: Member): void {
    member.order = this.members.push(member) - 1;
    this.memberCount++;
  }

  drop(): void {
    this.memberCount--;
  }

  /** Tells that members were appended that belong elsewhere. */
  shuffle(): void {
    this.isOrdered = false;
  }

  setBody(member: Member, body: number): void {
    this.memberOfBody[body] = member;
    if (body >= this.placeOfBody.length) this.placeOfBody = lengthened(this.placeOfBody, new Uint32Array(2 * body));
    this.placeOfBody[body] = member.order;
  }

  dropBody(body: number): void {
    this.memberOfBody[body] = undefined;
  }

  memberAt(body: number): Member {
    return this.memberOfBody[body]!;
  }

  /** Brings the roll in order, if need be: `visitMembers` visits all members as a traversal of the group would. */
  order(visitMembers: (visitor: (member: Member) => void) => void): void {
    if (!this.isOrdered || this.members.length - this.memberCount > Math.max(this.memberCount, MOST_GAPS)) {
      this.members = [];
      visitMembers((member) => {
        member.order = this.members.push(member) - 1;
        if (member.body !== null) this.placeOfBody[member.body.index] = member.order;
      });
      this.isOrdered = true;
    }
    if (this.marks.length < this.members.length) this.marks = new Uint8Array(2 * this.members.length);
  }

  mark(member: Member): void {
    this.marks[member.order] = 1;
  }

  markBodies(bodies: Uint32Array, count: number): void {
    const { marks, placeOfBody } = this;
    for (let k = 0; k < count; k++) marks[placeOfBody[bodies[k]]] = 1;
  }

  /** Lists the objects that are marked, but for those under a hidden node, and takes the marks away. */
  takeMarked(): Object3D[] {
    const { marks, members } = this;
    const objects: Object3D[] = [];
    for (let place = 0; place < members.length; place++) {
      if (marks[place] === 0) continue;
      marks[place] = 0;
      if (!members[place].isHidden) objects.push(members[place].object);
    }
    return objects;
  }
}

function lengthened(from: Uint32Array<ArrayBuffer>, to: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  to.set(from);
  return to;
}
