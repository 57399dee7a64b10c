/** The arguments of a raycast through a container: validation, the filter, and whether it wants all hits. */

import type { Ray, Raycaster } from 'three';
import {
  describe,
  isCoordinate,
  isFiniteNumber,
  requireFunction,
  requireObject,
  throwType,
} from '../../octree/input/input-checks.ts';
import { requireOptions } from '../../octree/input/known-options.ts';
import type { HitFilter, InstanceFilter, RaycastOptions } from './pickable.ts';

/**
 * Validates a raycaster. Returns whether it can hit anything: not if `far` is negative or NaN.
 *
 * @throws {TypeError} If it is not a Raycaster.
 * @throws {RangeError} If the ray has no direction or holds a NaN.
 */
export function canHit(where: string, raycaster: Raycaster): boolean {
  requireRaycaster(where, 'raycaster', raycaster, 'pass one that was set with setFromCamera or set');
  requireRay(where, raycaster.ray);
  return raycaster.far >= 0;
}

export function requireRaycaster(where: string, field: string, raycaster: Raycaster, remedy: string): void {
  if (typeof (raycaster as Raycaster | null)?.ray === 'object') return;
  throwType(where, field, 'be a Raycaster', raycaster, remedy);
}

/** The filter of the options of a ray, or one that accepts all. Checks the options. */
export function filterOf<Filter extends HitFilter | InstanceFilter>(
  where: string,
  options: RaycastOptions<Filter>,
): Filter | (() => true) {
  requireOptions(where, options, ['filter']);
  const { filter = acceptAll } = options;
  requireFunction(where, 'options.filter', filter);
  return filter;
}
const acceptAll = (): true => true;

function requireRay(where: string, ray: Ray): void {
  const remedy = 'set it with setFromCamera or set';
  requireObject(where, 'raycaster.ray', ray, remedy);
  for (const field of ['origin', 'direction'] as const) {
    requireObject(where, `raycaster.ray.${field}`, ray[field], remedy);
    const { x, y, z } = ray[field];
    const numbers = [x, y, z];
    if (numbers.every(isFiniteNumber) && (field === 'origin' || x * x + y * y + z * z > 0)) continue;
    throw new RangeError(
      `${where}: raycaster.ray must have a finite origin and a direction, but its ${field} is (${numbers.map(describe).join(', ')}); ${remedy}.`,
    );
  }
}

/** Whether an octree can take a ray. three also casts rays from beyond its limit of coordinates. */
export function isInRange({ origin }: Ray): boolean {
  return isCoordinate(origin.x) && isCoordinate(origin.y) && isCoordinate(origin.z);
}

/** `raycaster.firstHitOnly`, a convention of three-mesh-bvh: only the nearest hit is wanted. */
export function wantsFirstHitOnly(raycaster: Raycaster): boolean {
  return (raycaster as { firstHitOnly?: boolean }).firstHitOnly === true;
}
