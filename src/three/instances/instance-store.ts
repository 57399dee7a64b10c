/**
 * The data of all instances by id: matrix, colour, whether the instance exists and is visible, and when it last changed. Ids are dense and
 * reused. Time counts changes: a view that was filled at `clock` copies the instances with a later `changedAt`.
 */

import { IndexList } from '../../tree/storage/index-list.ts';
import { StoredColumn, type StoredColumnKind } from './instance-column.ts';

export const MATRIX_STRIDE = 16;
export const INSTANCE_MATRIX: StoredColumnKind = { name: 'instanceMatrix', itemSize: MATRIX_STRIDE, initial: 0 };
/** White by default. */
export const INSTANCE_COLOR: StoredColumnKind = { name: 'instanceColor', itemSize: 3, initial: 1 };

const ALIVE = 1;
const VISIBLE = 2;
/** The id is in `dirtyBodies`. */
const BODY_DIRTY = 4;
const FIRST_CAPACITY = 16;

export class InstanceStore {
  /** The matrix, then the columns that a first write has created. */
  readonly columns: StoredColumn[] = [new StoredColumn(INSTANCE_MATRIX, 0)];
  changedAt: Uint32Array<ArrayBuffer> = new Uint32Array(0);
  /** Ids, each once, whose matrix, existence or visibility has changed since `clearDirtyBodies`: the octree must follow. */
  readonly dirtyBodies = new IndexList();
  /** Existing instances, hidden ones included. */
  count = 0;
  /** Greater than every id ever given out. */
  limit = 0;

  private flags = new Uint8Array(0);
  private readonly free = new IndexList();
  private time = 0;
  /** Whether something has changed since `clock` was last read. */
  private hasChanged = false;

  /** The present time. Every later change has a greater `changedAt`. */
  get clock(): number {
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
    return Number.isInteger(id) && id >= 0 && id < this.limit && (this.flags[id] & ALIVE) !== 0;
  }

  isVisible(id: number): boolean {
    return (this.flags[id] & VISIBLE) !== 0;
  }

  /** Null before the first `write` to such a column: all its items have their initial value. */
  columnOf(kind: StoredColumnKind): StoredColumn | null {
    const { columns } = this;
    for (let k = 0; k < columns.length; k++) if (columns[k].kind === kind) return columns[k];
    return null;
  }

  /** Extends the capacity, if necessary, for `count` more instances. */
  reserve(count: number): void {
    const needed = this.count + count;
    if (needed <= this.capacity) return;
    const capacity = Math.max(needed, 2 * this.capacity, FIRST_CAPACITY);
    for (const column of this.columns) column.reserve(capacity);
    this.changedAt = copyInto(new Uint32Array(capacity), this.changedAt);
    this.flags = copyInto(new Uint8Array(capacity), this.flags);
  }

  /** Creates an instance. The caller writes its matrix next; all other columns have their initial values. */
  allocate(): number {
    this.reserve(1);
    const id = this.free.length > 0 ? this.free.array[--this.free.length] : this.limit++;
    this.flags[id] = ALIVE | VISIBLE | (this.flags[id] & BODY_DIRTY);
    for (let k = 1; k < this.columns.length; k++) this.columns[k].reset(id);
    this.count++;
    return id;
  }

  release(id: number): void {
    this.markBodyDirty(id);
    this.flags[id] &= BODY_DIRTY;
    this.free.push(id);
    this.count--;
  }

  setVisible(id: number, isVisible: boolean): void {
    if (this.isVisible(id) === isVisible) return;
    this.flags[id] ^= VISIBLE;
    this.markBodyDirty(id);
  }

  writeMatrix(id: number, elements: ArrayLike<number>, offset: number): void {
    this.columns[0].write(id, elements, offset);
    this.markBodyDirty(id);
  }

  /** Writes an item of a column that does not move the instance. The first write creates the column. */
  write(kind: StoredColumnKind, id: number, values: ArrayLike<number>, offset: number): void {
    const column = this.columnOf(kind) ?? this.addColumn(kind);
    column.write(id, values, offset);
    this.markChanged(id);
  }

  /** Records that the body of an instance in the octree, and what is drawn of it, is out of date. */
  markBodyDirty(id: number): void {
    this.markChanged(id);
    if ((this.flags[id] & BODY_DIRTY) !== 0) return;
    this.flags[id] |= BODY_DIRTY;
    this.dirtyBodies.push(id);
  }

  markAllBodiesDirty(): void {
    for (let id = 0; id < this.limit; id++) if ((this.flags[id] & ALIVE) !== 0) this.markBodyDirty(id);
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

  /** Replaces all instances by those of another store, with the same ids. */
  copy(source: InstanceStore): void {
    this.reserve(source.limit - this.count);
    // Instances that existed here have changed too: the octree must drop or move their bodies.
    for (let id = 0; id < Math.max(this.limit, source.limit); id++) {
      this.markBodyDirty(id);
      this.flags[id] = BODY_DIRTY | (source.flags[id] & ~BODY_DIRTY);
    }
    const { capacity } = this;
    this.columns.length = 0;
    for (const column of source.columns) this.columns.push(column.clone(source.limit, capacity));
    this.limit = Math.max(this.limit, source.limit);
    this.count = source.count;
    this.free.length = 0;
    for (let id = this.limit - 1; id >= 0; id--) if ((this.flags[id] & ALIVE) === 0) this.free.push(id);
  }

  /** Lists the ids of all visible instances in ascending order. Cost: a step for each id. */
  collectVisible(list: IndexList): void {
    list.length = 0;
    list.reserve(this.count);
    for (let id = 0; id < this.limit; id++) if ((this.flags[id] & (ALIVE | VISIBLE)) === (ALIVE | VISIBLE)) list.array[list.length++] = id;
  }

  private addColumn(kind: StoredColumnKind): StoredColumn {
    const column = new StoredColumn(kind, this.capacity);
    this.columns.push(column);
    return column;
  }
}

function copyInto<A extends Uint32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>>(target: A, source: A): A {
  target.set(source);
  return target;
}
