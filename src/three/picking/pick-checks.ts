/** Input validation of `pick` and `pickWithin`. */

import type { Camera } from 'three';
import { describe, requireBoolean, requireObject } from '../../octree/input/input-checks.ts';
import { requireKnownOptions, type KnownOptions } from '../../octree/input/known-options.ts';
import { describeObject } from '../bounds/object-names.ts';
import type { Pickable } from './pickable.ts';
import type { ElementLike } from './pointer.ts';

const CAMERA_REMEDY = 'pass the camera that renders the element';

export function requireCamera(where: string, camera: Camera): void {
  if ((camera as Camera | null)?.isCamera === true) return;
  throw new TypeError(`${where}: camera must be a Camera, but is ${describeObject(camera)}; ${CAMERA_REMEDY}.`);
}

/** Requires a camera that `Raycaster.setFromCamera` supports. */
export function requireRaycastCamera(where: string, camera: Camera): void {
  if (camera !== null && typeof camera === 'object' && ('isPerspectiveCamera' in camera || 'isOrthographicCamera' in camera)) return;
  throw new TypeError(`${where}: camera must be a PerspectiveCamera or an OrthographicCamera, but is ${describeObject(camera)}; ${CAMERA_REMEDY}.`);
}

export function requireElement(where: string, element: ElementLike): void {
  if (typeof (element as ElementLike | null)?.getBoundingClientRect === 'function') return;
  throw new TypeError(`${where}: element must have a getBoundingClientRect, but is ${describe(element)}; pass renderer.domElement.`);
}

export function requireContainer(where: string, container: Pickable): void {
  // `octree` is not read here: that may move every body.
  if (typeof (container as Pickable | null)?.raycastFirst === 'function' && 'octree' in container) return;
  const what = `${where}: container must be an OctreeGroup or an OctreeInstances, but is ${describeObject(container)}`;
  throw new TypeError(`${what}; add the objects to one, or use the Raycaster of three.`);
}

/**
 * @param known The names of all options.
 * @param fields Those that must be booleans.
 */
export function requirePickOptions<O extends object>(where: string, options: O, known: KnownOptions, fields: readonly (keyof O & string)[]): void {
  requireObject(where, 'options', options, 'leave it out if unsure');
  requireKnownOptions(where, options, known);
  for (const field of fields) requireBoolean(where, `options.${field}`, options[field]);
}
