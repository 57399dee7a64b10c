/** Copies one column of the instances to the draw slots of a view. */

import type { InstancedBufferAttribute } from 'three';
import type { InstanceColumn } from './instance-column.ts';

export class ViewColumn {
  readonly source: InstanceColumn;
  /** What the view draws: one item for each draw slot. */
  readonly target: InstancedBufferAttribute;

  constructor(source: InstanceColumn, capacity: number) {
    this.source = source;
    this.target = source.createSlots(capacity);
  }

  /** Copies the item of instance `idAt[slot]` to each of the first `count` slots in `slots`. */
  copy(slots: Uint32Array, count: number, idAt: Uint32Array): void {
    const { array: from, itemSize, stride, offset, idsPerItem } = this.source;
    const to = this.target.array;
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
