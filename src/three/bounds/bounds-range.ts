/** Whether a body may have given bounds; and if not, the fault of the object that they come from. */

import type { Box3, Object3D, Sphere } from 'three';
import { COORDINATE_LIMIT } from '../../math/integer-cube.ts';
import { nameOf } from './object-names.ts';

/** Whether a body may have these bounds: they hold no NaN, and lie within +-2^50. */
export function isInRange(bounds: Box3 | Sphere): boolean {
  // NaN fails the comparison.
  return maxCoordinateOf(bounds) <= COORDINATE_LIMIT;
}

/** Why the bounds of an object are not in range, and what to do, without a full stop. */
export function describeFault(object: Object3D, bounds: Box3 | Sphere): string {
  const isMatrixFine = object.matrixWorld.elements.every((element) => Math.abs(element) <= COORDINATE_LIMIT);
  const culprit = isMatrixFine ? 'geometry' : 'matrixWorld';
  const remedy = isMatrixFine ? 'check its vertices and its boundingSphere' : 'check its position, rotation and scale, and those of its parents';
  return `the ${culprit} of ${nameOf(object)} must lead to bounds within +-2^50, but they reach ${maxCoordinateOf(bounds)}; ${remedy}`;
}

/** The largest magnitude of a coordinate in the bounds; NaN if they hold one. */
function maxCoordinateOf(bounds: Box3 | Sphere): number {
  if ('radius' in bounds) {
    const { center, radius } = bounds;
    return Math.max(Math.abs(center.x), Math.abs(center.y), Math.abs(center.z)) + radius;
  }
  const { min, max } = bounds;
  return Math.max(Math.abs(min.x), Math.abs(min.y), Math.abs(min.z), Math.abs(max.x), Math.abs(max.y), Math.abs(max.z));
}
