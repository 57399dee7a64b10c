/**
 * The columns that shaders read beside those of the store: the instanced attributes of geometries and of nodes, whose
 * numbers belong to the user, and the ids.
 */

import {
  InstancedBufferAttribute,
  type BufferAttribute,
  type BufferGeometry,
  type InstancedInterleavedBuffer,
  type InterleavedBuffer,
  type InterleavedBufferAttribute,
  type Mesh,
  type TypedArray,
} from 'three';
import type { InstanceColumn } from './instance-column.ts';
import type { InstanceStore } from './instance-store.ts';

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
    const buffer = 'data' in attribute ? attribute.data : attribute;
    this.buffer = buffer;
    this.stride = 'stride' in buffer ? buffer.stride : attribute.itemSize;
    this.offset = 'data' in attribute ? attribute.offset : 0;
    this.idsPerItem = (buffer as InstancedInterleavedBuffer | InstancedBufferAttribute).meshPerAttribute;
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

/** The instanced attributes of a geometry, each with its name. */
export function instancedAttributesOf({ attributes }: BufferGeometry): [string, InstancedAttribute][] {
  return Object.entries(attributes).filter((entry): entry is [string, InstancedAttribute] => isInstanced(entry[1]));
}

export function attributeColumnsOf(geometry: BufferGeometry): AttributeColumn[] {
  return instancedAttributesOf(geometry).map(([name, attribute]) => new AttributeColumn(name, attribute));
}

export function isInstanced(attribute: BufferAttribute | InterleavedBufferAttribute): attribute is InstancedAttribute {
  return (
    'isInstancedBufferAttribute' in attribute ||
    ('data' in attribute && 'isInstancedInterleavedBuffer' in attribute.data)
  );
}

/** The ids of the instances as a column, for shaders that read them: the attribute `instanceId`. */
export class IdColumn extends AttributeColumn {
  private readonly store: InstanceStore;
  private ids = new Uint32Array(0);

  constructor(store: InstanceStore) {
    super('instanceId', new InstancedBufferAttribute(new Uint32Array(0), 1));
    this.store = store;
  }

  /** Item k is k. Allocated when a view first needs it. */
  override get array(): Uint32Array {
    const { capacity } = this.store;
    if (this.ids.length < capacity) {
      this.ids = new Uint32Array(capacity);
      for (let id = 0; id < capacity; id++) this.ids[id] = id;
    }
    return this.ids;
  }
}

/** The columns of a container. All its views share them. */
export class AttributeColumns {
  readonly ids: IdColumn;
  private readonly store: InstanceStore;
  /** By attribute: those that nodes have read so far, and that belong to no geometry. */
  private readonly ofNodes = new Map<InstancedAttribute, AttributeColumn>();
  /** Of each buffer that was read. */
  private readonly versions = new WeakMap<AttributeColumn['buffer'], number>();

  constructor(store: InstanceStore) {
    this.ids = new IdColumn(store);
    this.store = store;
  }

  /** The column that a node reads. @param attribute Null for the ids. */
  ofNode(attribute: InstancedAttribute | null): InstanceColumn<InstancedBufferAttribute> {
    if (attribute === null) return this.ids;
    let column = this.ofNodes.get(attribute);
    if (column === undefined) this.ofNodes.set(attribute, (column = new AttributeColumn('', attribute)));
    return column;
  }

  /**
   * Marks the instances whose items have changed since the last call, and clears the update ranges, as an upload does.
   * A change is found by the version of the buffer, as renderers find it.
   */
  sync(meshes: readonly Mesh[]): void {
    for (const { geometry } of meshes) for (const column of attributeColumnsOf(geometry)) this.syncColumn(column);
    for (const column of this.ofNodes.values()) this.syncColumn(column);
  }

  private syncColumn({ buffer, stride, idsPerItem }: AttributeColumn): void {
    const { store, versions } = this;
    const version = versions.get(buffer);
    if (version === buffer.version) return;
    // Without update ranges every item counts as changed. A buffer that is new here needs no marks: the views have
    // copied it less than a frame ago, or copy it in this frame.
    const ranges = buffer.updateRanges.length > 0 ? buffer.updateRanges : [{ start: 0, count: Infinity }];
    for (const { start, count } of version === undefined ? [] : ranges) {
      const end = Math.min(Math.ceil((start + count) / stride) * idsPerItem, store.idEnd);
      for (let id = Math.floor(start / stride) * idsPerItem; id < end; id++) store.markChanged(id);
    }
    buffer.clearUpdateRanges();
    versions.set(buffer, buffer.version);
  }
}
