/**
 * One property of all instances as a column of numbers. The store owns the columns that InstancedMesh keeps too
 * (matrix, colour, morph target influences); each instanced attribute of the geometry is a column as well. Views copy
 * all columns in the same way.
 */

import { InstancedBufferAttribute, type TypedArray } from 'three';
import { resized } from '../../math/typed-arrays.ts';
import { SlotMatrices } from './slot-matrices.ts';

/**
 * What a view draws of a column: one item for each draw slot. InstancedBufferAttribute and DataTexture share these
 * members.
 */
export interface SlotItems {
  readonly array: TypedArray;
  readonly itemSize: number;
  readonly updateRanges: readonly { readonly start: number; readonly count: number }[];
  addUpdateRange(start: number, count: number): void;
  clearUpdateRanges(): void;
  set needsUpdate(isNeeded: boolean);
}

export interface InstanceColumn<Slots extends SlotItems = SlotItems> {
  /**
   * In a view: for a column of the store, the name of a field of its InstancedMesh; for any other, of an attribute of
   * its geometry.
   */
  readonly name: string;
  /**
   * Item k is the `itemSize` numbers from `offset + k * stride`. The array may be replaced: read it again before each
   * use.
   */
  readonly array: TypedArray;
  readonly itemSize: number;
  readonly stride: number;
  readonly offset: number;
  /** Consecutive ids that share one item: instance `id` has item floor(id / idsPerItem). */
  readonly idsPerItem: number;
  /** New items of the same kind, for `capacity` draw slots. */
  createSlots(capacity: number): Slots;
}

/** Initial value of every component of an item. */
const INITIAL = { instanceMatrix: 0, instanceColor: 1, morphTexture: 0 } as const;

/** A column of the store: one item for each id, Float32 as in InstancedMesh, so that both draw the same pixels. */
export class StoredColumn implements InstanceColumn {
  readonly name: keyof typeof INITIAL;
  array: Float32Array<ArrayBuffer>;
  readonly itemSize: number;
  readonly stride: number;
  readonly offset = 0;
  readonly idsPerItem = 1;
  /** What the user may have written to: the attribute, once its array was read, or a texture. */
  protected written: { readonly version: number; clearUpdateRanges?(): void } | null = null;
  /** Version of `written` up to which its changes are known. */
  private version = 0;
  private ownAttribute: InstancedBufferAttribute | null = null;

  constructor(name: keyof typeof INITIAL, itemSize: number, capacity: number) {
    this.name = name;
    this.itemSize = this.stride = itemSize;
    this.array = new Float32Array(capacity * itemSize).fill(INITIAL[name]);
  }

  createSlots(capacity: number): SlotItems {
    if (this.name === 'instanceMatrix') return new SlotMatrices(capacity);
    return new InstancedBufferAttribute(new Float32Array(capacity * this.itemSize), this.itemSize);
  }

  /**
   * The column in the form of InstancedMesh, for the user. Created by the first call. Its `count` is the number of ids.
   */
  attributeOf(store: { readonly idEnd: number }): InstancedBufferAttribute {
    if (this.ownAttribute !== null) return this.ownAttribute;
    const attribute = new InstancedBufferAttribute(this.array, this.itemSize);
    const readArray = (): TypedArray => {
      this.written = attribute;
      return this.array;
    };
    Object.defineProperties(attribute, {
      array: { get: readArray },
      count: { get: () => store.idEnd },
    });
    return (this.ownAttribute = attribute);
  }

  /** Whether the user has written to the column and has set `needsUpdate` since the last call. */
  takeChange(): boolean {
    const { version } = this;
    this.version = this.written?.version ?? 0;
    this.written?.clearUpdateRanges?.();
    return this.version !== version;
  }

  /** Extends the column to `capacity` items. Items beyond the old capacity hold zeros until they are written. */
  reserve(capacity: number): void {
    this.array = resized(this.array, capacity * this.itemSize);
  }

  reset(id: number): void {
    this.array.fill(INITIAL[this.name], id * this.itemSize, (id + 1) * this.itemSize);
  }

  /** A copy with another capacity that holds the first `count` items. */
  clone(count: number, capacity: number): StoredColumn {
    const column = new StoredColumn(this.name, this.itemSize, capacity);
    column.array.set(this.array.subarray(0, count * this.itemSize));
    return column;
  }
}
