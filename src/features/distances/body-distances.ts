/** `octree.sortByDistance` and `octree.assignBands`: they order or group the bodies in a list, which a query has filled, by their distance from a point. */

import type { Workspace } from '../../octree/queries/workspace.ts';
import type { IndexList } from '../../tree/storage/index-list.ts';
import type { BodyStore } from '../../octree/bodies/body-store.ts';
import { requireDistances, requireHysteresis } from './distance-checks.ts';
import { describe } from '../../octree/input/input-checks.ts';
import type { MathTypes } from '../../octree/input/math-types.ts';
import type { QueryRunner } from '../../octree/queries/query-runner.ts';
import { requireList } from '../../octree/queries/targets.ts';
import { readPoint, type PointLike } from '../../octree/input/shapes.ts';

/** Sorts a list by the distance of its bodies from a point, then index. */
export function sortByDistance<T, M extends MathTypes>(where: string, runner: QueryRunner<T, M>, store: BodyStore<T, M>, list: IndexList, from: PointLike): void {
  requireList(where, list);
  const workspace = runner.begin(where);
  try {
    beginFrom(workspace, runner, store, list, from);
    workspace.distanceSorter.sort(store.tree, workspace.nearestQuery, list, workspace.hits);
  } finally {
    runner.end();
  }
}

/** Updates the bands of the bodies in a list; returns the number of changes. */
export function assignBands<T, M extends MathTypes>(
  where: string,
  runner: QueryRunner<T, M>,
  store: BodyStore<T, M>,
  list: IndexList,
  from: PointLike,
  distances: ArrayLike<number>,
  bands: Uint8Array,
  hysteresis: number,
): number {
  requireList(where, list);
  requireDistances(where, distances);
  requireBands(where, bands, hysteresis);
  const workspace = runner.begin(where);
  try {
    beginFrom(workspace, runner, store, list, from);
    const { nearestQuery } = workspace;
    requireLength(where, list, bands);
    let changes = 0;
    for (let k = 0; k < list.length; k++) {
      const index = list.array[k];
      nearestQuery.measureBody(store.tree, index);
      const distance = nearestQuery.distance[0];
      const before = bands[index];
      // Hysteresis: a body enters a farther band beyond `distances[band]`, and returns only within `distances[band] * (1 - hysteresis)`.
      let band = 0;
      while (band < distances.length && distance > (band < before ? distances[band] * (1 - hysteresis) : distances[band])) band++;
      if (band === before) continue;
      bands[index] = band;
      changes++;
    }
    return changes;
  } finally {
    runner.end();
  }
}

/** Checks the point and the list, and prepares the workspace to measure the bodies in it. */
function beginFrom<T, M extends MathTypes>(workspace: Workspace, runner: QueryRunner<T, M>, store: BodyStore<T, M>, list: IndexList, from: PointLike): void {
  const { where, values, nearestQuery } = workspace;
  readPoint(where, 'from', '', from, values);
  nearestQuery.setPoint(values);
  nearestQuery.maxDistance = Infinity;
  runner.flush();
  const { tree } = store;
  const { bodies } = tree;
  for (let k = 0; k < list.length; k++) {
    const index = list.array[k];
    if (index < bodies.count && bodies.isPlaced(index)) continue;
    throw new RangeError(`${where}: list must hold bodies of this octree, but has index ${index} at ${k}; pass a list that a query has just filled.`);
  }
  if (list.length > 0) nearestQuery.begin(tree, false);
}

function requireBands(where: string, bands: Uint8Array, hysteresis: number): void {
  if (!(bands instanceof Uint8Array)) {
    throw new TypeError(`${where}: bands must be a Uint8Array, but is ${describe(bands)}; pass one with a number for each index, and keep it for the next call.`);
  }
  requireHysteresis(where, 'hysteresis', hysteresis);
}

function requireLength(where: string, list: IndexList, bands: Uint8Array): void {
  for (let k = 0; k < list.length; k++) {
    if (list.array[k] < bands.length) continue;
    throw new RangeError(`${where}: bands must be longer than index ${list.array[k]}, but its length is ${bands.length}; copy them to a longer array.`);
  }
}
