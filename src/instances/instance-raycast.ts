/** Rays through instances: all hits that an InstancedMesh would report, or only the nearest with early out. */

import { Box3, Matrix4, Vector3, type Intersection, type Ray, type Raycaster } from 'three';
import { IndexList } from '../tree/storage/index-list.ts';
import { MATRIX_STRIDE } from '../three/bounds/bounds-math.ts';
import type { InstanceFilter } from '../three/picking/pickable.ts';
import { canHit, isInRange, requireFilter } from '../three/picking/raycast-checks.ts';
import type { InstanceBodies } from './bodies/instance-bodies.ts';
import { NO_BODY_INDEX } from './bodies/instance-body-map.ts';
import type { InstanceLevels } from './levels/instance-levels.ts';

export class InstanceRaycast {
  private readonly bodies: InstanceBodies;
  private readonly levels: InstanceLevels;

  constructor(bodies: InstanceBodies, levels: InstanceLevels) {
    this.bodies = bodies;
    this.levels = levels;
  }

  /**
   * Adds every hit of every instance to `hits`, by ascending id: then hits at equal distances sort as with an
   * InstancedMesh.
   */
  addHits(where: string, raycaster: Raycaster, hits: Intersection[]): void {
    if (!canHit(where, raycaster)) return;
    for (const id of this.idsOnRay(raycaster).sort()) this.raycastInstance(id, raycaster, hits);
  }

  /**
   * The nearest hit, or null; of two at equal distances, the one with the lower id. Cost: triangle tests of the
   * instances whose bounds the ray enters before the nearest hit.
   */
  first(where: string, raycaster: Raycaster, filter: InstanceFilter): Intersection | null {
    requireFilter(where, filter);
    if (!canHit(where, raycaster)) return null;
    const { container } = this.bodies;
    const hits: Intersection[] = [];
    let best: Intersection | null = null;
    for (const id of this.idsOnRay(raycaster)) {
      if (best !== null && this.minHitDistance(raycaster.ray, id) > best.distance) break;
      hits.length = 0;
      this.raycastInstance(id, raycaster, hits);
      for (const hit of hits) if (isBetter(hit, best) && filter(container, id, hit)) best = hit;
    }
    return best;
  }

  /** The ids of the visible instances whose bounds a ray enters within `far`, the nearest first, in a fresh array. */
  private idsOnRay({ ray, far }: Raycaster): Uint32Array {
    const { bodies } = this;
    const { octree, space, map } = bodies;
    if (!bodies.isHittable) return new Uint32Array(0);
    const own = space.rayOf(ray);
    if (!bodies.hasBounds || !isInRange(own)) return bodies.store.visibleIds();
    bodies.requireOctree();
    const list = new IndexList();
    octree.collectRay(own, list, { far: far * space.rayScale });
    map.toIds(list);
    return list.array.subarray(0, list.length);
  }

  /** A lower bound of the distance at which a ray can hit an instance: where it enters the bounds. */
  private minHitDistance(ray: Ray, id: number): number {
    const { octree, space, map, hasBounds } = this.bodies;
    const body = map.bodyOf[id];
    if (!hasBounds || body === NO_BODY_INDEX) return 0;
    const own = space.rayOf(ray);
    return entryDistance(own, octree.getBoxAt(body, minHitDistance_box)) / space.rayScale;
  }

  private raycastInstance(id: number, raycaster: Raycaster, hits: Intersection[]): void {
    const { container, store } = this.bodies;
    // A filter may have hidden or deleted it meanwhile.
    if (!store.isVisible(id)) return;
    const world = raycastInstance_world
      .fromArray(store.matrices, id * MATRIX_STRIDE)
      .premultiply(container.matrixWorld);
    const mesh = this.levels.meshAt(
      raycastInstance_position.setFromMatrixPosition(world).distanceTo(raycaster.ray.origin),
    );
    mesh.matrixWorld.copy(world);
    const begin = hits.length;
    // Mesh.raycast, which libraries such as three-mesh-bvh replace by a faster one.
    mesh.raycast(raycaster, hits);
    for (let k = begin; k < hits.length; k++) {
      hits[k].object = container;
      hits[k].instanceId = id;
    }
  }
}
const minHitDistance_box = /* @__PURE__ */ new Box3();
const raycastInstance_world = /* @__PURE__ */ new Matrix4();
const raycastInstance_position = /* @__PURE__ */ new Vector3();

/**
 * Distance at which a ray enters a box. 0 if the ray starts inside, or if three's test misses the box although the
 * octree's test hits it (rounding).
 */
function entryDistance(ray: Ray, box: Box3): number {
  if (box.containsPoint(ray.origin)) return 0;
  const entry = ray.intersectBox(box, entryDistance_point);
  return entry === null ? 0 : entry.distanceTo(ray.origin);
}
const entryDistance_point = /* @__PURE__ */ new Vector3();

function isBetter(hit: Intersection, best: Intersection | null): boolean {
  if (best === null) return true;
  return hit.distance < best.distance || (hit.distance === best.distance && hit.instanceId! < best.instanceId!);
}
