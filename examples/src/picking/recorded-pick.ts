// A click: what it hit, what the octree knows about it, the way of the ray, and how long the pick took.

import { type Intersection, Matrix3, type PerspectiveCamera, type Ray, Vector3 } from 'three';
import { pick, type PointerLike } from '../../../src/three/index.ts';
import { raycasterAt } from './comparison.ts';
import type { OwnerNode, PickingWorld, Thing } from './picking-world.ts';
import type { RayPath } from './ray-path.ts';
import { timed } from './stopwatch.ts';

/** What a pick may be timed by, in milliseconds. */
const TIMED_MS = 6;

export interface RecordedPick {
  readonly ray: Ray;
  /** Null if the ray hits nothing. */
  readonly hit: Intersection | null;
  /** Out of the surface that was hit, in the world. */
  readonly normal: Vector3;
  readonly node: OwnerNode | undefined;
  readonly path: RayPath<Thing>;
  readonly milliseconds: number;
}

/** Picks what is under the pointer, and follows the ray as far as it goes or can be seen. */
export function recordPick(world: PickingWorld, pointer: PointerLike, camera: PerspectiveCamera, element: Element): RecordedPick {
  const { result: hit, milliseconds } = timed(() => pick(pointer, camera, element, world.container), TIMED_MS);
  const { ray } = raycasterAt(pointer, camera, element);
  return {
    ray,
    hit,
    normal: hit === null ? new Vector3() : worldNormalOf(world, hit),
    node: hit === null ? undefined : world.nodeOf(hit, ray),
    path: world.pathOf(ray, hit?.distance ?? camera.far),
    milliseconds,
  };
}

function worldNormalOf(world: PickingWorld, hit: Intersection): Vector3 {
  if (!hit.face) return new Vector3();
  // Normals go by the inverse transpose: walls that are stretched do not lean.
  const { matrix } = world.shapeOf(hit);
  return hit.face.normal.clone().applyMatrix3(normalMatrix.getNormalMatrix(matrix)).normalize();
}
const normalMatrix = new Matrix3();
