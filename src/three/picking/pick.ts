/** `pick`: the nearest object under the mouse or a finger. */

import { Raycaster, type Camera, type Intersection } from 'three';
import { requireBoolean, requireFunction } from '../../octree/input/input-checks.ts';
import { requireOptions, type KnownOptions } from '../../octree/input/known-options.ts';
import { isHitClipped, requireRenderer, type ClippingRenderer } from './clipping.ts';
import { isShown, requirePickArguments, type HitFilter, type Pickable } from './pickable.ts';
import { ElementImage } from './element-image.ts';
import { requirePointer, type ElementLike, type PointerLike } from './screen.ts';
import { requireRaycaster, wantsFirstHitOnly } from './raycast-checks.ts';

/** The options of `pick`. */
export interface PickOptions {
  /**
   * Returns whether an object may be hit, as for `raycastFirst`: what it refuses does not hide what is behind. It is
   * not asked about hits that the other options leave out. With a raycaster that has `firstHitOnly`, a refused hit
   * costs a second ray, for which it is asked again. Default: all.
   */
  readonly filter?: HitFilter;
  /** Whether hidden objects can be picked, as with the Raycaster of three. Default false. */
  readonly includesHidden?: boolean;
  /**
   * Supplies thresholds for lines and points, near and far. Its ray, camera and layers are overwritten. Default: a new
   * Raycaster.
   */
  readonly raycaster?: Raycaster;
  /**
   * The renderer that draws the element: hits that its clipping planes cut away are left out. Without it those of the
   * `clippingPlanes` of materials and of ClippingGroups are.
   */
  readonly renderer?: ClippingRenderer;
}

/** `Raycaster.setFromCamera` supports these. */
const RAYCAST_CAMERAS = ['PerspectiveCamera', 'OrthographicCamera'];
const PICK_OPTIONS: KnownOptions<PickOptions> = ['filter', 'includesHidden', 'raycaster', 'renderer'];

/**
 * The nearest hit under a pointer, tested against triangles. Objects that share no layer with the camera are not hit.
 * Null if nothing is hit or the pointer is outside the element. The matrices of the camera must be up to date, as they
 * are after a frame. A hit on a part that clipping planes cut away is left out, and the next one counts. For an
 * OctreeInstances these are the planes of its own material, not of those of its levels.
 *
 * Cost: one nearest-first ray query, and triangle tests only of the objects whose bounds the ray enters before the
 * nearest hit.
 *
 * @param pointer A mouse or pointer event, or a Touch.
 * @param camera A PerspectiveCamera or an OrthographicCamera.
 * @param element The canvas, or another element that shows the whole image of the camera.
 * @param container The `OctreeGroup` or `OctreeInstances` that is searched.
 * @param options See `PickOptions`.
 * @throws {TypeError} If the container is not an OctreeGroup or an OctreeInstances, or another argument is of the wrong
 *   type, or an option is unknown.
 * @throws {RangeError} If the position of the pointer is not finite.
 *
 * @example
 * ```ts
 * import { OctreeGroup, pick } from 'scene-octree/three';
 *
 * const group = new OctreeGroup();
 * canvas.addEventListener('pointermove', (event) => {
 *   const hit = pick(event, camera, canvas, group);
 *   canvas.style.cursor = hit === null ? 'default' : 'pointer';
 * });
 * ```
 */
export function pick(
  pointer: PointerLike,
  camera: Camera,
  element: ElementLike,
  container: Pickable,
  options: PickOptions = {},
): Intersection | null {
  requirePickArguments('pick', camera, RAYCAST_CAMERAS, element, container);
  requireOptions('pick', options, PICK_OPTIONS);
  const { filter: accepts, includesHidden = false, raycaster = new Raycaster(), renderer } = options;
  requireFunction('pick', 'options.filter', accepts);
  requireBoolean('pick', 'options.includesHidden', includesHidden);
  requireRaycaster('pick', 'options.raycaster', raycaster, 'leave it out if unsure');
  requireRenderer('pick', renderer);
  requirePointer('pick', 'pointer', pointer);
  const image = new ElementImage(element);
  const position = image.coordinatesOf(pointer);
  if (!image.shows(position)) return null;
  raycaster.setFromCamera(position, camera);
  raycaster.layers.mask = camera.layers.mask;
  let isAnyRefused = false;
  const filter: HitFilter = (object, instanceId, hit) => {
    if (!includesHidden && !isShown(object)) return false;
    const isFine = !isHitClipped(hit, renderer) && (accepts === undefined || accepts(object, instanceId, hit));
    isAnyRefused ||= !isFine;
    return isFine;
  };
  const first = container.raycastFirst(raycaster, { filter });
  if (!isAnyRefused || !wantsFirstHitOnly(raycaster)) return first;
  // The nearest hit of an object is refused, and the raycaster has left out its other hits.
  Object.assign(raycaster, { firstHitOnly: false });
  try {
    return container.raycastFirst(raycaster, { filter });
  } finally {
    Object.assign(raycaster, { firstHitOnly: true });
  }
}
