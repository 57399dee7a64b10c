/** What one answer says. Records belong to the caller; a target array that is passed again lends its records for reuse. */

import { Vector3, type Ray } from 'three';
import type { Body } from './body.ts';
import type { OctreeNode } from './octree-node.ts';

export class IntersectionRecord<T> {
  /** The body that answers. */
  body: Body<T>;
  /** Pairs: the other body. Otherwise null. */
  other: Body<T> | null = null;
  /**
   * Ray: where it enters. Box, sphere, point, pair: the point of the body nearest to the other. Nearest: the point of the body
   * nearest to the one asked about. Frustum: the centre of the body's box.
   */
  readonly position: Vector3 = new Vector3();
  /**
   * Ray: out of the body, of length 1; minus the ray's direction for a sphere of radius 0; (0, 0, 0) from inside. Contacts: from the body to
   * the other. Frustum: (0, 0, 0).
   */
  readonly normal: Vector3 = new Vector3();
  /**
   * World units. Ray: from the origin, 0 from inside. Contacts: the gap, negative = depth. Nearest: to the surface, 0 inside.
   * Frustum: the centre's distance from the near plane, for sorting.
   */
  distance = 0;
  /** Ray queries: the ray as it was asked, with a unit direction; shared by the records of one answer. */
  ray: Ray | null = null;
  /** Owner node of the body when the question was asked. */
  node: OctreeNode<T>;
  /** Ray and nearest: begins inside the body. Frustum, box, sphere, point: the body lies wholly inside the volume. */
  inside = false;

  constructor(body: Body<T>, node: OctreeNode<T>) {
    this.body = body;
    this.node = node;
  }
}
