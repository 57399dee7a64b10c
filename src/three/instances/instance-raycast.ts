/** Rays through instances: the hits that an InstancedMesh would give, or only the nearest one with early out. */

import { Matrix4, Vector3, type Intersection, type Object3D, type Raycaster } from 'three';
import { IndexList } from '../../tree/storage/index-list.ts';
import type { InstanceBodies } from './instance-bodies.ts';
import type { InstanceLevels } from './instance-levels.ts';
import { MATRIX_STRIDE, type InstanceStore } from './instance-store.ts';
import { canHit, requireFilter } from '../picking/raycast-checks.ts';

/** Whether an instance may be hit; what is refused does not hide what is behind. */
export type InstanceFilter = (object: Object3D, instanceId: number) => boolean;

export class InstanceRaycast {
  private readonly container: Object3D;
  private readonly store: InstanceStore;
  private readonly bodies: InstanceBodies;
  private readonly levels: InstanceLevels;

  constructor(container: Object3D, store: InstanceStore, bodies: InstanceBodies, levels: InstanceLevels) {
    this.container = container;
    this.store = store;
    this.bodies = bodies;
    this.levels = levels;
  }

  /** Adds every hit of every instance to `hits`, by ascending id, so that ties sort as those of an InstancedMesh. */
  collect(where: string, raycaster: Raycaster, hits: Intersection[]): void {
    if (!canHit(where, raycaster)) return;
    const entered = new IndexList();
    this.bodies.collectEntered(raycaster.ray, raycaster.far, entered);
    for (const id of entered.array.subarray(0, entered.length).sort()) this.ask(id, raycaster, hits);
  }

  /** The nearest hit, or null; of two at one distance that of the lower id. Asks none that the ray enters behind the best hit. */
  first(where: string, raycaster: Raycaster, filter: InstanceFilter): Intersection | null {
    requireFilter(where, filter);
    if (!canHit(where, raycaster)) return null;
    const entered = new IndexList();
    this.bodies.collectEntered(raycaster.ray, raycaster.far, entered);
    const hits: Intersection[] = [];
    let best: Intersection | null = null;
    for (const id of entered.array.subarray(0, entered.length)) {
      if (best !== null && this.bodies.minDistance(raycaster.ray, id) > best.distance) break;
      hits.length = 0;
      this.ask(id, raycaster, hits);
      for (const hit of hits) if (isBetter(hit, best) && filter(this.container, id)) best = hit;
    }
    return best;
  }

  private ask(id: number, raycaster: Raycaster, hits: Intersection[]): void {
    if (!this.store.isShown(id)) return;
    const { container } = this;
    const world = ask_world.fromArray(this.store.matrices, id * MATRIX_STRIDE).premultiply(container.matrixWorld);
    const mesh = this.levels.meshAt(ask_place.setFromMatrixPosition(world).distanceTo(raycaster.ray.origin));
    mesh.matrixWorld.copy(world);
    const begin = hits.length;
    // The mesh's own, so that a faster one is used if it is installed.
    mesh.raycast(raycaster, hits);
    for (let k = begin; k < hits.length; k++) {
      hits[k].object = container;
      hits[k].instanceId = id;
    }
  }
}
const ask_world = /* @__PURE__ */ new Matrix4();
const ask_place = /* @__PURE__ */ new Vector3();

function isBetter(hit: Intersection, best: Intersection | null): boolean {
  if (best === null) return true;
  return hit.distance < best.distance || (hit.distance === best.distance && hit.instanceId! < best.instanceId!);
}
