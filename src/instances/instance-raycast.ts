/** Rays through instances: all hits that an InstancedMesh would report, or only the nearest with early out. */

import { Matrix4, Vector3, type Intersection, type Raycaster } from 'three';
import { MATRIX_STRIDE } from '../three/bounds/bounds-math.ts';
import type { InstanceFilter } from '../three/picking/pickable.ts';
import { canHit, isInRange, requireFilter } from '../three/picking/raycast-checks.ts';
import type { InstanceBodies } from './bodies/instance-bodies.ts';
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
    const ids = this.entered(raycaster).map(({ id }) => id);
    for (const id of ids.sort((a, b) => a - b)) this.raycastInstance(id, raycaster, hits);
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
    for (const { id, distance } of this.entered(raycaster)) {
      if (best !== null && distance > best.distance) break;
      hits.length = 0;
      this.raycastInstance(id, raycaster, hits);
      for (const hit of hits) if (isBetter(hit, best) && filter(container, id, hit)) best = hit;
    }
    return best;
  }

  /** The visible instances whose bounds a ray enters within `far`, the nearest first, and where it does. */
  private entered({ ray, far }: Raycaster): { readonly id: number; readonly distance: number }[] {
    const { octree, space, store, isHittable, hasBounds } = this.bodies;
    if (!isHittable) return [];
    const own = space.rayOf(ray);
    const { rayScale } = space;
    if (!hasBounds || !isInRange(own)) return Array.from(store.visibleIds(), (id) => ({ id, distance: 0 }));
    const records = octree.intersectRay(own, { far: far * rayScale });
    return records.map(({ body, distance }) => ({ id: body.data, distance: distance / rayScale }));
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
const raycastInstance_world = /* @__PURE__ */ new Matrix4();
const raycastInstance_position = /* @__PURE__ */ new Vector3();

function isBetter(hit: Intersection, best: Intersection | null): boolean {
  if (best === null) return true;
  return hit.distance < best.distance || (hit.distance === best.distance && hit.instanceId! < best.instanceId!);
}
