/** What nearest queries take: the shape from which they search, and the options. */

import type { Workspace } from '../../octree/queries/workspace.ts';
import type { KnownOptions } from '../../octree/input/known-options.ts';
import { requireObject } from '../../octree/input/input-checks.ts';
import type { MathTypes, PlainMath } from '../../octree/input/math-types.ts';
import { readDistanceOption, readQueryOptions, withOptions, type QueryOptions } from '../../octree/queries/query-options.ts';
import { NearestQuery } from './nearest-query.ts';
import { readRay, type RayLike } from '../../octree/input/query-shapes.ts';
import { readBox, readPoint, type BoxLike, type PointLike } from '../../octree/input/shapes.ts';

/** The options of `nearest` and `collectNearest`. */
export interface NearestOptions<T, M extends MathTypes = PlainMath> extends QueryOptions<T, M> {
  /** World units, closed. Default Infinity. */
  readonly maxDistance?: number;
  /** From a ray: the minimum distance from its origin that counts, world units, closed. Default 0. */
  readonly near?: number;
  /** From a ray: the maximum distance from its origin that counts, world units, closed. Default Infinity. If it is less than `near`, nothing is found. */
  readonly far?: number;
}

const NEAREST_OPTIONS: KnownOptions = /* @__PURE__ */ withOptions('maxDistance', 'near', 'far');

/** Where a nearest query searches from. */
export type NearestShape = PointLike | BoxLike | RayLike;

/** Checks what a nearest query searches from, and its options; returns the categories to report. */
export function readNearest(workspace: Workspace, shape: NearestShape, options: NearestOptions<never, never> | undefined): number {
  const { where } = workspace;
  const nearestQuery = workspace.queryOf(NearestQuery);
  readNearestShape(workspace, nearestQuery, shape, options);
  const categories = readQueryOptions(where, options, NEAREST_OPTIONS);
  nearestQuery.maxDistance = readDistanceOption(where, 'maxDistance', options?.maxDistance, Infinity);
  return categories;
}

/** Reads a ray if the shape has an origin, a box if it has a min but no x, else a point. A Vector3 has an x, and a method `min`. */
function readNearestShape({ where, values, rayQuery }: Workspace, nearestQuery: NearestQuery, shape: NearestShape, options: NearestOptions<never, never> | undefined): void {
  requireObject(where, 'point', shape, 'pass a Vector3, a Box3 or a Ray');
  if ('origin' in shape) {
    readRay(where, shape, values);
    rayQuery.ray.set(values);
    nearestQuery.setRay(rayQuery.ray, readDistanceOption(where, 'near', options?.near, 0), readDistanceOption(where, 'far', options?.far, Infinity));
  } else if ('min' in shape && !('x' in shape)) {
    readBox(where, 'box', shape, values);
    nearestQuery.setBox(values);
  } else {
    readPoint(where, 'point', '', shape as PointLike, values);
    nearestQuery.setPoint(values);
  }
}
