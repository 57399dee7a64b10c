/** Which passes of WebGPURenderer draw shadow maps. */

import type { Object3D, Scene } from 'three';

/** Whether WebGPURenderer draws a shadow map: it renders the scene as for a camera, with a shadow material that overrides all others. */
export function isWebGpuShadowPass(object: Object3D): boolean {
  let root = object;
  while (root.parent !== null) root = root.parent;
  const { overrideMaterial } = root as Partial<Scene>;
  return overrideMaterial !== null && overrideMaterial !== undefined && 'isShadowPassMaterial' in overrideMaterial;
}
