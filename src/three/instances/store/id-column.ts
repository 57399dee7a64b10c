/** The ids of the instances as a column, for shaders that read them. */

import { InstancedBufferAttribute } from 'three';
import type { InstanceColumn } from './instance-column.ts';
import type { InstanceStore } from './instance-store.ts';

/** The attribute that a shader declares. */
export const INSTANCE_ID = 'instanceId';

export class IdColumn implements InstanceColumn<InstancedBufferAttribute> {
  readonly name = INSTANCE_ID;
  readonly itemSize = 1;
  readonly stride = 1;
  readonly offset = 0;
  readonly idsPerItem = 1;

  private readonly store: InstanceStore;
  private ids = new Uint32Array(0);

  constructor(store: InstanceStore) {
    this.store = store;
  }

  /** Item k is k. Allocated when a view first needs it. */
  get array(): Uint32Array {
    const { capacity } = this.store;
    if (this.ids.length < capacity) {
      this.ids = new Uint32Array(capacity);
      for (let id = 0; id < capacity; id++) this.ids[id] = id;
    }
    return this.ids;
  }

  createSlots(capacity: number): InstancedBufferAttribute {
    return new InstancedBufferAttribute(new Uint32Array(capacity), 1);
  }
}
