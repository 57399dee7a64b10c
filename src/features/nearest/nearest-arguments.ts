/** What nearest queries take: the shape from which they search, and the visitor of `octree.visitNearest`. */

import type { Workspace } from '../../octree/queries/workspace.ts';
import type { Body } from '../../octree/bodies/body.ts';
import { describe, requireObject } from '../../octree/input/input-checks.ts';
import type { MathTypes, PlainMath } from '../../octree/input/math-types.ts';
import { readDistanceOption, readQueryOptions, type NearestOptions } from '../../octree/queries/query-options.ts';
import { readRay, type RayLike } from '../../octree/input/query-shapes.ts';
import { readBox, readPoint, type BoxLike, type PointLike } from '../../octree/input/shapes.ts';

/** Where a nearest query searches from. */
export type NearestShape = PointLike | BoxLike | RayLike;

/** Checks what a nearest query searches from, and its options; returns the categories to report. */
export function readNearest(workspace: Workspace, shape: NearestShape, options: NearestOptions<never, never> | undefined): number {
  const { where, nearestQuery } = workspace;
  readNearestShape(workspace, shape, options);
  const categories = readQueryOptions(where, options);
  nearestQuery.maxDistance = readDistanceOption(where, 'maxDistance', options?.maxDistance, Infinity);
  return categories;
}

/** Reads a ray if the shape has an origin, a box if it has a min but no x, else a point. A Vector3 has an x, and a method `min`. */
function readNearestShape({ where, values, nearestQuery, rayQuery }: Workspace, shape: NearestShape, options: NearestOptions<never, never> | undefined): void {
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

/**
 * Gets a body and its distance, in world units. Returns the new maximum distance, `false` to end the search, or nothing to
 * leave it as it is.
 */
export type NearestVisitor<T, M extends MathTypes = PlainMath> = (body: Body<T, M>, distance: number) => number | false | void;

export function requireVisitor(where: string, visitor: unknown): void {
  if (typeof visitor !== 'function') throw new TypeError(`${where}: visitor must be a function, but is ${describe(visitor)}; pass (body, distance) => ...`);
}

/** The maximum distance that a visitor has returned: -1 for the end of the search, Infinity for no change. */
export function readLimit(where: string, result: number | false | void): number {
  if (result === undefined) return Infinity;
  if (result === false) return -1;
  if (typeof result !== 'number') {
    throw new TypeError(`${where}: the visitor must return a distance, false or nothing, but returned ${describe(result)}; use a visitor that is not async.`);
  }
  if (result >= 0) return result;
  throw new RangeError(`${where}: the visitor must return a distance from 0, but returned ${result}; return false to end the search.`);
}
