/** The mesh that a view draws. Nodes of materials ask it for what they read of the instances, by draw slot. */

import { InstancedMesh, type BufferGeometry, type InstancedBufferAttribute, type Material } from 'three';
import type { InstancedAttribute } from './attribute-column.ts';
import type { SlotSource } from './instance-nodes.ts';

export class ViewMesh extends InstancedMesh implements SlotSource {
  private readonly source: SlotSource;

  constructor(geometry: BufferGeometry, material: Material | Material[], source: SlotSource) {
    super(geometry, material, 0);
    this.source = source;
    this.frustumCulled = false;
    this.matrixAutoUpdate = false;
    this.matrixWorldAutoUpdate = false;
  }

  slotItems(source: InstancedAttribute | null): InstancedBufferAttribute {
    return this.source.slotItems(source);
  }
}
