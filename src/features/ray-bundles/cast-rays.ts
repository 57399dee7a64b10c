/**
 * The first body on each of many rays in one call, in flat arrays. Many rays are sorted by the signs of their
 * directions, then by the Morton codes of their origins. In trees that are walked in WebAssembly they go through the
 * tree in streams of up to MAX_STREAM_RAYS with the same signs. In other trees, and until the code of streams is
 * loaded, they are cast one by one; the order is then useful because the nodes and bodies that one ray has read are
 * still in the cache for the next. The results do not depend on the order of rays and bodies: `HitQuery.visitBody`
 * breaks ties by index.
 */

import { BOX_STRIDE, type Boxes, clamp } from '../../math/box.ts';
import { Contact } from '../../math/contact.ts';
import { COORDINATE_LIMIT } from '../../math/integer-cube.ts';
import { RadixSorter, spreadBits } from '../../math/sorting.ts';
import { type FloatArray, withCapacity } from '../../math/typed-arrays.ts';
import { writeRayEntry } from '../../math/unit-ray.ts';
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
import type { RayQuery } from '../../octree/queries/hit-query.ts';
import {
  readDistanceOption,
  readQueryOptions,
  withOptions,
  type QueryOptions,
} from '../../octree/queries/query-options.ts';
import { writeStats } from '../../octree/queries/query-runner.ts';
import type { Search } from '../../octree/queries/search.ts';
import type { Workspace } from '../../octree/queries/workspace.ts';
import type { Tree } from '../../tree/tree.ts';
import type { RayStream } from './ray-stream.ts';

/** Numbers of one ray: origin x y z, direction x y z, maximum distance. */
const RAY_STRIDE = 7;
const FAR_OFFSET = 6;

/**
 * log2 of the number of cells along each axis of the grid that orders the origins. A key of 32 bits has room for three
 * times nine bits and the three signs of the direction.
 */
const ORIGIN_BITS = 9;
const SIGNS_SHIFT = 3 * ORIGIN_BITS;
/** Least edge of the area of that grid, world units. */
const MIN_AREA_EDGE = 2 ** -500;
/** What casts rays in streams. Null until it is loaded, or if it cannot be. */
let Stream: typeof RayStream | null = null;
/** Resolves when `Stream` is set, or when loading has failed. */
let loading: Promise<void> | null = null;

/**
 * Loads the code of streams at the first call. Until it is there, and for ever if that fails, rays are cast one by one.
 */
export function loadRayStreams(): Promise<void> {
  return (loading ??= import('./ray-stream.ts').then(
    (loaded) => void (Stream = loaded.RayStream),
    () => undefined,
  ));
}

/**
 * Fewest rays in a bundle for which streams are used. 32 rays of a camera take 0.7 to 0.85 of the time of single rays,
 * 64 take 0.6 to 0.7; as many random rays 0.95 to 1.15. Test: cast-rays.test.
 */
const MIN_STREAM_RAYS = 32;
/**
 * Without streams: fewest rays that are sorted. Measured in JavaScript, sorted against unsorted, 10,000 random rays:
 * 0.47 of the time with 10,000 bodies, 0.41 with 100,000; 0.5 for rays of 1/20 of the world. Very short rays gain
 * nothing, and lose 16 % from one point. 128 short rays take 1.3 times as long. Test: cast-rays.test.
 */
const MIN_SORTED_RAYS = 256;

/** The options of `castRays`. The maximum distance of each ray is its seventh number. */
export interface RayBundleOptions<T, M extends MathTypes = PlainMath> extends QueryOptions<T, M> {
  /** Minimum entry distance of all rays, world units, closed. Default 0. */
  readonly near?: number;
  /** Number of rays, for arrays that are longer. Default: all of `rays`. */
  readonly count?: number;
}

/**
 * Where `castRays` writes its results. The arrays belong to the caller, and may be longer than needed. They must not
 * overlap the rays in memory.
 */
export interface RayHits {
  /** One number per ray: the index of the first body on it, -1 if there is none. */
  readonly indices: Int32Array;
  /** One number per ray: the distance at which it enters that body, world units; Infinity if there is none. */
  readonly distances: Float32Array | Float64Array;
  /**
   * Three numbers per ray: the normal of the body where the ray enters it, as in a record; 0, 0, 0 if there is none, or
   * if the ray starts in the body. Leave it out if you do not need it.
   */
  readonly normals?: Float32Array | Float64Array;
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

/** In place of the arrays of a caller, which a bundle does not keep. */
const NO_INDICES = /* @__PURE__ */ new Int32Array(0);
const NO_DISTANCES = /* @__PURE__ */ new Float32Array(0);

export class RayBundle {
  /** Number of rays. */
  count = 0;
  /** Where the results are written: the arrays of `RayHits`. Kept until `forgetHits`. */
  indices: RayHits['indices'] = NO_INDICES;
  distances: RayHits['distances'] = NO_DISTANCES;
  normals: RayHits['normals'];
  private found = 0;
  private readonly values = new Float64Array(6);
  /** Where a ray enters a body. */
  private readonly entry = new Contact();
  private readonly bounds = new Float64Array(BOX_STRIDE);
  private readonly box = new Float64Array(BOX_STRIDE);
  /** The box that the grid of the origins covers. */
  private readonly area = new Float64Array(BOX_STRIDE);
  private readonly sorter = new RadixSorter();
  private keys = new Uint32Array(0);
  private order = new Uint32Array(0);
  /** Created with the first bundle after its code was loaded. */
  private stream: RayStream | null = null;

  /** Call it after `cast`, also if that throws. */
  forgetHits(): void {
    this.indices = NO_INDICES;
    this.distances = NO_DISTANCES;
    this.normals = undefined;
  }

  /**
   * Writes the first hit of each ray; returns the number of rays that hit a body. Adds to the costs.
   */
  cast(query: RayQuery, rays: FloatArray, search: Search): number {
    const { count } = this;
    const { hits } = search;
    const tree = search.tree!;
    this.found = 0;
    const stream = this.streamFor(tree);
    const isSorted = stream !== null || (count >= MIN_SORTED_RAYS && tree.hasRoot);
    if (isSorted) this.sort(rays, tree);
    if (stream !== null) {
      for (let k = 0; k < count;) k += this.castStream(stream, query, rays, k, search);
    } else {
      for (let k = 0; k < count; k++) {
        const ray = isSorted ? this.order[k] : k;
        this.setRay(query, rays, ray);
        query.findFirst(search, false);
        this.write(tree, query, hits.length > 0 ? hits.array[0] : -1, hits.distances, 0, ray);
      }
    }
    return this.found;
  }

  /** The stream for this bundle; null if its rays must be cast one by one. */
  private streamFor(tree: Tree): RayStream | null {
    if (this.count < MIN_STREAM_RAYS || tree.placedCount === 0 || !tree.accelerator?.walker) return null;
    if (Stream === null) {
      void loadRayStreams();
      return null;
    }
    this.stream ??= new Stream();
    return this.stream.begin(tree) ? this.stream : null;
  }

  /** Casts as many rays as possible in one stream, from position `begin` in the order. Returns their number. */
  private castStream(stream: RayStream, query: RayQuery, rays: FloatArray, begin: number, search: Search): number {
    const { count, keys, order } = this;
    stream.count = 0;
    const signs = keys[begin] >>> SIGNS_SHIFT;
    for (let k = begin; k < count && !stream.isFull && keys[k] >>> SIGNS_SHIFT === signs; k++) {
      this.setRay(query, rays, order[k]);
      stream.add(query);
    }
    stream.cast(query, signs, search);
    for (let k = 0; k < stream.count; k++) {
      if (this.normals !== undefined) stream.loadRay(k, query);
      this.write(search.tree!, query, stream.indices[k], stream.distances, k, order[begin + k]);
    }
    return stream.count;
  }

  private setRay(query: RayQuery, rays: FloatArray, ray: number): void {
    const { values } = this;
    const at = ray * RAY_STRIDE;
    for (let k = 0; k < FAR_OFFSET; k++) values[k] = rays[at + k];
    query.ray.set(values);
    query.far = rays[at + FAR_OFFSET];
  }

  /** Writes the result of a ray: a body at the distance at offset `k`, or -1. */
  private write(
    { bodies }: Tree,
    query: RayQuery,
    index: number,
    distances: Float64Array,
    k: number,
    ray: number,
  ): void {
    const isHit = index >= 0;
    this.indices[ray] = index;
    this.distances[ray] = isHit ? distances[k] : Infinity;
    if (isHit) this.found++;
    const { normals } = this;
    if (normals === undefined) return;
    const { entry, bounds, box } = this;
    if (isHit) {
      const isSphere = bodies.readBounds(index, bounds);
      writeRayEntry(query.ray, bounds, isSphere, bodies.readBox(index, box), distances, k, entry);
    } else entry.setNormal(0, 0, 0);
    normals[3 * ray] = entry.normalX;
    normals[3 * ray + 1] = entry.normalY;
    normals[3 * ray + 2] = entry.normalZ;
  }

  /**
   * Sets `order`: the rays by the signs of their directions, then along a Morton curve through their origins. Sets
   * `keys`, in this order.
   */
  private sort(rays: FloatArray, { sceneBounds }: Tree): void {
    const { count } = this;
    const keys = (this.keys = withCapacity(this.keys, count));
    const order = (this.order = withCapacity(this.order, count));
    const { area } = this;
    const cells = 1 << ORIGIN_BITS;
    this.setArea(rays, sceneBounds);
    // Positive, so that origins in one point have keys too.
    const edge = Math.max(area[3] - area[0], area[4] - area[1], area[5] - area[2], MIN_AREA_EDGE);
    const scale = cells / edge;
    for (let k = 0, at = 0; k < count; k++, at += RAY_STRIDE) {
      const x = clamp((rays[at] - area[0]) * scale, 0, cells - 1);
      const y = clamp((rays[at + 1] - area[1]) * scale, 0, cells - 1);
      const z = clamp((rays[at + 2] - area[2]) * scale, 0, cells - 1);
      // The bits of an octant: the one on the side from which the ray comes.
      const signs = (rays[at + 3] < 0 ? 1 : 0) + (rays[at + 4] < 0 ? 2 : 0) + (rays[at + 5] < 0 ? 4 : 0);
      keys[k] =
        ((signs << SIGNS_SHIFT) | (spreadBits(x | 0) << 2) | (spreadBits(y | 0) << 1) | spreadBits(z | 0)) >>> 0;
      order[k] = k;
    }
    this.sorter.sort(keys, order, 0, count);
  }

  /**
   * Sets the area of the grid: the part of the scene in which origins lie. So neither one body far away nor one ray
   * that starts outside of the scene makes all cells large.
   */
  private setArea(rays: FloatArray, sceneBounds: Boxes): void {
    const { area, count } = this;
    for (let axis = 0; axis < 3; axis++) {
      let min = Infinity;
      let max = -Infinity;
      for (let at = axis; at < count * RAY_STRIDE; at += RAY_STRIDE) {
        min = Math.min(min, rays[at]);
        max = Math.max(max, rays[at]);
      }
      area[axis] = clamp(sceneBounds[axis], min, max);
      area[axis + 3] = clamp(sceneBounds[axis + 3], min, max);
    }
  }
}
