/**
 * Which instance sits in which seat of a view. When the seen instances change, those that stay keep their seats, those that enter take
 * the seats of those that leave, and what is then missing is filled from the end: only seats that have changed need to be copied and
 * uploaded, however many are seen.
 */

import { IndexList } from '../../tree/storage/index-list.ts';

/** Assignments after which they are counted anew. */
const LAST = 255;

export class DrawSlots {
  /** Seats in use: the first `count`. */
  count = 0;
  /** Id of the instance in each seat. */
  idAt: Uint32Array<ArrayBuffer> = new Uint32Array(0);
  /** Seats that the last assignment has given to another instance. */
  readonly changed = new IndexList();

  /** By id: the assignment that last asked for it. A byte each stays in the caches; so they are counted from 1 again and again. */
  private wanted = new Uint8Array(0);
  private now = 1;
  private readonly entering = new IndexList();
  private readonly holes = new IndexList();

  /** Gives a seat to each of `length` ids, no id twice, all below `limit`, in no certain order. */
  assign(ids: Uint32Array, length: number, limit: number): void {
    this.reserve(length, limit);
    const { wanted, entering, changed } = this;
    const before = this.now;
    const now = this.advance();
    changed.length = entering.length = 0;
    for (let k = 0; k < length; k++) {
      const id = ids[k];
      if (wanted[id] !== before) entering.push(id);
      wanted[id] = now;
    }
    if (length - entering.length < this.count) this.replaceLeaving();
    while (entering.length > 0) this.put(entering.array[--entering.length], this.count++);
    this.count = length;
  }

  /** Gives the first seat to the first id, and so on. */
  assignInOrder(ids: Uint32Array, length: number, limit: number): void {
    this.reserve(length, limit);
    const { idAt, wanted, changed } = this;
    const now = this.advance();
    changed.length = 0;
    for (let seat = 0; seat < length; seat++) {
      wanted[ids[seat]] = now;
      if (seat >= this.count || idAt[seat] !== ids[seat]) this.put(ids[seat], seat);
    }
    this.count = length;
  }

  /** Empties the seats of ids that are not wanted now, and fills them with ids that enter, then with those of the last seats. */
  private replaceLeaving(): void {
    const { idAt, wanted, now, entering, holes } = this;
    holes.length = 0;
    for (let seat = 0; seat < this.count; seat++) {
      if (wanted[idAt[seat]] === now) continue;
      if (entering.length > 0) this.put(entering.array[--entering.length], seat);
      else holes.push(seat);
    }
    const left = this.count - holes.length;
    let last = this.count - 1;
    for (let k = 0; k < holes.length && holes.array[k] < left; k++, last--) {
      while (wanted[idAt[last]] !== now) last--;
      this.put(idAt[last], holes.array[k]);
    }
    this.count = left;
  }

  /** Begins another assignment; the 0 of ids that were not asked for is none. */
  private advance(): number {
    const { wanted, idAt, now } = this;
    if (now === LAST) {
      wanted.fill(0);
      for (let seat = 0; seat < this.count; seat++) wanted[idAt[seat]] = LAST;
    }
    this.now = now === LAST ? 1 : now + 1;
    return this.now;
  }

  private put(id: number, seat: number): void {
    this.idAt[seat] = id;
    this.changed.push(seat);
  }

  private reserve(length: number, limit: number): void {
    if (length > this.idAt.length) this.idAt = lengthened(this.idAt, new Uint32Array(2 * length));
    if (limit > this.wanted.length) this.wanted = lengthened(this.wanted, new Uint8Array(limit));
  }
}

function lengthened<A extends Uint32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>>(from: A, to: A): A {
  to.set(from);
  return to;
}
