/**
 * The data of all instances by id: matrix, colour, morph target influences, whether the instance exists and is visible,
 * and when it last changed. Ids are dense and reused. `changedAt` holds a logical time: a view copies the instances
 * whose `changedAt` is later than the `takeTime` of its last copy.
 */

import type { RGB } from 'three';
import { grownCapacity, resized } from '../../math/typed-arrays.ts';
import { IndexList } from '../../tree/storage/index-list.ts';
import { MATRIX_STRIDE } from '../../three/bounds/bounds-math.ts';
import { MorphColumn } from './morph-column.ts';
import { StoredColumn } from './instance-column.ts';

const ALIVE = 1;
const VISIBLE = 2;
/** The id is in `dirtyBodies`. */
const BODY_DIRTY = 4;

export class InstanceStore {
  /** The matrix, then the columns that a first write has created. */
  readonly columns: StoredColumn[] = [new StoredColumn('instanceMatrix', MATRIX_STRIDE, 0)];
  /** Null before the first colour: all instances are white. */
  color: StoredColumn | null = null;
  /** Null before the first influences: no instance has its own. */
  morph: MorphColumn | null = null;
  changedAt: Uint32Array<ArrayBuffer> = new Uint32Array(0);
  /** When the current instance with an id was added. */
  createdAt: Uint32Array<ArrayBuffer> = new Uint32Array(0);
  /**
   * Ids, each once, whose matrix, existence or visibility has changed since `clearDirtyBodies`: the octree must follow.
   */
  readonly dirtyBodies = new IndexList();
  /** Existing instances, hidden ones included. */
  count = 0;
  /** One more than the largest id that was ever in use. */
  idEnd = 0;
  /** Instances with this id or a greater one are hidden. */
  idLimit = Infinity;

  private flags = new Uint8Array(0);
  private readonly free = new IndexList();
  private time = 0;
  /** Number of calls of `markBodyDirty`. */
  bodyChanges = 0;
  /** Whether something has changed since the last `takeTime`. */
  private hasChanged = false;

  /** Returns the current time. Every later change has a greater `changedAt`. */
  takeTime(): number {
    if (this.hasChanged) this.time++;
    this.hasChanged = false;
    return this.time;
  }

  get capacity(): number {
    return this.changedAt.length;
  }

  /** Column-major, 16 numbers for each id; replaced when the capacity grows. */
  get matrices(): Float32Array<ArrayBuffer> {
    return this.columns[0].array;
  }

  has(id: number): boolean {
    return Number.isInteger(id) && id >= 0 && id < this.idEnd && (this.flags[id] & ALIVE) !== 0;
  }

  isVisible(id: number): boolean {
    return id < this.idLimit && (this.flags[id] & VISIBLE) !== 0;
  }

  /** Hides the instances with an id from `limit` on, and no others. */
  setIdLimit(limit: number): void {
    const begin = Math.min(limit, this.idLimit);
    const end = Math.min(Math.max(limit, this.idLimit), this.idEnd);
    this.idLimit = limit;
    for (let id = begin; id < end; id++) this.markBodyDirty(id);
  }

  /** Extends the capacity, if necessary, for `count` more instances. */
  reserve(count: number): void {
    const needed = this.count + count;
    if (needed <= this.capacity) return;
    const capacity = grownCapacity(needed, this.capacity);
    for (const column of this.columns) column.reserve(capacity);
    this.createdAt = resized(this.createdAt, capacity);
    this.flags = resized(this.flags, capacity);
    // So that marking never fails.
    this.dirtyBodies.reserve(capacity);
    // The last, because its length is the capacity: without memory for one of them it stays as it was.
    this.changedAt = resized(this.changedAt, capacity);
  }

  /** Creates an instance. The caller writes its matrix next; all other columns have their initial values. */
  allocate(): number {
    this.reserve(1);
    const id = this.free.length > 0 ? this.free.array[--this.free.length] : this.idEnd++;
    this.flags[id] = ALIVE | VISIBLE | (this.flags[id] & BODY_DIRTY);
    this.createdAt[id] = this.time + 1;
    for (let k = 1; k < this.columns.length; k++) this.columns[k].reset(id);
    this.count++;
    return id;
  }

  release(id: number): void {
    this.free.push(id);
    this.markBodyDirty(id);
    this.flags[id] &= BODY_DIRTY;
    this.count--;
  }

  setVisible(id: number, isVisible: boolean): void {
    if (((this.flags[id] & VISIBLE) !== 0) === isVisible) return;
    this.flags[id] ^= VISIBLE;
    this.markBodyDirty(id);
  }

  writeMatrix(id: number, elements: ArrayLike<number>, offset: number): void {
    const { matrices } = this;
    for (let to = id * MATRIX_STRIDE, from = offset, end = offset + MATRIX_STRIDE; from < end; from += 4, to += 4) {
      matrices[to] = elements[from];
      matrices[to + 1] = elements[from + 1];
      matrices[to + 2] = elements[from + 2];
      matrices[to + 3] = elements[from + 3];
    }
    this.markBodyDirty(id);
  }

  writeColor(id: number, { r, g, b }: RGB): void {
    const { array } = (this.color ??= this.addColumn(new StoredColumn('instanceColor', 3, this.capacity)));
    array[3 * id] = r;
    array[3 * id + 1] = g;
    array[3 * id + 2] = b;
    this.markChanged(id);
  }

  /** @param influences As many in every call. */
  writeMorph(id: number, influences: readonly number[], isRelative: boolean): void {
    this.morph ??= this.addColumn(new MorphColumn(influences.length, this.capacity));
    this.morph.writeInfluences(id, influences, isRelative);
    // Influences may change the bounds of an instance.
    if (this.morph.updateMorphScale(id)) this.markBodyDirty(id);
    else this.markChanged(id);
  }

  removeMorph(): void {
    if (this.morph === null) return;
    this.columns.splice(this.columns.indexOf(this.morph), 1);
    this.morph = null;
    this.markAllBodiesDirty();
  }

  /** Takes over what the user has written to the columns since the last call: all instances then count as changed. */
  syncColumns(): void {
    for (const column of this.columns) {
      if (!column.takeChange()) continue;
      for (let id = 0; id < this.idEnd; id++) this.morph?.updateMorphScale(id);
      this.markAllBodiesDirty();
    }
  }

  /** Records that the body of an instance in the octree, and what is drawn of it, is out of date. */
  markBodyDirty(id: number): void {
    this.bodyChanges++;
    this.markChanged(id);
    if ((this.flags[id] & BODY_DIRTY) !== 0) return;
    this.dirtyBodies.push(id);
    this.flags[id] |= BODY_DIRTY;
  }

  markAllBodiesDirty(): void {
    for (let id = 0; id < this.idEnd; id++) if ((this.flags[id] & ALIVE) !== 0) this.markBodyDirty(id);
  }

  clearDirtyBodies(): void {
    const { flags, dirtyBodies } = this;
    for (let k = 0; k < dirtyBodies.length; k++) flags[dirtyBodies.array[k]] &= ~BODY_DIRTY;
    dirtyBodies.length = 0;
  }

  /** Records that what is drawn of an instance is out of date. */
  markChanged(id: number): void {
    this.changedAt[id] = this.time + 1;
    this.hasChanged = true;
  }

  /** Replaces all instances by copies of the instances of another store, with the same ids. */
  copy(source: InstanceStore): void {
    source.syncColumns();
    this.reserve(source.idEnd - this.count);
    // Instances that existed here have changed too: the octree must drop or move their bodies.
    for (let id = 0; id < Math.max(this.idEnd, source.idEnd); id++) {
      this.markBodyDirty(id);
      this.flags[id] = BODY_DIRTY | (source.flags[id] & ~BODY_DIRTY);
      this.createdAt[id] = this.time + 1;
    }
    const { capacity } = this;
    this.columns.length = 0;
    this.addColumn(source.columns[0].clone(source.idEnd, capacity));
    this.color = source.color === null ? null : this.addColumn(source.color.clone(source.idEnd, capacity));
    this.morph = source.morph === null ? null : this.addColumn(source.morph.clone(source.idEnd, capacity));
    this.idEnd = Math.max(this.idEnd, source.idEnd);
    this.idLimit = source.idLimit;
    this.count = source.count;
    this.free.length = 0;
    for (let id = this.idEnd - 1; id >= 0; id--) if ((this.flags[id] & ALIVE) === 0) this.free.push(id);
  }

  /** Lists the ids of all visible instances in ascending order. Cost: a step for each id. */
  listVisible(list: IndexList): void {
    list.length = 0;
    list.reserve(this.count);
    for (let id = 0; id < this.idEnd; id++) if (this.isVisible(id)) list.array[list.length++] = id;
  }

  /** The ids of all visible instances, ascending, in a fresh array. */
  visibleIds(): Uint32Array {
    const list = new IndexList();
    this.listVisible(list);
    return list.array.subarray(0, list.length);
  }

  private addColumn<Column extends StoredColumn>(column: Column): Column {
    this.columns.push(column);
    return column;
  }
}
