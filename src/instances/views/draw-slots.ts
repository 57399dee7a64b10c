/**
 * Which instance is in which draw slot of a view. When the set of instances changes, an instance that stays keeps its
 * slot, and one that enters takes the slot of one that leaves. If more leave than enter, instances of the last slots
 * fill the empty ones. So few slots change, and only changed slots are copied and uploaded.
 */

import { resized } from '../../math/typed-arrays.ts';
import { IndexList } from '../../tree/storage/index-list.ts';

/**
 * Assignments are numbered 1 to 255, then from 1 again. So each id needs one byte only, and the bytes of all ids fit in
 * the processor's caches. With four bytes an assignment of 300,000 of 1,000,000 ids takes 1.3 to 1.8 times as long.
 */
const LAST_STAMP = 255;

export class DrawSlots {
  /** Slots in use: the first `count`. */
  count = 0;
  /** Id of the instance in each slot. */
  idAt: Uint32Array<ArrayBuffer> = new Uint32Array(0);
  /** Slots that the last assignment gave to another instance, or all; some may lie beyond `count`. */
  readonly changed = new IndexList();

  /** By id: number of the last assignment that listed it; 0 for none. */
  private stamps = new Uint8Array(0);
  private stamp = 1;
  private readonly entering = new IndexList();
  private readonly holes = new IndexList();

  /** Gives a slot to each of the first `length` ids, in any order. No id may occur twice; all are below `idEnd`. */
  assign(ids: Uint32Array, length: number, idEnd: number): void {
    this.reserve(length, idEnd);
    const { stamps, entering, changed } = this;
    const before = this.stamp;
    const now = this.nextStamp();
    changed.length = entering.length = 0;
    for (let k = 0; k < length; k++) {
      const id = ids[k];
      if (stamps[id] !== before) entering.push(id);
      stamps[id] = now;
    }
    if (length - entering.length < this.count) this.replaceLeaving();
    while (entering.length > 0) this.put(entering.array[--entering.length], this.count++);
    this.count = length;
  }

  /** Gives slot k to the id at index k of the list. */
  assignInOrder(ids: Uint32Array, length: number, idEnd: number): void {
    this.reserve(length, idEnd);
    const { idAt, stamps, changed } = this;
    const now = this.nextStamp();
    changed.length = 0;
    for (let slot = 0; slot < length; slot++) {
      stamps[ids[slot]] = now;
      if (slot >= this.count || idAt[slot] !== ids[slot]) this.put(ids[slot], slot);
    }
    this.count = length;
  }

  /** Lists all slots in use as changed. */
  changeAll(): void {
    this.changed.length = 0;
    for (let slot = 0; slot < this.count; slot++) this.changed.push(slot);
  }

  /** Fills the slots of leaving instances with entering ones, then with the instances of the last slots. */
  private replaceLeaving(): void {
    const { idAt, stamps, stamp, entering, holes } = this;
    holes.length = 0;
    for (let slot = 0; slot < this.count; slot++) {
      if (stamps[idAt[slot]] === stamp) continue;
      if (entering.length > 0) this.put(entering.array[--entering.length], slot);
      else holes.push(slot);
    }
    const remaining = this.count - holes.length;
    let last = this.count - 1;
    for (let k = 0; k < holes.length && holes.array[k] < remaining; k++, last--) {
      while (stamps[idAt[last]] !== stamp) last--;
      this.put(idAt[last], holes.array[k]);
    }
    this.count = remaining;
  }

  /** Begins an assignment. When the numbering restarts, ids without a slot lose their stamps. */
  private nextStamp(): number {
    const { stamps, idAt, stamp } = this;
    if (stamp === LAST_STAMP) {
      stamps.fill(0);
      for (let slot = 0; slot < this.count; slot++) stamps[idAt[slot]] = LAST_STAMP;
    }
    this.stamp = stamp === LAST_STAMP ? 1 : stamp + 1;
    return this.stamp;
  }

  private put(id: number, slot: number): void {
    this.idAt[slot] = id;
    this.changed.push(slot);
  }

  private reserve(length: number, idEnd: number): void {
    if (length > this.idAt.length) this.idAt = resized(this.idAt, 2 * length);
    if (idEnd > this.stamps.length) this.stamps = resized(this.stamps, idEnd);
  }
}
