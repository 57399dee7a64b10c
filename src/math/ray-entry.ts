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
  const { direction, origin } = ray;
  const x = origin[0];
  const y = origin[1];
  const z = origin[2];
  const distance = distances[k];
  const isInBox = x >= box[0] && y >= box[1] && z >= box[2] && x <= box[3] && y <= box[4] && z <= box[5];
  const isInside = isInBox && (!isSphere || (distance === 0 && isInSphere(ray, values)));
  target.distance = distance;
  if (isInside) {
    target.setPosition(x, y, z);
    target.setNormal(0, 0, 0);
    return true;
  }
  target.setPosition(x + direction[0] * distance, y + direction[1] * distance, z + direction[2] * distance);
  if (isSphere) setSphereNormal(ray, values, target);
  else setFaceNormal(ray, box, target);
  return false;
}

/** A ray that starts just outside may enter at the distance 0, which is rounded. */
function isInSphere({ origin }: UnitRay, sphere: Float64Array): boolean {
  const toX = sphere[0] - origin[0];
  const toY = sphere[1] - origin[1];
  const toZ = sphere[2] - origin[2];
  return toX * toX + toY * toY + toZ * toZ <= sphere[3] * sphere[3];
}

/**
 * The outward normal of a sphere at the position. A sphere of radius 0 has no surface: its normal points against the
 * ray.
 */
function setSphereNormal({ direction }: UnitRay, sphere: Float64Array, target: Contact): void {
  const x = target.x - sphere[0];
  const y = target.y - sphere[1];
  const z = target.z - sphere[2];
  const lengthSq = x * x + y * y + z * z;
  // The position is rounded, so it may differ from the centre even if the radius is 0.
  if (sphere[3] === 0 || lengthSq === 0) {
    // `0 - d` instead of `-d`, which would turn 0 into -0.
    target.setNormal(0 - direction[0], 0 - direction[1], 0 - direction[2]);
    return;
  }
  const scale = 1 / Math.sqrt(lengthSq);
  target.setNormal(x * scale, y * scale, z * scale);
}

/**
 * The normal of the face through which a ray enters a box: the axis whose slab it enters last, x before y before z on
 * a tie.
 */
function setFaceNormal({ inverse, origin }: UnitRay, box: Float64Array, target: Contact): void {
  let enteredAxis = 0;
  let lastEntry = -Infinity;
  for (let axis = 0; axis < 3; axis++) {
    // An infinite inverse means that the direction's component is 0 or too small to invert: the ray does not enter
    // through a face of this axis.
    if (!Number.isFinite(inverse[axis])) continue;
    const entry = (box[inverse[axis] < 0 ? axis + 3 : axis] - origin[axis]) * inverse[axis];
    if (entry > lastEntry) [lastEntry, enteredAxis] = [entry, axis];
  }
  target.setNormalAlong(enteredAxis, inverse[enteredAxis] > 0 ? -1 : 1);
}
