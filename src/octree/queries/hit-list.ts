/** Bodies with their distances, ordered by distance, then index: a sorted list, or a heap of the nearest ones. */

import { withCapacity } from '../../math/typed-arrays.ts';
import { IndexList } from '../../tree/storage/index-list.ts';

export class HitList extends IndexList {
  distances = new Float64Array(16);
  /** Distance of the hit that `push` adds next. In an array, because V8 may box a double that crosses a call. */
  readonly distance = new Float64Array(1);

  constructor() {
    super(16);
  }

  override reserve(capacity: number): void {
    this.distances = withCapacity(this.distances, capacity);
    super.reserve(capacity);
  }

  /** Appends a hit at `distance`. */
  override push(index: number): void {
    if (this.length === this.array.length) this.reserve(this.length + 1);
    this.distances[this.length] = this.distance[0];
    this.array[this.length++] = index;
  }

  /** Sorts ascending, in place: heap sort. */
  sort(): void {
    this.makeHeap();
    for (let end = this.length - 1; end > 0; end--) {
      this.swap(0, end);
      this.siftDown(0, end);
    }
  }

  /** Makes a heap of hits that were pushed, the farthest hit on top. */
  makeHeap(): void {
    for (let k = (this.length >> 1) - 1; k >= 0; k--) this.siftDown(k, this.length);
  }

  isBefore(hit: number, other: number): boolean {
    const { distances, array } = this;
    return distances[hit] < distances[other] || (distances[hit] === distances[other] && array[hit] < array[other]);
  }

  /** Moves a hit down in the heap of the first `end` hits, to its place. */
  siftDown(k: number, end: number): void {
    for (let child = 2 * k + 1; child < end; child = 2 * k + 1) {
      if (child + 1 < end && this.isBefore(child, child + 1)) child++;
      if (!this.isBefore(k, child)) return;
      this.swap(k, child);
      k = child;
    }
  }

  swap(a: number, b: number): void {
    const { distances, array } = this;
    const distance = distances[a];
    distances[a] = distances[b];
    distances[b] = distance;
    const index = array[a];
    array[a] = array[b];
    array[b] = index;
  }
}
