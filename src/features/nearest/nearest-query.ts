/**
 * The bodies nearest to a point, a box or another start, by the distance between the surfaces; it is 0 for a body that
 * touches it.
 */

import { BOX_STRIDE, type Boxes, type KeptBoxes } from '../../math/box.ts';
import { RoundedBox } from '../../math/rounded-box.ts';
import { DISTANCE_RAISED } from '../../math/tolerances.ts';
import type { FloatArray } from '../../math/typed-arrays.ts';
import { ALL_CATEGORIES } from '../../tree/layout.ts';
import { NO_SIMD_KERNEL, POINT_DISTANCE_SQ } from '../../tree/traverse/walk-numbers.ts';
import type { NearestKernel } from '../../tree/traverse/kernel.ts';
import { walkNearestFirst } from '../../tree/traverse/walk.ts';
import type { Tree } from '../../tree/tree.ts';
import type { Search, HitList } from '../../octree/queries/search.ts';

/** All points within a distance of something, such as a point, a box or a ray. */
export interface NearestVolume {
  /** Square of the distance; a query lowers it while it runs. */
  maxDistanceSq: number;
  /** Whether there is nothing to search from. Left out if there always is something. */
  readonly isEmpty?: boolean;
  /** See `NearestKernel`. */
  filterByMinDistance(boxes: Boxes, begin: number, end: number, kept: KeptBoxes): void;
  /** Writes the squared distance of box number `box`, exactly, to `distancesSq[to]`. */
  writeDistanceSq(boxes: Boxes, box: number, distancesSq: Float64Array, to: number): void;
  /** As `writeDistanceSq`, for the point at offset `at`. */
  writeDistanceSqToPoint(points: Float64Array, at: number, distancesSq: Float64Array, to: number): void;
}

/** Another way to find the results of a query for which the distance from a point or a box alone decides. */
export interface NearestShortcut {
  /** Fills the hits and returns true, or returns false. The volume may have shrunk; it still contains all results. */
  find(tree: Tree, query: NearestQuery, search: Search): boolean;
}

export class NearestQuery implements NearestKernel {
  /** The volume about a point or a box. */
  readonly roundedBox = new RoundedBox();
  /** The volume of this search, in which results may still lie. It shrinks as results are found. */
  private volume: NearestVolume = this.roundedBox;
  /** Whether the search starts from a box. */
  isFromBox = false;
  count = 1;
  maxDistance = Infinity;
  /**
   * Distance of the body that `measureBody` has measured last. In an array, because V8 may box a double that crosses a
   * call.
   */
  readonly distance = new Float64Array(1);

  /**
   * A shortcut of `find` for large trees; null without it. Set from outside, so that queries that only measure
   * distances do not contain its code.
   */
  speculativeSearch: NearestShortcut | null = null;
  private readonly bodyBox = new Float64Array(BOX_STRIDE);
  private readonly centerDistance = new Float64Array(1);
  private search: Search | null = null;
  private candidatesOnly = false;

  /** Searches from a point: the first three of `values`. */
  setPoint(values: Float64Array): void {
    this.roundedBox.setPoint(values);
    this.isFromBox = false;
    this.volume = this.roundedBox;
  }

  /** Searches from a box: min and max. */
  setBox(values: Float64Array): void {
    this.roundedBox.setBox(values);
    this.isFromBox = true;
    this.volume = this.roundedBox;
  }

  /** Searches within another volume. */
  setVolume(volume: NearestVolume): void {
    this.volume = volume;
  }

  /**
   * Fills the hits with the `count` nearest bodies within the distance, by distance, then index. If candidates are
   * requested: with all bodies whose slot bounds are at most as far away as the last of `count` exact results; if there
   * are fewer results, with all bodies whose slot bounds are within the maximum distance.
   */
  find(search: Search): void {
    const { candidatesOnly, hits, scratch } = search;
    this.walk(search, false);
    if (!candidatesOnly || this.count === 0) return;
    if (hits.length === this.count) this.maxDistance = hits.distances[this.count - 1];
    this.count = Infinity;
    scratch.resetCosts();
    this.walk(search, true);
  }

  /**
   * Fills the hits with the `count` nearest bodies within the distance, by distance, then index; with `candidatesOnly`
   * by the distances of their slot bounds. Adds to the costs.
   */
  walk(search: Search, candidatesOnly: boolean): void {
    const { hits } = search;
    hits.length = 0;
    if (this.count === 0 || this.volume.isEmpty === true) return;
    const tree = search.tree!;
    this.search = search;
    this.begin(candidatesOnly);
    const isFound = this.isDistanceOnly(tree, search) && this.speculativeSearch?.find(tree, this, search) === true;
    if (!isFound) walkNearestFirst(search, this);
    hits.sort();
  }

  /** Prepares for the filters and for `measureBody`, which takes slot bounds if candidates are requested. */
  begin(candidatesOnly: boolean): void {
    this.candidatesOnly = candidatesOnly;
    this.limitDistance(this.maxDistance);
  }

  /** Sets the maximum distance of a result. */
  limitDistance(maxDistance: number): void {
    this.maxDistance = maxDistance;
    this.volume.maxDistanceSq = maxDistance * maxDistance * DISTANCE_RAISED;
  }

  /** Whether the distance from a point or a box is the only criterion: all categories, no filter, exact results. */
  private isDistanceOnly({ uncategorizedCount }: Tree, { categories, filter }: Search): boolean {
    return (
      this.volume === this.roundedBox &&
      filter === null &&
      !this.candidatesOnly &&
      categories === ALL_CATEGORIES &&
      uncategorizedCount === 0
    );
  }

  get simdKernel(): number {
    return this.volume === this.roundedBox ? POINT_DISTANCE_SQ : NO_SIMD_KERNEL;
  }

  writeVolume(target: Float32Array): void {
    this.roundedBox.writeFloat32(target);
  }

  writeMaxDistance(target: Float32Array): void {
    this.roundedBox.writeMaxDistance32(target);
  }

  filterByMinDistance(boxes: Boxes, begin: number, end: number, kept: KeptBoxes): void {
    this.volume.filterByMinDistance(boxes, begin, end, kept);
  }

  isNearEnough(distancesSq: Float64Array, offset: number): boolean {
    return distancesSq[offset] <= this.volume.maxDistanceSq;
  }

  visitBodies(bodies: Int32Array, distancesSq: FloatArray, count: number): void {
    const { volume } = this;
    for (let k = count - 1; k >= 0; k--) if (distancesSq[k] <= volume.maxDistanceSq) this.visitBody(bodies[k]);
  }

  private visitBody(index: number): void {
    const { categories, filter, hits, tree } = this.search!;
    if ((tree!.bodies.categoryMask[index] & categories) === 0 || !this.measureBody(tree!, index)) return;
    const distance = this.distance[0];
    if (distance > this.maxDistance || (hits.length >= this.count && distance > hits.distances[0])) return;
    if (filter !== null && !filter(index)) return;
    hits.distance[0] = distance;
    offerHit(hits, index, this.count);
    // The farthest hit is on top of the heap.
    if (hits.length >= this.count) this.shrinkTo(hits.distances, 0);
  }

  /** Shrinks the volume to the distance at `offset`: the distance of the farthest of `count` hits. */
  shrinkTo(distances: Float64Array, offset: number): void {
    const limit = Math.min(distances[offset], this.maxDistance);
    this.volume.maxDistanceSq = limit * limit * DISTANCE_RAISED;
  }

  /** Whether a body, or its slot bounds if candidates are requested, may touch the volume; sets `distance`. */
  measureBody(tree: Tree, index: number): boolean {
    const { volume, distance, bodyBox, centerDistance } = this;
    const { bodies, slots } = tree;
    const { bounds } = bodies;
    if (this.candidatesOnly) volume.writeDistanceSq(slots.slotBounds, bodies.slot[index], distance, 0);
    else if (bodies.isSphere(index)) volume.writeDistanceSq(bodies.readBox(index, bodyBox), 0, distance, 0);
    else volume.writeDistanceSq(bounds, index, distance, 0);
    if (!this.isNearEnough(distance, 0)) return false;
    distance[0] = Math.sqrt(distance[0]);
    if (this.candidatesOnly || !bodies.isSphere(index)) return true;
    const at = index * BOX_STRIDE;
    volume.writeDistanceSqToPoint(bounds, at, centerDistance, 0);
    distance[0] = Math.max(distance[0], Math.sqrt(centerDistance[0]) - bounds[at + 3]);
    return true;
  }
}

/**
 * Adds a hit at `hits.distance[0]` to a heap, the farthest hit on top, that keeps the nearest `capacity` hits. Not a
 * method of the list, so that bundles without `nearest` drop it.
 */
function offerHit(hits: HitList, index: number, capacity: number): void {
  const { distances, array } = hits;
  const distance = hits.distance[0];
  if (hits.length < capacity) {
    let k = hits.length;
    hits.push(index);
    for (let parent = (k - 1) >> 1; k > 0 && hits.isBefore(parent, k); parent = (k - 1) >> 1) {
      hits.swap(k, parent);
      k = parent;
    }
  } else if (distance < distances[0] || (distance === distances[0] && index < array[0])) {
    distances[0] = distance;
    array[0] = index;
    hits.siftDown(0, hits.length);
  }
}
