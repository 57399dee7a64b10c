/** The levels of detail of what a pass has left out: renderers choose them on their way through the scene, but not for shadow maps. */

import type { Camera, Object3D } from 'three';
import { hasLod } from '../bounds/object-traits.ts';

/** Chooses the levels in and below an object, as WebGLRenderer does in the pass of the camera whose picture the shadows are for. */
export function chooseLevels(object: Object3D, camera: Camera): void {
  if (!object.visible) return;
  if (hasLod(object) && object.autoUpdate && object.layers.test(camera.layers)) object.update(camera);
  for (const child of object.children) chooseLevels(child, camera);
}
