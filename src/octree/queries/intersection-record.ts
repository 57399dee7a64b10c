/** One result of a query. */

import type { Body } from '../bodies/body.ts';
import type { MathFactory, MathTypes, PlainMath } from '../input/math-types.ts';
import type { OctreeNode } from '../bodies/octree-node.ts';

/**
 * One result of a query. The caller owns the records. If an array of records is passed as `target` to another query,
 * its record objects are reused.
 *
 * What the fields mean depends on what the query reports: a contact (two bodies of a pair, or a body and a finite
 * volume such as a box; a point is a volume too), the hit of a ray, the hit of a moving shape (cast), a body near a
 * point, a box or a ray (nearest), or a body that a camera may see (frustum). What is said of a frustum holds for a
 * `Convex` and for a `CustomVolume` too.
 *
 * @example
 * ```ts
 * import { type IntersectionRecord, Octree } from 'scene-octree';
 *
 * const octree = new Octree<string>();
 * octree.insert({ center: { x: 0, y: 0, z: -10 }, radius: 2 }, 'balloon');
 * const ray = { origin: { x: 0, y: 0, z: 0 }, direction: { x: 0, y: 0, z: -1 } };
 * const [record]: IntersectionRecord<string>[] = octree.intersectRay(ray);
 * console.log(record.body.data, record.distance, record.position.z, record.normal.z); // prints: balloon 8 -8 1
 * ```
 */
export class IntersectionRecord<T, M extends MathTypes = PlainMath> {
  /** The body that was found. */
  body: Body<T, M>;
  /** Pairs: the other body. Otherwise null. */
  other: Body<T, M> | null = null;
  /**
   * - Contact: the point of the body nearest to the other shape. If they overlap, it is on the surface of the body, on
   *   the side of the least penetration depth.
   * - Ray: where it enters the body.
   * - Cast: the point of the body that the moving shape touches first; the point nearest to the shape's centre if
   *   `inside`.
   * - Nearest: the point of the body nearest to the given point or ray, the point itself if `inside`; for a box as for
   *   a contact.
   * - Frustum: the centre of the body.
   */
  readonly position: M['point'];
  /**
   * - Contact: from the body to the other shape. If they overlap, the body leaves the other shape by the shortest way
   *   when it moves by `normal` times `distance`.
   * - Ray: out of the body, of length 1; minus the ray's direction for a sphere of radius 0; (0, 0, 0) if `inside`.
   * - Cast: out of the body, against the motion, even at edges and corners; (0, 0, 0) if `inside`.
   * - Nearest: from the body to the given point, box or ray; (0, 0, 0) if `inside`.
   * - Frustum: (0, 0, 0).
   */
  readonly normal: M['point'];
  /**
   * World units.
   * - Contact: the gap, negative = penetration depth.
   * - Ray: from the origin to `position`; 0 if `inside`.
   * - Cast: how far the shape has moved; 0 if `inside`.
   * - Nearest: between the surfaces; 0 if `inside`.
   * - Frustum: of the body's centre from the near plane, for sorting; 0 for frusta without a near plane.
   */
  distance = 0;
  /**
   * Cast: when the moving shape touches the body, as a fraction of the motion: 0 at its start, 1 at its end.
   * Otherwise 0.
   */
  time = 0;
  /**
   * Nearest to a ray: where the ray is first nearest to the body, as a distance from its origin, world units.
   * Otherwise 0.
   */
  alongRay = 0;
  /**
   * Ray queries, nearest to a ray: the ray with its direction scaled to length 1; the records of one query share the
   * object. Otherwise null.
   */
  ray: M['ray'] | null = null;
  /** The node that owned the body when the query ran. */
  node: OctreeNode<T, M>;
  /**
   * - Contact with a volume, frustum: the volume contains the whole body.
   * - Ray: the ray starts in the body.
   * - Nearest: the point lies in the body, or the box or the ray touches it.
   * - Cast: the shape touches the body before it moves.
   * - Pair: false.
   */
  inside = false;
  /**
   * @internal Whether `node` and `ray` belong to this record alone, because it was written as the target of a single
   *   result.
   */
  isSingle = false;

  /** @internal */
  constructor(body: Body<T, M>, node: OctreeNode<T, M>, math: MathFactory<M>) {
    this.body = body;
    this.node = node;
    this.position = math.createPoint();
    this.normal = math.createPoint();
  }
}

/** A record of any octree, inside the library. */
export type AnyRecord = IntersectionRecord<unknown>;
