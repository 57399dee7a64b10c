/** The question of every render pass: which members may a frustum see? */

import type { Frustum, FrustumArray, Object3D } from 'three';
import { IndexList } from '../../tree/storage/index-list.ts';
import type { ChildIndex } from './child-index.ts';
import { frustaOf, isValidFrustum } from '../passes/frusta.ts';

export class VisibleMembers {
  private readonly index: ChildIndex;
  private readonly bodies = new IndexList();
  /** Nobody asks for it; but if nothing came of reading ahead, a compiler might leave that out. */
  trace = 0;

  constructor(index: ChildIndex) {
    this.index = index;
  }

  /**
   * Objects that a frustum may see, in the order of a traversal, in a fresh array: those whose bounds touch it, those without bounds and
   * those whose new bounds are not taken yet. Null stands for all, where the frustum cannot be read.
   *
   * @param isContained Whether trees that were opened are shown as a whole.
   */
  in(frustum: Frustum | FrustumArray, isContained: boolean): Object3D[] | null {
    const { index } = this;
    const frusta = frustaOf(frustum);
    if (!frusta.every(isValidFrustum)) return null;
    index.order();
    for (const part of frusta) {
      index.bodies.octree.collectFrustum(index.bodies.space.frustumOf(part), this.bodies);
      index.bodies.roll.markBodies(this.bodies.array, this.bodies.length);
    }
    for (const member of index.bodies.loose) index.bodies.roll.mark(member);
    for (const member of index.waiting) index.bodies.roll.mark(member);
    const seen = index.bodies.roll.takeMarked(isContained);
    this.trace = readAhead(seen);
    return seen;
  }
}

/**
 * What a pass sees lies anywhere in memory. A renderer comes by one object after the other and waits for each; a short loop waits for
 * many at once, and then the renderer finds them near. That takes a tenth to a fifth off the whole frame.
 *
 * @returns A number that depends on all that was read.
 */
function readAhead(objects: readonly Object3D[]): number {
  let sum = 0;
  for (const { matrixWorld } of objects) sum += matrixWorld.elements[0];
  return sum;
}
