/**
 * The bodies inside a sensor, with the zone of each; and the changes of the last update: the body, its zone before and
 * its zone now. The bodies inside have no order until they are read; the changes are sorted by index.
 */

import { RadixSorter } from '../../math/sorting.ts';
import { withCapacity } from '../../math/typed-arrays.ts';
import { IndexList } from '../../tree/storage/index-list.ts';

/** The zone of a body outside. */
export const OUTSIDE = 0;
/**
 * Bit that is added to the zone of a body which the filter has refused. It stays until the body leaves. The numbers of
 * zones are smaller.
 */
export const REFUSED = 128;

const reusedSorter = /* @__PURE__ */ new RadixSorter();

/** Body indices with a number for each: a zone or, in changes, the zone before and the zone now. */
export class BodyZones extends IndexList {
  values = new Uint32Array(0);

  constructor() {
    super(0);
  }

  /** The values first: `push` looks at the length of the indices only. */
  override reserve(capacity: number): void {
    this.values = withCapacity(this.values, capacity);
    super.reserve(capacity);
  }

  add(index: number, value: number): void {
    this.push(index);
    this.values[this.length - 1] = value;
  }

  sort(): void {
    reusedSorter.sort(this.array, this.values, 0, this.length);
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
   * Makes room for `change` with the zones of `count` bodies, so that it is made as a whole or not at all. Returns the
   * largest number of changes.
   */
  reserve(count: number, isComplete: boolean): number {
    const { changes, inside } = this;
    const most = isComplete ? inside.length + count : count;
    changes.reserve(most);
    inside.reserve(inside.length + count);
    reusedSorter.reserve(inside.length + count);
    return most;
  }

  /**
   * Gives some bodies, each once, another zone, which may be OUTSIDE. With `isComplete` all other bodies have left;
   * otherwise they keep their zones.
   *
   * @param marks Scratch, by body index. All zeros before and after the call.
   */
  change(newZones: BodyZones, isComplete: boolean, marks: Uint8Array): void {
    const { changes, inside } = this;
    const { array, values } = inside;
    const { array: newIndices, length, values: newValues } = newZones;
    for (let k = 0; k < length; k++) marks[newIndices[k]] = newValues[k] + 1;
    let kept = 0;
    for (let k = 0; k < inside.length; k++) {
      const index = array[k];
      const refused = values[k] & REFUSED;
      const before = values[k] - refused;
      const mark = marks[index];
      const zone = mark > 0 ? mark - 1 : isComplete ? OUTSIDE : before;
      if (zone !== before) changes.add(index, (values[k] << BEFORE_SHIFT) | zone);
      marks[index] = 0;
      array[kept] = index;
      values[kept] = zone | refused;
      kept += Number(zone !== OUTSIDE);
    }
    inside.length = kept;
    for (let k = 0; k < length; k++) {
      const index = newIndices[k];
      if (marks[index] > OUTSIDE + 1) {
        inside.add(index, newValues[k]);
        changes.add(index, newValues[k]);
      }
      marks[index] = 0;
    }
    if (changes.length === 0) return;
    changes.sort();
    this.isSorted = false;
  }

  /** Marks a body inside as refused by the filter. */
  refuse(index: number): void {
    this.inside.values[this.find(index)] |= REFUSED;
  }

  /** The zone of a body, with REFUSED if the filter has refused it. */
  zoneOf(index: number): number {
    const at = this.find(index);
    const { array, length, values } = this.inside;
    return at < length && array[at] === index ? values[at] : OUTSIDE;
  }

  /** Writes the bodies inside to `out`, by ascending index; leaves out bodies that the filter has refused. */
  copyTo(out: IndexList): IndexList {
    this.sortInside();
    const { array, length, values } = this.inside;
    out.length = 0;
    for (let k = 0; k < length; k++) if (values[k] < REFUSED) out.push(array[k]);
    return out;
  }

  private sortInside(): void {
    if (!this.isSorted) this.inside.sort();
    this.isSorted = true;
  }

  /** Position of the first body inside whose index is not below the given one. */
  private find(index: number): number {
    this.sortInside();
    const { array, length } = this.inside;
    let low = 0;
    let high = length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (array[middle] < index) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
