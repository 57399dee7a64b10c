// The same click answered by the octree and by three's own Raycaster, with the time that each takes.

import type { Intersection, Raycaster } from 'three';
import type { PickingWorld } from './picking-world.ts';
import { type Measured, measureTime, measureTimeOnce } from './measure-time.ts';

/** What short work may be timed by, in milliseconds. */
const BUDGET_MS = 20;

export interface Comparison {
  /** Every hit along the ray, nearest first, by way of the octree. */
  readonly octree: Measured<readonly Intersection[]>;
  /** By three's Raycaster over the list of all items. */
  readonly plain: Measured<readonly Intersection[]>;
  /** Whether both gave the same hits in the same order, and the pick the first of them. */
  readonly areEqual: boolean;
}

/** Asks both; three's Raycaster holds up the page for as long as it takes. */
export function compare(world: PickingWorld, raycaster: Raycaster, picked: Intersection | null): Comparison {
  const items = [...world.plainObjects()];
  const octree = measureTime(() => raycaster.intersectObject(world.container), BUDGET_MS);
  const plain = measureTimeOnce(() => raycaster.intersectObjects(items, false));
  return { octree, plain, areEqual: areSameHits(octree.result, plain.result) && areSameHits(picked === null ? [] : [picked], plain.result.slice(0, 1)) };
}

function areSameHits(some: readonly Intersection[], others: readonly Intersection[]): boolean {
  return some.length === others.length && some.every((hit, at) => isSameHit(hit, others[at]));
}

/** The plain list may hold another object for the same instances, but they have the same numbers. */
function isSameHit(a: Intersection, b: Intersection): boolean {
  const isSameItem = a.instanceId === undefined ? a.object === b.object : a.instanceId === b.instanceId;
  return isSameItem && a.distance === b.distance && a.point.equals(b.point);
}
