/**
 * Visits bodies by distance, while the visitor narrows the search. It searches for a few bodies, visits them, and
 * searches for more only if the visitor wants them.
 */

import type { Body } from '../../octree/bodies/body.ts';
import type { MathTypes } from '../../octree/input/math-types.ts';
import { internalsOf } from '../../octree/internals.ts';
import type { Octree } from '../../octree/octree.ts';
import { withWorkspace, writeStats, type QueryRunner } from '../../octree/queries/query-runner.ts';
import { readLimit, requireVisitor, type HitVisitor } from '../../octree/queries/visitor-limit.ts';
import type { Workspace } from '../../octree/queries/workspace.ts';
import { readNearest, type NearestOptions, type NearestShape } from './nearest-arguments.ts';
import { NearestQuery } from './nearest-query.ts';

/** Number of bodies of the first search. */
const FIRST_COUNT = 8;
/**
 * Number of bodies of a search, divided by that of the search before. All searches together cost little more than the
 * last. Test: visit-nearest.test.
 */
const GROWTH = 4;

/**
 * Visits bodies in the order of `nearest`: by distance, then index. The visitor returns the new maximum distance:
 * bodies beyond it are not visited, a body exactly at it is. Use it to search inside bodies, for example for the
 * nearest triangle: return the distance of the nearest one so far. The maximum only shrinks: a larger value is ignored.
 * `false` ends the search; nothing (undefined) leaves the maximum as it is.
 *
 * The visitor may query and write; it sees the octree as it was when the outermost query began. If it throws, the
 * search ends.
 *
 * Cost: as `nearest` for as many bodies as are visited, in JavaScript. Returns the number of visits.
 *
 * @param octree The octree whose bodies are asked.
 * @param from A point, a box or a `RayRange`, world units.
 * @param visitor Returns the new maximum distance, nothing to leave it, or false to end the search.
 * @param options `maxDistance` in world units, and what all queries take: see `NearestOptions`.
 * @throws {TypeError} If the visitor is not a function, or returns anything but a number, `false` or undefined.
 * @throws {RangeError} If the visitor returns NaN or a negative number.
 *
 * @example
 * ```ts
 * import { Octree, visitNearest } from 'scene-octree';
 *
 * const octree = new Octree<string>();
 * for (const [k, data] of ['house', 'shop', 'shop'].entries())
 *   octree.insert({ center: { x: 10 * k, y: 0, z: 0 }, radius: 1 }, data);
 * visitNearest(octree, { x: 0, y: 0, z: 0 }, ({ data, index }) => {
 *   if (data !== 'shop') return undefined; // goes on
 *   console.log('the nearest shop is', index); // prints: the nearest shop is 1
 *   return false; // ends the search
 * });
 * ```
 */
export function visitNearest<T, M extends MathTypes>(
  octree: Octree<T, M>,
  from: NearestShape,
  visitor: HitVisitor<T, M>,
  options?: NearestOptions<T, M>,
): number {
  const where = 'visitNearest';
  const { runner } = internalsOf(where, octree);
  requireVisitor(where, visitor, 'body, distance');
  return withWorkspace(runner, where, (workspace) => {
    runner.prepare(workspace, readNearest(workspace, from, options));
    const visit = (index: number, distance: number): number =>
      readLimit(where, 'distance', visitor(runner.store.bodyAt(index) as Body<T, M>, distance));
    return visitAll(runner, workspace, visit);
  });
}

/**
 * Calls `visit` for the bodies within the distance of the query, by distance, then index. It returns the new maximum
 * distance; a negative number ends the search, and a larger maximum than the last one is ignored. Returns the number of
 * calls.
 */
function visitAll(
  runner: QueryRunner,
  workspace: Workspace,
  visit: (index: number, distance: number) => number,
): number {
  const { candidatesOnly, hits } = workspace;
  const query = workspace.queryOf(NearestQuery);
  // Not for the walk: the filter is called only for bodies that are reached.
  const { filter } = runner.searchOf(workspace);
  workspace.filter = null;
  let visits = 0;
  search: for (let k = 0, count = FIRST_COUNT; ; count *= GROWTH) {
    query.count = count;
    query.walk(workspace, candidatesOnly);
    // The first `k` hits are those of the search before.
    for (; k < hits.length; k++) {
      const index = hits.array[k];
      const distance = hits.distances[k];
      if (distance > query.maxDistance) break search;
      if (filter !== null && !filter(index)) continue;
      visits++;
      const limit = visit(index, distance);
      if (limit < 0) break search;
      if (limit < query.maxDistance) query.limitDistance(limit);
    }
    if (hits.length < count) break;
  }
  writeStats(workspace, visits);
  return visits;
}
