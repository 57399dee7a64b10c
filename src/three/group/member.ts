/** One object that a group draws or culls as a whole, with all its descendants: a child of the group, or a part of an opened tree. */

import type { BufferGeometry, Object3D } from 'three';
import type { Body } from '../../main/octree.ts';
import { isHitWithinBounds } from '../bounds/object-traits.ts';
import type { ChildState } from './child-state.ts';
import type { Compound } from './compound.ts';

/** A list that stores members at an index. */
export interface MemberList {
  remove(member: Member): void;
}

export class Member {
  readonly object: Object3D;
  /** State of the child that the object is, or is a descendant of. */
  readonly childState: ChildState;
  /** Position in the traversal order of the group; see ordered-members.ts. */
  order = 0;
  /** Null for an unculled member, and before the first update. */
  body: Body<Object3D> | null = null;
  /** The objects that the bounds of the body come from, if they come from more than one geometry. */
  compound: Compound | null = null;
  /** Number of updates between two attempts to find bounds; see unculled-members.ts. */
  retryInterval = 0;
  /** Geometry that the bounds of the body come from. */
  geometry: BufferGeometry | null = null;
  /** Geometries that are watched for this member. */
  watchedGeometries: BufferGeometry | readonly BufferGeometry[] | null = null;
  /** The list that watches the member for moves, and its index there; null and -1 if none does. */
  watchList: MemberList | null = null;
  watchIndex = -1;

  constructor(object: Object3D, childState: ChildState) {
    this.object = object;
    this.childState = childState;
  }

  /** The child of the group that the object is, or is a descendant of. */
  get child(): Object3D {
    return this.childState.child;
  }

  /** Whether the object is a descendant of the child, and not the child itself. */
  get isDescendant(): boolean {
    return this.object !== this.childState.child;
  }

  /** Whether a ray that misses the bounds cannot hit the object. */
  get isHitWithinBounds(): boolean {
    return isHitWithinBounds(this.object);
  }

  /** Whether an ancestor, up to the child, is invisible. The renderer tests the object itself. */
  get hasHiddenAncestor(): boolean {
    const { child } = this.childState;
    for (let node = this.object; node !== child && node.parent !== null; ) {
      node = node.parent;
      if (!node.visible) return true;
    }
    return false;
  }
}
