/** The frusta of a pass: one, or one for each camera of an ArrayCamera; and whether a frustum is usable. */

import type { Frustum, FrustumArray, Plane } from 'three';

/**
 * All frusta of a pass. A FrustumArray may also return frusta that are no longer in use. They only add objects that are out of view: nothing is missing
 * in the picture.
 */
export function frustaOf(frustum: Frustum | FrustumArray): Frustum[] {
  if ('planes' in frustum) return [frustum];
  const frusta: Frustum[] = [];
  for (let one = frustum.getFrustum(0); one !== undefined; one = frustum.getFrustum(frusta.length)) frusta.push(one);
  return frusta;
}

/** Whether the frustum comes from a camera without NaN in its matrices. */
export function isValidFrustum({ planes }: Frustum): boolean {
  return planes.every(isValidPlane);
}

/** The far plane of an infinite frustum has no direction and a constant of Infinity. All other values that are not finite come from a broken camera. */
function isValidPlane({ normal, constant }: Plane): boolean {
  const lengthSq = normal.x * normal.x + normal.y * normal.y + normal.z * normal.z;
  return lengthSq > 0 ? Number.isFinite(lengthSq) && Number.isFinite(constant) : constant === Infinity;
}
