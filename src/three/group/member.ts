/** One object that a group shows or leaves out: a child of it, or a part of an opened tree. */

import type { BufferGeometry, Object3D } from 'three';
import type { Body } from '../../scene/body.ts';
import type { Compound } from './compound.ts';
import { isHitWithinBounds } from '../bounds/object-traits.ts';
import type { WatchList } from './watch-list.ts';

export class Member {
  readonly object: Object3D;
  /** The child of the group that it is, or is below. */
  readonly child: Object3D;
  /** Place in the roll. */
  order = 0;
  /** Null as long as the object is always shown. */
  body: Body<Object3D> | null = null;
  /** What the body's bounds were taken from, if it is more than one geometry. */
  compound: Compound | null = null;
  /** Updates to wait before looking again for bounds of a loose member. */
  retryInterval = 0;
  /** Geometry that the body's bounds were taken from. */
  geometry: BufferGeometry | null = null;
  /** Geometries that are watched for it. */
  watchedGeometries: BufferGeometry | readonly BufferGeometry[] | null = null;
  /** Where it is watched for moves, and its place there; null and -1 if it is not. */
  watch: WatchList | null = null;
  place = -1;

  constructor(object: Object3D, child: Object3D) {
    this.object = object;
    this.child = child;
  }

  get isDeep(): boolean {
    return this.object !== this.child;
  }

  /** Whether a ray that misses its bounds cannot hit it. */
  get isHitWithinBounds(): boolean {
    return isHitWithinBounds(this.object);
  }

  /** Whether something above it, up to the child, is hidden; the renderer asks the object itself. */
  get isHidden(): boolean {
    for (let node = this.object; node !== this.child && node.parent !== null; ) {
      node = node.parent;
      if (!node.visible) return true;
    }
    return false;
  }
}
