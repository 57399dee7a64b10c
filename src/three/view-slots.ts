/**
 * Which instance lies in which slot of a view. When the seen instances change, those that stay keep their slots, those that enter take
 * the slots of those that leave, and what is then missing is filled from the end: only slots that have changed need to be copied and
 * uploaded, however many are seen.
 */

import { IndexList } from '../tree/index-list.ts';

const NO_SLOT = 0xffffffff;

export class ViewSlots {
  /** Slots in use: the first `count`. */
  count = 0;
  /** Id of the instance in each slot. */
  idAt: Uint32Array<ArrayBuffer> = new Uint32Array(0);
  /** Slots that the last assignment has given to another instance. */
  readonly changed = new IndexList();

  private slotOf = new Uint32Array(0);
  /** By id: the assignment that last asked for it. */
  private wanted = new Uint32Array(0);
  private assignments = 0;
  private readonly entering = new IndexList();
  private readonly holes = new IndexList();

  /** Gives a slot to each of `length` ids, no id twice, all below `limit`, in no certain order. */
  assign(ids: Uint32Array, length: number, limit: number): void {
    this.reserve(length, limit);
    const { wanted, slotOf, entering, changed } = this;
    const now = ++this.assignments;
    changed.length = entering.length = 0;
    for (let k = 0; k < length; k++) {
      const id = ids[k];
      wanted[id] = now;
      if (slotOf[id] === NO_SLOT) entering.push(id);
    }
    if (length - entering.length < this.count) this.replaceLeaving(now);
    while (entering.length > 0) this.put(entering.array[--entering.length], this.count++);
    this.count = length;
  }

  /** Gives the first slot to the first id, and so on. */
  assignInOrder(ids: Uint32Array, length: number, limit: number): void {
    this.reserve(length, limit);
    const { idAt, slotOf, changed } = this;
    changed.length = 0;
    for (let slot = 0; slot < this.count; slot++) slotOf[idAt[slot]] = NO_SLOT;
    for (let slot = 0; slot < length; slot++) {
      if (slot >= this.count || idAt[slot] !== ids[slot]) this.put(ids[slot], slot);
      else slotOf[ids[slot]] = slot;
    }
    this.count = length;
  }

  /** Empties the slots of ids that are not wanted now, and fills them with ids that enter, then with those of the last slots. */
  private replaceLeaving(now: number): void {
    const { idAt, slotOf, wanted, entering, holes } = this;
    holes.length = 0;
    for (let slot = 0; slot < this.count; slot++) {
      const id = idAt[slot];
      if (wanted[id] === now) continue;
      slotOf[id] = NO_SLOT;
      if (entering.length > 0) this.put(entering.array[--entering.length], slot);
      else holes.push(slot);
    }
    const left = this.count - holes.length;
    let last = this.count - 1;
    for (let k = 0; k < holes.length && holes.array[k] < left; k++, last--) {
      while (wanted[idAt[last]] !== now) last--;
      this.put(idAt[last], holes.array[k]);
    }
    this.count = left;
  }

  private put(id: number, slot: number): void {
    this.idAt[slot] = id;
    this.slotOf[id] = slot;
    this.changed.push(slot);
  }

  private reserve(length: number, limit: number): void {
    if (length > this.idAt.length) this.idAt = lengthened(this.idAt, 2 * length, 0);
    if (limit <= this.slotOf.length) return;
    this.slotOf = lengthened(this.slotOf, limit, NO_SLOT);
    this.wanted = lengthened(this.wanted, limit, 0);
  }
}

function lengthened(from: Uint32Array<ArrayBuffer>, length: number, rest: number): Uint32Array<ArrayBuffer> {
  const to = new Uint32Array(length);
  to.set(from);
  return to.fill(rest, from.length);
}
