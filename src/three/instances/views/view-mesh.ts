/**
 * The mesh that a view draws. Nodes of materials read the data of the instances from it, by draw slot.
 *
 * Renderers draw objects at equal depth in the order of `id`, which is the order of their creation. A view is created when a pass first needs it,
 * and again when it grows. So a mesh with an id of its own would be drawn after all objects of the scene, and in an order that changes.
 */

import { InstancedMesh, type BufferGeometry, type InstancedBufferAttribute, type Material } from 'three';
import type { InstancedAttribute } from '../store/attribute-column.ts';
import type { SlotSource } from '../levels/instance-nodes.ts';

/** @param id That of the container: all its views are drawn in its place. */
export function createViewMesh(id: number, geometry: BufferGeometry, material: Material | Material[], source: SlotSource): ViewMesh {
  // three defines `id` so that it cannot be changed. An object derived from the mesh can have another.
  return Object.create(new ViewMesh(geometry, material, source), { id: { value: id } }) as ViewMesh;
}

export class ViewMesh extends InstancedMesh implements SlotSource {
  private readonly source: SlotSource;

  constructor(geometry: BufferGeometry, material: Material | Material[], source: SlotSource) {
    super(geometry, material, 0);
    this.source = source;
    this.frustumCulled = false;
    this.matrixAutoUpdate = false;
    this.matrixWorldAutoUpdate = false;
  }

  slotItems(attribute: InstancedAttribute | null): InstancedBufferAttribute {
    return this.source.slotItems(attribute);
  }
}
