/**
 * `sortByDistance` and `assignBands`: they order or group the bodies in a list, which a query has filled, by their
 * distance from a point. And the checks of limits between bands of distance, and of the hysteresis at them.
 */

import { RadixSorter } from '../../math/sorting.ts';
import { grownCapacity } from '../../math/typed-arrays.ts';
import type { HitList } from '../../octree/queries/search.ts';
import type { Tree } from '../../tree/tree.ts';
import type { Workspace } from '../../octree/queries/workspace.ts';
import type { IndexList } from '../../tree/storage/index-list.ts';
import { internalsOf } from '../../octree/internals.ts';
import type { Octree } from '../../octree/octree.ts';
import { NearestQuery } from '../nearest/nearest-query.ts';
import {
  requireMemory,
  throwType,
  isArray,
  requireFinite,
  requireNotNegative,
  throwRange,
} from '../../octree/input/input-checks.ts';
import type { MathTypes } from '../../octree/input/math-types.ts';
import { requireList, type QueryRunner } from '../../octree/queries/query-runner.ts';
import { readPoint, type PointLike } from '../../octree/input/shapes.ts';

const BANDS_REMEDY = 'pass one with a number for each index, and keep it for the next call';

/**
 * Sorts a list that a query has filled, such as the visible bodies, from front to back: by the distance of the bodies
 * from a point, as `nearest` measures it, then index. Returns the list. Allocates nothing once the lists are long
 * enough. Cost: linear in the length.
 *
 * @param octree The octree of the bodies in the list.
 * @param list Indices of living bodies, as a query has written them. Sorted in place.
 * @param from From where distances are measured, world units.
 * @throws {RangeError} If an index in the list belongs to no body, or a number is not finite. Then the list stays as it
 *   was.
 *
 * @example
 * ```ts
 * import { IndexList, Octree, sortByDistance } from 'scene-octree';
 *
 * const octree = new Octree<string>();
 * for (const x of [70, 20]) octree.insert({ center: { x, y: 0, z: 0 }, radius: 1 }, `tree at ${x}`);
 * const visible = new IndexList();
 * octree.collectSphere({ center: { x: 0, y: 0, z: 0 }, radius: 1000 }, visible); // or collectFrustum
 * sortByDistance(octree, visible, { x: 0, y: 0, z: 0 });
 * console.log(octree.dataAt(visible.array[0])); // prints: tree at 20
 * ```
 */
export function sortByDistance<T, M extends MathTypes>(
  octree: Octree<T, M>,
  list: IndexList,
  from: PointLike,
): IndexList {
  const where = 'sortByDistance';
  const { runner } = internalsOf(where, octree);
  requireList(where, list);
  const workspace = runner.begin(where);
  try {
    const query = beginFrom(workspace, runner, list, from);
    workspace.queryOf(DistanceSorter).sort(runner.tree, query, list, workspace.hits);
    return list;
  } finally {
    runner.end();
  }
}

/**
 * Finds in which band of distance from a point each body in a list is, such as the level of detail of each visible
 * body. Band 0 reaches to the first distance, band 1 from there to the second, and so on, the distance itself included;
 * beyond the last distance is band `distances.length`. The distance of a body is measured as in `nearest`.
 *
 * `bands` is read and written. Before the call `bands[index]` is the band of a body in the last call, after it the band
 * now. With `hysteresis`, a fraction of the distance, a body in a farther band comes back only within (1 - hysteresis)
 * times the distance, so that it does not flicker between two bands. The numbers of bodies that are not in the list do
 * not change. If an index is used again for a new body, its number is that of the removed body: set it to 0.
 *
 * Returns the number of bodies whose band has changed. Allocates nothing. Cost: linear in the length of the list.
 *
 * @param hysteresis At least 0, below 1. Default 0.
 *
 * @param octree The octree of the bodies in the list.
 * @param list Indices of living bodies, as a query has written them.
 * @param from From where distances are measured, world units.
 * @param distances Ascending, world units; 1 to 100.
 * @param bands A number for each index up to the largest one in the list; at first all 0.
 * @throws {RangeError} If a number is out of range, an index in the list belongs to no body, or `bands` is too short.
 *   Then nothing is written.
 *
 * @example
 * ```ts
 * import { assignBands, IndexList, Octree } from 'scene-octree';
 *
 * const octree = new Octree<string>();
 * for (const x of [20, 70, 250]) octree.insert({ center: { x, y: 0, z: 0 }, radius: 1 }, `tree at ${x}`);
 * const visible = new IndexList();
 * octree.collectSphere({ center: { x: 0, y: 0, z: 0 }, radius: 1000 }, visible); // or collectFrustum
 * const levels = new Uint8Array(1000); // by index
 * assignBands(octree, visible, { x: 0, y: 0, z: 0 }, [50, 200], levels);
 * console.log(levels.subarray(0, 3)); // prints: Uint8Array(3) [ 0, 1, 2 ]
 * ```
 */
export function assignBands<T, M extends MathTypes>(
  octree: Octree<T, M>,
  list: IndexList,
  from: PointLike,
  distances: ArrayLike<number>,
  bands: Uint8Array,
  hysteresis = 0,
): number {
  const where = 'assignBands';
  const { runner } = internalsOf(where, octree);
  requireList(where, list);
  if (!(bands instanceof Uint8Array)) throwType(where, 'bands', 'be a Uint8Array', bands, BANDS_REMEDY);
  requireMemory(where, 'bands', bands);
  requireHysteresis(where, 'hysteresis', hysteresis);
  const workspace = runner.begin(where);
  try {
    const { limits } = workspace.queryOf(DistanceSorter);
    const count = readDistances(where, distances, limits);
    const query = beginFrom(workspace, runner, list, from);
    const { tree } = runner;
    requireLength(where, list, bands);
    let changes = 0;
    for (let k = 0; k < list.length; k++) {
      const index = list.array[k];
      query.measureBody(tree, index);
      const distance = query.distance[0];
      const before = bands[index];
      // Hysteresis: a body enters a farther band beyond `limits[band]`, and returns only within
      // `limits[band] * (1 - hysteresis)`.
      let band = 0;
      while (band < count && distance > (band < before ? limits[band] * (1 - hysteresis) : limits[band])) band++;
      if (band === before) continue;
      bands[index] = band;
      changes++;
    }
    return changes;
  } finally {
    runner.end();
  }
}

/** Checks the point and the list. Returns a query that measures the bodies in the list from the point. */
function beginFrom(workspace: Workspace, runner: QueryRunner, list: IndexList, from: PointLike): NearestQuery {
  const { where, values } = workspace;
  const query = workspace.queryOf(NearestQuery);
  readPoint(where, 'from', '', from, values);
  query.setPoint(values);
  query.maxDistance = Infinity;
  runner.flush();
  const { bodies } = runner.tree;
  for (let k = 0; k < list.length; k++) {
    const index = list.array[k];
    if (index < bodies.count && bodies.isPlaced(index)) continue;
    throw new RangeError(
      `${where}: list must hold bodies of this octree, but has index ${index} at ${k}; pass a list that a query has just filled.`,
    );
  }
  if (list.length > 0) query.begin(false);
  return query;
}

function requireLength(where: string, list: IndexList, bands: Uint8Array): void {
  for (let k = 0; k < list.length; k++) {
    if (list.array[k] < bands.length) continue;
    throw new RangeError(
      `${where}: bands must be longer than index ${list.array[k]}, but its length is ${bands.length}; copy them to a longer array.`,
    );
  }
}

/**
 * Sorts bodies by their distance from a point, then index. Radix sort by Float32 distances; bodies with equal Float32
 * distances are then sorted by their exact distances.
 */
class DistanceSorter {
  /** The distances of `assignBands`. */
  readonly limits = new Float64Array(MAX_DISTANCES);
  private readonly sorter = new RadixSorter();
  /** The distances as Float32, and their bits, which have the same order because no distance is negative. */
  private rounded = new Float32Array(0);
  private keys = new Uint32Array(0);

  /**
   * Sorts the bodies in `list`, which are in the tree. The query has begun from a point, without a maximum distance.
   * `hits` is working memory.
   */
  sort(tree: Tree, query: NearestQuery, { array, length }: IndexList, hits: HitList): void {
    if (length > this.keys.length) {
      this.rounded = new Float32Array(grownCapacity(length, this.keys.length));
      this.keys = new Uint32Array(this.rounded.buffer);
    }
    const { keys, rounded } = this;
    for (let k = 0; k < length; k++) {
      query.measureBody(tree, array[k]);
      rounded[k] = query.distance[0];
    }
    this.sorter.sort(keys, array, 0, length);
    for (let begin = 0, end = 0; begin < length; begin = end) {
      while (end < length && keys[end] === keys[begin]) end++;
      if (end > begin + 1) sortEqual(tree, query, array, begin, end, hits);
    }
  }
}

/** Sorts [begin, end) of a list, whose Float32 distances are equal. */
function sortEqual(
  tree: Tree,
  query: NearestQuery,
  array: Uint32Array,
  begin: number,
  end: number,
  hits: HitList,
): void {
  hits.length = 0;
  for (let k = begin; k < end; k++) {
    query.measureBody(tree, array[k]);
    hits.distance[0] = query.distance[0];
    hits.push(array[k]);
  }
  hits.sort();
  for (let k = begin; k < end; k++) array[k] = hits.array[k - begin];
}

/** Maximum number of distances: a zone is stored in seven bits. Test: body-distances.test. */
export const MAX_DISTANCES = 100;

/** Checks that a hysteresis is a fraction. */
export function requireHysteresis(where: string, field: string, hysteresis: number): void {
  requireFinite(where, field, hysteresis, 'leave it out for 0');
  if (hysteresis < 0 || hysteresis >= 1)
    throwRange(where, field, 'be at least 0 and below 1', hysteresis, '0.1 is a tenth of a distance');
}

/** Checks that distances are numbers from 0 in ascending order. Writes them to `target`; returns how many. */
export function readDistances(where: string, distances: ArrayLike<number>, target: Float64Array): number {
  const remedy = 'pass an array such as [20, 50, 100]';
  if (!isArray(distances)) throwType(where, 'distances', 'be an array', distances, remedy);
  const { length } = distances;
  if (length === 0 || length > MAX_DISTANCES)
    throw new RangeError(`${where}: distances must be 1 to ${MAX_DISTANCES} numbers, but has ${length}; ${remedy}.`);
  for (let k = 0; k < length; k++) {
    const distance = requireNotNegative(where, `distances[${k}]`, distances[k], remedy);
    if (distance === Infinity) throwRange(where, `distances[${k}]`, 'be finite', 'Infinity', 'use a large distance');
    if (k > 0 && distance <= target[k - 1]) {
      throw new RangeError(
        `${where}: distances must ascend, but ${distance} follows ${target[k - 1]} at distances[${k}]; sort them, and leave out equal ones.`,
      );
    }
    target[k] = distance;
  }
  return length;
}
