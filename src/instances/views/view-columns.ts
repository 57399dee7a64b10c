/** What a view draws of its instances by draw slot: one column for each, and the geometry that holds the attributes. */

import { BufferGeometry, type InstancedBufferAttribute, type TypedArray } from 'three';
import { attributeColumnsOf, type AttributeColumn } from '../store/attribute-columns.ts';
import type { InstanceColumn, SlotItems } from '../store/instance-column.ts';
import { SlotMatrices } from '../store/slot-matrices.ts';

/** Copies one column of the instances to the draw slots of a view. */
export class ViewColumn<Slots extends SlotItems = SlotItems> {
  readonly source: InstanceColumn<Slots>;
  /** What the view draws: one item for each draw slot. */
  readonly target: Slots;

  constructor(source: InstanceColumn<Slots>, capacity: number) {
    this.source = source;
    this.target = source.createSlots(capacity);
  }

  /** Copies the item of instance `idAt[slot]` to each of the first `count` slots in `slots`. */
  copy(slots: Uint32Array, count: number, idAt: Uint32Array): void {
    const { array: from, itemSize, stride, offset, idsPerItem } = this.source;
    const to = this.target.array;
    if (this.target instanceof SlotMatrices) {
      copyMatrices(from, to, slots, count, idAt);
      return;
    }
    for (let k = 0; k < count; k++) {
      const slot = slots[k];
      const id = idAt[slot];
      const begin = offset + stride * (idsPerItem === 1 ? id : Math.floor(id / idsPerItem));
      const at = slot * itemSize;
      // An attribute that is too short reads as 0. `warnOfMissingItems` warns of it.
      if (begin + itemSize > from.length) to.fill(0, at, at + itemSize);
      else for (let component = 0; component < itemSize; component++) to[at + component] = from[begin + component];
    }
  }
}

/**
 * Copies two Float32 numbers at a time, as one Float64, in half the time. Some engines change NaN values in such a
 * copy, but matrices hold none.
 */
function copyMatrices(from: TypedArray, to: TypedArray, slots: Uint32Array, count: number, idAt: Uint32Array): void {
  const source = new Float64Array(from.buffer);
  const target = new Float64Array(to.buffer);
  for (let k = 0; k < count; k++) {
    const slot = slots[k];
    const begin = 8 * idAt[slot];
    const at = 8 * slot;
    target[at] = source[begin];
    target[at + 1] = source[begin + 1];
    target[at + 2] = source[begin + 2];
    target[at + 3] = source[begin + 3];
    target[at + 4] = source[begin + 4];
    target[at + 5] = source[begin + 5];
    target[at + 6] = source[begin + 6];
    target[at + 7] = source[begin + 7];
  }
}

/**
 * The geometry that a view draws. Without instanced attributes it is the user's geometry itself. Otherwise it is a
 * geometry of the view that shares everything with the user's, except the instanced attributes: these hold one item for
 * each draw slot. One of them may be the ids.
 */
export class ViewGeometry {
  readonly geometry: BufferGeometry;
  /** One for each instanced attribute, and one for the ids. */
  readonly columns: readonly ViewColumn<InstancedBufferAttribute>[];
  /** The targets of the columns. */
  private readonly own: BufferGeometry['attributes'];
  /** The user's geometry. */
  private readonly source: BufferGeometry;
  /**
   * Renderers hold the buffers of shared attributes for the geometry of the view, so disposing of the user's geometry
   * must dispose of it, too.
   */
  private readonly onSourceDispose = (): void => this.geometry.dispose();

  /** @param ids Null if the geometry needs no ids. */
  constructor(source: BufferGeometry, capacity: number, ids: AttributeColumn | null) {
    this.source = source;
    this.columns = [...attributeColumnsOf(source), ...(ids === null ? [] : [ids])].map(
      (column) => new ViewColumn(column, capacity),
    );
    this.own = Object.fromEntries(this.columns.map((column) => [column.source.name, column.target]));
    this.geometry = this.columns.length === 0 ? source : new BufferGeometry();
    if (this.geometry !== source) source.addEventListener('dispose', this.onSourceDispose);
  }

  /** Copies changes of the user's geometry. */
  sync(): void {
    const { source, geometry, own } = this;
    if (geometry === source) return;
    const { index, groups, boundingSphere, boundingBox, drawRange, morphAttributes, morphTargetsRelative } = source;
    Object.assign(geometry, { index, groups, boundingSphere, boundingBox, drawRange, morphAttributes });
    Object.assign(geometry, { morphTargetsRelative, attributes: { ...source.attributes, ...own } });
  }

  dispose(): void {
    const { geometry, source, own } = this;
    if (geometry === source) return;
    source.removeEventListener('dispose', this.onSourceDispose);
    // A renderer frees all attributes of a disposed geometry. The user's are still in use: take them out first.
    Object.assign(geometry, { index: null, morphAttributes: {}, attributes: own });
    geometry.dispose();
  }
}
