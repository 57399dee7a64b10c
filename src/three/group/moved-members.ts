/**
 * Finds members whose world matrices, geometries or materials have changed since the last update: parts of an opened
 * tree, and members that other code has changed (user code during an update, callbacks of a pass,
 * `scene.onBeforeRender`). No matrix is computed here.
 */

import { BLOCK_SIZE, indexInBlock, type ChildOrder } from './child-order.ts';
import type { ChildState, Member } from './member.ts';

export class MovedMembers {
  private readonly order: ChildOrder;
  private readonly onMoved: (member: Member) => void;

  /** @param onMoved Called for each member that is found. */
  constructor(order: ChildOrder, onMoved: (member: Member) => void) {
    this.order = order;
    this.onMoved = onMoved;
  }

  /**
   * Finds members whose world matrices other code has computed since they were last updated, or whose geometries or
   * materials it has exchanged. The next update computes their matrices and bounds again.
   *
   * @param end Looks only at children with a lower order. Default: all.
   */
  findMovedByOthers(end = this.order.items.length): void {
    const { blocks, items: states } = this.order;
    const count = Math.min(end, states.length);
    for (let k = 0; k < count; k++) {
      const block = blocks[Math.floor(k / BLOCK_SIZE)];
      if (block.watchedCount === 0) k += BLOCK_SIZE - 1;
      else if (block.nodes[k % BLOCK_SIZE] !== undefined) this.findMovedMembers(states[k]!);
    }
  }

  /** As `findMovedByOthers`, for one member of a child. */
  findMoved(member: Member): void {
    const state = member.owner;
    if (member.body === null || state.isStatic) return;
    if (member.isDescendant) this.findMovedParts(state, member);
    else this.findMovedMembers(state);
  }

  /** As `findMovedByOthers`, for all members of a child. */
  findMovedMembers(state: ChildState): void {
    const member = state.ownMember;
    if (member === null) this.findMovedParts(state);
    else if (member.body === null || state.isStatic) return;
    else if (member.compound !== null) {
      if (member.compound.isMovedByOthers || !member.compound.hasSameStructure) this.onMoved(member);
    } else if (this.order.blockOf(state).isNodeMovedByOthers(indexInBlock(state)) || !member.matchesSource)
      this.onMoved(member);
  }

  /** As `findMovedMembers`, for a child with an opened tree. @param only Looks at this part only. */
  private findMovedParts({ members, tree }: ChildState, only: Member | null = null): void {
    tree!.partIndices.forEach((part, node) => {
      if (part < 0 || (only !== null && only !== members[part])) return;
      const member = members[part];
      const { compound, body } = member;
      const isMoved = compound === null ? tree!.isNodeMovedByOthers(node) : compound.isMovedByOthers;
      // Without a body it is drawn in every pass, or its bounds are about to be computed.
      if (body === null) return;
      if (isMoved || (compound === null ? !member.matchesSource : !compound.hasSameStructure || compound.hasNewSphere))
        this.onMoved(member);
    });
  }
}
