/** The question of every render pass: which members may a frustum see? */

import type { Frustum, FrustumArray, Object3D, Plane } from 'three';
import { IndexList } from '../tree/index-list.ts';
import type { ChildIndex } from './child-index.ts';

export class SeenMembers {
  private readonly index: ChildIndex;
  private readonly bodies = new IndexList();

  constructor(index: ChildIndex) {
    this.index = index;
  }

  /**
   * Objects that a frustum may see, in the order of a traversal, in a fresh array: those whose bounds touch it, those without bounds and
   * those whose new bounds are not taken yet. Null stands for all, where the frustum cannot be read.
   */
  in(frustum: Frustum | FrustumArray): Object3D[] | null {
    const { index } = this;
    const frusta = frustaOf(frustum);
    if (!frusta.every(({ planes }) => planes.every(isReadable))) return null;
    index.order();
    for (const part of frusta) {
      index.octree.collectFrustum(index.space.frustumOf(part), this.bodies);
      index.roll.markBodies(this.bodies.array, this.bodies.length);
    }
    for (const member of index.loose) index.roll.mark(member);
    for (const member of index.waiting) index.roll.mark(member);
    return index.roll.takeMarked();
  }
}

/** The frusta of an array of cameras; some that are not in use any more may follow: they show too much, and the renderer decides. */
function frustaOf(frustum: Frustum | FrustumArray): Frustum[] {
  if ('planes' in frustum) return [frustum];
  const frusta: Frustum[] = [];
  for (let part = frustum.getFrustum(0); part !== undefined; part = frustum.getFrustum(frusta.length)) frusta.push(part);
  return frusta;
}

/** A plane of an infinite far has no direction and a constant of Infinity; any other that is not finite comes from a broken camera. */
function isReadable({ normal, constant }: Plane): boolean {
  const lengthSq = normal.x * normal.x + normal.y * normal.y + normal.z * normal.z;
  return lengthSq > 0 ? Number.isFinite(lengthSq) && Number.isFinite(constant) : constant === Infinity;
}
