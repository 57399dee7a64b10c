/**
 * Sorts bodies by their distance from a point, then index. Radix sort by Float32 distances; bodies with equal Float32
 * distances are then sorted by their exact distances.
 */

import { RadixSorter } from '../../math/sorting.ts';
import { grownCapacity } from '../../math/typed-arrays.ts';
import type { IndexList } from '../../tree/storage/index-list.ts';
import type { Tree } from '../../tree/tree.ts';
import type { HitList } from '../../octree/queries/hit-list.ts';
import type { NearestQuery } from '../nearest/nearest-query.ts';

export class DistanceSorter {
  private readonly sorter = new RadixSorter();
  private distances = new Float64Array(0);
  private indices = new Uint32Array(0);
  /** Positions in `distances` and `indices`. */
  private positions = new Uint32Array(0);
  /** The distances as Float32, and their bits, which have the same order because no distance is negative. */
  private rounded = new Float32Array(0);
  private keys = new Uint32Array(0);

  /**
   * Sorts the bodies in `list`, which are in the tree. The query has begun from a point, without a maximum distance.
   * `hits` is working memory.
   */
  sort(tree: Tree, query: NearestQuery, list: IndexList, hits: HitList): void {
    const { length } = list;
    this.reserve(length);
    const { distances, indices, positions, rounded, keys } = this;
    for (let k = 0; k < length; k++) {
      indices[k] = list.array[k];
      query.measureBody(tree, indices[k]);
      distances[k] = query.distance[0];
      rounded[k] = distances[k];
      positions[k] = k;
    }
    this.sorter.sort(keys, positions, 0, length);
    for (let begin = 0, end = 0; begin < length; begin = end) {
      while (end < length && keys[end] === keys[begin]) end++;
      if (end === begin + 1) list.array[begin] = indices[positions[begin]];
      else this.sortEqual(list, begin, end, hits);
    }
  }

  private sortEqual(list: IndexList, begin: number, end: number, hits: HitList): void {
    const { distances, indices, positions } = this;
    hits.clear();
    for (let k = begin; k < end; k++) {
      hits.distance = distances[positions[k]];
      hits.push(indices[positions[k]]);
    }
    hits.sort();
    for (let k = begin; k < end; k++) list.array[k] = hits.indices[k - begin];
  }

  private reserve(count: number): void {
    if (count <= this.indices.length) return;
    const capacity = grownCapacity(count, this.indices.length);
    this.distances = new Float64Array(capacity);
    this.indices = new Uint32Array(capacity);
    this.positions = new Uint32Array(capacity);
    this.rounded = new Float32Array(capacity);
    this.keys = new Uint32Array(this.rounded.buffer);
  }
}
