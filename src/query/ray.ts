/** The bodies along a ray: all of them, or the nearest one with early out. */

import { BOX_STRIDE, type Boxes } from '../math/box.ts';
import { UnitRay } from '../math/unit-ray.ts';
import { ALL_CATEGORIES, ROOT, STACK_SIZE } from '../tree/layout.ts';
import type { IndexList } from '../tree/storage/index-list.ts';
import type { NearestKernel, RangeKernel } from '../tree/traverse/kernel.ts';
import { INTERSECTING } from '../tree/overlap.ts';
import type { Scratch } from '../tree/traverse/scratch.ts';
import { ALONG_RAY, ON_RAY } from '../tree/simd/kinds.ts';
import type { Tree } from '../tree/tree.ts';
import { walkNearestFirst, walkOverlapping } from '../tree/traverse/walk.ts';
import { keepCategories, type BodyFilter } from './body-filter.ts';
import type { HitList } from './hit-list.ts';


export class RayQuery implements RangeKernel, NearestKernel {
  readonly ray = new UnitRay();
  readonly undecided = INTERSECTING;
  /** Kind of the question at hand: all bodies, or the nearest one. */
  simdKind = ON_RAY;
  /** Closed interval of the entry distance. */
  near = 0;
  far = Infinity;

  private tree: Tree | null = null;
  private categories = ALL_CATEGORIES;
  private candidatesOnly = false;
  private filter: BodyFilter = null;
  private readonly bodyBox = new Float64Array(BOX_STRIDE);
  /** Distances of the boxes kept; a walk over ranges has no use for them. */
  private distances = new Float64Array(STACK_SIZE);
  /** The body measured last, and its distance. */
  private readonly entered = new Int32Array(1);
  private readonly distance = new Float64Array(1);
  /** The nearest hit so far, at the most distance that the ray goes to. */
  private bestIndex = -1;

  /** Fills `hits` with the bodies that the ray enters between near and far, by distance, then index. */
  collectAll(tree: Tree, categories: number, candidatesOnly: boolean, scratch: Scratch, list: IndexList, hits: HitList): void {
    list.length = 0;
    hits.clear();
    this.candidatesOnly = candidatesOnly;
    this.start(tree);
    this.simdKind = ON_RAY;
    walkOverlapping(tree, this, null, categories, scratch, list);
    if (categories !== ALL_CATEGORIES || tree.maskless > 0) keepCategories(tree.bodies, categories, list);
    for (let k = 0; k < list.length; k++) {
      const index = list.array[k];
      if (!this.enters(tree, index)) continue;
      hits.distance = this.distance[0];
      hits.push(index);
    }
    hits.sort();
  }

  /** Puts the first hit that is accepted into `hits`, if there is one. */
  findFirst(tree: Tree, categories: number, candidatesOnly: boolean, filter: BodyFilter, scratch: Scratch, hits: HitList): void {
    hits.clear();
    scratch.resetCost();
    this.tree = tree;
    this.categories = categories;
    this.candidatesOnly = candidatesOnly;
    this.filter = filter;
    this.bestIndex = -1;
    this.start(tree);
    this.simdKind = ALONG_RAY;
    try {
      walkNearestFirst(tree, this, categories, scratch);
    } finally {
      this.tree = null;
      this.filter = null;
    }
    hits.distance = this.ray.maxDistance;
    if (this.bestIndex >= 0) hits.push(this.bestIndex);
  }

  writeMaxDistance(lanes: Float32Array): void {
    this.ray.writeMaxDistance32(lanes);
  }

  mayHold(distances: Float64Array, at: number): boolean {
    return distances[at] <= this.ray.maxDistance;
  }

  writeShape(lanes: Float32Array): boolean {
    return this.ray.writeFloat32(lanes);
  }

  private start(tree: Tree): void {
    this.ray.setTolerance(tree.nodes.fitted, ROOT * BOX_STRIDE);
    this.ray.maxDistance = this.far;
  }

  filterBoxes(boxes: Boxes, begin: number, end: number, _lane: number, kept: Int32Array, lanes: Int32Array, count: number): number {
    if (this.distances.length < kept.length) this.distances = new Float64Array(kept.length);
    const newCount = this.ray.filterByMinDistance(boxes, begin, end, kept, this.distances, count);
    for (let k = count; k < newCount; k++) lanes[k] = INTERSECTING;
    return newCount;
  }

  approach(boxes: Boxes, begin: number, end: number, kept: Int32Array, distances: Float64Array, count: number): number {
    return this.ray.filterByMinDistance(boxes, begin, end, kept, distances, count);
  }

  visit(index: number): void {
    const tree = this.tree!;
    if ((tree.bodies.categoryMask[index] & this.categories) === 0) return;
    if (!this.enters(tree, index)) return;
    const distance = this.distance[0];
    if (distance === this.ray.maxDistance && this.bestIndex >= 0 && index > this.bestIndex) return;
    if (this.filter !== null && !this.filter(index)) return;
    this.bestIndex = index;
    this.ray.maxDistance = distance;
  }

  /** Whether the ray enters a body's exact bounds, or its entry in the tree, in time; sets `distance`. */
  private enters(tree: Tree, index: number): boolean {
    const { ray, entered, distance, bodyBox } = this;
    const { bodies, slots } = tree;
    if (this.candidatesOnly) {
      // An entry begins before its body does: only the far end can be told.
      const slot = bodies.slot[index];
      return ray.intersectBoxes(slots.slotBounds, slot, slot + 1, entered, distance, 0) === 1;
    }
    const isEntered = bodies.isSphere(index)
      ? ray.intersectBoxes(bodies.readBox(index, bodyBox), 0, 1, entered, distance, 0) === 1 && ray.intersectsSphere(bodies.bounds, index * BOX_STRIDE, distance)
      : ray.intersectBoxes(bodies.bounds, index, index + 1, entered, distance, 0) === 1;
    return isEntered && distance[0] >= this.near && distance[0] <= ray.maxDistance;
  }
}
