/** One object that a group draws or culls as a whole, with all its descendants: a child of the group, or a part of an opened tree. */

import type { Object3D } from 'three';
import type { Body } from '../../three-math/octree.ts';
import { isHitWithinBounds } from '../bounds/object-traits.ts';
import type { Compound } from './compound.ts';
import type { BoundsSource, ObjectSource } from './bounds-source.ts';

/** What a member reads of its child: the child of the group at or above its object. */
export interface MemberOwner {
  readonly child: Object3D;
  readonly isStatic: boolean;
  /** Whether its matrices are still to be computed. */
  readonly isDue: boolean;
}

export class Member {
  readonly object: Object3D;
  readonly owner: MemberOwner;
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
  /** Index in rare-change-watch.ts; -1 outside it. */
  rareChangeIndex = -1;
  /** The source that is watched for this member; see source-watch.ts. */
  watchedSource: BoundsSource | null = null;

  constructor(object: Object3D, owner: MemberOwner) {
    this.object = object;
    this.owner = owner;
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

  /** Whether the source of the bounds is unchanged. Compares more than `matchesSource`: also materials for shadow maps, and callbacks. */
  get isUpToDate(): boolean {
    const { compound, source, object } = this;
    return compound === null ? source !== null && source.isUpToDate(object) : compound.isUpToDate;
  }

  /** Whether a ray that misses the bounds cannot hit the object, or any object of its compound. */
  get isHitWithinBounds(): boolean {
    return this.compound?.isHitWithinBounds ?? isHitWithinBounds(this.object);
  }

  /** Whether an ancestor, up to the child, is invisible. The renderer tests the object itself. */
  get hasHiddenAncestor(): boolean {
    const { child } = this.owner;
    for (let node = this.object; node !== child && node.parent !== null; ) {
      node = node.parent;
      if (!node.visible) return true;
    }
    return false;
  }
}
