// Compares the hits of one ray and their times between the octree and three's own Raycaster.

import type { Intersection, Raycaster } from 'three';
import type { PickingWorld } from './picking-world.ts';
import { type Measured, measureTime, measureTimeOnce } from './measure-time.ts';

/** Time budget for measuring the octree, in milliseconds. */
const BUDGET_MS = 20;

export interface Comparison {
  /** All hits along the ray, nearest first, by the octree. */
  readonly octree: Measured<readonly Intersection[]>;
  /** All hits by three's Raycaster over the list of all items. */
  readonly plain: Measured<readonly Intersection[]>;
  /** Whether both found the same hits in the same order, and the pick is the first of them. */
  readonly areEqual: boolean;
}

/** Runs both. Three's Raycaster blocks the page while it runs. */
export function compare(world: PickingWorld, raycaster: Raycaster, picked: Intersection | null): Comparison {
  const items = [...world.plainObjects()];
  const octree = measureTime(() => raycaster.intersectObject(world.container), BUDGET_MS);
  const plain = measureTimeOnce(() => raycaster.intersectObjects(items, false));
  return {
    octree,
    plain,
    areEqual:
      areSameHits(octree.result, plain.result) &&
      areSameHits(picked === null ? [] : [picked], plain.result.slice(0, 1)),
  };
}

function areSameHits(some: readonly Intersection[], others: readonly Intersection[]): boolean {
  return some.length === others.length && some.every((hit, at) => isSameHit(hit, others[at]));
}

/** Instances are compared by id, because the plain list has another object with the same instance ids. */
function isSameHit(a: Intersection, b: Intersection): boolean {
  const isSameItem = a.instanceId === undefined ? a.object === b.object : a.instanceId === b.instanceId;
  return isSameItem && a.distance === b.distance && a.point.equals(b.point);
}
