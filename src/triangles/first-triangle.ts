/** `firstTriangle`, `castTriangleRays`: the first triangle on a ray, and on many. */

import { requireFloats, throwRange, throwType } from '../octree/input/input-checks.ts';
import { readRay, type RayLike } from '../octree/input/query-shapes.ts';
import { readDistanceOption } from '../octree/queries/query-options.ts';
import { FirstSearch } from './first-search.ts';
import { frame } from './kernels/closest.ts';
import { normalDot } from './kernels/sides.ts';
import { rayHits } from './kernels/ray-triangle.ts';
import { requireHit, TriangleHit, type TriangleOptions } from './triangle-options.ts';
import type { TriangleScene } from './triangle-scene.ts';
import { SearchPool } from './triangle-search.ts';
import { TrianglePath } from './triangle-walk.ts';

/** The options of `firstTriangle`. */
export interface TriangleRayOptions<T = unknown> extends TriangleOptions<T> {
  /** Minimum distance, world units, closed. Default 0. */
  readonly near?: number;
  /** Maximum distance, world units, closed. Default Infinity. */
  readonly far?: number;
}

/**
 * The first triangle on a ray, or null. Both sides count, unless `side` says otherwise: 'material' is what three's
 * `Raycaster` does. `normal` is that of the triangle, towards the origin.
 *
 * Equals a loop over all triangles. Cost: a microsecond or some; near nodes of the octree come first, and no body
 * is tested beyond the hit so far.
 *
 * @param scene Whose triangles are asked.
 * @param ray A `Ray`, or anything of the same form. The direction may have any length but 0.
 * @param options `near`, `far`, and those of all queries: see `TriangleRayOptions`.
 * @param target A record to write to and return. Default: a new one.
 * @throws {TypeError} If an argument has a wrong type, or an option is unknown.
 * @throws {RangeError} If the ray has no direction, or a number is not finite.
 *
 * @example
 * ```ts
 * import { BoxGeometry, Mesh, Ray, Vector3 } from 'three';
 * import { OctreeGroup } from 'scene-octree/three';
 * import { firstTriangle, TriangleScene } from 'scene-octree/triangles';
 *
 * const scene = new TriangleScene(new OctreeGroup().add(new Mesh(new BoxGeometry(2, 2, 2))));
 * const down = new Ray(new Vector3(0.2, 5, 0.3), new Vector3(0, -1, 0));
 * console.log(firstTriangle(scene, down)?.distance); // prints: 4
 * ```
 */
export function firstTriangle<T>(
  scene: TriangleScene<T>,
  ray: RayLike,
  options?: TriangleRayOptions<T>,
  target: TriangleHit<T> | null = null,
): TriangleHit<T> | null {
  const where = 'firstTriangle';
  requireHit(where, target);
  return pool.use(where, scene, options, (search) => {
    readRay(where, ray, search.numbers);
    const near = readDistanceOption(where, 'near', options?.near, 0);
    const far = readDistanceOption(where, 'far', options?.far, Infinity);
    return search.run(near, far, target) as TriangleHit<T> | null;
  });
}

/** Where `castTriangleRays` writes its results, one entry for each ray. */
export interface TriangleRayHits {
  /** The index of the body that is hit; -1 for nothing, and for an object outside the octree. */
  readonly indices: Int32Array;
  /** The number of the triangle; -1 for nothing. */
  readonly faces: Int32Array;
  /** World units; Infinity for nothing. */
  readonly distances: Float64Array | Float32Array;
}

/**
 * `firstTriangle` for many rays. Returns the number of rays that hit a triangle.
 *
 * Cost: that of `firstTriangle` for each.
 *
 * @param scene Whose triangles are asked.
 * @param rays Seven numbers a ray: origin, direction of any length but 0, and the maximum distance.
 * @param hits Arrays to write to.
 * @param options See `TriangleOptions`.
 * @throws {TypeError} If an argument has a wrong type, or an option is unknown.
 * @throws {RangeError} If an array of `hits` is too short, or a number of a ray is invalid. Rays before it are written.
 *
 * @example
 * ```ts
 * import { BoxGeometry, Mesh } from 'three';
 * import { OctreeGroup } from 'scene-octree/three';
 * import { castTriangleRays, TriangleScene } from 'scene-octree/triangles';
 *
 * const scene = new TriangleScene(new OctreeGroup().add(new Mesh(new BoxGeometry(2, 2, 2))));
 * const rays = new Float64Array([0.2, 5, 0.3, 0, -1, 0, 100, 9, 9, 9, 0, 1, 0, 100]);
 * const hits = { indices: new Int32Array(2), faces: new Int32Array(2), distances: new Float64Array(2) };
 * console.log(castTriangleRays(scene, rays, hits), hits.distances[0]); // prints: 1 4
 * ```
 */
export function castTriangleRays<T>(
  scene: TriangleScene<T>,
  rays: Float64Array | Float32Array,
  hits: TriangleRayHits,
  options?: TriangleOptions<T>,
): number {
  const where = 'castTriangleRays';
  const remedy = 'pass origin, direction and maximum distance of each ray';
  requireFloats(where, 'rays', rays, remedy);
  const count = rays.length / RAY_STRIDE;
  if (!Number.isInteger(count)) throwRange(where, 'rays.length', 'be a multiple of seven', rays.length, remedy);
  for (const name of ['indices', 'faces', 'distances'] as const) {
    const array = (hits as TriangleRayHits | null)?.[name];
    if (!ArrayBuffer.isView(array))
      throwType(where, `hits.${name}`, 'be a typed array', array, 'pass { indices, faces, distances }');
    if (array.length < count)
      throwRange(where, `hits.${name}.length`, `be at least ${count}`, array.length, 'pass an entry for each ray');
  }
  const record = new TriangleHit();
  return manyPool.use(where, scene, options, (search) => {
    let found = 0;
    for (let k = 0; k < count; k++) {
      const [x, y, z, dx, dy, dz, far] = rays.subarray(k * RAY_STRIDE, (k + 1) * RAY_STRIDE);
      readRay(where, { origin: { x, y, z }, direction: { x: dx, y: dy, z: dz } }, search.numbers);
      const hit = search.run(0, readDistanceOption(where, `far of ray ${k}`, far, Infinity), record);
      hits.indices[k] = hit?.body?.index ?? -1;
      hits.faces[k] = hit?.face ?? -1;
      hits.distances[k] = hit?.distance ?? Infinity;
      if (hit !== null) found++;
    }
    return found;
  });
}

const RAY_STRIDE = 7;

export class RaySearch extends FirstSearch {
  /** Origin and direction; the direction is made a unit vector. */
  readonly numbers = new Float64Array(6);
  private near = 0;
  protected readonly volume = new TrianglePath();
  private readonly distance = new Float64Array(1);
  /** The point at this distance, and the normal there. */
  protected readonly touch = new Float64Array(6);

  run(near: number, far: number, target: TriangleHit | null): TriangleHit | null {
    const { numbers: ray, volume } = this;
    const largest = Math.max(Math.abs(ray[3]), Math.abs(ray[4]), Math.abs(ray[5]));
    for (let k = 3; k < 6; k++) ray[k] /= largest;
    const length = Math.sqrt(ray[3] * ray[3] + ray[4] * ray[4] + ray[5] * ray[5]);
    for (let k = 3; k < 6; k++) ray[k] /= length;
    volume.start.set(ray.subarray(0, 3));
    volume.motion.set(ray.subarray(3));
    volume.finish();
    this.near = near;
    return this.find(far, target);
  }

  protected visitTriangle(corner: number): void {
    const { triangle, numbers: ray, distance, touch, near, hit } = this;
    if (!rayHits(ray, triangle, distance) || distance[0] < near) return;
    const approach = -normalDot(triangle, ray[3], ray[4], ray[5]);
    for (let k = 0; k < 3; k++) {
      touch[k] = ray[k] + ray[k + 3] * distance[0];
      touch[k + 3] = approach < 0 ? -frame[k + 6] : frame[k + 6];
    }
    if (!this.isSideRight(corner, approach) || !this.takes(corner, distance[0])) return;
    this.writeHit(hit, corner, touch, 0, 3);
    hit.normal.normalize();
    hit.distance = distance[0];
  }
}

const pool = /* @__PURE__ */ new SearchPool(RaySearch, ['near', 'far']);
const manyPool = /* @__PURE__ */ new SearchPool(RaySearch);
