/**
 * All members in the order of a traversal of the group, and the answer to "which of these, in that order?": each is marked at its
 * place, and one sweep over the marks, a bit each, lists them. Sorting would cost more than all else a pass asks for.
 */

import type { Object3D } from 'three';
import type { Member } from './member.ts';

/** Places of dropped members that are not worth a new roll. */
const MAX_GAPS = 64;
/** A word of marks holds the places from 32 times its number on: place >> WORD, bit place & BIT. */
const WORD = 5;
const BIT = 31;

export class OrderedMembers {
  /** By place; dropped members leave gaps, which are never marked. The objects lie apart: a sweep reads nothing else of most members. */
  private members: Member[] = [];
  private objects: Object3D[] = [];
  private memberCount = 0;
  private deepCount = 0;
  private isOrdered = true;
  private marks = new Int32Array(2);
  /** Place and member of each body. */
  private placeOfBody = new Uint32Array(64);
  private readonly memberOfBody: (Member | undefined)[] = [];

  append(member: Member): void {
    this.put(member);
    this.memberCount++;
    this.deepCount += Number(member.isDeep);
  }

  drop(member: Member): void {
    this.memberCount--;
    this.deepCount -= Number(member.isDeep);
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
    if (!this.isOrdered || this.members.length - this.memberCount > Math.max(this.memberCount, MAX_GAPS)) {
      this.members = [];
      this.objects = [];
      visitMembers((member) => {
        this.put(member);
        if (member.body !== null) this.placeOfBody[member.body.index] = member.order;
      });
      this.isOrdered = true;
    }
    const words = (this.members.length >> WORD) + 1;
    if (this.marks.length < words) this.marks = new Int32Array(2 * words);
  }

  mark({ order }: Member): void {
    this.marks[order >> WORD] |= 1 << (order & BIT);
  }

  markBodies(bodies: Uint32Array, count: number): void {
    const { marks, placeOfBody } = this;
    for (let k = 0; k < count; k++) {
      const place = placeOfBody[bodies[k]];
      marks[place >> WORD] |= 1 << (place & BIT);
    }
  }

  /**
   * Lists the objects that are marked, but for those under a hidden node, and takes the marks away.
   *
   * @param isContained Whether an opened tree is listed as a whole instead of its parts.
   */
  takeMarked(isContained: boolean): Object3D[] {
    const { marks, members, objects, deepCount } = this;
    const taken: Object3D[] = [];
    for (let word = 0, words = (members.length >> WORD) + 1; word < words; word++) {
      for (let rest = marks[word]; rest !== 0; rest &= rest - 1) {
        const place = (word << WORD) + BIT - Math.clz32(rest & -rest);
        if (deepCount === 0) taken.push(objects[place]);
        else if (!isContained) takeShown(members[place], taken);
        // The parts of a tree come one after the other.
        else if (taken.at(-1) !== members[place].child) taken.push(members[place].child);
      }
      marks[word] = 0;
    }
    return taken;
  }

  private put(member: Member): void {
    member.order = this.members.push(member) - 1;
    this.objects.push(member.object);
  }
}

function takeShown(member: Member, taken: Object3D[]): void {
  if (!member.isHidden) taken.push(member.object);
}

function lengthened(from: Uint32Array<ArrayBuffer>, to: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  to.set(from);
  return to;
}
