/**
 * Static members whose change was not reported. Each update compares some of them, in turn, so that it finds such a
 * change after 256 updates at most. They are compared as watched ones are in each update: with the numbers of the last
 * update that has computed them.
 *
 * Cost: the numbers of a member that no update has read for a while are not in the cache. Of 100,000 members an update
 * compares 391, in 80 microseconds; reading their positions, rotations and scales alone takes 30.
 */

import type { Object3D } from 'three';
import { UPDATES_PER_TURN } from '../detector/shared-resources.ts';
import { indexInBlock, type ChildOrder } from './child-order.ts';
import type { ComparedNodes } from './compared-nodes.ts';
import type { MemberBodies } from './member-bodies.ts';
import type { Member } from './member.ts';

export class StaticTurn {
  private readonly bodies: MemberBodies;
  private readonly order: ChildOrder;
  private readonly onForgotten: (object: Object3D) => void;
  /** Index in the order of the members; of a small group an update advances it by a fraction. */
  private next = 0;

  /**
   * @param onForgotten Called for an object that has changed: a member, a node of a compound, or a plain node above a
   *   member.
   */
  constructor(bodies: MemberBodies, order: ChildOrder, onForgotten: (object: Object3D) => void) {
    this.bodies = bodies;
    this.order = order;
    this.onForgotten = onForgotten;
  }

  /** Compares the next members, and then calls back for the static ones with a body. */
  visit(visitor: (member: Member) => void, isForced: boolean): void {
    const { ordered, detector } = this.bodies;
    const { items } = ordered;
    const from = Math.floor(this.next);
    const end = Math.min(this.next + Math.max(detector.staticPerUpdate, items.length / UPDATES_PER_TURN), items.length);
    const to = Math.floor(end);
    this.next = end < items.length ? end : 0;
    for (let k = from; k < to; k++) if (items[k]) this.compareNodes(items[k]!, items[k - 1], isForced);
    for (let k = from; k < to; k++) {
      const member = items[k];
      if (member?.body && member.isStatic) visitor(member);
    }
  }

  /** @param before The member before it. */
  private compareNodes(member: Member, before: Member | null | undefined, isForced: boolean): void {
    const { owner, compound, isStatic, object, node } = member;
    const { tree } = owner;
    const isLeaf = compound === null;
    // Also the plain nodes since the last part: those above it are among them, or were compared before.
    if (tree !== null)
      this.compareRange(tree, before?.owner === owner ? before.node + 1 : 0, node + Number(isLeaf), isForced);
    else if (isStatic && isLeaf) {
      const index = indexInBlock(owner);
      this.compareRange(this.order.blockOf(owner), index, index + 1, isForced);
    }
    // The comparison of the nodes above may have removed it.
    if (!isStatic || member.body === null || compound === null) return;
    const changed = compound.firstChangedInTurn(0, compound.nodes.length, isForced, false);
    // A node that was replaced need not be below the member any longer.
    if (changed < compound.nodes.length) this.onForgotten(compound.hasSameNodes ? compound.nodes[changed] : object);
    else if (!compound.isCullable || compound.hasNewSphere) this.onForgotten(object);
  }

  private compareRange(nodes: ComparedNodes, first: number, end: number, isForced: boolean): void {
    for (let k = first; (k = nodes.firstChangedInTurn(k, end, isForced, true)) < end; k++)
      this.onForgotten(nodes.nodes[k]!);
  }
}
