/** Builds the InstancedMesh that holds the same instances: three computes bounds with it, and it is the form in which instances are saved. */

import { InstancedMesh } from 'three';
import type { DrawSource } from './levels/draw-state.ts';
import type { InstanceStore } from './store/instance-store.ts';
import { ViewColumn } from './views/view-column.ts';

/** The listed instances, in this order. */
export function instancedMeshOf(container: DrawSource, store: InstanceStore, ids: Uint32Array): InstancedMesh {
  const slots = Uint32Array.from(ids, (_, k) => k);
  return build(container, store, ids.length, slots, ids);
}

/** Every instance at its id, so that instanced attributes still fit. The ids of hidden and deleted instances have a matrix of zeros. */
export function instancedMeshByIdOf(container: DrawSource, store: InstanceStore, ids: Uint32Array): InstancedMesh {
  const identity = Uint32Array.from({ length: store.idEnd }, (_, id) => id);
  return build(container, store, store.idEnd, ids, identity);
}

function build(container: DrawSource, store: InstanceStore, count: number, slots: Uint32Array, idAt: Uint32Array): InstancedMesh {
  const mesh = new InstancedMesh(container.geometry, container.material, 0);
  for (const source of store.columns) {
    const column = new ViewColumn(source, count);
    column.copy(slots, slots.length, idAt);
    Reflect.set(mesh, source.name, column.target);
  }
  mesh.count = count;
  return mesh;
}
