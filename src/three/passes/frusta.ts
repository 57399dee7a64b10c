/** What cameras hand to a pass: one frustum, or those of an array of cameras. */

import type { Frustum, FrustumArray, Plane } from 'three';

/** The frusta of an array of cameras; some that are not in use any more may follow: they show too much, and the renderer decides. */
export function frustaOf(frustum: Frustum | FrustumArray): Frustum[] {
  if ('planes' in frustum) return [frustum];
  const frusta: Frustum[] = [];
  for (let part = frustum.getFrustum(0); part !== undefined; part = frustum.getFrustum(frusta.length)) frusta.push(part);
  return frusta;
}

/** Whether a frustum comes from a camera whose matrices hold no NaN. */
export function isReadable({ planes }: Frustum): boolean {
  return planes.every(isReadablePlane);
}

/** A plane of an infinite far has no direction and a constant of Infinity; any other that is not finite comes from a broken camera. */
function isReadablePlane({ normal, constant }: Plane): boolean {
  const lengthSq = normal.x * normal.x + normal.y * normal.y + normal.z * normal.z;
  return lengthSq > 0 ? Number.isFinite(lengthSq) && Number.isFinite(constant) : constant === Infinity;
}
