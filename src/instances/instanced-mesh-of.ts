/**
 * The InstancedMesh that holds the same instances: the form in which instances are saved, and with which three computes
 * bounds.
 */

import { Box3, InstancedMesh, Sphere } from 'three';
import type { DrawSource } from './levels/instance-levels.ts';
import type { InstanceStore } from './store/instance-store.ts';
import { ViewColumn } from './views/view-columns.ts';

/** The visible instances, in the order of their ids. */
export function visibleInstancesOf(container: DrawSource, store: InstanceStore): InstancedMesh {
  const ids = store.visibleIds();
  return build(container, store, ids, Uint32Array.from(ids.keys()));
}

/**
 * Every instance at its id, so that instanced attributes still fit. The ids of hidden and deleted instances have a
 * matrix of zeros.
 */
export function instancedMeshByIdOf(container: DrawSource, store: InstanceStore): InstancedMesh {
  const identity = Uint32Array.from({ length: store.idEnd }, (_, id) => id);
  return build(container, store, identity, store.visibleIds());
}

/** Puts the instance with the id `idAt[slot]` into each of the listed slots; the other slots stay empty. */
function build(container: DrawSource, store: InstanceStore, idAt: Uint32Array, slots: Uint32Array): InstancedMesh {
  const mesh = new InstancedMesh(container.geometry, container.material, 0);
  for (const source of store.columns) {
    const column = new ViewColumn(source, idAt.length);
    column.copy(slots, slots.length, idAt);
    Reflect.set(mesh, source.name, column.target);
  }
  mesh.count = idAt.length;
  if (store.morph === null) mesh.morphTargetInfluences = container.morphTargetInfluences?.slice();
  return mesh;
}

/**
 * The box and the sphere around all visible instances, computed as InstancedMesh computes them and kept until an
 * instance changes.
 */
export class ContainerBounds {
  readonly box: Box3 = new Box3();
  readonly sphere: Sphere = new Sphere();
  private readonly store: InstanceStore;
  /** `store.takeTime()` when the box and the sphere were computed. */
  private time = -1;

  constructor(store: InstanceStore) {
    this.store = store;
  }

  /** Brings both up to date. */
  of(container: DrawSource): this {
    const time = this.store.takeTime();
    if (this.time === time) return this;
    const mesh = visibleInstancesOf(container, this.store);
    mesh.boundingBox = this.box;
    mesh.boundingSphere = this.sphere;
    mesh.computeBoundingBox();
    mesh.computeBoundingSphere();
    this.time = time;
    return this;
  }
}
