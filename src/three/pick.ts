/** What is under the mouse or a finger. */

import { Raycaster, Vector2, type Camera, type Intersection, type Object3D } from 'three';
import { describe } from '../scene/checks.ts';
import type { OctreeGroup } from './octree-group.ts';

/** A mouse or pointer event, a Touch, or anything else with a place in the window, in CSS pixels. */
export interface PointerLike {
  readonly clientX: number;
  readonly clientY: number;
}

/** The canvas, or the part of the page that the camera fills. */
export interface ElementLike {
  getBoundingClientRect(): { readonly left: number; readonly top: number; readonly width: number; readonly height: number };
}

export interface PickOptions {
  /** Whether hidden objects can be picked; three's own raycaster hits them. Default false. */
  readonly includesHidden?: boolean;
  /** Brings thresholds for lines and points, near and far; its ray, camera and layers are overwritten. */
  readonly raycaster?: Raycaster;
}

/**
 * The nearest object of a group under a pointer, triangle-exact, on the layers that the camera sees; null if there is none, or the
 * pointer is beside the element. The matrices of the camera must be up to date, as they are after a frame.
 *
 * @param camera A PerspectiveCamera or an OrthographicCamera.
 * @throws {RangeError} If the place of the pointer is not finite.
 */
export function pick(pointer: PointerLike, camera: Camera, element: ElementLike, group: OctreeGroup, options: PickOptions = {}): Intersection | null {
  const { includesHidden = false, raycaster = new Raycaster() } = options;
  const { clientX, clientY } = pointer;
  if (!Number.isFinite(clientX) || !Number.isFinite(clientY)) {
    throw new RangeError(`pick: pointer must have a finite clientX and clientY, but has ${describe(clientX)} and ${describe(clientY)}; pass the event, or one of its touches.`);
  }
  const { left, top, width, height } = element.getBoundingClientRect();
  const x = (2 * (clientX - left)) / width - 1;
  const y = 1 - (2 * (clientY - top)) / height;
  // An element without a size makes these NaN or infinite.
  if (!(Math.abs(x) <= 1 && Math.abs(y) <= 1)) return null;
  raycaster.setFromCamera(new Vector2(x, y), camera);
  raycaster.layers.mask = camera.layers.mask;
  return group.raycastFirst(raycaster, includesHidden ? undefined : isShown);
}

/** Whether an object and all its parents are visible. */
function isShown(object: Object3D): boolean {
  for (let node: Object3D | null = object; node !== null; node = node.parent) if (!node.visible) return false;
  return true;
}
