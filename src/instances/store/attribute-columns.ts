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

export interface AttributeColumn extends InstanceColumn<InstancedBufferAttribute> {
  /** Has the version and the update ranges of the attribute. Interleaved attributes share one buffer. */
  readonly buffer: InstancedBufferAttribute | InterleavedBuffer;
  /** The ids from 0 to `idCount` - 1 have an item. */
  readonly idCount: number;
}

function columnOf(name: string, attribute: InstancedAttribute): AttributeColumn {
  const { itemSize, normalized } = attribute;
  const buffer = 'data' in attribute ? attribute.data : attribute;
  const idsPerItem = (buffer as InstancedInterleavedBuffer | InstancedBufferAttribute).meshPerAttribute;
  return {
    name,
    itemSize,
    buffer,
    stride: 'stride' in buffer ? buffer.stride : itemSize,
    offset: 'data' in attribute ? attribute.offset : 0,
    idsPerItem,
    get array() {
      return attribute.array;
    },
    get idCount() {
      return attribute.count * idsPerItem;
    },
    // Plain, not interleaved, with one item for each slot.
    createSlots(capacity) {
      const Kind = attribute.array.constructor as new (length: number) => TypedArray;
      const slots = new InstancedBufferAttribute(new Kind(capacity * itemSize), itemSize, normalized);
      if (!('data' in attribute)) slots.gpuType = attribute.gpuType;
      return slots;
    },
  };
}

/** The instanced attributes of a geometry, each with its name. */
export function instancedAttributesOf({ attributes }: BufferGeometry): [string, InstancedAttribute][] {
  return Object.entries(attributes).filter((entry): entry is [string, InstancedAttribute] => isInstanced(entry[1]));
}

export function attributeColumnsOf(geometry: BufferGeometry): AttributeColumn[] {
  return instancedAttributesOf(geometry).map((entry) => columnOf(...entry));
}

export function isInstanced(attribute: BufferAttribute | InterleavedBufferAttribute): attribute is InstancedAttribute {
  return (
    'isInstancedBufferAttribute' in attribute ||
    ('data' in attribute && 'isInstancedInterleavedBuffer' in attribute.data)
  );
}

type Versions = WeakMap<AttributeColumn['buffer'], number>;
/** Of all containers: by buffer its version when its update ranges were cleared last. */
const cleared: Versions = /* @__PURE__ */ new WeakMap();

/** The columns of a container. All its views share them. */
export class AttributeColumns {
  /** The ids of the instances, for shaders that read them. */
  readonly ids: AttributeColumn;
  private readonly store: InstanceStore;
  /** By attribute: those that nodes have read so far, and that belong to no geometry. */
  private readonly ofNodes = new Map<InstancedAttribute, AttributeColumn>();
  /** Of each buffer that was read. */
  private readonly versions: Versions = new WeakMap();

  constructor(store: InstanceStore) {
    this.store = store;
    // Item k is k. Allocated when a view first needs it.
    let ids = new Uint32Array(0);
    this.ids = {
      ...columnOf('instanceId', new InstancedBufferAttribute(ids, 1)),
      get array() {
        if (ids.length < store.capacity) ids = Uint32Array.from({ length: store.capacity }, (_, id) => id);
        return ids;
      },
    };
  }

  /** The column that a node reads. @param attribute Null for the ids. */
  ofNode(attribute: InstancedAttribute | null): InstanceColumn<InstancedBufferAttribute> {
    if (attribute === null) return this.ids;
    let column = this.ofNodes.get(attribute);
    if (column === undefined) {
      this.ofNodes.set(attribute, (column = columnOf('', attribute)));
      // The view copies all items now. A change before the next update must not count as copied.
      this.syncColumn(column);
    }
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
    // Without update ranges, or if another container has cleared some, every item counts as changed. A buffer that is
    // new here needs no marks: the views have copied it less than a frame ago, or copy it in this frame.
    const hasRanges = buffer.updateRanges.length > 0 && cleared.get(buffer) === version;
    const ranges = hasRanges ? buffer.updateRanges : [{ start: 0, count: Infinity }];
    for (const { start, count } of version === undefined ? [] : ranges) {
      const end = Math.min(Math.ceil((start + count) / stride) * idsPerItem, store.idEnd);
      for (let id = Math.floor(start / stride) * idsPerItem; id < end; id++) store.markChanged(id);
    }
    buffer.clearUpdateRanges();
    for (const each of [versions, cleared]) each.set(buffer, buffer.version);
  }
}
