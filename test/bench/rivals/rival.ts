/** What a rival of the benchmark can do. A rival that lacks an operation does not take part in its scenarios. */

import type { Box3, Frustum, Matrix4, PerspectiveCamera, Plane, Ray, Sphere, Vector3 } from 'three';
import type { Cast, TurnedBox } from '../queries.ts';

export interface View {
  readonly frustum: Frustum;
  /** Projection times view, for libraries that compute the planes themselves. */
  readonly matrix: Matrix4;
}

/**
 * `static`: nothing changes after the build. `changing`: bodies are added and removed, and may form pairs. `moving`:
 * bodies move.
 */
export type Use = 'static' | 'changing' | 'moving';

export interface Rival {
  /**
   * Creates the scene objects that an application has in any case. Runs before `build`; neither its time nor its memory
   * is counted.
   */
  prepare?(boxes: Float64Array): void;
  /** Inserts bodies 0, 1, 2, ...: six numbers per body. Called once. */
  build(boxes: Float64Array, use: Use): void;
  /** The k-th body of the last result. */
  bodyAt(k: number): number;
  /**
   * Stores the bodies that the view may see and returns their number. So do `allHits` and the queries from `box` to
   * `convex`.
   */
  cull?(view: View): number;
  /** As `cull`, but without what stands behind the bodies, which are all solid. */
  visible?(camera: PerspectiveCamera): number;
  allHits?(ray: Ray): number;
  box?(box: Box3): number;
  sphere?(sphere: Sphere): number;
  nearest?(point: Vector3, count: number): number;
  nearestToBox?(box: Box3, count: number): number;
  nearestToRay?(ray: Ray, count: number): number;
  /** The capsule is the way of the moving sphere. */
  capsule?(cast: Cast): number;
  orientedBox?(box: TurnedBox): number;
  /** The volume that the inner sides of the planes have in common. */
  convex?(planes: readonly Plane[]): number;
  /** The body that the ray hits first, or -1. */
  firstHit?(ray: Ray): number;
  /**
   * `firstHit` of many rays in one call, seven numbers per ray: origin, direction, greatest distance. Writes a body, or
   * -1, per ray. Without it the rays are cast one by one.
   */
  castBatch?(rays: Float64Array, bodies: Int32Array): void;
  /** The body that the sphere touches first while it moves, or -1. */
  castSphere?(sphere: Sphere, motion: Vector3): number;
  /** 1 if the ray hits any body, else 0. */
  anyHit?(ray: Ray): number;
  /** Number of overlapping pairs. */
  pairs?(): number;
  /** Writes new bounds: six numbers per body, in the order of `bodies`. */
  move?(bodies: Uint32Array, boxes: Float64Array): void;
  /** Removes these bodies, then adds new ones under the same numbers. */
  replace?(bodies: Uint32Array, boxes: Float64Array): void;
  /** Frees memory that the garbage collector does not manage. */
  dispose?(): void;
  /** The rival loops over all bodies: there is no build to measure. */
  readonly hasNoIndex?: boolean;
  /** The rival's memory is inside WebAssembly and is not counted. */
  readonly hasUncountedMemory?: boolean;
}
