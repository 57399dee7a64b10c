/** Where a ray enters a body: the position and the normal of a hit. */

import type { Contact } from './contact.ts';
import type { UnitRay } from './unit-ray.ts';

/**
 * Writes the entry of a ray that hits a body at the distance at offset `k`. `values` are the exact bounds of the body,
 * centre and radius if it is a sphere; `box` is its box. Returns whether the ray starts in the body: then the position
 * is the origin, and the normal (0, 0, 0).
 */
export function writeRayEntry(
  ray: UnitRay,
  values: Float64Array,
  isSphere: boolean,
  box: Float64Array,
  distances: Float64Array,
  k: number,
  target: Contact,
): boolean {
  const { originX: x, originY: y, originZ: z } = ray;
  const distance = distances[k];
  const isInBox = x >= box[0] && y >= box[1] && z >= box[2] && x <= box[3] && y <= box[4] && z <= box[5];
  const isInside = isInBox && (!isSphere || (distance === 0 && isInSphere(ray, values)));
  target.distance = distance;
  if (isInside) {
    target.setPosition(x, y, z);
    target.setNormal(0, 0, 0);
    return true;
  }
  target.setPosition(x + ray.directionX * distance, y + ray.directionY * distance, z + ray.directionZ * distance);
  if (isSphere) setSphereNormal(ray, values, target);
  else setFaceNormal(ray, box, target);
  return false;
}

/** A ray that starts just outside may enter at the distance 0, which is rounded. */
function isInSphere({ originX, originY, originZ }: UnitRay, sphere: Float64Array): boolean {
  const toX = sphere[0] - originX;
  const toY = sphere[1] - originY;
  const toZ = sphere[2] - originZ;
  return toX * toX + toY * toY + toZ * toZ <= sphere[3] * sphere[3];
}

/**
 * The outward normal of a sphere at the position. A sphere of radius 0 has no surface: its normal points against the
 * ray.
 */
function setSphereNormal(ray: UnitRay, sphere: Float64Array, target: Contact): void {
  const x = target.x - sphere[0];
  const y = target.y - sphere[1];
  const z = target.z - sphere[2];
  const lengthSq = x * x + y * y + z * z;
  // The position is rounded, so it may differ from the centre even if the radius is 0.
  if (sphere[3] === 0 || lengthSq === 0) {
    // `0 - d` instead of `-d`, which would turn 0 into -0.
    target.setNormal(0 - ray.directionX, 0 - ray.directionY, 0 - ray.directionZ);
    return;
  }
  const scale = 1 / Math.sqrt(lengthSq);
  target.setNormal(x * scale, y * scale, z * scale);
}

/**
 * The normal of the face through which a ray enters a box: the axis whose slab it enters last, x before y before z on
 * a tie.
 */
function setFaceNormal(ray: UnitRay, box: Float64Array, target: Contact): void {
  const { inverseX, inverseY, inverseZ } = ray;
  // An infinite inverse means that the direction's component is 0 or too small to invert: the ray does not enter
  // through a face of this axis.
  const entryX = Number.isFinite(inverseX) ? ((inverseX < 0 ? box[3] : box[0]) - ray.originX) * inverseX : -Infinity;
  const entryY = Number.isFinite(inverseY) ? ((inverseY < 0 ? box[4] : box[1]) - ray.originY) * inverseY : -Infinity;
  const entryZ = Number.isFinite(inverseZ) ? ((inverseZ < 0 ? box[5] : box[2]) - ray.originZ) * inverseZ : -Infinity;
  if (entryX >= entryY && entryX >= entryZ) target.setNormal(inverseX > 0 ? -1 : 1, 0, 0);
  else if (entryY >= entryZ) target.setNormal(0, inverseY > 0 ? -1 : 1, 0);
  else target.setNormal(0, 0, inverseZ > 0 ? -1 : 1);
}
