/**
 * What a container asks about a render pass: its frusta, and whether it draws a shadow map.
 */

import type { Frustum, FrustumArray, Object3D, Plane, Scene } from 'three';

/**
 * All frusta of a pass. A FrustumArray may also return frusta that are no longer in use. They only add objects that are
 * out of view: nothing is missing in the picture.
 */
export function frustaOf(frustum: Frustum | FrustumArray): Frustum[] {
  if ('planes' in frustum) return [frustum];
  const frusta: Frustum[] = [];
  for (let one = frustum.getFrustum(0); one !== undefined; one = frustum.getFrustum(frusta.length)) frusta.push(one);
  return frusta;
}

/** Whether the frustum comes from a camera without NaN in its matrices. */
export function isValidFrustum({ planes }: Pick<Frustum, 'planes'>): boolean {
  return planes.every(isValidPlane);
}

/**
 * The far plane of an infinite frustum has no direction and a constant of Infinity. All other values that are not
 * finite come from a broken camera.
 */
export function isValidPlane({ normal, constant }: Plane): boolean {
  const lengthSq = normal.x * normal.x + normal.y * normal.y + normal.z * normal.z;
  return lengthSq > 0 ? Number.isFinite(lengthSq) && Number.isFinite(constant) : constant === Infinity;
}

/**
 * Whether WebGPURenderer draws a shadow map: it renders the scene as for a camera, with a shadow material that
 * overrides all others.
 */
export function isWebGpuShadowPass(object: Object3D): boolean {
  const { overrideMaterial } = object as Partial<Scene>;
  if (overrideMaterial && 'isShadowPassMaterial' in overrideMaterial) return true;
  // The scene that is rendered may be below another one.
  return object.parent !== null && isWebGpuShadowPass(object.parent);
}
