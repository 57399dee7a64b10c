/** The first hits of many rays in one call, in flat arrays, and the checks of these. */

import { COORDINATE_LIMIT } from '../../math/integer-cube.ts';
import type { FloatArray } from '../../math/typed-arrays.ts';
import {
  requireCoordinate,
  requireFinite,
  requireFloats,
  requireMemory,
  requireNotNegative,
  requireObject,
  throwRange,
  throwType,
} from '../../octree/input/input-checks.ts';
import type { KnownOptions } from '../../octree/input/known-options.ts';
import type { MathTypes, PlainMath } from '../../octree/input/math-types.ts';
import { internalsOf } from '../../octree/internals.ts';
import type { Octree } from '../../octree/octree.ts';
import {
  readDistanceOption,
  readQueryOptions,
  withOptions,
  type QueryOptions,
} from '../../octree/queries/query-options.ts';
import { writeStats } from '../../octree/queries/query-runner.ts';
import type { Workspace } from '../../octree/queries/workspace.ts';
import { RAY_STRIDE, RayBundle, type RayHits } from './ray-bundle.ts';

/** The options of `castRays`. The maximum distance of each ray is its seventh number. */
export interface RayBundleOptions<T, M extends MathTypes = PlainMath> extends QueryOptions<T, M> {
  /** Minimum entry distance of all rays, world units, closed. Default 0. */
  readonly near?: number;
  /** Number of rays, for arrays that are longer. Default: all of `rays`. */
  readonly count?: number;
}

const RAY_BUNDLE_OPTIONS: KnownOptions = /* @__PURE__ */ withOptions('near', 'count');

const NUMBERS = ['origin x', 'origin y', 'origin z', 'direction x', 'direction y', 'direction z', 'far'] as const;

/**
 * `firstHit` of many rays in one call: writes an index, a distance and, if requested, a normal per ray to the arrays in
 * `hits`. Returns the number of rays that hit a body.
 *
 * Cost: in large trees (see `simdFrom`) and from 32 rays on, rays with the same signs of direction go through the tree
 * together, up to 128 at a time. The code for it is loaded with the first such call; until then, and where it cannot be
 * loaded, rays are cast one by one. 10,000 rays then take about half the time of `firstHit` for each, whatever their
 * order in the array. In smaller trees, with fewer rays, and inside the filter of another query: as `firstHitIndex`.
 * Allocates nothing.
 *
 * The filter is called in no particular order of rays and bodies. It must depend on the body alone, and must not write
 * to the arrays.
 *
 * @param octree The octree whose bodies are asked.
 * @param rays Seven numbers per ray: origin x y z, direction x y z of any length but 0, and the maximum distance,
 *   closed, in world units; may be Infinity.
 * @param hits Arrays to which the results are written, one entry for each ray: see `RayHits`.
 * @param options See `RayBundleOptions`.
 * @throws {RangeError} If an array of `hits` is too short, `rays` has not seven numbers per ray, or a number of a ray
 *   is invalid; nothing is written then.
 * @throws {TypeError} If an array is of the wrong type, or an option is unknown or of the wrong type.
 *
 * @example
 * ```ts
 * import { castRays, Octree } from 'scene-octree';
 *
 * const octree = new Octree<string>();
 * octree.insert({ center: { x: 10, y: 0, z: 0 }, radius: 1 }, 'wall');
 * // Of each ray: origin x y z, direction x y z, far.
 * const rays = new Float32Array([0, 0, 0, 1, 0, 0, 50, 0, 0, 0, 0, 1, 0, 50]);
 * const hits = { indices: new Int32Array(2), distances: new Float32Array(2) };
 * console.log(castRays(octree, rays, hits), hits.distances); // prints: 1 Float32Array(2) [ 9, Infinity ]
 * ```
 */
export function castRays<T, M extends MathTypes>(
  octree: Octree<T, M>,
  rays: Float32Array | Float64Array,
  hits: RayHits,
  options?: RayBundleOptions<T, M>,
): number {
  const where = 'castRays';
  const { runner } = internalsOf(where, octree);
  const workspace = runner.begin(where);
  try {
    const bundle = workspace.queryOf(RayBundle);
    try {
      runner.prepare(workspace, readRayBundle(workspace, rays, hits, options, bundle));
      const found = bundle.cast(workspace.rayQuery, rays, runner.searchOf(workspace));
      writeStats(workspace, found);
      return found;
    } finally {
      bundle.forgetHits();
    }
  } finally {
    runner.end();
  }
}

/**
 * Checks all arguments of a bundle. Sets the number of rays, `near` and where to write. Returns the categories to
 * report.
 */
function readRayBundle(
  workspace: Workspace,
  rays: FloatArray,
  hits: RayHits,
  options: RayBundleOptions<never, never> | undefined,
  bundle: RayBundle,
): number {
  const { where, rayQuery } = workspace;
  const categories = readQueryOptions(workspace, options, RAY_BUNDLE_OPTIONS);
  rayQuery.near = readDistanceOption(where, 'near', options?.near, 0);
  const given = options?.count;
  requireObject(where, 'hits', hits, 'pass {indices, distances}');
  const { indices, distances, normals } = hits;
  // The rays are checked last: reading the other arguments may run code of the user, which may write to them.
  requireFloats(where, 'rays', rays, 'pass a Float32Array or Float64Array of seven numbers per ray');
  const count = readCount(where, rays, given);
  if (!(indices instanceof Int32Array))
    throwType(where, 'hits.indices', 'be an Int32Array', indices, 'pass one with a number per ray');
  requireMemory(where, 'hits.indices', indices);
  requireFloats(where, 'hits.distances', distances, 'pass one with a number per ray');
  if (normals !== undefined)
    requireFloats(where, 'hits.normals', normals, 'pass one with three numbers per ray, or leave it out');
  requireLength(where, 'indices', indices.length, count, 1);
  requireLength(where, 'distances', distances.length, count, 1);
  if (normals !== undefined) requireLength(where, 'normals', normals.length, count, 3);
  for (let at = 0; at < count * RAY_STRIDE; at += RAY_STRIDE) if (!isRay(rays, at)) throwRay(where, rays, at);
  bundle.count = count;
  bundle.indices = indices;
  bundle.distances = distances;
  bundle.normals = normals;
  return categories;
}

function readCount(where: string, rays: FloatArray, count: unknown): number {
  const capacity = rays.length / RAY_STRIDE;
  if (count === undefined) {
    if (Number.isInteger(capacity)) return capacity;
    throw new RangeError(
      `${where}: rays must have seven numbers per ray, but has ${rays.length} numbers; add the missing ones, or pass options.count.`,
    );
  }
  if (typeof count !== 'number') throwType(where, 'options.count', 'be a number', count, 'leave it out for all rays');
  if (Number.isInteger(count) && count >= 0 && count <= capacity) return count;
  return throwRange(
    where,
    'options.count',
    `be an integer from 0 to ${Math.floor(capacity)}, for which rays has room`,
    count,
    'leave it out for all rays',
  );
}

function requireLength(where: string, field: string, length: number, count: number, numbers: number): void {
  if (length >= count * numbers) return;
  throw new RangeError(
    `${where}: hits.${field} must have room for ${count * numbers} numbers, ${numbers} per ray, but has ${length}; make it longer.`,
  );
}

/** Comparisons suffice: NaN fails each of them. */
function isRay(rays: FloatArray, at: number): boolean {
  const x = Math.abs(rays[at + 3]);
  const y = Math.abs(rays[at + 4]);
  const z = Math.abs(rays[at + 5]);
  return (
    Math.abs(rays[at]) <= COORDINATE_LIMIT &&
    Math.abs(rays[at + 1]) <= COORDINATE_LIMIT &&
    Math.abs(rays[at + 2]) <= COORDINATE_LIMIT &&
    x < Infinity &&
    y < Infinity &&
    z < Infinity &&
    (x > 0 || y > 0 || z > 0) &&
    rays[at + 6] >= 0
  );
}

/** Throws the error for the ray at offset `at`, which has failed its check. */
function throwRay(where: string, rays: FloatArray, at: number): never {
  const field = (k: number): string => `rays[${at + k}], the ${NUMBERS[k]} of ray ${at / RAY_STRIDE},`;
  for (let k = 0; k < 3; k++) requireCoordinate(where, field(k), rays[at + k]);
  for (let k = 3; k < 6; k++) requireFinite(where, field(k), rays[at + k], 'set it before the call');
  requireNotNegative(where, field(6), rays[at + 6], 'use Infinity for no limit');
  throwRange(
    where,
    `the direction of ray ${at / RAY_STRIDE}, rays[${at + 3}] to rays[${at + 5}],`,
    'not be of length 0',
    '(0, 0, 0)',
    'set it before the call',
  );
}
