/** What picking asks of a container, so that it takes all of them alike. */

import type { Intersection, Object3D, Raycaster } from 'three';
import type { FrustumLike } from '../../scene/shapes.ts';

/** A container whose objects can be picked: an OctreeGroup or an OctreeInstances. */
export interface Pickable extends Object3D {
  /** QueryRunner in world units. The data of a body is the object itself, with all that is below it, or the number of an instance of the container. */
  readonly octree: PickableOctree;
  /** Objects of the container that its octree does not hold; with what is below them. */
  readonly unbounded?: readonly Object3D[];
  /** @param filter Whether an object may be hit; what it refuses does not hide what is behind. */
  raycastFirst(raycaster: Raycaster, filter?: (object: Object3D) => boolean): Intersection | null;
}

/** The part of an octree that a rectangle on the screen asks. */
export interface PickableOctree {
  intersectFrustum(frustum: FrustumLike, options?: { readonly exact?: boolean }): readonly VolumeRecord[];
}

interface VolumeRecord {
  readonly body: { readonly data: Object3D | number };
  readonly inside: boolean;
}

/** Whether an object and all its parents are visible. */
export function isShown(object: Object3D): boolean {
  for (let node: Object3D | null = object; node !== null; node = node.parent) if (!node.visible) return false;
  return true;
}
