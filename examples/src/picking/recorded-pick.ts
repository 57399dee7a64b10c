// Records a pick: the hit, its node, the path of the ray through the octree, and the time.

import { type Intersection, Matrix3, type PerspectiveCamera, type Ray, Vector3 } from 'three';
import { pick, type PointerLike } from '../../../src/three.ts';
import type { OwnerNode, PickingWorld, Item } from './picking-world.ts';
import { raycasterAt } from './pointer-ray.ts';
import type { RayPath } from './ray-path.ts';
import { measureTime } from './measure-time.ts';

/** Time budget for measuring a pick, in milliseconds. */
const BUDGET_MS = 6;

export interface RecordedPick {
  readonly ray: Ray;
  /** Distance to the hit; without a hit, to the ground or to the far plane. */
  readonly length: number;
  /** Null if the ray hits nothing. */
  readonly hit: Intersection | null;
  /** World-space normal of the hit surface. */
  readonly normal: Vector3;
  readonly node: OwnerNode | undefined;
  readonly path: RayPath<Item>;
  readonly milliseconds: number;
}

/** Picks the item under the pointer and records the path of the ray. */
export function recordPick(
  world: PickingWorld,
  pointer: PointerLike,
  camera: PerspectiveCamera,
  element: Element,
): RecordedPick {
  const raycaster = raycasterAt(pointer, camera, element, world);
  const { result: hit, milliseconds } = measureTime(
    () => pick(pointer, camera, element, world.container, { raycaster }),
    BUDGET_MS,
  );
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
  // Normals are transformed by the inverse transpose, because the scale is not uniform.
  const { matrix } = world.shapeOf(hit);
  return hit.face.normal.clone().applyMatrix3(normalMatrix.getNormalMatrix(matrix)).normalize();
}
const normalMatrix = new Matrix3();
