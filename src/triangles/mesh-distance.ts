/** `distanceBetween`, `intersectMeshPairs` and `intersectMeshPairsAsync`: the distances of meshes. */

import { type InstancedMesh, type Object3D } from 'three';
import { BOX_STRIDE } from '../math/box.ts';
import { clock, nextTask } from '../math/clock.ts';
import { readOtherMask, readWithin } from '../features/pairs/pairs.ts';
import { isObject, requireBoolean, requireFunction, throwType } from '../octree/input/input-checks.ts';
import { internalsOf } from '../octree/internals.ts';
import { readDistanceOption } from '../octree/queries/query-options.ts';
import { requireTarget } from '../octree/queries/query-runner.ts';
import type { Body } from '../three-math/octree.ts';
import { BODY_STATIC } from '../tree/layout.ts';
import { IndexList } from '../tree/storage/index-list.ts';
import { MeshSide, PairWalk, type PairedMesh } from './mesh-pair.ts';
import { checkSlices, SLICE_OPTIONS, type SliceOptions } from './prepare-triangles.ts';
import {
  isRecord,
  TRIANGLE_OPTIONS,
  TrianglePoint,
  type QueriedMesh,
  type TriangleOptions,
  type TriangleStats,
} from './triangle-options.ts';
import { visitInstance, visitMeshes, type TriangleScene } from './triangle-scene.ts';
import { SearchPool, TriangleSearch } from './triangle-search.ts';
import { boxOf, collectAll, magnitudeOf, WORLD_ERROR } from './triangle-walk.ts';

/**
 * The distance of two meshes, and where they are closest.
 *
 * @example
 * ```ts
 * import { BoxGeometry, Mesh } from 'three';
 * import { OctreeGroup } from 'scene-octree/three';
 * import { distanceBetween, MeshDistance, TriangleScene } from 'scene-octree/triangles';
 *
 * const [a, b] = [0, 3].map((x) => new Mesh(new BoxGeometry().translate(x, 0, 0)));
 * const scene = new TriangleScene(new OctreeGroup().add(a, b));
 * const target = new MeshDistance(); // one for all calls
 * const isNear = distanceBetween(scene, a, b, { maxDistance: 10 }, target) !== null;
 * console.log(isNear, target.distance); // prints: true 2
 * ```
 */
export class MeshDistance<T = unknown> extends TrianglePoint<T> {
  /** The closest point of the second mesh; the fields of the record itself are of the first one. */
  readonly other = new TrianglePoint<T>();
  /** World units; 0 where the meshes cut or touch each other. A mesh inside a closed one has the gap between both. */
  distance = 0;
}

/** A mesh, or an object with all below it; a body; or one of the instances of an object. */
export type MeshSource<T = unknown> = Object3D | Body<T> | { readonly object: Object3D; readonly instanceId: number };

/** The options of `distanceBetween`. */
export interface DistanceBetweenOptions {
  /** World units, closed. Default Infinity. */
  readonly maxDistance?: number;
  /** Filled with the cost of the query. */
  readonly stats?: TriangleStats;
}

/** The options of `intersectMeshPairs`. */
export interface MeshPairOptions<T = unknown> extends Omit<TriangleOptions<T>, 'side'> {
  /** Largest distance of the meshes of a pair, world units, closed. Default 0: meshes that cut or touch each other. */
  readonly within?: number;
  /**
   * Whether the closest points are found. Default false: the search of a pair ends at any two triangles within the
   * distance, which the result names.
   */
  readonly closest?: boolean;
  /** Categories of the second mesh of a pair. Default `mask`. */
  readonly otherMask?: number;
  /** Whether two static bodies may form a pair. Default true. */
  readonly includesStatic?: boolean;
  /**
   * Only pairs for which this returns true, such as those of different machines. Asked at least for all pairs of meshes
   * whose bodies are within the distance, before any triangle is tested. It may query, not write.
   */
  readonly pairFilter?: (mesh: QueriedMesh<T>, other: QueriedMesh<T>) => boolean;
}

/**
 * The distance of two meshes or groups of meshes, to the triangle, or null if it is more than `maxDistance`, or one has
 * no triangles. Hidden meshes count, but no hidden instances. Of equal distances the first pair of
 * meshes and faces is reported. `body` is set where a body was passed, and null for what an object holds.
 *
 * Equals a loop over all pairs of triangles, under every matrix. Cost: some tens of microseconds for meshes of
 * thousands of triangles that are near each other; less with `maxDistance`.
 *
 * @param scene Where both are.
 * @param a An object of the scene, a body, or `{ object, instanceId }`.
 * @param b As `a`.
 * @param options See `DistanceBetweenOptions`.
 * @param target A record to write to and return. Default: a new one.
 * @throws {TypeError} If an argument has a wrong type, or an option is unknown.
 * @throws {RangeError} If a body was removed, or `maxDistance` is negative or NaN.
 *
 * @example
 * ```ts
 * import { BoxGeometry, Mesh } from 'three';
 * import { OctreeGroup } from 'scene-octree/three';
 * import { distanceBetween, TriangleScene } from 'scene-octree/triangles';
 *
 * const [a, b] = [0, 3].map((x) => new Mesh(new BoxGeometry().translate(x, 0, 0)));
 * const scene = new TriangleScene(new OctreeGroup().add(a, b));
 * console.log(distanceBetween(scene, a, b)?.distance); // prints: 2
 * ```
 */
export function distanceBetween<T>(
  scene: TriangleScene<T>,
  a: MeshSource<T>,
  b: MeshSource<T>,
  options?: DistanceBetweenOptions,
  target: MeshDistance<T> | null = null,
): MeshDistance<T> | null {
  const where = 'distanceBetween';
  if (target !== null && !isDistance(target))
    throwType(where, 'target', 'be a MeshDistance', target, 'pass one that a query has returned, or leave it out');
  return betweenPool.use(where, scene, options, (search) => {
    const maxDistance = readDistanceOption(where, 'maxDistance', options?.maxDistance, Infinity);
    return search.between(where, [a, b] as MeshSource[], maxDistance, target) as MeshDistance<T> | null;
  });
}

/**
 * All pairs of meshes of different bodies that are within a distance of each other: all clashes of a building, for
 * example. In the order of the bodies; objects outside the octree form no pairs.
 *
 * Equals a loop over all pairs of triangles, under every matrix. Cost: a box query for each body, and tens of
 * microseconds for each pair of bodies whose bounds are within the distance.
 *
 * @param scene Whose meshes are compared.
 * @param options `within`, `closest`, and more: see `MeshPairOptions`. A filter must hold for both meshes.
 * @param target An array whose records are written to and returned. Default: a new one.
 * @throws {TypeError} If an argument has a wrong type, or an option is unknown.
 * @throws {RangeError} If `within` is negative or NaN.
 *
 * @example
 * ```ts
 * import { BoxGeometry, Mesh } from 'three';
 * import { OctreeGroup } from 'scene-octree/three';
 * import { intersectMeshPairs, TriangleScene } from 'scene-octree/triangles';
 *
 * const group = new OctreeGroup();
 * for (const x of [0, 1.5, 9]) group.add(new Mesh(new BoxGeometry().translate(x, 0, 0)));
 * const pairs = intersectMeshPairs(new TriangleScene(group), { within: 1, closest: true });
 * console.log(pairs.map(({ distance }) => distance)); // prints: [ 0.5 ]
 * ```
 */
export function intersectMeshPairs<T>(
  scene: TriangleScene<T>,
  options?: MeshPairOptions<T>,
  target: MeshDistance<T>[] = [],
): MeshDistance<T>[] {
  const where = 'intersectMeshPairs';
  requireTarget(where, target);
  return pairPool.use(where, scene, options, (search) => {
    const work = search.pairs(where, (options ?? {}) as MeshPairOptions, target);
    while (work.next(false).done !== true);
    return target;
  });
}

/**
 * `intersectMeshPairs` in slices, in place of a pause of a frame or more: the promise is resolved with all pairs. The
 * candidates are those of the call, and found in it: some tens of microseconds for each body. The scene may change
 * meanwhile: what was removed is left out, and what has moved is compared where it is then.
 *
 * @param scene Whose meshes are compared.
 * @param options Those of `intersectMeshPairs` and `budget`, `onProgress`, `signal`: see `SliceOptions`.
 * @throws {TypeError} If an argument has a wrong type, or an option is unknown.
 * @throws {RangeError} If `within` or `budget` is negative or NaN.
 *
 * @example
 * ```ts
 * import { intersectMeshPairsAsync, TriangleScene } from 'scene-octree/triangles';
 *
 * const controller = new AbortController(); // controller.abort() ends it
 * const { signal } = controller;
 * const clashes = await intersectMeshPairsAsync(new TriangleScene(group), { within: 0.1, signal });
 * ```
 */
export async function intersectMeshPairsAsync<T>(
  scene: TriangleScene<T>,
  options: MeshPairOptions<T> & SliceOptions = {},
): Promise<MeshDistance<T>[]> {
  const where = 'intersectMeshPairsAsync';
  const search = new PairSearch();
  search.begin(where, scene, options as never, [...PAIR_COMMON, ...PAIR_OPTIONS, ...SLICE_OPTIONS]);
  checkSlices(where, options);
  const { budget = 4, onProgress, signal } = options;
  const pairs: MeshDistance<T>[] = [];
  let start = clock.now();
  const work = search.pairs(where, options as MeshPairOptions, pairs);
  for (let step = work.next(false); step.done !== true;) {
    const isOver = clock.now() - start >= budget;
    if (isOver) {
      onProgress?.(step.value);
      await nextTask();
      signal?.throwIfAborted();
      // A group that has moved has another octree.
      search.mesh.octree = scene.octree;
      start = clock.now();
    }
    step = work.next(isOver);
  }
  search.writeStats();
  onProgress?.(1);
  return pairs;
}

class PairSearch extends TriangleSearch {
  private readonly walk = new PairWalk();
  private readonly sides = [new MeshSide(), new MeshSide()] as const;
  /** The meshes that are found. */
  private found: PairedMesh[] = [];
  /** The only instance that counts; -1 for all. */
  private instance = -1;

  between(
    where: string,
    sources: readonly MeshSource[],
    maxDistance: number,
    target: MeshDistance | null,
  ): MeshDistance | null {
    this.options = { includesHidden: true, ...this.options };
    const [as, bs] = sources.map((source, k) => this.meshesOf(where, 'ab'[k], source));
    const { walk } = this;
    walk.begin(maxDistance, false);
    let best: readonly PairedMesh[] = [];
    this.compare(as, bs, undefined, (a, b) => void (best = [a, b]));
    if (best.length === 0) return null;
    return this.write(target ?? new MeshDistance(), best[0], best[1]);
  }

  /** Yields the part that is done after each pair of bodies; is told then whether the scene may have changed. */
  *pairs(where: string, options: MeshPairOptions, target: MeshDistance[]): Generator<number, void, boolean> {
    const { closest, includesStatic, pairFilter } = options;
    requireBoolean(where, 'options.closest', closest);
    requireBoolean(where, 'options.includesStatic', includesStatic);
    requireFunction(where, 'options.pairFilter', pairFilter);
    const within = readWithin(where, options);
    const { mask } = this.queryOptions;
    const otherMask = readOtherMask(where, options, mask);
    const { walk } = this;
    const pairs = this.pairsOfBodies(within, mask, otherMask, includesStatic ?? true);
    let count = 0;
    let done = 0;
    let as: readonly PairedMesh[] = [];
    let last: Body<unknown> | null = null;
    for (const [first, second] of pairs) {
      if (first !== last) as = this.meshesOfBody(first);
      const bs = as.length === 0 ? as : this.meshesOfBody(second);
      last = first;
      walk.begin(within, closest !== true);
      this.compare(as, bs, pairFilter, (a, b) => {
        if (!isDistance(target[count])) target[count] = new MeshDistance();
        this.write(target[count++], a, b);
        walk.begin(within, closest !== true);
      });
      if (yield ++done / pairs.length) last = null;
    }
    target.length = count;
  }

  /** The pairs of bodies that are within a distance, and some that are not, in ascending order. */
  private pairsOfBodies(within: number, mask: number, otherMask: number, includesStatic: boolean): BodyPair[] {
    const { octree, list } = this;
    const near = new IndexList();
    const options = { mask: mask | otherMask };
    collectAll(octree, list, options);
    const { bodies } = internalsOf(this.where, octree).store.tree;
    // Bounds and triangles are rounded in different ways.
    const distance = within + 4 * WORLD_ERROR * (3 * magnitudeOf(octree) + within);
    const isPair = (a: number, b: number): boolean =>
      (bodies.categoryMask[a] & mask) !== 0 && (bodies.categoryMask[b] & otherMask) !== 0;
    const seeks = (index: number): boolean => includesStatic || (bodies.flags[index] & BODY_STATIC) === 0;
    const box = new Float64Array(BOX_STRIDE);
    const pairs: BodyPair[] = [];
    for (const index of list) {
      if (!seeks(index)) continue;
      octree.collectBox(boxOf(bodies.readBox(index, box), distance), near, options);
      for (const other of near) {
        // Two that seek find each other.
        if (other === index || (other < index && seeks(other))) continue;
        const least = Math.min(index, other);
        const first = isPair(least, index + other - least) ? least : index + other - least;
        const second = index + other - first;
        if (isPair(first, second)) pairs.push([octree.bodyAt(first), octree.bodyAt(second)]);
      }
    }
    return pairs.sort(([a, b], [c, d]) => a.index - c.index || b.index - d.index);
  }

  /** Compares all pairs of meshes. `take` is called after each pair that is the closest so far. */
  private compare(
    as: readonly PairedMesh[],
    bs: readonly PairedMesh[],
    filter: MeshPairOptions['pairFilter'],
    take: (a: PairedMesh, b: PairedMesh) => void,
  ): void {
    const { walk, sides } = this;
    walk.nodesVisited = walk.trianglesTested = 0;
    for (const a of as) {
      sides[0].set(a);
      for (const b of bs) {
        if (filter !== undefined && !filter(a, b)) continue;
        sides[1].set(b);
        if (walk.compare(sides[0], sides[1])) take(a, b);
      }
    }
    this.nodesVisited += walk.nodesVisited;
    this.trianglesTested += walk.trianglesTested;
  }

  private write(record: MeshDistance, a: PairedMesh, b: PairedMesh): MeshDistance {
    const { closest, corner, otherCorner } = this.walk;
    this.writePoint(record, a, corner, closest, 0);
    this.writePoint(record.other, b, otherCorner, closest, 3);
    record.distance = closest[6];
    return record;
  }

  private meshesOf(where: string, name: string, source: MeshSource): PairedMesh[] {
    const remedy = 'pass an object of the scene, a body, or { object, instanceId }';
    if (!isObject(source)) throwType(where, name, 'be an object', source, remedy);
    if (!('isObject3D' in source) && 'index' in source) {
      if (!this.octree.has(source))
        throw new RangeError(
          `${where}: ${name} must be a body of the scene, but was removed, or is of another octree.`,
        );
      return this.meshesOfBody(source);
    }
    this.found = [];
    this.mesh.bodyIndex = -1;
    if ('isObject3D' in source) visitMeshes(source, this.consider);
    else {
      const { object, instanceId } = source as { object: Object3D; instanceId: number };
      if (!isObject(object) || !Number.isInteger(instanceId) || instanceId < 0)
        throwType(where, name, 'be an object or an instance', source, remedy);
      const isBatchedMesh = 'isBatchedMesh' in object;
      const count = 'isInstancedMesh' in object ? (object as InstancedMesh).count : 0;
      if (!isBatchedMesh && !(instanceId < count))
        throwType(where, name, `have the id of one of ${count} instances`, instanceId, remedy);
      this.instance = instanceId;
      try {
        if (isBatchedMesh) visitMeshes(object, this.consider);
        else visitInstance(object as InstancedMesh, instanceId, this.consider);
      } finally {
        this.instance = -1;
      }
    }
    return this.found;
  }

  /** None, if the body was removed. */
  private meshesOfBody(body: Body<unknown>): PairedMesh[] {
    this.found = [];
    if (this.octree.has(body)) this.visitBody(body.index);
    return this.found;
  }

  protected visitMesh(): void {
    const { object, bodyIndex, body, instanceId, triangles, matrix } = this.mesh;
    if (this.instance >= 0 && this.instance !== instanceId) return;
    this.found.push({ object, bodyIndex, body, instanceId, triangles: triangles!, matrix: matrix.slice() });
  }

  protected visitTriangle(): void {}
}

/** Whether a query can write to a record. */
function isDistance(target: unknown): boolean {
  return isRecord(target) && isRecord((target as Partial<MeshDistance>).other);
}

const betweenPool = /* @__PURE__ */ new SearchPool(PairSearch, ['maxDistance', 'stats'], []);
const PAIR_OPTIONS = ['within', 'closest', 'otherMask', 'includesStatic', 'pairFilter'];
const PAIR_COMMON = /* @__PURE__ */ TRIANGLE_OPTIONS.filter((name) => name !== 'side');
const pairPool = /* @__PURE__ */ new SearchPool(PairSearch, PAIR_OPTIONS, PAIR_COMMON);

type BodyPair = readonly [Body<unknown>, Body<unknown>];
