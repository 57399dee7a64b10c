/**
 * The record of a member: an object that a group draws or culls as a whole, with all its descendants. It is a child of
 * the group, or a part of a child whose tree is opened. README.md has the table of its states.
 */

import type { Object3D } from 'three';
import type { Body } from '../../three-math/octree.ts';
import { hasPlainMatrices, isHitWithinBounds } from '../bounds/object-traits.ts';
import type { BoundsSource, ObjectSource } from './bounds-source.ts';
import type { Compound } from './compound.ts';
import type { OpenTree } from './open-tree.ts';

/**
 * What passes do with a member. `new`: they draw it, and the next update computes its bounds. `culled`: it has a body.
 * `unculled`: it has no bounds, so they draw it. `opened`: a child that only holds its parts. `gone`: removed.
 */
export type BoundsState = 'new' | 'culled' | 'unculled' | 'opened' | 'gone';
/**
 * What an update does with a child. `visited`: it looks at it. `compared`: it looks at it if its numbers differ from
 * those of the last update. `reported`: static, compared in turn.
 */
export type WatchState = 'visited' | 'compared' | 'reported';

export class Member {
  readonly object: Object3D;
  /** The record of the child of the group at or above the object. */
  readonly owner: Member;
  /** Written by MemberBodies and GroupChildren only. */
  bounds: BoundsState = 'new';
  /** Of a child; of a part the nodes of its tree tell. Written by ChildOrder only. */
  watch: WatchState = 'visited';
  /** Whether the user reports the changes of the object and its descendants. If not, updates find them. */
  isStatic: boolean;
  /** Index in the traversal order of the group, see ordered-members.ts; -1 if no pass can see it. */
  order = -1;
  /** Index in the order of the children, see child-order.ts; -1 of a part, and after its removal. */
  childOrder = -1;
  /** Index in the nodes of the opened tree, if it is a part of one. */
  node = -1;

  // Of a child only.
  /** Its opened tree; null if the child, with all its descendants, is one member. */
  tree: OpenTree<Member> | null = null;
  /** The parts of the opened tree. */
  parts: readonly Member[] | null = null;
  /** Whether the next update has to compute its matrices, even if it is static. */
  isDue = true;
  /** Objects of it whose matrices the next update has to compute, even if three would not. */
  reported: Set<Object3D> | null = null;
  /** Number of the last pass whose matrices are kept; see traversal-effects.ts. */
  keptInPass = 0;

  /** Whether its place, or an object that it consists of, differs from that of its bounds. */
  hasMoved = false;
  /** Null unless culled. */
  body: Body<Object3D> | null = null;
  /** The objects that the bounds of the body come from, if they come from more than one geometry. */
  compound: Compound | null = null;
  /** The source of the bounds of the body, if they come from the object alone. */
  source: ObjectSource | null = null;
  /** The source that is watched for this member, by either detector; see detector/change-detector.ts. */
  watchedSource: BoundsSource | null = null;
  /** Of an unculled member: number of updates between two attempts to find bounds, and the update of the next one. */
  retryInterval = 0;
  retryUpdate = 0;

  /** @param owner Null for a child. */
  constructor(object: Object3D, owner: Member | null, isStatic: boolean) {
    this.object = object;
    this.owner = owner ?? this;
    this.isStatic = isStatic;
  }

  /** The child of the group at or above the object. */
  get child(): Object3D {
    return this.owner.object;
  }

  /** Whether the object is a descendant of the child, and not the child itself. */
  get isDescendant(): boolean {
    return this.owner !== this;
  }

  /** Of a child: itself, or the parts of its opened tree. */
  get members(): readonly Member[] {
    return this.parts ?? [this];
  }

  /** Whether a child is static, with all its descendants. */
  get isAllStatic(): boolean {
    return this.tree === null ? this.isStatic : this.tree.watchedCount === 0;
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
    const { child } = this;
    for (let node: Object3D | null = this.object; node !== null; node = node === child ? null : node.parent)
      if (!hasPlainMatrices(node)) return false;
    return this.compound?.followsParent ?? true;
  }

  /** Whether an ancestor, up to the child, is invisible. The renderer tests the object itself. */
  get hasHiddenAncestor(): boolean {
    const { child } = this;
    for (let node = this.object; node !== child && node.parent !== null;) {
      node = node.parent;
      if (!node.visible) return true;
    }
    return false;
  }
}
