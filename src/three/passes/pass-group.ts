/** A Group that shows each render pass only the children that it can see. All other code finds a plain Group with all its children. */

import { Group, type Intersection, type Object3D, type Raycaster } from 'three';
import { withPasses } from './pass-container.ts';

export abstract class PassGroup extends withPasses(Group, 'OctreeGroup') {
  protected abstract override raycastChildren(raycaster: Raycaster, hits: Intersection[]): void;

  protected override allObjects(): Object3D[] {
    return this.disarm();
  }

  /**
   * Adds the hits that a plain Group gives. Adds only the nearest hit, and is faster, if `raycaster.firstHitOnly` is set, as in
   * three-mesh-bvh. Works before the first frame. A raycaster does not pass its `recursive` argument on, so the children are always tested.
   *
   * @returns False: the raycaster need not visit the children.
   * @throws {RangeError} If the ray has no direction.
   */
  override raycast(raycaster: Raycaster, hits: Intersection[]): false {
    // A raycaster tests the layers before it calls this method. An LOD calls it for its current level without that test, and the raycaster
    // visits the level later, as a child of the LOD: the hits must be added only once.
    const isCalledByLod = !this.takeArmed() && this.parent !== null && 'isLOD' in this.parent;
    if (!isCalledByLod) this.raycastChildren(raycaster, hits);
    return false;
  }

  /** As in three, for any number of children. The `clear` of three passes all children to one call, which fails at about 100,000, and shifts the array once per child. */
  override clear(): this {
    for (const child of this.disarm().splice(0)) {
      child.parent = null;
      child.dispatchEvent({ type: 'removed' });
      this.dispatchEvent({ type: 'childremoved', child });
    }
    return this;
  }
}
