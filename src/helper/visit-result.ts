/**
 * What a query does with a node of an octree, computed for one node at a time. Equals the decisions of the real query
 * except for rounding.
 */

import { Box3, Ray, Vector3 } from 'three';
import { BOX_STRIDE } from '../math/box.ts';
import { FrustumPlanes } from '../math/frustum-planes.ts';
import { requireNotNegative } from '../octree/input/input-checks.ts';
import { readFrustum, readRay, type FrustumLike, type RayLike } from '../octree/input/query-shapes.ts';
import type { BoxLike } from '../octree/input/shapes.ts';

/** A frustum, or a ray that ends at a distance in world units. */
export type ShownQuery = FrustumLike | (RayLike & { readonly far?: number });

/**
 * What a query does with a node:
 *
 * - skipped: the query does not touch the fitted box. Nothing below the node is visited.
 * - contained: the fitted box is entirely inside the frustum. All bodies in and below the node are taken without a
 *   test.
 * - split: the bodies of the node are tested, and its children are visited.
 * - tested: the node is a leaf, and its bodies are tested.
 */
export type VisitResult = 'skipped' | 'contained' | 'split' | 'tested';

export class VisitResults {
  private readonly planes: FrustumPlanes | null = null;
  private readonly ray = new Ray();
  private readonly far: number;
  private readonly box = new Float64Array(BOX_STRIDE);
  private readonly fitted = new Box3();
  private readonly entry = new Vector3();

  /**
   * Copies the query: later changes to it have no effect.
   *
   * @throws {RangeError} If a number is not finite, `far` is negative or NaN, or the ray has no direction.
   * @throws {TypeError} If the query is neither a frustum nor a ray.
   */
  constructor(where: string, query: ShownQuery) {
    const far = 'far' in query && query.far !== undefined ? query.far : Infinity;
    this.far = requireNotNegative(where, 'query.far', far, 'leave it out for a ray without end');
    if ('planes' in query) {
      this.planes = new FrustumPlanes();
      readFrustum(where, query, this.planes);
    } else {
      readRay(where, query, this.box);
      this.ray.origin.fromArray(this.box);
      this.ray.direction.fromArray(this.box, 3).normalize();
    }
  }

  /** @param box The box around all bodies in and below the node. */
  of(box: BoxLike, childCount: number): VisitResult {
    const { fitted } = this;
    fitted.min.copy(box.min);
    fitted.max.copy(box.max);
    if (fitted.isEmpty()) return 'skipped';
    if (this.planes !== null) {
      fitted.min.toArray(this.box);
      fitted.max.toArray(this.box, 3);
      if (!this.planes.intersectsBox(this.box, 0, this.planes.mask)) return 'skipped';
      if (this.planes.containsBox(this.box)) return 'contained';
    } else if (!this.isEntered()) return 'skipped';
    return childCount > 0 ? 'split' : 'tested';
  }

  private isEntered(): boolean {
    const { ray, fitted, entry, far } = this;
    if (fitted.containsPoint(ray.origin)) return true;
    return ray.intersectBox(fitted, entry) !== null && entry.distanceTo(ray.origin) <= far;
  }
}
