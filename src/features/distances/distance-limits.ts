/** Checks of the limits between bands of distance, and of the hysteresis at them. */

import { isArray, requireFinite, requireNotNegative, throwRange, throwType } from '../../octree/input/input-checks.ts';

/** Maximum number of distances: a zone is stored in seven bits. Test: body-distances.test. */
export const MAX_DISTANCES = 100;

/** Checks that a hysteresis is a fraction. */
export function requireHysteresis(where: string, field: string, hysteresis: number): void {
  requireFinite(where, field, hysteresis, 'leave it out for 0');
  if (hysteresis < 0 || hysteresis >= 1)
    throwRange(where, field, 'be at least 0 and below 1', hysteresis, '0.1 is a tenth of a distance');
}

/** Checks that distances are numbers from 0 in ascending order. Writes them to `target`; returns how many. */
export function readDistances(where: string, distances: ArrayLike<number>, target: Float64Array): number {
  const remedy = 'pass an array such as [20, 50, 100]';
  if (!isArray(distances)) throwType(where, 'distances', 'be an array', distances, remedy);
  const { length } = distances;
  if (length === 0 || length > MAX_DISTANCES)
    throw new RangeError(`${where}: distances must be 1 to ${MAX_DISTANCES} numbers, but has ${length}; ${remedy}.`);
  for (let k = 0; k < length; k++) {
    const distance = requireNotNegative(where, `distances[${k}]`, distances[k], remedy);
    if (distance === Infinity) throwRange(where, `distances[${k}]`, 'be finite', 'Infinity', 'use a large distance');
    if (k > 0 && distance <= target[k - 1]) {
      throw new RangeError(
        `${where}: distances must ascend, but ${distance} follows ${target[k - 1]} at distances[${k}]; sort them, and leave out equal ones.`,
      );
    }
    target[k] = distance;
  }
  return length;
}
