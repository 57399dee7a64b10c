/**
 * A queue of bodies and nodes by distance: a binary heap with the nearest on top. At equal distances nodes come before
 * bodies, and bodies with a lower index first.
 */

import { grownCapacity, resized } from '../../math/typed-arrays.ts';

export class DistanceQueue {
  length = 0;
  /**
   * Distance of the entry that `push` adds next, and of the one that `pop` has removed. A field, because V8 may box a
   * double that is an argument.
   */
  distance = 0;
  private distances = new Float64Array(64);
  /** A body as its index, a node as minus its number minus 1. */
  private items = new Int32Array(64);

  clear(): void {
    this.length = 0;
  }

  /** Removes the nearest entry, sets `distance`, and returns the item. */
  pop(): number {
    const { distances, items } = this;
    const item = items[0];
    this.distance = distances[0];
    const last = --this.length;
    const lastDistance = distances[last];
    const lastItem = items[last];
    let at = 0;
    for (let child = 1; child < last; child = 2 * at + 1) {
      if (child + 1 < last && isBefore(distances[child + 1], items[child + 1], distances[child], items[child])) child++;
      if (!isBefore(distances[child], items[child], lastDistance, lastItem)) break;
      distances[at] = distances[child];
      items[at] = items[child];
      at = child;
    }
    distances[at] = lastDistance;
    items[at] = lastItem;
    return item;
  }

  /** Adds the index of a body, or minus the number of a node minus 1. */
  push(item: number): void {
    if (this.length === this.items.length) this.grow();
    const { distances, items, distance } = this;
    let at = this.length++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(distance, item, distances[parent], items[parent])) break;
      distances[at] = distances[parent];
      items[at] = items[parent];
      at = parent;
    }
    distances[at] = distance;
    items[at] = item;
  }

  private grow(): void {
    const capacity = grownCapacity(this.length + 1, this.items.length);
    this.distances = resized(this.distances, capacity);
    this.items = resized(this.items, capacity);
  }
}

function isBefore(distanceA: number, itemA: number, distanceB: number, itemB: number): boolean {
  return distanceA < distanceB || (distanceA === distanceB && itemA < itemB);
}
