/** The question of every render pass: which members may a frustum see? */

import type { Frustum, FrustumArray, Plane } from 'three';
import { IndexList } from '../tree/index-list.ts';
import type { ChildIndex } from './child-index.ts';
import type { Member } from './member.ts';

export class SeenMembers {
  private readonly index: ChildIndex;
  private readonly bodies = new IndexList();

  constructor(index: ChildIndex) {
    this.index = index;
  }

  /**
   * Members that a frustum may see, in the order of the children, in a fresh array: those whose bounds touch it, those without bounds
   * and those whose new bounds are not taken yet. Null stands for all, where the frustum cannot be read.
   */
  in(frustum: Frustum | FrustumArray): Member[] | null {
    const { index } = this;
    const stamp = index.nextStamp();
    const seen: Member[] = [];
    if ('planes' in frustum) {
      if (!this.collect(frustum, stamp, seen)) return null;
    } else {
      // Frusta that are not in use any more may follow: they show too much, and the renderer then decides.
      for (let k = 0, part = frustum.getFrustum(0); part !== undefined; part = frustum.getFrustum(++k)) {
        if (!this.collect(part, stamp, seen)) return null;
      }
    }
    for (const member of index.loose) take(member, stamp, seen);
    for (const member of index.waiting) take(member, stamp, seen);
    return index.sort(seen);
  }

  private collect(frustum: Frustum, stamp: number, seen: Member[]): boolean {
    const { index, bodies } = this;
    if (!frustum.planes.every(isReadable)) return false;
    index.octree.collectFrustum(frustum, bodies);
    for (let k = 0; k < bodies.length; k++) take(index.memberAt(bodies.array[k]), stamp, seen);
    return true;
  }
}

function take(member: Member, stamp: number, seen: Member[]): void {
  if (member.stamp === stamp) return;
  member.stamp = stamp;
  seen.push(member);
}

/** A plane of an infinite far has no direction and a constant of Infinity; any other that is not finite comes from a broken camera. */
function isReadable({ normal, constant }: Plane): boolean {
  const lengthSq = normal.x * normal.x + normal.y * normal.y + normal.z * normal.z;
  return lengthSq > 0 ? Number.isFinite(lengthSq) && Number.isFinite(constant) : constant === Infinity;
}
