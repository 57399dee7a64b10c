/**
 * What is known of each instance, by its id: matrix, colour, whether it lives and shows, and when it was last changed. Ids are dense
 * and used again. Time is counted in changes: whoever has copied an instance at `clock` compares it with `changedAt`.
 */

import { IndexList } from '../../tree/storage/index-list.ts';

export const MATRIX_STRIDE = 16;
export const COLOR_STRIDE = 3;
const ALIVE = 1;
const SHOWN = 2;
const NOTED = 4;
const FIRST_CAPACITY = 16;

export class InstanceStore {
  /** As InstancedMesh keeps them: float32, so that the pictures are the same. */
  matrices: Float32Array<ArrayBuffer> = new Float32Array(0);
  /** Null as long as every instance is white. */
  colors: Float32Array<ArrayBuffer> | null = null;
  changedAt: Uint32Array<ArrayBuffer> = new Uint32Array(0);
  /** Ids whose place has changed, each once, until somebody has seen to them. */
  readonly noted = new IndexList();
  /** Living instances. */
  count = 0;
  /** All ids that were ever given out are below. */
  limit = 0;

  private flags = new Uint8Array(0);
  private readonly free = new IndexList();
  private time = 0;
  private isAhead = false;

  /** The time of now: later changes are later. */
  get clock(): number {
    if (this.isAhead) this.time++;
    this.isAhead = false;
    return this.time;
  }

  get capacity(): number {
    return this.changedAt.length;
  }

  has(id: number): boolean {
    return Number.isInteger(id) && id >= 0 && id < this.limit && (this.flags[id] & ALIVE) !== 0;
  }

  isShown(id: number): boolean {
    return (this.flags[id] & SHOWN) !== 0;
  }

  /** Makes room for as many instances more. */
  reserve(count: number): void {
    const wanted = this.count + count;
    if (wanted <= this.capacity) return;
    const capacity = Math.max(wanted, 2 * this.capacity, FIRST_CAPACITY);
    this.matrices = lengthened(this.matrices, new Float32Array(capacity * MATRIX_STRIDE));
    if (this.colors !== null) this.colors = lengthened(this.colors, new Float32Array(capacity * COLOR_STRIDE));
    this.changedAt = lengthened(this.changedAt, new Uint32Array(capacity));
    this.flags = lengthened(this.flags, new Uint8Array(capacity));
  }

  /** Brings an instance to life; its matrix must be written next. */
  allocate(): number {
    this.reserve(1);
    const id = this.free.length > 0 ? this.free.array[--this.free.length] : this.limit++;
    this.flags[id] = ALIVE | SHOWN | (this.flags[id] & NOTED);
    this.colors?.fill(1, id * COLOR_STRIDE, (id + 1) * COLOR_STRIDE);
    this.count++;
    return id;
  }

  release(id: number): void {
    this.note(id);
    this.flags[id] &= NOTED;
    this.free.push(id);
    this.count--;
  }

  show(id: number, isShown: boolean): void {
    if (this.isShown(id) === isShown) return;
    this.flags[id] ^= SHOWN;
    this.note(id);
  }

  /** Copies the sixteen numbers at lane `at`. */
  writeMatrix(id: number, elements: ArrayLike<number>, at: number): void {
    const { matrices } = this;
    const to = id * MATRIX_STRIDE;
    for (let lane = 0; lane < MATRIX_STRIDE; lane++) matrices[to + lane] = elements[at + lane];
    this.note(id);
  }

  writeColor(id: number, r: number, g: number, b: number): void {
    this.colors ??= new Float32Array(this.capacity * COLOR_STRIDE).fill(1);
    const at = id * COLOR_STRIDE;
    this.colors[at] = r;
    this.colors[at + 1] = g;
    this.colors[at + 2] = b;
    this.touch(id);
  }

  /** Tells that the place of an instance, or whether it shows, has changed. */
  note(id: number): void {
    this.touch(id);
    if ((this.flags[id] & NOTED) !== 0) return;
    this.flags[id] |= NOTED;
    this.noted.push(id);
  }

  noteAll(): void {
    for (let id = 0; id < this.limit; id++) if ((this.flags[id] & ALIVE) !== 0) this.note(id);
  }

  /** Tells that what is drawn of an instance has changed. */
  touch(id: number): void {
    this.changedAt[id] = this.time + 1;
    this.isAhead = true;
  }

  /** Takes over the instances of another store, with their ids. */
  copy(source: InstanceStore): void {
    this.reserve(source.limit - this.count);
    // Whatever was here before has changed too.
    for (let id = 0; id < Math.max(this.limit, source.limit); id++) {
      this.note(id);
      this.flags[id] = NOTED | (source.flags[id] & ~NOTED);
    }
    this.matrices.set(source.matrices.subarray(0, source.limit * MATRIX_STRIDE));
    this.colors = null;
    if (source.colors !== null) {
      const white = new Float32Array(this.capacity * COLOR_STRIDE).fill(1);
      this.colors = lengthened(source.colors.subarray(0, source.limit * COLOR_STRIDE), white);
    }
    this.limit = Math.max(this.limit, source.limit);
    this.count = source.count;
    this.free.length = 0;
    for (let id = this.limit - 1; id >= 0; id--) if ((this.flags[id] & ALIVE) === 0) this.free.push(id);
  }

  forgetNoted(): void {
    const { flags, noted } = this;
    for (let k = 0; k < noted.length; k++) flags[noted.array[k]] &= ~NOTED;
    noted.length = 0;
  }

  /** Lists the ids of all instances that live and show, in ascending order. */
  collectShown(list: IndexList): void {
    list.length = 0;
    list.reserve(this.count);
    for (let id = 0; id < this.limit; id++) if ((this.flags[id] & (ALIVE | SHOWN)) === (ALIVE | SHOWN)) list.array[list.length++] = id;
  }
}

function lengthened<A extends Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>>(from: A, to: A): A {
  to.set(from);
  return to;
}
