/**
 * Chooses the levels of detail of objects in a shadow map. A renderer chooses levels for the objects that it traverses in a camera pass, but
 * chooses none in a shadow pass. So an object that the camera pass has culled would cast the shadow of an old level.
 */

import type { Camera, Object3D } from 'three';
import { isLod } from '../bounds/object-traits.ts';

/** Chooses the levels of an object and its descendants, as WebGLRenderer does in the pass of the camera. */
export function chooseLevels(object: Object3D, camera: Camera): void {
  if (!object.visible) return;
  if (isLod(object) && object.autoUpdate && object.layers.test(camera.layers)) object.update(camera);
  for (const child of object.children) chooseLevels(child, camera);
}
