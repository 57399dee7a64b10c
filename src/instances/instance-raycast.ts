/** Rays through instances: all hits that an InstancedMesh would report, or only the nearest with early out. */

import { Box3, Matrix4, Vector3, type Intersection, type Object3D, type Ray, type Raycaster } from 'three';
import { IndexList } from '../tree/storage/index-list.ts';
import { MATRIX_STRIDE } from '../three/bounds/bounds-math.ts';
import type { InstanceFilter, RaycastOptions } from '../three/picking/pickable.ts';
import { canHit, isInRange, filterOf } from '../three/picking/raycast-checks.ts';
import type { InstanceBodies } from './bodies/instance-bodies.ts';
import { NO_BODY_INDEX } from './bodies/instance-body-map.ts';
import type { InstanceLevels } from './levels/instance-levels.ts';

/** What rays read of a container. */
interface HitContainer extends Object3D {
  readonly bodies: InstanceBodies;
  readonly levels: InstanceLevels;
}

/**
 * Adds every hit of every instance to `hits`, by ascending id: then hits at equal distances sort as with an
 * InstancedMesh.
 */
export function addHits(where: string, container: HitContainer, raycaster: Raycaster, hits: Intersection[]): void {
  if (!canHit(where, raycaster)) return;
  for (const id of idsOnRay(container.bodies, raycaster).sort()) raycastInstance(container, id, raycaster, hits);
}

/**
 * The nearest hit, or null; of two at equal distances, the one with the lower id. Cost: triangle tests of the instances
 * whose bounds the ray enters before the nearest hit.
 */
export function nearestHit(
  where: string,
  container: HitContainer,
  raycaster: Raycaster,
  options: RaycastOptions<InstanceFilter>,
): Intersection | null {
  const filter = filterOf(where, options);
  if (!canHit(where, raycaster) || (container.layers.mask & raycaster.layers.mask) === 0) return null;
  const hits: Intersection[] = [];
  let best: Intersection | null = null;
  for (const id of idsOnRay(container.bodies, raycaster)) {
    if (best !== null && minHitDistance(container.bodies, raycaster.ray, id) > best.distance) break;
    hits.length = 0;
    raycastInstance(container, id, raycaster, hits);
    for (const hit of hits) if (isBetter(hit, best) && filter(container, id, hit)) best = hit;
  }
  return best;
}

/** The ids of the visible instances whose bounds a ray enters within `far`, the nearest first, in a fresh array. */
function idsOnRay({ octree, space, map, store, isHittable, hasBounds }: InstanceBodies, ray: Raycaster): Uint32Array {
  if (!isHittable) return new Uint32Array(0);
  const own = space.rayOf(ray.ray);
  if (!hasBounds || !isInRange(own)) return store.visibleIds();
  const list = new IndexList();
  octree.collectRay(own, list, { far: ray.far * space.rayScale });
  map.toIds(list);
  return list.array.subarray(0, list.length);
}

/**
 * A lower bound of the distance at which a ray can hit an instance: where it enters the bounds. 0 if the ray starts
 * inside, or if three's test misses the box although the octree's test hits it (rounding).
 */
function minHitDistance({ octree, space, map, hasBounds }: InstanceBodies, ray: Ray, id: number): number {
  const body = map.bodyOf[id];
  if (!hasBounds || body === NO_BODY_INDEX) return 0;
  const own = space.rayOf(ray);
  const box = octree.getBoxAt(body, minHitDistance_box);
  if (box.containsPoint(own.origin)) return 0;
  const entry = own.intersectBox(box, minHitDistance_point);
  return entry === null ? 0 : entry.distanceTo(own.origin) / space.rayScale;
}
const minHitDistance_box = /* @__PURE__ */ new Box3();
const minHitDistance_point = /* @__PURE__ */ new Vector3();

function raycastInstance(
  { bodies, levels, matrixWorld }: HitContainer,
  id: number,
  raycaster: Raycaster,
  hits: Intersection[],
): void {
  const { container, store } = bodies;
  // A filter may have hidden or deleted it meanwhile.
  if (!store.isVisible(id)) return;
  const world = raycastInstance_world.fromArray(store.matrices, id * MATRIX_STRIDE).premultiply(matrixWorld);
  const distance = raycastInstance_position.setFromMatrixPosition(world).distanceTo(raycaster.ray.origin);
  const mesh = levels.meshes[levels.levelAt(distance, 0)];
  mesh.matrixWorld.copy(world);
  const begin = hits.length;
  // Mesh.raycast, which libraries such as three-mesh-bvh replace by a faster one.
  mesh.raycast(raycaster, hits);
  for (let k = begin; k < hits.length; k++) {
    hits[k].object = container;
    hits[k].instanceId = id;
  }
}
const raycastInstance_world = /* @__PURE__ */ new Matrix4();
const raycastInstance_position = /* @__PURE__ */ new Vector3();

function isBetter(hit: Intersection, best: Intersection | null): boolean {
  if (best === null) return true;
  return hit.distance < best.distance || (hit.distance === best.distance && hit.instanceId! < best.instanceId!);
}
