/**
 * Keeps all members in the traversal order of the group, and sorts sets of members into this order. `order` is the
 * index of a member in it. To sort a set, `mark` sets one bit per member, at its order; one sweep over all bits then
 * lists the set. That is faster than a comparison sort.
 */

import type { Object3D } from 'three';
import { withCapacity } from '../../math/typed-arrays.ts';
import { GapOrder } from './gap-order.ts';
import type { Member } from './member.ts';

/**
 * Each word of `marks` holds 32 bits. The word of an order is `order >> WORD_SHIFT`, its bit in the word is
 * `order & BIT_MASK`.
 */
const WORD_SHIFT = 5;
const BIT_MASK = 31;

export class OrderedMembers extends GapOrder<'order', Member> {
  /** By order; null in a gap, which is never marked. An array of their own, so that most sweeps read no member. */
  private objects: (Object3D | null)[] = [];
  /** Number of members that are parts of opened trees. */
  private descendantCount = 0;
  private marks = new Int32Array(2);
  /** By body index. */
  private orderOfBody = new Uint32Array(64);
  private readonly memberOfBody: (Member | undefined)[] = [];

  constructor() {
    super('order');
  }

  override append(member: Member): void {
    super.append(member);
    this.objects.push(member.object);
    this.descendantCount += Number(member.isDescendant);
  }

  override remove(member: Member): void {
    this.objects[member.order] = null;
    this.descendantCount -= Number(member.isDescendant);
    super.remove(member);
  }

  /** Takes the memory for a new body, so that `setBody` cannot fail. */
  reserveBody(): void {
    this.orderOfBody = withCapacity(this.orderOfBody, this.memberOfBody.length + 1);
  }

  setBody(member: Member, body: number): void {
    this.memberOfBody[body] = member;
    this.orderOfBody[body] = member.order;
  }

  removeBody(body: number): void {
    this.memberOfBody[body] = undefined;
  }

  /** More than the index of each body. */
  get bodyCount(): number {
    return this.memberOfBody.length;
  }

  memberAt(body: number): Member {
    return this.memberOfBody[body]!;
  }

  /** @param visitMembers Visits all members as a traversal of the group would. */
  override restore(visitMembers: (visitor: (member: Member) => void) => void): void {
    super.restore((visitor) => {
      this.objects = [];
      this.descendantCount = 0;
      visitMembers((member) => {
        visitor(member);
        if (member.body !== null) this.orderOfBody[member.body.index] = member.order;
      });
    });
    const words = (this.items.length >> WORD_SHIFT) + 1;
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
   * Lists the marked objects in order, except objects with a hidden ancestor, and clears all marks. Returns a fresh
   * array.
   *
   * @param keepsTrees Whether an opened tree is listed as one object, its root, if any part of it is marked.
   */
  listMarked(keepsTrees: boolean): Object3D[] {
    const { marks, items, objects, descendantCount } = this;
    const listed: Object3D[] = [];
    // Parts with the same parent are neighbours in the order: their ancestors are looked at once.
    let parent: Object3D | null = null;
    let isHidden = false;
    for (let word = 0, words = (items.length >> WORD_SHIFT) + 1; word < words; word++) {
      // `rest & -rest` is the lowest bit that is set; 31 - clz32 is its number.
      for (let rest = marks[word]; rest !== 0; rest &= rest - 1) {
        const order = (word << WORD_SHIFT) + 31 - Math.clz32(rest & -rest);
        if (descendantCount === 0) listed.push(objects[order]!);
        else if (!keepsTrees) {
          const object = objects[order]!;
          if (object.parent !== parent) {
            ({ parent } = object);
            isHidden = items[order]!.hasHiddenAncestor;
          }
          if (!isHidden) listed.push(object);
        } else if (listed.at(-1) !== items[order]!.child) listed.push(items[order]!.child);
      }
      marks[word] = 0;
    }
    return listed;
  }
}
