/**
 * Finds members whose world matrices, geometries or materials have changed since the last update: parts of an opened
 * tree, and members that other code has changed (user code during an update, callbacks of a pass,
 * `scene.onBeforeRender`). No matrix is computed here.
 */

import { MATRIX_STRIDE } from '../bounds/bounds-math.ts';
import { BLOCK_SIZE, COMPARE_TRANSFORM, matricesOffsetOf, SKIP, type ChildOrder } from './child-order.ts';
import type { ChildState, Member } from './member.ts';
import { equalsMatrix } from './transform-values.ts';

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
    for (let first = 0; first < count; first += BLOCK_SIZE) {
      const { kinds, activeCount, compared } = blocks[first / BLOCK_SIZE];
      if (activeCount === 0) continue;
      for (let k = 0; k < Math.min(BLOCK_SIZE, count - first); k++) {
        const kind = kinds[k];
        if (kind === COMPARE_TRANSFORM) {
          if (compared!.objects[k]!.matrixWorldNeedsUpdate && compared!.members[k]!.matchesSource) continue;
          this.findMoved(compared!.members[k]!);
        } else if (kind !== SKIP) this.findMovedMembers(states[first + k]!);
      }
    }
  }

  /** As `findMovedByOthers`, for one member of a child. */
  findMoved(member: Member): void {
    const state = member.owner;
    if (member.body === null || state.isStatic) return;
    if (member.isDescendant) this.findMovedParts(state, member);
    else if (this.order.kindOf(state) !== COMPARE_TRANSFORM) this.findMovedMembers(state);
    else if (!member.object.matrixWorldNeedsUpdate || !member.matchesSource) {
      // The next update would find the transform unchanged, and keep bounds that come from the current matrix.
      this.order.forgetTransform(state);
      this.onMoved(member);
    }
  }

  /** As `findMovedByOthers`, for a child that is not compared by its transform. */
  findMovedMembers(state: ChildState): void {
    const { child } = state;
    const member = state.ownMember;
    if (member === null) {
      this.findMovedParts(state);
      return;
    }
    if (member.body === null || state.isStatic) return;
    if (member.compound !== null) {
      if (member.compound.isMovedByOthers || !member.compound.hasSameStructure) this.onMoved(member);
      return;
    }
    const isInPlace = equalsMatrix(
      child.matrixWorld.elements,
      this.order.comparedOf(state).matrices,
      matricesOffsetOf(state) + MATRIX_STRIDE,
    );
    if (isInPlace && member.matchesSource) return;
    // The next update would find the matrix unchanged, and not compute it again.
    this.order.forgetMatrices(state);
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
