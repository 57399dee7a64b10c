/** The interface through which picking reads a container, whether an OctreeGroup or an OctreeInstances. */

import type { Intersection, Object3D, Raycaster } from 'three';
import type { FrustumLike } from '../../octree/input/query-shapes.ts';

/** A container whose objects can be picked: an OctreeGroup or an OctreeInstances. */
export interface Pickable extends Object3D {
  /** In world units. The data of a body is an object, with all its descendants, or the id of an instance of the container. */
  readonly octree: PickableOctree;
  /** Objects of the container that are not in its octree, each with all its descendants. */
  readonly unculled?: readonly Object3D[];
  /**
   * The nearest hit of the raycaster's ray, or null.
   *
   * @param filter Returns whether an object may be hit. A refused object does not hide the objects behind it.
   */
  raycastFirst(raycaster: Raycaster, filter?: (object: Object3D) => boolean): Intersection | null;
}

/** The query of an octree that picking uses. */
export interface PickableOctree {
  intersectFrustum(frustum: FrustumLike, options?: { readonly exact?: boolean }): readonly FrustumRecord[];
}

interface FrustumRecord {
  readonly body: { readonly data: Object3D | number };
  readonly inside: boolean;
}

/** Whether an object and all its ancestors are visible. */
export function isShown(object: Object3D): boolean {
  for (let node: Object3D | null = object; node !== null; node = node.parent) if (!node.visible) return false;
  return true;
}
