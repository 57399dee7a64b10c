/** Bodies with a distance each, ordered by distance, then index. */

export class HitList {
  distances = new Float64Array(16);
  indices = new Uint32Array(16);
  length = 0;

  clear(): void {
    this.length = 0;
  }

  push(index: number, distance: number): void {
    if (this.length === this.indices.length) this.grow();
    this.distances[this.length] = distance;
    this.indices[this.length++] = index;
  }

  /** Keeps the nearest `capacity` of all hits offered: a heap with the farthest of them on top. */
  offer(index: number, distance: number, capacity: number): void {
    if (this.length < capacity) {
      this.push(index, distance);
      this.siftUp(this.length - 1);
    } else if (this.isBefore(distance, index, 0)) {
      this.distances[0] = distance;
      this.indices[0] = index;
      this.siftDown(0, this.length);
    }
  }

  /** Distance of the farthest of `capacity` hits offered; Infinity as long as there are fewer. */
  limit(capacity: number): number {
    return this.length < capacity ? Infinity : this.distances[0];
  }

  /** Sorts ascending, in place: a heap sort. */
  sort(): void {
    for (let k = (this.length >> 1) - 1; k >= 0; k--) this.siftDown(k, this.length);
    for (let end = this.length - 1; end > 0; end--) {
      this.swap(0, end);
      this.siftDown(0, end);
    }
  }

  private isBefore(distance: number, index: number, other: number): boolean {
    return distance < this.distances[other] || (distance === this.distances[other] && index < this.indices[other]);
  }

  private siftUp(k: number): void {
    while (k > 0) {
      const parent = (k - 1) >> 1;
      if (!this.isBefore(this.distances[parent], this.indices[parent], k)) return;
      this.swap(k, parent);
      k = parent;
    }
  }

  private siftDown(k: number, end: number): void {
    for (let child = 2 * k + 1; child < end; child = 2 * k + 1) {
      if (child + 1 < end && this.isBefore(this.distances[child], this.indices[child], child + 1)) child++;
      if (!this.isBefore(this.distances[k], this.indices[k], child)) return;
      this.swap(k, child);
      k = child;
    }
  }

  private swap(a: number, b: number): void {
    const { distances, indices } = this;
    const distance = distances[a];
    distances[a] = distances[b];
    distances[b] = distance;
    const index = indices[a];
    indices[a] = indices[b];
    indices[b] = index;
  }

  private grow(): void {
    const { distances, indices } = this;
    (this.distances = new Float64Array(2 * distances.length)).set(distances);
    (this.indices = new Uint32Array(2 * indices.length)).set(indices);
  }
}
