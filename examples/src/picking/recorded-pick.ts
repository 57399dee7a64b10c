// A click: what it hit, what the octree knows about it, the way of the ray, and how long the pick took.

import { type Intersection, Matrix3, type PerspectiveCamera, type Ray, Vector3 } from 'three';
import { pick, type PointerLike } from '../../../src/three/index.ts';
import type { OwnerNode, PickingWorld, Item } from './picking-world.ts';
import { raycasterAt } from './pointer-ray.ts';
import type { RayPath } from './ray-path.ts';
import { measureTime } from './measure-time.ts';

/** What a pick may be timed by, in milliseconds. */
const BUDGET_MS = 6;

export interface RecordedPick {
  readonly ray: Ray;
  /** Until it hits something, the ground included, or as far as one sees. */
  readonly length: number;
  /** Null if the ray hits nothing. */
  readonly hit: Intersection | null;
  /** Out of the surface that was hit, in the world. */
  readonly normal: Vector3;
  readonly node: OwnerNode | undefined;
  readonly path: RayPath<Item>;
  readonly milliseconds: number;
}

/** Picks what is under the pointer, and follows the ray. */
export function recordPick(world: PickingWorld, pointer: PointerLike, camera: PerspectiveCamera, element: Element): RecordedPick {
  const raycaster = raycasterAt(pointer, camera, element, world);
  const { result: hit, milliseconds } = measureTime(() => pick(pointer, camera, element, world.container, { raycaster }), BUDGET_MS);
  const { ray } = raycaster;
  const length = hit?.distance ?? Math.min(raycaster.far, camera.far);
  return {
    ray,
    length,
    hit,
    normal: hit === null ? new Vector3() : worldNormalOf(world, hit),
    node: hit === null ? undefined : world.nodeOf(hit, ray),
    path: world.pathOf(ray, length),
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
