/** The bodies nearest to a point, by the distance to their surface; it is 0 for a body that contains the point. */

import { BOX_STRIDE, type Boxes } from '../math/box.ts';
import { QuerySphere } from '../math/query-sphere.ts';
import { ALL_CATEGORIES, ROOT } from '../tree/layout.ts';
import { POINT_DISTANCE_SQ } from '../tree/simd/wasm-kernels.ts';
import type { NearestKernel } from '../tree/traverse/kernel.ts';
import type { Scratch } from '../tree/traverse/scratch.ts';
import { walkNearestFirst } from '../tree/traverse/walk.ts';
import type { Tree } from '../tree/tree.ts';
import type { BodyFilter } from './body-filter.ts';
import type { HitList } from './hit-list.ts';
import { SpeculativeSearch } from './speculative-search.ts';

/** Boxes are compared by squared distances, bodies by distances: this factor covers the rounding of the square roots. */
const SQUARE_SLACK = 1 + 2 ** -50;

export class NearestQuery implements NearestKernel {
  /** The sphere around the point in which results may still lie. It shrinks as results are found. */
  readonly sphere = new QuerySphere();
  readonly wasmKernel = POINT_DISTANCE_SQ;
  count = 1;
  maxDistance = Infinity;
  /** Distance of the body that `measureBody` has measured last. In an array, because V8 may box a double that crosses a call. */
  readonly distance = new Float64Array(1);

  private readonly speculativeSearch = new SpeculativeSearch();
  private readonly bodyBox = new Float64Array(BOX_STRIDE);
  private tree: Tree | null = null;
  private hits: HitList | null = null;
  private categories = ALL_CATEGORIES;
  private candidatesOnly = false;
  private filter: BodyFilter = null;

  /** Sets the point to the first three of `values`. */
  set(values: Float64Array, count: number, maxDistance: number): void {
    const { sphere } = this;
    sphere.x = values[0];
    sphere.y = values[1];
    sphere.z = values[2];
    this.count = count;
    this.maxDistance = maxDistance;
  }

  /** Fills `hits` with the `count` nearest bodies within the distance, by distance, then index. */
  find(tree: Tree, categories: number, filter: BodyFilter, scratch: Scratch, hits: HitList): void {
    this.walk(tree, categories, false, filter, scratch, hits);
  }

  /** Fills `hits` with the candidates: all bodies whose slot bounds are at most as far away as the farthest exact result. */
  findCandidates(tree: Tree, categories: number, filter: BodyFilter, scratch: Scratch, hits: HitList): void {
    this.find(tree, categories, filter, scratch, hits);
    if (this.count > 0 && hits.length === this.count) this.maxDistance = hits.distances[this.count - 1];
    if (this.count > 0) this.count = Infinity;
    this.walk(tree, categories, true, filter, scratch, hits);
  }

  private walk(tree: Tree, categories: number, candidatesOnly: boolean, filter: BodyFilter, scratch: Scratch, hits: HitList): void {
    hits.clear();
    scratch.resetCosts();
    if (this.count === 0) return;
    this.tree = tree;
    this.hits = hits;
    this.categories = categories;
    this.candidatesOnly = candidatesOnly;
    this.filter = filter;
    this.sphere.setTolerance(tree.nodes.fitted, ROOT * BOX_STRIDE);
    this.sphere.maxDistanceSq = this.maxDistance * this.maxDistance * SQUARE_SLACK;
    try {
      const isFound = this.isDistanceOnly(tree) && this.speculativeSearch.find(tree, this, scratch, hits);
      if (!isFound) walkNearestFirst(tree, this, categories, scratch);
    } finally {
      this.tree = null;
      this.hits = null;
      this.filter = null;
    }
    hits.sort();
  }

  /** Whether the distance is the only criterion: all categories, no filter, exact results. */
  private isDistanceOnly({ uncategorized }: Tree): boolean {
    return this.filter === null && !this.candidatesOnly && this.categories === ALL_CATEGORIES && uncategorized === 0;
  }

  writeVolume(target: Float32Array): boolean {
    return this.sphere.writeFloat32(target);
  }

  writeMaxDistance(target: Float32Array): void {
    this.sphere.writeMaxDistance32(target);
  }

  filterByMinDistance(boxes: Boxes, begin: number, end: number, kept: Int32Array, distancesSq: Float64Array, count: number): number {
    return this.sphere.filterByMinDistance(boxes, begin, end, kept, distancesSq, count);
  }

  isNearEnough(distancesSq: Float64Array, offset: number): boolean {
    return distancesSq[offset] <= this.sphere.maxDistanceSq;
  }

  visitBody(index: number): void {
    const tree = this.tree!;
    const hits = this.hits!;
    if ((tree.bodies.categoryMask[index] & this.categories) === 0 || !this.measureBody(tree, index)) return;
    const distance = this.distance[0];
    if (distance > this.maxDistance || (hits.length >= this.count && distance > hits.distances[0])) return;
    if (this.filter !== null && !this.filter(index)) return;
    hits.distance = distance;
    hits.offer(index, this.count);
    // The farthest hit is on top of the heap.
    if (hits.length >= this.count) this.shrinkTo(hits.distances, 0);
  }

  /** Shrinks the sphere to the distance at `offset`, that of the farthest of `count` hits. */
  shrinkTo(distances: Float64Array, offset: number): void {
    const limit = Math.min(distances[offset], this.maxDistance);
    this.sphere.maxDistanceSq = limit * limit * SQUARE_SLACK;
  }

  /** Whether a body, or its slot bounds if candidates are requested, may lie within the sphere; sets `distance`. */
  measureBody(tree: Tree, index: number): boolean {
    const { sphere, distance, bodyBox } = this;
    const { bodies, slots } = tree;
    const { bounds } = bodies;
    if (this.candidatesOnly) sphere.writeDistanceSq(slots.slotBounds, bodies.slot[index], distance, 0);
    else if (bodies.isSphere(index)) sphere.writeDistanceSq(bodies.readBox(index, bodyBox), 0, distance, 0);
    else sphere.writeDistanceSq(bounds, index, distance, 0);
    if (!this.isNearEnough(distance, 0)) return false;
    distance[0] = Math.sqrt(distance[0]);
    if (this.candidatesOnly || !bodies.isSphere(index)) return true;
    const at = index * BOX_STRIDE;
    const dx = bounds[at] - sphere.x;
    const dy = bounds[at + 1] - sphere.y;
    const dz = bounds[at + 2] - sphere.z;
    distance[0] = Math.max(distance[0], Math.sqrt(dx * dx + dy * dy + dz * dz) - bounds[at + 3]);
    return true;
  }
}
