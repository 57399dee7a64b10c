/**
 * Volumes as values, and `intersect` and `collect`: the bodies that touch a volume. A volume is set once or many times,
 * and passed to any number of queries of any octrees. Box, sphere and frustum are methods of `Octree`.
 */

import { FrustumPlanes } from '../../math/frustum-planes.ts';
import { throwType } from '../../octree/input/input-checks.ts';
import type { MathTypes } from '../../octree/input/math-types.ts';
import { internalsOf } from '../../octree/internals.ts';
import type { Octree } from '../../octree/octree.ts';
import type { IntersectionRecord } from '../../octree/queries/record-writer.ts';
import { volumeKind } from '../../octree/queries/query-kinds.ts';
import type { QueryOptions } from '../../octree/queries/query-options.ts';
import type { RangeQuery } from '../../octree/queries/range-query.ts';
import type { Workspace } from '../../octree/queries/workspace.ts';
import type { IndexList } from '../../tree/storage/index-list.ts';

const REMEDY = 'pass a Capsule, Segment, OrientedBox, Convex or CustomVolume; for a Box3 use intersectBox';
const NO_NUMBERS = /* @__PURE__ */ new Float64Array(0);

/**
 * A volume for `intersect`, `collect` and `watch`: a `Capsule`, a `Segment`, an `OrientedBox`, a `Convex`, or a
 * `CustomVolume`.
 */
export abstract class Volume {
  /** Of the types only: without it they would take any object for a volume. */
  declare protected readonly brand: 'Volume';
  /** @internal Its numbers, except planes. They begin with its points. */
  readonly values: Float64Array;
  /** @internal Number of its points. */
  readonly points: number;
  /** @internal Its planes, of a volume that has some. */
  declare readonly planes?: FrustumPlanes;
  /**
   * @internal The query for the volume as it is now, in a workspace: its arrays are reused, so that a new volume costs
   *   little.
   */
  abstract queryIn(workspace: Workspace): RangeQuery;

  /** @internal */
  constructor(values: Float64Array = NO_NUMBERS, points = 0) {
    this.values = values;
    this.points = points;
  }
}

export function isVolume(value: unknown): value is Volume {
  return typeof (value as Volume | null | undefined)?.queryIn === 'function';
}

/** An equal volume with numbers of its own. */
export function copyOf(volume: Volume): Volume {
  const copy = Object.create(Object.getPrototypeOf(volume) as object) as Volume;
  Object.assign(copy, volume, { values: volume.values.slice() });
  if (volume.planes === undefined) return copy;
  const planes = new FrustumPlanes();
  planes.copy(volume.planes);
  return Object.assign(copy, { planes });
}

const VOLUME = /* @__PURE__ */ volumeKind((workspace, volume: Volume) => volume.queryIn(workspace));

/**
 * Every body that touches a volume, in tree order. The records are those of a contact; a body in a volume without
 * contacts (`Convex`, a volume of your own) has its centre as `position`, a `normal` of (0, 0, 0) and the `distance` 0.
 *
 * Cost: a test per node and body near the surface of the volume; a volume of your own runs in JavaScript.
 *
 * @param octree The octree whose bodies are asked.
 * @param volume A `Capsule`, `Segment`, `OrientedBox`, `Convex` or `CustomVolume`.
 * @param options `mask`, `filter`, `except`, `stats`, `candidates`: see `QueryOptions`.
 * @param target An array whose records are written to and returned. Default: a new one.
 * @throws {TypeError} If the volume is none of them, or a callback of a `CustomVolume` returns something else than it
 *   must.
 *
 * @example
 * ```ts
 * import { intersect, Octree, Segment } from 'scene-octree';
 *
 * const octree = new Octree<string>();
 * octree.insert({ min: { x: 4, y: 0, z: -1 }, max: { x: 5, y: 3, z: 1 } }, 'wall');
 * const view = new Segment({ start: { x: 0, y: 1, z: 0 }, end: { x: 10, y: 1, z: 0 } });
 * for (const { body } of intersect(octree, view)) console.log(body.data); // prints: wall
 * ```
 */
export function intersect<T, M extends MathTypes>(
  octree: Octree<T, M>,
  volume: Volume,
  options?: QueryOptions<T, M>,
  target?: IntersectionRecord<T, M>[],
): IntersectionRecord<T, M>[] {
  const where = 'intersect';
  const { runner } = internalsOf(where, octree);
  requireVolume(where, volume);
  return runner.records(where, VOLUME, volume, options, target);
}

/**
 * Writes the indices of the bodies that touch a volume to a list, in tree order: those of `intersect`. Returns how
 * many. Allocates nothing.
 *
 * @param octree The octree whose bodies are asked.
 * @param volume A `Capsule`, `Segment`, `OrientedBox`, `Convex` or `CustomVolume`.
 * @param list Emptied and filled with indices. Keep it from call to call.
 * @param options `mask`, `filter`, `except`, `stats`, `candidates`: see `QueryOptions`.
 *
 * @example
 * ```ts
 * import { Capsule, collect, IndexList, Octree } from 'scene-octree';
 *
 * const octree = new Octree<string>();
 * octree.insert({ center: { x: 0, y: 1, z: 0 }, radius: 1 }, 'ball');
 * const person = new Capsule({ start: { x: 1, y: 0.5, z: 0 }, end: { x: 1, y: 1.5, z: 0 }, radius: 0.5 });
 * const list = new IndexList();
 * console.log(collect(octree, person, list)); // prints: 1
 * ```
 */
export function collect<T, M extends MathTypes>(
  octree: Octree<T, M>,
  volume: Volume,
  list: IndexList,
  options?: QueryOptions<T, M>,
): number {
  const where = 'collect';
  const { runner } = internalsOf(where, octree);
  requireVolume(where, volume);
  return runner.indices(where, VOLUME, volume, list, options);
}

function requireVolume(where: string, volume: unknown): void {
  if (!isVolume(volume)) throwType(where, 'volume', 'be a volume', volume, REMEDY);
}
