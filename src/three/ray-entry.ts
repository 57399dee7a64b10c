/** What rays through containers have in common: which can be answered, and where they enter a box. */

import { Vector3, type Box3, type Ray, type Raycaster } from 'three';

/** At most the distance at which a ray enters a box or anything within it. */
export function leastDistance(ray: Ray, box: Box3): number {
  if (box.containsPoint(ray.origin)) return 0;
  const entry = ray.intersectBox(box, leastDistance_entry);
  return entry === null ? 0 : entry.distanceTo(ray.origin);
}
const leastDistance_entry = /* @__PURE__ */ new Vector3();

/** False if nothing can be hit. @throws {RangeError} If the ray has no direction or holds a NaN. */
export function isAnswerable(where: string, { ray, far }: Raycaster): boolean {
  requireRay(where, ray);
  return far >= 0;
}

function requireRay(where: string, { origin, direction }: Ray): void {
  const sum = origin.x + origin.y + origin.z + direction.x + direction.y + direction.z;
  if (Number.isFinite(sum) && direction.lengthSq() > 0) return;
  const { x, y, z } = direction;
  throw new RangeError(`${where}: raycaster.ray must have a finite origin and a direction, but its direction is (${x}, ${y}, ${z}); set it with setFromCamera or set.`);
}
