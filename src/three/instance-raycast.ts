/** Rays through instances: the hits that an InstancedMesh would give, or only the nearest one with early out. */

import type { Intersection, Mesh, Object3D, Raycaster, Vector3 } from 'three';
import { IndexList } from '../tree/index-list.ts';
import type { InstanceBodies } from './instance-bodies.ts';
import { MATRIX_LANES, type InstanceStore } from './instance-store.ts';
import { isAnswerable } from './ray-entry.ts';

/** Whether an instance may be hit; what is refused does not hide what is behind. */
export type AcceptInstance = (object: Object3D, instanceId: number) => boolean;

export class InstanceRaycast {
  private readonly container: Object3D;
  private readonly store: InstanceStore;
  private readonly bodies: InstanceBodies;
  /** The mesh that an instance is hit as, seen from a point. */
  private readonly levelAt: (id: number, from: Vector3) => Mesh;

  constructor(container: Object3D, store: InstanceStore, bodies: InstanceBodies, levelAt: (id: number, from: Vector3) => Mesh) {
    this.container = container;
    this.store = store;
    this.bodies = bodies;
    this.levelAt = levelAt;
  }

  /** Adds every hit of every instance to `hits`, by ascending id, so that ties sort as those of an InstancedMesh. */
  collect(where: string, raycaster: Raycaster, hits: Intersection[]): void {
    if (!isAnswerable(where, raycaster)) return;
    const entered = new IndexList();
    this.bodies.collectEntered(raycaster.ray, raycaster.far, entered);
    for (const id of entered.array.subarray(0, entered.length).sort()) this.ask(id, raycaster, hits);
  }

  /** The nearest hit, or null; of two at one distance that of the lower id. Asks none that the ray enters behind the best hit. */
  first(where: string, raycaster: Raycaster, accepts: AcceptInstance): Intersection | null {
    if (!isAnswerable(where, raycaster)) return null;
    const entered = new IndexList();
    this.bodies.collectEntered(raycaster.ray, raycaster.far, entered);
    const hits: Intersection[] = [];
    let best: Intersection | null = null;
    for (const id of entered.array.subarray(0, entered.length)) {
      if (best !== null && this.bodies.leastDistance(raycaster.ray, id) > best.distance) break;
      hits.length = 0;
      this.ask(id, raycaster, hits);
      for (const hit of hits) if (isBetter(hit, best) && accepts(this.container, id)) best = hit;
    }
    return best;
  }

  private ask(id: number, raycaster: Raycaster, hits: Intersection[]): void {
    if (!this.store.isShown(id)) return;
    const { container } = this;
    const mesh = this.levelAt(id, raycaster.ray.origin);
    mesh.matrixWorld.fromArray(this.store.matrices, id * MATRIX_LANES).premultiply(container.matrixWorld);
    const begin = hits.length;
    // The mesh's own, so that a faster one is used if it is installed.
    mesh.raycast(raycaster, hits);
    for (let k = begin; k < hits.length; k++) {
      hits[k].object = container;
      hits[k].instanceId = id;
    }
  }
}

function isBetter(hit: Intersection, best: Intersection | null): boolean {
  if (best === null) return true;
  return hit.distance < best.distance || (hit.distance === best.distance && hit.instanceId! < best.instanceId!);
}
