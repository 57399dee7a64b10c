/**
 * The columns that nodes and shaders read beside those of the store and the geometry: the ids, and instanced attributes
 * that belong to no geometry.
 */

import { InstancedBufferAttribute } from 'three';
import { AttributeColumn, type InstancedAttribute } from './attribute-column.ts';
import type { InstanceColumn } from './instance-column.ts';
import type { InstanceStore } from './instance-store.ts';

/** The ids of the instances as a column, for shaders that read them. */
export class IdColumn implements InstanceColumn<InstancedBufferAttribute> {
  /** The attribute that a shader declares. */
  readonly name = 'instanceId';
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

/**
 * The columns that nodes of materials read: the ids, and instanced attributes that belong to no geometry. Shared by all
 * views of a container.
 */
export class NodeColumns {
  readonly ids: IdColumn;
  /** By attribute. */
  private readonly attributes = new Map<InstancedAttribute, AttributeColumn>();

  constructor(store: InstanceStore) {
    this.ids = new IdColumn(store);
  }

  /** The columns of attributes that nodes have read so far. */
  get ofAttributes(): Iterable<AttributeColumn> {
    return this.attributes.values();
  }

  /** @param attribute Null for the ids. */
  columnOf(attribute: InstancedAttribute | null): InstanceColumn<InstancedBufferAttribute> {
    if (attribute === null) return this.ids;
    let column = this.attributes.get(attribute);
    if (column === undefined) this.attributes.set(attribute, (column = new AttributeColumn('', attribute)));
    return column;
  }
}
