/** What the octree takes as shapes: three's own math objects, or anything shaped like them. */

export interface PointLike {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** Shaped like three's `Box3`. */
export interface BoxLike {
  readonly min: PointLike;
  readonly max: PointLike;
}

/** Shaped like three's `Sphere`. */
export interface SphereLike {
  readonly center: PointLike;
  readonly radius: number;
}

/** Shaped like three's `Ray`; the direction may have any length but 0. */
export interface RayLike {
  readonly origin: PointLike;
  readonly direction: PointLike;
}

/** Shaped like three's `Plane`: a point is inside when `normal . point + constant >= 0`. */
export interface PlaneLike {
  readonly normal: PointLike;
  readonly constant: number;
}

/** Shaped like three's `Frustum`, with any number of planes; of six or more the sixth is the near plane, as in three. */
export interface FrustumLike {
  readonly planes: readonly PlaneLike[];
}

/** A cube with integer corners and a power-of-two edge. */
export interface Region {
  readonly min: PointLike;
  readonly edge: number;
}

export type BoundsKind = 'box' | 'sphere';
