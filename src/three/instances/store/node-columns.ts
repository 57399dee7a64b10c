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

  /** @param source Null for the ids. */
  columnOf(source: InstancedAttribute | null): InstanceColumn<InstancedBufferAttribute> {
    if (source === null) return this.ids;
    let column = this.attributes.get(source);
    if (column === undefined) this.attributes.set(source, (column = new AttributeColumn('', source)));
    return column;
  }
}
