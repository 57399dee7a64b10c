/** `nearestPoint`: the point of all triangles that is nearest to a point. */

import { readPoint, type PointLike } from '../octree/input/shapes.ts';
import { readDistanceOption } from '../octree/queries/query-options.ts';
import { FirstSearch } from './first-search.ts';
import { sideOf } from './kernels/sides.ts';
import { closestToSegment, CLOSEST_STRIDE } from './kernels/closest.ts';
import { requireHit, type TriangleHit, type TriangleOptions } from './triangle-options.ts';
import type { TriangleScene } from './triangle-scene.ts';
import { SearchPool } from './triangle-search.ts';
import { PointRange, WORLD_ERROR } from './triangle-walk.ts';

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
  return pool.use(where, scene, options, (search) => {
    readPoint(where, 'point', '', point, search.center);
    const maxDistance = readDistanceOption(where, 'maxDistance', options?.maxDistance, Infinity);
    return search.run(maxDistance, target) as TriangleHit<T> | null;
  });
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

const pool = /* @__PURE__ */ new SearchPool(NearestSearch, ['maxDistance']);
