/**
 * One property of all instances as a column of numbers. The store owns the columns that InstancedMesh keeps too (matrix, colour, morph target
 * influences); each instanced attribute of the geometry is a column as well. Views copy all columns in the same way.
 */

import type { TypedArray } from 'three';

/** What a view draws of a column: one item for each draw slot. InstancedBufferAttribute and DataTexture share these members. */
export interface SlotItems {
  readonly array: TypedArray;
  readonly itemSize: number;
  readonly updateRanges: readonly { readonly start: number; readonly count: number }[];
  addUpdateRange(start: number, count: number): void;
  clearUpdateRanges(): void;
  set needsUpdate(isNeeded: boolean);
}

export interface InstanceColumn<Slots extends SlotItems = SlotItems> {
  /** In a view: name of the attribute of its geometry, or of the field of its InstancedMesh. */
  readonly name: string;
  /** Item k is the `itemSize` numbers from `offset + k * stride`. The array may be replaced: read it again before each use. */
  readonly array: TypedArray;
  readonly itemSize: number;
  readonly stride: number;
  readonly offset: number;
  /** Consecutive ids that share one item: instance `id` has item floor(id / idsPerItem). */
  readonly idsPerItem: number;
  /** New items of the same kind, for `capacity` draw slots. */
  createSlots(capacity: number): Slots;
}
