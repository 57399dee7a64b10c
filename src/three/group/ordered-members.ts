/**
 * Keeps all members in the traversal order of the group, and sorts sets of members into this order. `order` is the index of a member in it.
 * To sort a set, `mark` sets one bit per member, at its order; one sweep over all bits then lists the set. That is faster than a comparison
 * sort.
 */

import type { Object3D } from 'three';
import type { Member } from './member.ts';

/** Number of gaps, left by removed members, below which the order is never rebuilt. */
const MAX_GAPS = 64;
/** Each word of `marks` holds 32 bits. The word of an order is `order >> WORD_SHIFT`, its bit in the word is `order & BIT_MASK`. */
const WORD_SHIFT = 5;
const BIT_MASK = 31;

export class OrderedMembers {
  /** By order; removed members leave gaps, which are never marked. The objects have an array of their own, so that most sweeps read no member. */
  private members: Member[] = [];
  private objects: Object3D[] = [];
  private memberCount = 0;
  /** Number of members that are parts of opened trees. */
  private descendantCount = 0;
  private isOrdered = true;
  private marks = new Int32Array(2);
  /** By body index. */
  private orderOfBody = new Uint32Array(64);
  private readonly memberOfBody: (Member | undefined)[] = [];

  /** Adds a member behind all others. */
  append(member: Member): void {
    this.push(member);
    this.memberCount++;
    this.descendantCount += Number(member.isDescendant);
  }

  remove(member: Member): void {
    this.memberCount--;
    this.descendantCount -= Number(member.isDescendant);
  }

  /** Records that an appended member belongs elsewhere; the next `restore` corrects that. */
  invalidate(): void {
    this.isOrdered = false;
  }

  setBody(member: Member, body: number): void {
    this.memberOfBody[body] = member;
    if (body >= this.orderOfBody.length) this.orderOfBody = copyInto(this.orderOfBody, new Uint32Array(2 * body));
    this.orderOfBody[body] = member.order;
  }

  removeBody(body: number): void {
    this.memberOfBody[body] = undefined;
  }

  memberAt(body: number): Member {
    return this.memberOfBody[body]!;
  }

  /**
   * Restores the order, if it is invalid or has too many gaps. Cost otherwise: none.
   *
   * @param visitMembers Visits all members as a traversal of the group would.
   */
  restore(visitMembers: (visitor: (member: Member) => void) => void): void {
    if (!this.isOrdered || this.members.length - this.memberCount > Math.max(this.memberCount, MAX_GAPS)) {
      this.members = [];
      this.objects = [];
      visitMembers((member) => {
        this.push(member);
        if (member.body !== null) this.orderOfBody[member.body.index] = member.order;
      });
      this.isOrdered = true;
    }
    const words = (this.members.length >> WORD_SHIFT) + 1;
    if (this.marks.length < words) this.marks = new Int32Array(2 * words);
  }

  mark({ order }: Member): void {
    this.marks[order >> WORD_SHIFT] |= 1 << (order & BIT_MASK);
  }

  markBodies(bodies: Uint32Array, count: number): void {
    const { marks, orderOfBody } = this;
    for (let k = 0; k < count; k++) {
      const order = orderOfBody[bodies[k]];
      marks[order >> WORD_SHIFT] |= 1 << (order & BIT_MASK);
    }
  }

  /**
   * Lists the marked objects in order, except objects with a hidden ancestor, and clears all marks. Returns a fresh array.
   *
   * @param keepsTrees Whether an opened tree is listed as one object, its root, if any part of it is marked.
   */
  takeMarked(keepsTrees: boolean): Object3D[] {
    const { marks, members, objects, descendantCount } = this;
    const taken: Object3D[] = [];
    for (let word = 0, words = (members.length >> WORD_SHIFT) + 1; word < words; word++) {
      // `rest & -rest` is the lowest bit that is set; 31 - clz32 is its number.
      for (let rest = marks[word]; rest !== 0; rest &= rest - 1) {
        const order = (word << WORD_SHIFT) + 31 - Math.clz32(rest & -rest);
        if (descendantCount === 0) taken.push(objects[order]);
        else if (!keepsTrees) pushUnlessHidden(members[order], taken);
        // The parts of a tree are neighbours in the order.
        else if (taken.at(-1) !== members[order].child) taken.push(members[order].child);
      }
      marks[word] = 0;
    }
    return taken;
  }

  private push(member: Member): void {
    member.order = this.members.push(member) - 1;
    this.objects.push(member.object);
  }
}

function pushUnlessHidden(member: Member, taken: Object3D[]): void {
  if (!member.hasHiddenAncestor) taken.push(member.object);
}

function copyInto(from: Uint32Array<ArrayBuffer>, to: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  to.set(from);
  return to;
}
