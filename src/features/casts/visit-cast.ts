/** Visits the bodies on the way of a ray or of a moving shape, while the visitor narrows the search. */

import { requireObject } from '../../octree/input/input-checks.ts';
import type { MathTypes } from '../../octree/input/math-types.ts';
import type { RayLike } from '../../octree/input/query-shapes.ts';
import type { BoxLike, PointLike, SphereLike } from '../../octree/input/shapes.ts';
import { internalsOf } from '../../octree/internals.ts';
import type { Octree } from '../../octree/octree.ts';
import type { HitQuery } from '../../octree/queries/hit-query.ts';
import { FIRST_HIT } from '../../octree/queries/query-kinds.ts';
import type { QueryOptions, RayOptions } from '../../octree/queries/query-options.ts';
import { readLimit, requireVisitor, type HitVisitor, type VisitorResult } from '../../octree/queries/visitor-limit.ts';
import { withWorkspace, writeStats, type QueryRunner } from '../../octree/queries/query-runner.ts';
import type { Workspace } from '../../octree/queries/workspace.ts';
import { CastQuery, FIRST_BOX_CAST, FIRST_SPHERE_CAST } from './casts.ts';

/**
 * Visits the bodies that a moving sphere or box touches, those of `castSphereAll` or `castBoxAll`, while the visitor
 * narrows the search. It gets a body and its time, 0 to 1, and returns the new maximum time: bodies that are touched
 * later are not visited, a body at exactly that time is. Use it to search inside bodies, for example for the first
 * triangle: return the time of the first one so far. The maximum only shrinks: a larger value is ignored. `false` ends
 * the search; nothing (undefined) leaves the maximum as it is.
 *
 * The order is roughly that of the times: nodes of the tree nearest first, and a body of a large node before nearer
 * ones in its children. So the first body visited need not be the first one touched; return its time, not `false`, to
 * find that one. Of bodies with equal times the order is not defined.
 *
 * The visitor may query and write; it sees the octree as it was when the outermost query began. If it throws, the
 * search ends.
 *
 * Cost: as `castSphere`, for the nodes and bodies up to the last maximum. Returns the number of visits.
 *
 * @param octree The octree whose bodies are asked.
 * @param shape A sphere or a box at the start, world units. For a ray use `visitRay`.
 * @param motion How far it moves, world units along each axis.
 * @param visitor Returns the new maximum time, nothing to leave it, or false to end the search.
 * @param options `mask`, `filter`, `except`, `stats`, `candidates`: see `QueryOptions`.
 * @throws {TypeError} If the visitor is not a function, or returns anything but a number, `false` or undefined.
 * @throws {RangeError} If the visitor returns NaN or a negative number.
 *
 * @example
 * ```ts
 * import { Octree, visitCast } from 'scene-octree';
 *
 * // Each body has a floor of its own in its box.
 * const octree = new Octree<number>();
 * for (const [y, floor] of [[4, 4.1], [0, 0.5]])
 *   octree.insert({ min: { x: 0, y, z: 0 }, max: { x: 9, y: y + 1, z: 9 } }, floor);
 * let first = 1;
 * const crate = { min: { x: 1, y: 10, z: 1 }, max: { x: 2, y: 11, z: 2 } };
 * visitCast(octree, crate, { x: 0, y: -10, z: 0 }, ({ data }) => (first = Math.min(first, (10 - data) / 10)));
 * console.log(first.toFixed(2)); // prints: 0.59
 * ```
 */
export function visitCast<T, M extends MathTypes>(
  octree: Octree<T, M>,
  shape: SphereLike | BoxLike,
  motion: PointLike,
  visitor: HitVisitor<T, M>,
  options?: QueryOptions<T, M>,
): number {
  const where = 'visitCast';
  const { runner } = internalsOf(where, octree);
  requireVisitor(where, visitor, 'body, time');
  return withWorkspace(runner, where, (workspace) => {
    requireObject(where, 'shape', shape, 'pass a Sphere or a Box3');
    const categories =
      'min' in shape
        ? FIRST_BOX_CAST.read(workspace, shape, options, motion)
        : FIRST_SPHERE_CAST.read(workspace, shape, options, motion);
    runner.prepare(workspace, categories);
    return visitHits(runner, workspace, workspace.queryOf(CastQuery), 'time', visitor);
  });
}

/**
 * Visits the bodies that a ray hits, those of `octree.intersectRay`, while the visitor narrows the search. It gets a
 * body and its distance, in world units from the origin, and returns the new maximum distance. Order, end and errors
 * are those of `visitCast`.
 *
 * Cost: as `octree.firstHit`, for the nodes and bodies up to the last maximum. Returns the number of visits.
 *
 * @param octree The octree whose bodies are asked.
 * @param ray A Ray, or anything shaped like it.
 * @param visitor Returns the new maximum distance, nothing to leave it, or false to end the search.
 * @param options `near` and `far`, world units, and what all queries take: see `RayOptions`.
 * @throws {TypeError} If the visitor is not a function, or returns anything but a number, `false` or undefined.
 * @throws {RangeError} If the visitor returns NaN or a negative number.
 *
 * @example
 * ```ts
 * import { Octree, visitRay } from 'scene-octree';
 *
 * // Discs across the x axis: `hole` is the radius of the hole in each.
 * const octree = new Octree<{ x: number; hole: number }>();
 * for (const disc of [{ x: 5, hole: 2 }, { x: 8, hole: 0 }])
 *   octree.insert({ min: { x: disc.x, y: -4, z: -4 }, max: { x: disc.x, y: 4, z: 4 } }, disc);
 * let first = Infinity;
 * const ray = { origin: { x: 0, y: 1, z: 0 }, direction: { x: 1, y: 0, z: 0 } };
 * visitRay(octree, ray, ({ data }, distance) => {
 *   if (data.hole < 1) first = Math.min(first, distance);
 *   return first;
 * });
 * console.log(first); // prints: 8
 * ```
 */
export function visitRay<T, M extends MathTypes>(
  octree: Octree<T, M>,
  ray: RayLike,
  visitor: HitVisitor<T, M>,
  options?: RayOptions<T, M>,
): number {
  const where = 'visitRay';
  const { runner } = internalsOf(where, octree);
  requireVisitor(where, visitor, 'body, distance');
  return withWorkspace(runner, where, (workspace) => {
    runner.prepare(workspace, FIRST_HIT.read(workspace, ray, options, undefined));
    return visitHits(runner, workspace, workspace.rayQuery, 'distance', visitor);
  });
}

/**
 * Searches for the first hit with a filter that lets the visitor lower the maximum distance and accepts no body.
 * Returns the number of visits.
 */
function visitHits(
  runner: QueryRunner,
  workspace: Workspace,
  query: HitQuery,
  measure: 'distance' | 'time',
  visitor: (body: never, distance: number) => VisitorResult,
): number {
  const { where } = workspace;
  const { filter } = runner.searchOf(workspace);
  const { path } = query;
  let visits = 0;
  workspace.filter = (index) => {
    if (filter !== null && !filter(index)) return false;
    visits++;
    const limit = readLimit(where, measure, visitor(runner.store.bodyAt(index) as never, query.distance[0]));
    if (limit < path.maxDistance) path.maxDistance = limit;
    return false;
  };
  query.findFirst(workspace, false);
  writeStats(workspace, visits);
  return visits;
}
