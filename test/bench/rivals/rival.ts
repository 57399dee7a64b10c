/** What a rival of the benchmark can be asked. One that lacks a question takes no part in its scenario. */

import type { Box3, Frustum, Matrix4, Ray, Sphere, Vector3 } from 'three';

export interface View {
  readonly frustum: Frustum;
  /** Projection times view: some libraries make their own planes of it. */
  readonly matrix: Matrix4;
}

/** Bodies of a scene that nothing ever changes, bodies that come, go and make pairs, bodies that move. */
export type Use = 'still' | 'changing' | 'moving';

export interface Rival {
  /** Makes the scene objects that an application has anyway. Before `build`, outside its time and memory. */
  prepare?(boxes: Float64Array): void;
  /** Takes in bodies 0, 1, 2, ...: six numbers a body. Called once. */
  build(boxes: Float64Array, use: Use): void;
  /** The k-th body of the last answer. */
  bodyAt(k: number): number;
  /** These and the next four fill an answer and return its length. */
  cull?(view: View): number;
  allHits?(ray: Ray): number;
  box?(box: Box3): number;
  sphere?(sphere: Sphere): number;
  nearest?(point: Vector3, count: number): number;
  /** The body hit first, or -1. */
  firstHit?(ray: Ray): number;
  /** How many pairs overlap. */
  pairs?(): number;
  /** New bounds, six numbers a body in the order of `bodies`. */
  move?(bodies: Uint32Array, boxes: Float64Array): void;
  /** Removes these bodies, then adds new ones, which take over their numbers. */
  replace?(bodies: Uint32Array, boxes: Float64Array): void;
  /** Gives back what the garbage collector does not see. */
  dispose?(): void;
  /** Builds no index, so that there is no build to compare. */
  readonly hasNoIndex?: boolean;
  /** Its memory is not where the process can count it. */
  readonly hidesMemory?: boolean;
}
