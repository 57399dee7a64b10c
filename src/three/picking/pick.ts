/** What is under the mouse or a finger. */

import { Raycaster, type Camera, type Intersection } from 'three';
import { requireRaycastCamera, requireContainer, requireElement, requireOptions } from './pick-checks.ts';
import { isShown, type Pickable } from './pickable.ts';
import { deviceCoordinatesOf, type ElementLike, type PointerLike } from './pointer.ts';
import { requireRaycaster } from './raycast-checks.ts';

export interface PickOptions {
  /** Whether hidden objects can be picked; three's own raycaster hits them. Default false. */
  readonly includesHidden?: boolean;
  /** Brings thresholds for lines and points, near and far; its ray, camera and layers are overwritten. */
  readonly raycaster?: Raycaster;
}

/**
 * The nearest object of a container under a pointer, triangle-exact, on the layers that the camera sees; null if there is none, or the
 * pointer is beside the element. The matrices of the camera must be up to date, as they are after a frame.
 *
 * @param camera A PerspectiveCamera or an OrthographicCamera.
 * @throws {TypeError} If the container is none whose octree can be asked, or another argument is not what it should be.
 * @throws {RangeError} If the place of the pointer is not finite.
 */
export function pick(pointer: PointerLike, camera: Camera, element: ElementLike, container: Pickable, options: PickOptions = {}): Intersection | null {
  requireRaycastCamera('pick', camera);
  requireElement('pick', element);
  requireContainer('pick', container);
  requireOptions('pick', options, ['includesHidden']);
  const { includesHidden = false, raycaster = new Raycaster() } = options;
  requireRaycaster('pick', 'options.raycaster', raycaster, 'leave it out if unsure');
  const place = deviceCoordinatesOf('pick', 'pointer', pointer, element);
  // An element without a size makes these NaN or infinite.
  if (!(Math.abs(place.x) <= 1 && Math.abs(place.y) <= 1)) return null;
  raycaster.setFromCamera(place, camera);
  raycaster.layers.mask = camera.layers.mask;
  return container.raycastFirst(raycaster, includesHidden ? undefined : isShown);
}
