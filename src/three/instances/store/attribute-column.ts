/** The instanced attributes of a geometry as columns. Their numbers belong to the user; nothing here writes them. */

import {
  InstancedBufferAttribute,
  type BufferAttribute,
  type BufferGeometry,
  type InstancedInterleavedBuffer,
  type InterleavedBuffer,
  type InterleavedBufferAttribute,
  type TypedArray,
} from 'three';
import type { InstanceColumn } from './instance-column.ts';

export type InstancedAttribute = InstancedBufferAttribute | InterleavedBufferAttribute;

export class AttributeColumn implements InstanceColumn<InstancedBufferAttribute> {
  readonly name: string;
  readonly attribute: InstancedAttribute;
  /** Has the version and the update ranges of the attribute. Interleaved attributes share one buffer. */
  readonly buffer: InstancedBufferAttribute | InterleavedBuffer;
  readonly itemSize: number;
  readonly stride: number;
  readonly offset: number;
  /** `meshPerAttribute` of the attribute, as in an InstancedMesh. */
  readonly idsPerItem: number;

  constructor(name: string, attribute: InstancedAttribute) {
    this.name = name;
    this.attribute = attribute;
    this.itemSize = attribute.itemSize;
    if ('data' in attribute) {
      this.buffer = attribute.data;
      this.stride = attribute.data.stride;
      this.offset = attribute.offset;
      this.idsPerItem = (attribute.data as InstancedInterleavedBuffer).meshPerAttribute;
    } else {
      this.buffer = attribute;
      this.stride = attribute.itemSize;
      this.offset = 0;
      this.idsPerItem = attribute.meshPerAttribute;
    }
  }

  get array(): TypedArray {
    return this.attribute.array;
  }

  /** The ids from 0 to `idCount` - 1 have an item. */
  get idCount(): number {
    return this.attribute.count * this.idsPerItem;
  }

  /** Plain, not interleaved, with one item for each slot. */
  createSlots(capacity: number): InstancedBufferAttribute {
    const { array, itemSize, normalized } = this.attribute;
    const Kind = array.constructor as new (length: number) => TypedArray;
    const slots = new InstancedBufferAttribute(new Kind(capacity * itemSize), itemSize, normalized);
    if (!('data' in this.attribute)) slots.gpuType = this.attribute.gpuType;
    return slots;
  }
}

export function attributeColumnsOf({ attributes }: BufferGeometry): AttributeColumn[] {
  const columns: AttributeColumn[] = [];
  for (const [name, attribute] of Object.entries(attributes))
    if (isInstanced(attribute)) columns.push(new AttributeColumn(name, attribute));
  return columns;
}

export function isInstanced(attribute: BufferAttribute | InterleavedBufferAttribute): attribute is InstancedAttribute {
  return (
    'isInstancedBufferAttribute' in attribute ||
    ('data' in attribute && 'isInstancedInterleavedBuffer' in attribute.data)
  );
}
