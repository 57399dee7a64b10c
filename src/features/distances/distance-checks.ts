/** Checks of the distances and the hysteresis of bands, for `watchDistances` and `assignBands`. */

import { requireFinite, requireNotNegative, requireObject, throwRange, throwType } from '../../octree/input/input-checks.ts';

/** Maximum number of distances: a zone is stored in seven bits. */
const MAX_DISTANCES = 100;

/** Checks that a hysteresis is a fraction. */
export function requireHysteresis(where: string, field: string, hysteresis: number): void {
  requireFinite(where, field, hysteresis, 'leave it out for 0');
  if (hysteresis < 0 || hysteresis >= 1) throwRange(where, field, 'be at least 0 and below 1', hysteresis, 'with 0.1 a body comes back at 90 % of a distance');
}

/** Checks that distances are numbers from 0 in ascending order. */
export function requireDistances(where: string, distances: ArrayLike<number>): void {
  const remedy = 'pass an array such as [20, 50, 100]';
  requireObject(where, 'distances', distances, remedy);
  if (!Array.isArray(distances) && !ArrayBuffer.isView(distances)) throwType(where, 'distances', 'be an array', distances, remedy);
  if (distances.length === 0 || distances.length > MAX_DISTANCES) {
    throw new RangeError(`${where}: distances must be 1 to ${MAX_DISTANCES} numbers, but has ${distances.length}; ${remedy}.`);
  }
  for (let k = 0; k < distances.length; k++) {
    const distance = distances[k];
    if (typeof distance === 'number' && distance >= 0 && distance < Infinity && (k === 0 || distance > distances[k - 1])) continue;
    requireNotNegative(where, `distances[${k}]`, distance, remedy);
    if (distance === Infinity) throwRange(where, `distances[${k}]`, 'be finite', 'Infinity', 'use a large distance');
    if (k > 0 && distance <= distances[k - 1]) {
      throw new RangeError(`${where}: distances must ascend, but ${distance} follows ${distances[k - 1]} at distances[${k}]; sort them, and leave out equal ones.`);
    }
  }
}
