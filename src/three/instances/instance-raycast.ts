/** Rays through instances: all hits that an InstancedMesh would report, or only the nearest with early out. */

import { Matrix4, Vector3, type Intersection, type Object3D, type Raycaster } from 'three';
import { MATRIX_STRIDE } from '../bounds/bounds-math.ts';
import type { InstanceFilter } from '../picking/pickable.ts';
import { canHit, requireFilter } from '../picking/raycast-checks.ts';
import type { InstanceLevels } from './levels/instance-levels.ts';
import type { InstanceQueries } from './bodies/instance-queries.ts';
import type { InstanceStore } from './store/instance-store.ts';

export class InstanceRaycast {
  private readonly container: Object3D;
  private readonly store: InstanceStore;
  private readonly queries: InstanceQueries;
  private readonly levels: InstanceLevels;

  constructor(container: Object3D, store: InstanceStore, queries: InstanceQueries, levels: InstanceLevels) {
    this.container = container;
    this.store = store;
    this.queries = queries;
    this.levels = levels;
  }

  /**
   * Adds every hit of every instance to `hits`, by ascending id: then hits at equal distances sort as with an
   * InstancedMesh.
   */
  addHits(where: string, raycaster: Raycaster, hits: Intersection[]): void {
    if (!canHit(where, raycaster)) return;
    for (const id of this.queries.idsOnRay(raycaster.ray, raycaster.far).sort())
      this.raycastInstance(id, raycaster, hits);
  }

  /**
   * The nearest hit, or null; of two at equal distances, the one with the lower id. Cost: triangle tests of the
   * instances whose bounds the ray enters before the nearest hit.
   */
  first(where: string, raycaster: Raycaster, filter: InstanceFilter): Intersection | null {
    requireFilter(where, filter);
    if (!canHit(where, raycaster)) return null;
    const hits: Intersection[] = [];
    let best: Intersection | null = null;
    for (const id of this.queries.idsOnRay(raycaster.ray, raycaster.far)) {
      if (best !== null && this.queries.minHitDistance(raycaster.ray, id) > best.distance) break;
      hits.length = 0;
      this.raycastInstance(id, raycaster, hits);
      for (const hit of hits) if (isBetter(hit, best) && filter(this.container, id, hit)) best = hit;
    }
    return best;
  }

  private raycastInstance(id: number, raycaster: Raycaster, hits: Intersection[]): void {
    // A filter may have hidden or deleted it meanwhile.
    if (!this.store.isVisible(id)) return;
    const { container } = this;
    const world = raycastInstance_world
      .fromArray(this.store.matrices, id * MATRIX_STRIDE)
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
