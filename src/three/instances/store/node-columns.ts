/** The columns that nodes of materials read: the ids, and instanced attributes that belong to no geometry. Shared by all views of a container. */

import type { InstancedBufferAttribute } from 'three';
import { AttributeColumn, type InstancedAttribute } from './attribute-column.ts';
import { IdColumn } from './id-column.ts';
import type { InstanceColumn } from './instance-column.ts';
import type { InstanceStore } from './instance-store.ts';

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
