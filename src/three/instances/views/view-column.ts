/** Copies one column of the instances to the draw slots of a view. */

import type { TypedArray } from 'three';
import { StoredColumn, type InstanceColumn, type SlotItems } from '../store/instance-column.ts';

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
    if (this.source instanceof StoredColumn && this.source.name === 'instanceMatrix') {
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
