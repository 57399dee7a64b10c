/** Bodies with their distances, ordered by distance, then index: a sorted list, or a heap of the nearest ones. */

import { grownCapacity, resizeTogether } from '../../math/typed-arrays.ts';

const STRIDES = { distances: 1, indices: 1 };

export class HitList {
  distances = new Float64Array(16);
  indices = new Uint32Array(16);
  length = 0;
  /**
   * Distance of the hit that `push` adds next. A field, because V8 may box a double that is an argument. NaN at first,
   * because V8 changes the layout of an object whose integer becomes a double.
   */
  distance = NaN;

  clear(): void {
    this.length = 0;
  }

  /** Appends a hit at `distance`. */
  push(index: number): void {
    if (this.length === this.indices.length) this.grow();
    this.distances[this.length] = this.distance;
    this.indices[this.length++] = index;
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
    const { distances, indices } = this;
    return distances[hit] < distances[other] || (distances[hit] === distances[other] && indices[hit] < indices[other]);
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
    const { distances, indices } = this;
    const distance = distances[a];
    distances[a] = distances[b];
    distances[b] = distance;
    const index = indices[a];
    indices[a] = indices[b];
    indices[b] = index;
  }

  private grow(): void {
    resizeTogether(this, STRIDES, grownCapacity(this.length + 1, this.indices.length));
  }
}
