/** The InstancedMesh that three itself would have had: what OctreeInstances is measured by, and written to files as. */

import { InstancedBufferAttribute, InstancedMesh } from 'three';
import { COLOR_STRIDE, MATRIX_STRIDE, type InstanceStore } from './instance-store.ts';
import type { Wearer } from './draw-state.ts';

/** Holds the instances that show, one after the other. */
export function shownInstancesOf(container: Wearer, store: InstanceStore, ids: Uint32Array): InstancedMesh {
  return build(container, store, ids.length, (k) => ids[k]);
}

/** Holds all instances at their ids, so that attributes by instance fit; ids that do not show have a matrix of zeros. */
export function allInstancesOf(container: Wearer, store: InstanceStore): InstancedMesh {
  return build(container, store, store.limit, (id) => (store.isShown(id) ? id : null));
}

function build(container: Wearer, store: InstanceStore, count: number, idAt: (k: number) => number | null): InstancedMesh {
  const mesh = new InstancedMesh(container.geometry, container.material, 0);
  const matrices = new Float32Array(count * MATRIX_STRIDE);
  const colors = store.colors === null ? null : new Float32Array(count * COLOR_STRIDE);
  for (let k = 0; k < count; k++) {
    const id = idAt(k);
    if (id === null) continue;
    matrices.set(store.matrices.subarray(id * MATRIX_STRIDE, (id + 1) * MATRIX_STRIDE), k * MATRIX_STRIDE);
    if (store.colors !== null) colors?.set(store.colors.subarray(id * COLOR_STRIDE, (id + 1) * COLOR_STRIDE), k * COLOR_STRIDE);
  }
  mesh.instanceMatrix = new InstancedBufferAttribute(matrices, MATRIX_STRIDE);
  mesh.instanceColor = colors === null ? null : new InstancedBufferAttribute(colors, COLOR_STRIDE);
  mesh.count = count;
  return mesh;
}
