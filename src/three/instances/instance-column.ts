/**
 * One property of all instances as a column of numbers. The store owns the columns that InstancedMesh keeps too (matrix and colour); each
 * instanced attribute of the geometry is a column as well. Views copy columns without regard to which of these it is.
 */

import { InstancedBufferAttribute, type TypedArray } from 'three';

export interface InstanceColumn {
  /** The attribute of the geometry, or the field of InstancedMesh, that a view draws the column as. */
  readonly name: string;
  /** Item k is the `itemSize` numbers from `offset + k * stride`. The array may be replaced: read it again before each use. */
  readonly array: TypedArray;
  readonly itemSize: number;
  readonly stride: number;
  readonly offset: number;
  /** Consecutive ids that share one item: instance `id` has item floor(id / idsPerItem). */
  readonly idsPerItem: number;
  /** A new attribute of the same kind, with one item for each of `capacity` draw slots. */
  createSlots(capacity: number): InstancedBufferAttribute;
}

export interface StoredColumnKind {
  readonly name: 'instanceMatrix' | 'instanceColor';
  readonly itemSize: number;
  /** Each number of an item that was never written. */
  readonly initial: number;
}

/** A column of the store: one item for each id, Float32 as in InstancedMesh, so that both draw the same pixels. */
export class StoredColumn implements InstanceColumn {
  readonly kind: StoredColumnKind;
  readonly name: StoredColumnKind['name'];
  array: Float32Array<ArrayBuffer>;
  readonly itemSize: number;
  readonly stride: number;
  readonly offset = 0;
  readonly idsPerItem = 1;

  constructor(kind: StoredColumnKind, capacity: number) {
    this.kind = kind;
    this.name = kind.name;
    this.itemSize = this.stride = kind.itemSize;
    this.array = new Float32Array(capacity * kind.itemSize);
    if (kind.initial !== 0) this.array.fill(kind.initial);
  }

  createSlots(capacity: number): InstancedBufferAttribute {
    return new InstancedBufferAttribute(new Float32Array(capacity * this.itemSize), this.itemSize);
  }

  /** Extends the column to `capacity` items. Items beyond the old capacity hold zeros until `reset` or `write`. */
  reserve(capacity: number): void {
    const longer = new Float32Array(capacity * this.itemSize);
    longer.set(this.array);
    this.array = longer;
  }

  /** Copies the `itemSize` numbers from `offset` on. */
  write(id: number, values: ArrayLike<number>, offset: number): void {
    const { array, itemSize } = this;
    const begin = id * itemSize;
    for (let component = 0; component < itemSize; component++) array[begin + component] = values[offset + component];
  }

  reset(id: number): void {
    this.array.fill(this.kind.initial, id * this.itemSize, (id + 1) * this.itemSize);
  }

  /** A copy with another capacity that holds the first `count` items. */
  clone(count: number, capacity: number): StoredColumn {
    const column = new StoredColumn(this.kind, capacity);
    column.array.set(this.array.subarray(0, count * this.itemSize));
    return column;
  }
}
