/**
 * What a group keeps of its children: the state of each child (whether it is static, its members, what the next update
 * has to do with it), and the members, which it draws or culls as a whole.
 */

import type { Object3D } from 'three';
import type { Body } from '../../three-math/octree.ts';
import { hasPlainMatrices, isHitWithinBounds } from '../bounds/object-traits.ts';
import type { BoundsSource, ObjectSource } from './bounds-source.ts';
import type { Compound } from './compound.ts';
import type { OpenTree } from './open-tree.ts';

/** The state of one child of a group: whether it is static, its members, and what the next update has to do with it. */
export class ChildState {
  readonly child: Object3D;
  /** Whether the user reports the changes of the child, and of what is added to its tree. If not, updates find them. */
  isStatic: boolean;
  /** The parts of an open child; null if the child, with all its descendants, is one member. */
  tree: OpenTree<Member> | null = null;
  /** The child itself, or the parts of its tree. */
  members: readonly Member[] = [];
  /** Index in the order of the children, see child-order.ts; -1 after the removal of the child. */
  order = -1;
  /** Whether the next update has to compute the matrices of the child, even if it is static. */
  isDue = true;
  /**
   * Objects whose matrices the next update has to compute, even if three would not: the child, or descendants of it.
   */
  reported: Set<Object3D> | null = null;
  /** Number of the last pass whose matrices are kept; see traversal-effects.ts. */
  keptInPass = 0;

  constructor(child: Object3D, isStatic: boolean) {
    this.child = child;
    this.isStatic = isStatic;
  }

  /** Whether updates pass over the child: it is static, with all its descendants. */
  get isPassedOver(): boolean {
    return this.tree === null ? this.isStatic : this.tree.watchedCount === 0;
  }

  /** Whether the child has been removed from the group. */
  get isRemoved(): boolean {
    return this.order < 0;
  }

  /**
   * The member of the child itself. Null if the tree of the child is open and the child is a plain node of it
   * (open-tree.ts).
   */
  get ownMember(): Member | null {
    const [first] = this.members;
    return first?.object === this.child ? first : null;
  }
}

/**
 * One object that a group draws or culls as a whole, with all its descendants: a child of the group, or a part of an
 * opened tree.
 */
export class Member {
  readonly object: Object3D;
  /** The state of its child: the child of the group at or above its object. */
  readonly owner: ChildState;
  /** Whether the user reports the changes of the object and its descendants. If not, updates find them. */
  isStatic: boolean;
  /** Index in the traversal order of the group, see ordered-members.ts; -1 after its removal. */
  order = -1;
  /** Null for an unculled member, and before the first update. */
  body: Body<Object3D> | null = null;
  /** The objects that the bounds of the body come from, if they come from more than one geometry. */
  compound: Compound | null = null;
  /** Number of updates between two attempts to find bounds; see unculled-members.ts. */
  retryInterval = 0;
  /** The source of the bounds of the body, if they come from the object alone. */
  source: ObjectSource | null = null;
  /**
   * The address of its slot in what draws it in place of the renderer, see member-drawing.ts; -1 if the renderer draws
   * it.
   */
  slotAddress = -1;
  /** The source that is watched for this member, by either detector; see detector/change-detector.ts. */
  watchedSource: BoundsSource | null = null;

  constructor(object: Object3D, owner: ChildState, isStatic: boolean) {
    this.object = object;
    this.owner = owner;
    this.isStatic = isStatic;
  }

  /** The child of the group at or above the object. */
  get child(): Object3D {
    return this.owner.child;
  }

  /** Whether the object is a descendant of the child, and not the child itself. */
  get isDescendant(): boolean {
    return this.object !== this.owner.child;
  }

  /** The source of the bounds of the body. */
  get boundsSource(): BoundsSource | null {
    return this.compound ?? this.source;
  }

  /** Whether the bounds still come from the object alone, and from the same geometry and material. */
  get matchesSource(): boolean {
    const { object, source } = this;
    return object.frustumCulled && object.children.length === 0 && source !== null && source.matches(object);
  }

  /**
   * Whether the source of the bounds is unchanged. Compares more than `matchesSource`: also materials for shadow maps,
   * and callbacks.
   */
  get isUpToDate(): boolean {
    const { compound, source, object } = this;
    return compound === null ? source !== null && source.isUpToDate(object) : compound.isUpToDate;
  }

  /** Whether a ray that misses the bounds cannot hit the object, or any object of its compound. */
  get isHitWithinBounds(): boolean {
    return this.compound?.isHitWithinBounds ?? isHitWithinBounds(this.object);
  }

  /** Whether its world matrix is that of the group times the local matrices in between, of each object drawn in it. */
  get followsGroup(): boolean {
    const { child } = this.owner;
    for (let node: Object3D | null = this.object; node !== null; node = node === child ? null : node.parent)
      if (!hasPlainMatrices(node)) return false;
    return this.compound?.followsParent ?? true;
  }

  /** Whether an ancestor, up to the child, is invisible. The renderer tests the object itself. */
  get hasHiddenAncestor(): boolean {
    const { child } = this.owner;
    for (let node = this.object; node !== child && node.parent !== null;) {
      node = node.parent;
      if (!node.visible) return true;
    }
    return false;
  }
}
