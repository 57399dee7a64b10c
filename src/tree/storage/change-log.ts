/**
 * Which bodies have changed since the last update. Contacts and sensors read it, so that their work grows with the
 * number of changes. Without a reader the lists stay empty; the counts are always kept.
 *
 * What records a change allocates nothing: `reserve` must have been called before.
 */

import { withCapacity } from '../../math/typed-arrays.ts';
import { IndexList } from './index-list.ts';

/** Marks of a body: is in `moved`; is in `renewed`; its index is held; why it is in `moved`. */
export const MOVED = 1;
export const RENEWED = 2;
const HELD = 4;
export const HAS_NEW_BOUNDS = 8;
export const HAS_NEW_CATEGORIES = 16;

export class ChangeLog {
  /**
   * Bodies with new bounds or new categories, new bodies included. Each is listed once; some may have been removed
   * since.
   */
  readonly moved = new IndexList(0);
  /**
   * Bodies whose candidates must be searched again: new bodies, bodies that have escaped from their fat bounds, and
   * bodies with new categories. Each is listed once, and in `moved` too. All other bodies have kept their slot bounds
   * or got smaller ones (when their node was split or merged, or when they lost their margin), so they have no new
   * candidates.
   */
  readonly renewed = new IndexList(0);
  /** Bodies removed since the last update. Their indices are held: no new body gets one. */
  removed = new IndexList(0);
  /** Bodies whose removal the last update has reported; the next update frees their indices. */
  private reported = new IndexList(0);
  private marks = new Uint8Array(0);
  private readonly single = new Uint32Array(1);
  /** Number of contacts and sensors that read the lists. */
  private readers = 0;

  /** Whether the lists are kept. */
  get isKept(): boolean {
    return this.readers > 0;
  }

  addReader(): void {
    this.readers++;
  }

  removeReader(): void {
    this.readers--;
    if (this.readers === 0) this.clearLists();
  }

  /** Makes room for the changes of the bodies below index `bodyCount`, and for `removals` more removals. */
  reserve(bodyCount: number, removals: number): void {
    if (this.readers === 0) return;
    this.marksOf(bodyCount);
    // One more: see `mark`.
    this.moved.reserve(bodyCount + 1);
    this.renewed.reserve(bodyCount + 1);
    this.removed.reserve(this.removed.length + removals);
  }

  recordMoves(indices: Uint32Array): void {
    this.mark(indices, indices.length, MOVED | HAS_NEW_BOUNDS, this.moved);
  }

  /** Records bodies that have left their fat bounds: they get new slot bounds. Their moves are recorded already. */
  recordEscaped({ array, length }: IndexList): void {
    this.mark(array, length, RENEWED, this.renewed);
  }

  /** Records new bodies, and bodies with both new bounds and new slot bounds. */
  recordRenewed({ array, length }: Pick<IndexList, 'array' | 'length'>): void {
    this.mark(array, length, MOVED | HAS_NEW_BOUNDS, this.moved);
    this.mark(array, length, RENEWED, this.renewed);
  }

  /** As `recordRenewed`, for one body with new categories. */
  recordCategories(index: number): void {
    this.single[0] = index;
    this.mark(this.single, 1, MOVED | HAS_NEW_CATEGORIES, this.moved);
    this.mark(this.single, 1, RENEWED, this.renewed);
  }

  /** Holds the index of a removed body. The lists must be kept. */
  hold(index: number): void {
    this.marks[index] |= HELD;
    this.removed.push(index);
  }

  /** Whether the index of a removed body is held. */
  isHeld(index: number): boolean {
    return index < this.marks.length && (this.marks[index] & HELD) !== 0;
  }

  /** The marks of all bodies, by index; `bodyCount` is the number of indices handed out. */
  marksOf(bodyCount: number): Uint8Array {
    if (bodyCount > this.marks.length) this.marks = withCapacity(this.marks, bodyCount);
    return this.marks;
  }

  /** Whether `releaseReported` would free an index. */
  get hasReported(): boolean {
    return this.reported.length > 0;
  }

  /**
   * Frees the indices that the last update has reported as removed; `free` is called with each of them. Call it when an
   * update begins.
   */
  releaseReported(free: (index: number) => void): void {
    const { reported, marks } = this;
    for (let k = 0; k < reported.length; k++) {
      marks[reported.array[k]] &= ~HELD;
      free(reported.array[k]);
    }
    reported.length = 0;
  }

  /** Empties the lists, after the update has read them. */
  reset(): void {
    const { removed, reported } = this;
    this.clearLists();
    // `releaseReported` has emptied the other list.
    this.removed = reported;
    this.reported = removed;
  }

  private clearLists(): void {
    const { moved, renewed, marks } = this;
    for (let k = 0; k < moved.length; k++) marks[moved.array[k]] &= HELD;
    for (let k = 0; k < renewed.length; k++) marks[renewed.array[k]] &= HELD;
    moved.length = 0;
    renewed.length = 0;
  }

  /**
   * Appends the indices that are not in a list yet, and marks them. The first mark of `mark` is that of the list; the
   * bodies that have any of its marks are in the list. Does nothing without a reader.
   */
  private mark(indices: Uint32Array, count: number, mark: number, list: IndexList): void {
    if (this.readers === 0) return;
    const { marks } = this;
    const { array } = list;
    let { length } = list;
    for (let k = 0; k < count; k++) {
      const index = indices[k];
      // Arithmetic instead of a branch: a body that is marked already is overwritten by the next one.
      array[length] = index;
      length += Number((marks[index] & mark) === 0);
      marks[index] |= mark;
    }
    list.length = length;
  }
}
