/** The state of one child of a group: whether it is static, its members, and what the next update has to do with it. */

import type { Object3D } from 'three';
import { MATRIX_STRIDE } from '../bounds/bounds-math.ts';
import type { Member, MemberOwner } from './member.ts';
import type { OpenTree } from './open-tree.ts';

/**
 * - closed: the child, with all its descendants, is one member.
 * - opening: as closed, and drawn in every pass, until the next update opens it.
 * - open: each part of its tree is a member of its own.
 */
export type TreePhase = 'closed' | 'opening' | 'open';

const NO_MATRICES = /* @__PURE__ */ new Float64Array(0);

export class ChildState implements MemberOwner {
  readonly child: Object3D;
  /** Whether the user reports the changes of the child and its descendants. If not, updates find them. */
  isStatic: boolean;
  phase: TreePhase = 'closed';
  /** The parts of an open child, otherwise null. */
  tree: OpenTree | null = null;
  /** The child itself, or the parts of its tree. */
  members: readonly Member[] = [];
  /** The last world matrices of the members of an open tree, 16 numbers each; NaN if unknown. */
  matrices: Float64Array = NO_MATRICES;
  /** Index in the order of the children, see child-order.ts; -1 after the removal of the child. */
  order = -1;
  /** Whether the next update has to compute the matrices of the child, even if it is static. */
  isDue = true;
  /** Objects whose matrices the next update has to compute, even if three would not: the child, or descendants of it. */
  reported: Set<Object3D> | null = null;

  constructor(child: Object3D, isStatic: boolean) {
    this.child = child;
    this.isStatic = isStatic;
  }

  setMembers(members: readonly Member[]): void {
    this.members = members;
    this.matrices = this.phase === 'open' ? new Float64Array(members.length * MATRIX_STRIDE).fill(NaN) : NO_MATRICES;
  }

  /** Whether the child has been removed from the group. */
  get isRemoved(): boolean {
    return this.order < 0;
  }

  /** The member of the child itself. Null if the tree of the child is open and the child is a plain node of it (open-tree.ts). */
  get ownMember(): Member | null {
    const [first] = this.members;
    return first?.object === this.child ? first : null;
  }
}
