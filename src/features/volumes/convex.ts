/** A convex volume of planes. */

import { FrustumQuery } from '../../octree/queries/frustum-query.ts';
import type { RangeQuery } from '../../octree/queries/range-query.ts';
import type { Workspace } from '../../octree/queries/workspace.ts';
import type { FrustumLike, PlaneLike } from '../../octree/input/query-shapes.ts';
import { FrustumPlanes } from '../../math/frustum-planes.ts';
import { readConvex } from './volume-shapes.ts';
import { Volume } from './volumes.ts';

/**
 * A convex volume for `intersect` and `collect`: the intersection of the inner half-spaces of any number of planes. It
 * may be unbounded, and may be empty. A gap of up to 1e-9 of the largest coordinate of the body counts as touching; at
 * an edge where two planes meet at an angle below 1e-3 rad, of 1e-12 divided by the angle. `position` of a record is
 * the centre of the body, `normal` is (0, 0, 0), `distance` is 0.
 *
 * `octree.intersectFrustum` tests bodies against each plane alone; this volume is tested as a whole. Cost: that of
 * `intersectFrustum`, an exact test for each body near a plane, and a preparation in each query that grows with the
 * cube of the number of planes: with 6 planes some microseconds, with 30 about a millisecond.
 *
 * @example
 * ```ts
 * import { collect, Convex, IndexList, Octree } from 'scene-octree';
 *
 * const octree = new Octree<string>();
 * octree.insert({ center: { x: 0, y: 3, z: 0 }, radius: 1 }, 'lamp');
 * octree.insert({ center: { x: 0, y: 9, z: 0 }, radius: 1 }, 'roof');
 * // One floor of a building: from height 0 to 4. Normals point inward.
 * const floor = new Convex([
 *   { normal: { x: 0, y: 1, z: 0 }, constant: 0 },
 *   { normal: { x: 0, y: -1, z: 0 }, constant: 4 },
 * ]);
 * const list = new IndexList();
 * console.log(collect(octree, floor, list), octree.dataAt(list.array[0])); // prints: 1 lamp
 * ```
 */
export class Convex extends Volume {
  /** @internal */
  override planes = new FrustumPlanes();

  /**
   * @param planes An array of Plane, or a Frustum, or anything shaped like them. Copied.
   * @throws {RangeError} If a number is not finite, or a normal has no length.
   * @throws {TypeError} If the argument is of another shape.
   */
  constructor(planes: readonly PlaneLike[] | FrustumLike) {
    super();
    readConvex('Convex', planes, this.planes);
  }

  /** Gives the volume other planes. Errors as in the constructor; then the volume is as before. */
  set(planes: readonly PlaneLike[] | FrustumLike): this {
    const read = new FrustumPlanes();
    readConvex('Convex.set', planes, read);
    this.planes = read;
    return this;
  }

  /** @internal */
  queryIn(workspace: Workspace): RangeQuery {
    const query = workspace.queryOf(ConvexQuery);
    query.planes.copy(this.planes);
    return query;
  }
}

class ConvexQuery extends FrustumQuery {
  override isExact = true;
}
