/**
 * The triangle with the smallest value, a time or a distance: `castShape`, `firstTriangle`, `castTriangleRays` and
 * `nearestPoint`. Of equal values that of the first mesh, then the smallest face. Objects outside the octree come
 * before all bodies, and bodies come by index.
 */

import { BOX_STRIDE, type Boxes, type KeptBoxes } from '../math/box.ts';
import type { FloatArray } from '../math/typed-arrays.ts';
import { requireCoordinate, requireFloats, throwRange, throwType } from '../octree/input/input-checks.ts';
import { readRay, type RayLike } from '../octree/input/query-shapes.ts';
import { readPoint, type PointLike } from '../octree/input/shapes.ts';
import { internalsOf } from '../octree/internals.ts';
import { readDistanceOption } from '../octree/queries/query-options.ts';
import { withWorkspace } from '../octree/queries/query-runner.ts';
import type { NearestKernel } from '../tree/traverse/kernel.ts';
import { NO_SIMD_KERNEL } from '../tree/traverse/walk-numbers.ts';
import { walkNearestFirst } from '../tree/traverse/walk.ts';
import type { Tree } from '../tree/tree.ts';
import { closestToSegment, CLOSEST_STRIDE, frame } from './kernels/closest.ts';
import { rayHits } from './kernels/ray-triangle.ts';
import { normalDot, sideOf } from './kernels/sides.ts';
import { timeOfBox, timeOfSegment } from './kernels/time-of-touch.ts';
import { QueryShape, type TriangleShape } from './shapes.ts';
import { requireHit, TriangleHit, type TriangleOptions } from './triangle-options.ts';
import type { TriangleScene } from './triangle-scene.ts';
import { SearchPool, TriangleSearch } from './triangle-search.ts';
import { magnitudeOf, PointRange, readBox, TrianglePath, WORLD_ERROR, type Volume } from './triangle-walk.ts';

/** Numbers of one ray: origin, direction, maximum distance. */
const RAY_STRIDE = 7;

/**
 * The first triangle that a shape touches while it moves by `motion` in one step, without turning, or null. So nothing
 * on its way is missed, however far that is. `time` runs from 0 at the start to 1 at the end, both closed; `distance`
 * is the part of the motion in world units. A shape that touches a triangle at its start gets time 0, `inside`, and the
 * depth of that contact.
 *
 * Equals a loop over all triangles: of equal times the first body, instance and face. The time is that at which the
 * distance has fallen to the radius, found by Newton's method, which for a shape that moves straight cannot pass the
 * touch. Cost: some microseconds; near nodes of the octree come first, and no body is tested beyond the
 * hit so far.
 *
 * @param scene Whose triangles are asked.
 * @param shape A `Sphere`, a `Box3`, a `Capsule` or an `OBB` of three's addons, or anything of the same form, world
 *   units.
 * @param motion How far it moves, world units along each axis.
 * @param options See `TriangleOptions`.
 * @param target A record to write to and return. Default: a new one.
 * @throws {TypeError} If an argument has a wrong type, or an option is unknown.
 * @throws {RangeError} If a number of the shape or the motion is not finite or too large, or a box is empty.
 *
 * @example
 * ```ts
 * import { BoxGeometry, Mesh, Sphere, Vector3 } from 'three';
 * import { OctreeGroup } from 'scene-octree/three';
 * import { castShape, TriangleScene } from 'scene-octree/triangles';
 *
 * const scene = new TriangleScene(new OctreeGroup().add(new Mesh(new BoxGeometry(2, 2, 2))));
 * const ball = new Sphere(new Vector3(-10, 0.3, 0), 0.5);
 * const hit = castShape(scene, ball, new Vector3(20, 0, 0));
 * console.log(hit?.distance, hit?.normal.x); // prints: 8.5 -1
 * ```
 */
export function castShape<T>(
  scene: TriangleScene<T>,
  shape: TriangleShape,
  motion: PointLike,
  options?: TriangleOptions<T>,
  target: TriangleHit<T> | null = null,
): TriangleHit<T> | null {
  const where = 'castShape';
  requireHit(where, target);
  return castPool.use(where, scene, options, (search) => {
    search.shape.read(where, shape);
    readPoint(where, 'motion', '', motion, search.motion);
    return search.run(where, target) as TriangleHit<T> | null;
  });
}

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
  return rayPool.use(where, scene, options, (search) => {
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
  return raysPool.use(where, scene, options, (search) => {
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

/** The options of `nearestPoint`. */
export interface NearestPointOptions<T = unknown> extends TriangleOptions<T> {
  /** World units, closed. Default Infinity. */
  readonly maxDistance?: number;
}

/**
 * The point of all triangles that is nearest to a point, or null if none is within `maxDistance`. `distance` is that of
 * both points, and `normal` the unit vector from the triangle to the point; 0 if the point lies on it.
 *
 * Equals a loop over all triangles, under every matrix: distances are measured in the world. Cost: tens of
 * microseconds; near nodes of the octree come first, and no body is tested beyond the result so far.
 *
 * @param scene Whose triangles are asked.
 * @param point World units.
 * @param options `maxDistance`, and those of all queries: see `NearestPointOptions`.
 * @param target A record to write to and return. Default: a new one.
 * @throws {TypeError} If an argument has a wrong type, or an option is unknown.
 * @throws {RangeError} If a number is not finite, or `maxDistance` negative.
 *
 * @example
 * ```ts
 * import { BoxGeometry, Mesh, Vector3 } from 'three';
 * import { OctreeGroup } from 'scene-octree/three';
 * import { nearestPoint, TriangleScene } from 'scene-octree/triangles';
 *
 * const scene = new TriangleScene(new OctreeGroup().add(new Mesh(new BoxGeometry(2, 2, 2))));
 * const nearest = nearestPoint(scene, new Vector3(5, 0.5, 0), { maxDistance: 10 });
 * console.log(nearest?.distance, nearest?.position.x); // prints: 4 1
 * ```
 */
export function nearestPoint<T>(
  scene: TriangleScene<T>,
  point: PointLike,
  options?: NearestPointOptions<T>,
  target: TriangleHit<T> | null = null,
): TriangleHit<T> | null {
  const where = 'nearestPoint';
  requireHit(where, target);
  return nearestPool.use(where, scene, options, (search) => {
    readPoint(where, 'point', '', point, search.center);
    const maxDistance = readDistanceOption(where, 'maxDistance', options?.maxDistance, Infinity);
    return search.run(maxDistance, target) as TriangleHit<T> | null;
  });
}

abstract class FirstSearch extends TriangleSearch implements NearestKernel {
  readonly simdKernel = NO_SIMD_KERNEL;
  /** Where triangles are looked for. Its limit is that of `limit`. */
  protected abstract readonly volume: Volume;
  /** The smallest value so far, or the largest of interest. In an array, because V8 may box a double in a field. */
  protected readonly best = new Float64Array(1);
  private bestBody = -2;
  private bestMesh = -1;
  private bestCorner = -1;
  protected hit: TriangleHit = new TriangleHit();
  /** Sum of the coordinates of a query whose volume is not enlarged by its own rounding errors, else 0. */
  protected magnitude = 0;
  private tree: Tree | null = null;
  /** Bodies and triangles are rounded in different ways: a triangle may lie outside of the box of its body by this. */
  private error = 0;
  private readonly bodyBox = new Float64Array(BOX_STRIDE);

  /**
   * Meshes outside the octree, then bodies, those of near nodes first.
   *
   * @param largest The largest value of interest, closed.
   */
  protected find(largest: number, target: TriangleHit | null): TriangleHit | null {
    const hit = (this.hit = target ?? new TriangleHit());
    this.best[0] = largest;
    this.bestCorner = -1;
    this.volume.limit = this.limit();
    this.visitUnculled();
    const { runner, store } = internalsOf(this.where, this.octree);
    withWorkspace(runner, this.where, ({ scratch }) => {
      runner.flush();
      this.error = 4 * WORLD_ERROR * (magnitudeOf(this.octree) + this.magnitude);
      this.tree = store.tree;
      walkNearestFirst({ tree: store.tree, categories: this.queryOptions.mask, scratch }, this);
    });
    return this.bestCorner < 0 ? null : hit;
  }

  filterByMinDistance(boxes: Boxes, begin: number, end: number, kept: KeptBoxes): void {
    const { volume, error } = this;
    for (let box = begin; box < end; box++) {
      if (!readBox(boxes, BOX_STRIDE * box, error, volume)) continue;
      kept.numbers[kept.length] = box;
      kept.distances[kept.length++] = volume.bound[0];
    }
  }

  isNearEnough(bounds: Float64Array, at: number): boolean {
    return bounds[at] <= this.volume.limit;
  }

  writeMaxDistance(): void {}

  visitBodies(found: Int32Array, bounds: FloatArray, count: number): void {
    const { volume, error, bodyBox } = this;
    const { bodies } = this.tree!;
    const { mask } = this.queryOptions;
    for (let k = count - 1; k >= 0; k--) {
      const index = found[k];
      if (bounds[k] > volume.limit || (bodies.categoryMask[index] & mask) === 0) continue;
      // Boxes in the octree leave room for motion.
      const isInside = bodies.isSphere(index)
        ? readBox(bodies.readBox(index, bodyBox), 0, error, volume)
        : readBox(bodies.bounds, BOX_STRIDE * index, error, volume);
      if (isInside) this.visitBody(index);
    }
  }

  /** The limit of the volume, for the smallest value so far. */
  protected limit(): number {
    return Math.min(this.best[0], Number.MAX_VALUE);
  }

  protected override visitBody(index: number): void {
    // Nothing is before 0, so of bodies that come later none counts.
    if (this.best[0] > 0 || this.bestCorner < 0 || index <= this.bestBody) super.visitBody(index);
  }

  protected visitMesh(): void {
    this.visitTriangles(this.volume);
  }

  /** Whether a triangle of `mesh` with a value is the first so far; then it is kept. */
  protected takes(corner: number, value: number): boolean {
    const { mesh, best } = this;
    if (!(value <= best[0])) return false;
    const serial = this.meshesTested;
    if (value === best[0] && this.bestCorner >= 0) {
      const order = mesh.bodyIndex - this.bestBody || serial - this.bestMesh || corner - this.bestCorner;
      if (order > 0) return false;
    }
    best[0] = value;
    this.bestBody = mesh.bodyIndex;
    this.bestMesh = serial;
    this.bestCorner = corner;
    if (value === 0) this.cornerEnd = corner;
    this.volume.limit = this.limit();
    return true;
  }
}

class CastSearch extends FirstSearch {
  readonly shape = new QueryShape();
  readonly motion = new Float64Array(3);
  protected readonly volume = new TrianglePath();
  private readonly touch = new Float64Array(8);

  run(where: string, target: TriangleHit | null): TriangleHit | null {
    this.shape.writePath(this.volume, this.motion);
    const { start, half } = this.volume;
    // All of the shape must move as it is: its box cannot be cut at the limit.
    for (let k = 0; k < 3; k++) requireCoordinate(where, 'the far side of shape', Math.abs(start[k]) + half[k]);
    return this.find(1, target);
  }

  protected visitTriangle(corner: number): void {
    const { triangle, touch, shape, motion, hit } = this;
    touch[6] = this.best[0];
    const isHit = shape.isRound
      ? timeOfSegment(shape.segment, motion, triangle, touch)
      : timeOfBox(shape.box, motion, triangle, touch);
    if (!isHit) return;
    if (this.isOneSided) {
      const approach = -normalDot(triangle, motion[0], motion[1], motion[2]);
      const sign = touch[6] === 0 || approach === 0 ? sideOf(triangle, shape.center) : approach;
      if (!this.isSideRight(corner, sign)) return;
    }
    if (!this.takes(corner, touch[6])) return;
    this.writeHit(hit, corner, touch, 0, 3);
    const [x, y, z] = motion;
    hit.time = touch[6];
    hit.distance = hit.time * Math.sqrt(x * x + y * y + z * z);
    hit.inside = hit.time === 0;
    if (hit.inside) hit.depth = touch[7];
  }
}

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

class NearestSearch extends FirstSearch {
  protected readonly volume = new PointRange();
  readonly center = this.volume.center;
  private readonly closest = new Float64Array(CLOSEST_STRIDE);

  run(maxDistance: number, target: TriangleHit | null): TriangleHit | null {
    this.volume.finish();
    this.magnitude = this.center.reduce((sum, value) => sum + Math.abs(value), 0);
    return this.find(maxDistance, target);
  }

  protected visitTriangle(corner: number): void {
    const { triangle, closest, center, hit } = this;
    closestToSegment(this.volume.point, triangle, closest);
    if (this.isOneSided && !this.isSideRight(corner, sideOf(triangle, center))) return;
    if (!this.takes(corner, closest[6])) return;
    this.writeHit(hit, corner, closest, 3, 7);
    hit.normal.normalize();
    hit.distance = closest[6];
  }

  /** The best distance so far, and the errors of boxes and triangles, which are rounded in different ways. */
  protected override limit(): number {
    const reach = this.best[0] + 4 * WORLD_ERROR * (this.magnitude + this.best[0]);
    return reach * reach;
  }
}

const castPool = /* @__PURE__ */ new SearchPool(CastSearch);
const rayPool = /* @__PURE__ */ new SearchPool(RaySearch, ['near', 'far']);
const raysPool = /* @__PURE__ */ new SearchPool(RaySearch);
const nearestPool = /* @__PURE__ */ new SearchPool(NearestSearch, ['maxDistance']);
