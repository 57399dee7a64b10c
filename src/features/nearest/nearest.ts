/** The bodies nearest to a point, a box or a ray: as records, as indices, or for a visitor that narrows the search. */

import type { IndexList } from '../../tree/storage/index-list.ts';
import { throwRange, throwType } from '../../octree/input/input-checks.ts';
import { setPoint, type MathTypes } from '../../octree/input/math-types.ts';
import { internalsOf } from '../../octree/internals.ts';
import type { Octree } from '../../octree/octree.ts';
import type { IntersectionRecord } from '../../octree/queries/record-writer.ts';
import { type QueryKind, withWorkspace, writeStats, type QueryRunner } from '../../octree/queries/query-runner.ts';
import {
  isNearestStart,
  readNearest,
  writeNearest,
  type NearestOptions,
  type NearestShape,
} from './nearest-arguments.ts';
import { NearestQuery } from './nearest-query.ts';
import { SpeculativeSearch } from './speculative-search.ts';
import type { Body } from '../../octree/bodies/body.ts';
import { readLimit, requireVisitor, type HitVisitor } from '../../octree/queries/visitor-limit.ts';
import type { Workspace } from '../../octree/queries/workspace.ts';

const NEAREST: QueryKind<NearestShape, NearestOptions<never, never>, number> = {
  read(workspace, shape, options, count) {
    requireCount(workspace.where, count);
    const query = workspace.queryOf(NearestQuery);
    query.count = count;
    query.speculativeSearch ??= new SpeculativeSearch();
    return readNearest(workspace, shape, options);
  },
  run(runner, workspace, out) {
    workspace.queryOf(NearestQuery).find(runner.searchOf(workspace));
    return runner.finishList(workspace, workspace.hits, out);
  },
  write(writer, workspace, k, shape) {
    const { array, distances } = workspace.hits;
    const { bounds, contact } = writer;
    const query = workspace.queryOf(NearestQuery);
    const { core } = query.roundedBox;
    const record = writer.next(array[k]);
    const distance = distances[k];
    const isSphere = writer.store.tree.bodies.readBounds(array[k], bounds);
    record.distance = distance;
    if (isNearestStart(shape)) shape.writeRecord(writer, workspace, record, isSphere);
    else if (query.isFromBox) {
      writer.writeContact(record, contact.between(bounds, isSphere, core, false));
      record.distance = distance;
      if (distance === 0) setPoint(record.normal, 0, 0, 0);
    } else writeNearest(record, bounds, isSphere, core);
    record.inside = distance === 0;
  },
};

/**
 * The `count` bodies nearest to a point, a box or a `RayRange` within `maxDistance`, by the distance between the
 * surfaces, then index. The distance is 0 for bodies that contain the point, touch the box, or are hit by the ray.
 *
 * Cost: visits the nearest nodes first, and none farther away than the last of `count` bodies found. From a ray it runs
 * in JavaScript.
 *
 * @param octree The octree whose bodies are asked.
 * @param from A point, a box or a `RayRange`, world units.
 * @param count Greatest number of bodies, from 0.
 * @param options `maxDistance` in world units, and what all queries take: see `NearestOptions`.
 * @param target An array whose records are written to and returned. Default: a new one.
 * @throws {RangeError} If `count` is not an integer from 0.
 *
 * @example
 * ```ts
 * import { nearest, Octree } from 'scene-octree';
 *
 * const octree = new Octree<string>();
 * octree.insert({ center: { x: 5, y: 0, z: 0 }, radius: 1 }, 'bee');
 * octree.insert({ center: { x: 2, y: 0, z: 0 }, radius: 1 }, 'ant');
 * const two = nearest(octree, { x: 0, y: 0, z: 0 }, 2, { maxDistance: 100 });
 * console.log(two.map(({ body, distance }) => `${body.data} ${distance}`)); // prints: [ 'ant 1', 'bee 4' ]
 * ```
 */
export function nearest<T, M extends MathTypes>(
  octree: Octree<T, M>,
  from: NearestShape,
  count: number,
  options?: NearestOptions<T, M>,
  target?: IntersectionRecord<T, M>[],
): IntersectionRecord<T, M>[] {
  return internalsOf('nearest', octree).runner.records('nearest', NEAREST, from, options, target, count);
}

/**
 * Writes the indices of the bodies nearest to a point, a box or a `RayRange` to a list, by distance, then index: those
 * of `nearest`. Returns how many. Allocates nothing.
 *
 * @param octree The octree whose bodies are asked.
 * @param from A point, a box or a `RayRange`, world units.
 * @param count Greatest number of bodies, from 0.
 * @param list Emptied and filled with indices. Keep it from call to call.
 * @param options `maxDistance` in world units, and what all queries take: see `NearestOptions`.
 *
 * @example
 * ```ts
 * import { collectNearest, IndexList, Octree } from 'scene-octree';
 *
 * const octree = new Octree<string>();
 * octree.insert({ center: { x: 5, y: 0, z: 0 }, radius: 1 }, 'bee');
 * const list = new IndexList();
 * console.log(collectNearest(octree, { x: 0, y: 0, z: 0 }, 8, list), octree.dataAt(list.array[0])); // prints: 1 bee
 * ```
 */
export function collectNearest<T, M extends MathTypes>(
  octree: Octree<T, M>,
  from: NearestShape,
  count: number,
  list: IndexList,
  options?: NearestOptions<T, M>,
): number {
  return internalsOf('collectNearest', octree).runner.indices('collectNearest', NEAREST, from, list, options, count);
}

function requireCount(where: string, count: unknown): void {
  if (typeof count !== 'number') throwType(where, 'count', 'be a number', count, 'pass how many bodies you want');
  if (Number.isInteger(count) && count >= 0) return;
  throwRange(where, 'count', 'be an integer from 0', count, 'pass how many bodies you want, octree.size for all');
}

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
 * Calls `visit` for the bodies within the distance of the query, by distance, then index. Searches for a few bodies,
 * visits them, and searches for more only if the visitor wants them. `visit` returns the new maximum
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
