/**
 * The interface through which picking reads a container, whether an OctreeGroup or an OctreeInstances, and the
 * validation of its arguments.
 */

import type { Intersection, Object3D, Raycaster } from 'three';
import { throwType } from '../../octree/input/input-checks.ts';
import type { FrustumLike } from '../../octree/input/query-shapes.ts';
import { describeObject } from '../bounds/object-kinds.ts';
import type { ElementLike } from './screen.ts';

/** A container whose objects can be picked: an OctreeGroup or an OctreeInstances. */
export interface Pickable extends Object3D {
  /**
   * In world units. The data of a body is an object, with all its descendants, or the id of an instance of the
   * container.
   */
  readonly octree: PickableOctree;
  /** Objects of the container that are not in its octree, each with all its descendants. */
  readonly unculled?: readonly Object3D[];
  /**
   * The nearest hit of the raycaster's ray, or null.
   */
  raycastFirst(raycaster: Raycaster, options?: RaycastOptions): Intersection | null;
}

/** The options of `raycastFirst` and `raycastAll`. */
export interface RaycastOptions<Filter = HitFilter> {
  /** Returns whether an object may be hit. A refused object does not hide the objects behind it. Default: all. */
  readonly filter?: Filter;
}

/** Returns whether an instance may be hit. An instance that is refused does not hide the instances behind it. */
export type InstanceFilter = (object: Object3D, instanceId: number, hit: Intersection) => boolean;

/** Returns whether a ray may hit an object. `instanceId` is set if the hit has one. */
export type HitFilter = (object: Object3D, instanceId: number | undefined, hit: Intersection) => boolean;

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

/**
 * Checks the arguments that `pick` and `pickWithin` share.
 *
 * @param kinds The kinds of cameras that are supported.
 */
export function requirePickArguments(
  where: string,
  camera: object,
  kinds: readonly string[],
  element: ElementLike,
  container: Pickable,
): void {
  requireView(where, camera, kinds, element);
  // `octree` is not read here: that may move every body.
  if (typeof (container as Pickable | null)?.raycastFirst === 'function' && 'octree' in container) return;
  const what = `${where}: container must be an OctreeGroup or an OctreeInstances, but is ${describeObject(container)}`;
  throw new TypeError(`${what}; add the objects to one, or use the Raycaster of three.`);
}

/** Checks the camera, of one of some kinds, and the element that shows its image. */
export function requireView(where: string, camera: object, kinds: readonly string[], element: ElementLike): void {
  if (!kinds.some((kind) => (camera as Partial<Record<string, unknown>> | null)?.[`is${kind}`])) {
    const what = `${where}: camera must be a ${kinds.join(' or an ')}, but is ${describeObject(camera)}`;
    throw new TypeError(`${what}; pass the camera that renders the element.`);
  }
  if (typeof (element as ElementLike | null)?.getBoundingClientRect !== 'function')
    throwType(where, 'element', 'have a getBoundingClientRect', element, 'pass renderer.domElement');
}
