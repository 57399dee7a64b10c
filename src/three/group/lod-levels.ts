/** Levels of detail of objects that the pass of the camera culled. Renderers choose levels while they traverse the scene, but not for shadow maps. */

import type { Camera, Object3D } from 'three';
import { hasLod } from '../bounds/object-traits.ts';

/** Chooses the levels of an object and its descendants, as WebGLRenderer does in the pass of the camera. */
export function chooseLevels(object: Object3D, camera: Camera): void {
  if (!object.visible) return;
  if (hasLod(object) && object.autoUpdate && object.layers.test(camera.layers)) object.update(camera);
  for (const child of object.children) chooseLevels(child, camera);
}
