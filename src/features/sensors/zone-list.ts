/**
 * The bodies inside a sensor, with the zone of each; and the changes of the last update: the body, its zone before and
 * its zone now. The bodies inside have no order until they are read; the changes are sorted by index.
 */

import { RadixSorter } from '../../math/radix-sort.ts';
import { grownCapacity, resized } from '../../math/typed-arrays.ts';
import type { IndexList } from '../../tree/storage/index-list.ts';
import { OUTSIDE } from './sensor-volumes.ts';

/**
 * Bit that is added to the zone of a body which the filter has refused. It stays until the body leaves. The numbers of
 * zones are smaller.
 */
export const REFUSED = 128;

const reusedSorter = /* @__PURE__ */ new RadixSorter();

/** Body indices with a number for each: a zone or, in changes, the zone before and the zone now. */
export class BodyZones {
  indices = new Uint32Array(0);
  values = new Uint32Array(0);
  length = 0;

  push(index: number, value: number): void {
    if (this.length === this.indices.length) this.reserve(this.length + 1);
    this.indices[this.length] = index;
    this.values[this.length++] = value;
  }

  reserve(capacity: number): void {
    if (capacity <= this.indices.length) return;
    const length = grownCapacity(capacity, this.indices.length);
    this.indices = resized(this.indices, length);
    this.values = resized(this.values, length);
  }

  sort(): void {
    reusedSorter.sort(this.indices, this.values, 0, this.length);
  }
}

/**
 * A change stores two zones in one number: the zone now in the lowest eight bits, the zone before in the bits above.
 */
export const BEFORE_SHIFT = 8;
export const ZONE_MASK = (1 << BEFORE_SHIFT) - 1;

export class ZoneList {
  /**
   * The bodies whose zone has changed, by index. A zone before has REFUSED if the filter had refused the body; a body
   * that has left is OUTSIDE now.
   */
  readonly changes = new BodyZones();
  private readonly inside = new BodyZones();
  private isSorted = true;

  /** Empties the list, without changes. */
  clear(): void {
    this.inside.length = 0;
    this.changes.length = 0;
  }

  /**
   * Gives some bodies, each once, another zone, which may be OUTSIDE. With `isComplete` all other bodies have left;
   * otherwise they keep their zones.
   *
   * @param marks Scratch, by body index. All zeros before and after the call.
   */
  change(newZones: BodyZones, isComplete: boolean, marks: Uint8Array): void {
    const { inside } = this;
    const { indices, values } = inside;
    const { indices: newIndices, length, values: newValues } = newZones;
    for (let k = 0; k < length; k++) marks[newIndices[k]] = newValues[k] + 1;
    let kept = 0;
    for (let k = 0; k < inside.length; k++) {
      const index = indices[k];
      const before = values[k];
      const mark = marks[index];
      const zone = mark > 0 ? mark - 1 : isComplete ? OUTSIDE : before & ~REFUSED;
      if (zone !== (before & ~REFUSED)) this.addChange(index, before, zone);
      marks[index] = 0;
      indices[kept] = index;
      values[kept] = zone | (before & REFUSED);
      kept += Number(zone !== OUTSIDE);
    }
    inside.length = kept;
    for (let k = 0; k < length; k++) {
      const index = newIndices[k];
      if (marks[index] > OUTSIDE + 1) {
        inside.push(index, newValues[k]);
        this.addChange(index, OUTSIDE, newValues[k]);
      }
      marks[index] = 0;
    }
    if (this.changes.length === 0) return;
    this.changes.sort();
    this.isSorted = false;
  }

  /** Marks a body inside as refused by the filter. */
  refuse(index: number): void {
    this.inside.values[this.find(index)] |= REFUSED;
  }

  /** The zone of a body, OUTSIDE if it was refused. */
  zoneOf(index: number): number {
    const value = this.valueOf(index);
    return (value & REFUSED) === 0 ? value : OUTSIDE;
  }

  /** The zone of a body, even of one that the filter has refused. */
  zoneIgnoringFilter(index: number): number {
    return this.valueOf(index) & ~REFUSED;
  }

  private valueOf(index: number): number {
    const at = this.find(index);
    const { indices, length, values } = this.inside;
    return at < length && indices[at] === index ? values[at] : OUTSIDE;
  }

  /** Writes the bodies inside to `out`, by ascending index; leaves out bodies that the filter has refused. */
  copyTo(out: IndexList): void {
    this.sortInside();
    const { indices, length, values } = this.inside;
    out.length = 0;
    out.reserve(length);
    const { array } = out;
    let count = 0;
    for (let k = 0; k < length; k++) {
      array[count] = indices[k];
      count += Number((values[k] & REFUSED) === 0);
    }
    out.length = count;
  }

  private addChange(index: number, before: number, zone: number): void {
    this.changes.push(index, (before << BEFORE_SHIFT) | zone);
  }

  private sortInside(): void {
    if (!this.isSorted) this.inside.sort();
    this.isSorted = true;
  }

  /** Position of the first body inside whose index is not below the given one. */
  private find(index: number): number {
    this.sortInside();
    const { indices, length } = this.inside;
    let low = 0;
    let high = length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (indices[middle] < index) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
