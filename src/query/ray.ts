/** The bodies along a ray: all of them, the first one, or any one. The last two end early. */

import { BOX_STRIDE, type Boxes } from '../math/box.ts';
import { UnitRay } from '../math/unit-ray.ts';
import { ALL_CATEGORIES, ROOT, STACK_SIZE } from '../tree/layout.ts';
import { INTERSECTING } from '../tree/overlap.ts';
import { RAY_DISTANCE, RAY_OVERLAP } from '../tree/simd/wasm-kernels.ts';
import type { IndexList } from '../tree/storage/index-list.ts';
import type { NearestKernel, RangeKernel } from '../tree/traverse/kernel.ts';
import type { Scratch } from '../tree/traverse/scratch.ts';
import { walkNearestFirst, walkOverlapping } from '../tree/traverse/walk.ts';
import type { Tree } from '../tree/tree.ts';
import { keepCategories, type BodyFilter } from './body-filter.ts';
import type { HitList } from './hit-list.ts';

/** As the greatest distance it ends a walk: every box is farther away. */
const NOTHING_IS_NEARER = -1;

export class RayQuery implements RangeKernel, NearestKernel {
  readonly ray = new UnitRay();
  readonly rootOverlap = INTERSECTING;
  /** RAY_OVERLAP for all bodies, RAY_DISTANCE for the first one or any one. */
  wasmKernel = RAY_OVERLAP;
  /** Closed interval of the entry distance, world units. */
  near = 0;
  far = Infinity;

  private tree: Tree | null = null;
  private categories = ALL_CATEGORIES;
  private candidatesOnly = false;
  private filter: BodyFilter = null;
  private readonly bodyBox = new Float64Array(BOX_STRIDE);
  /** Output of the distance kernel in `filterBoxes`, which does not use it. */
  private distances = new Float64Array(STACK_SIZE);
  /** Output of `intersectsBody`: the kept box, which is not used, and the entry distance. */
  private readonly entered = new Int32Array(1);
  private readonly distance = new Float64Array(1);
  /** Whether any body will do, so that the walk ends at the first one found. */
  private anyBody = false;
  /** The first hit so far, at the distance `ray.maxDistance`; -1 if there is none. */
  private firstIndex = -1;

  /** Fills `hits` with the bodies that the ray enters between near and far, by distance, then index. */
  collectAll(tree: Tree, categories: number, candidatesOnly: boolean, scratch: Scratch, list: IndexList, hits: HitList): void {
    list.length = 0;
    hits.clear();
    this.candidatesOnly = candidatesOnly;
    this.begin(tree);
    this.wasmKernel = RAY_OVERLAP;
    walkOverlapping(tree, this, null, categories, scratch, list);
    if (categories !== ALL_CATEGORIES || tree.uncategorized > 0) keepCategories(tree.bodies, categories, list);
    for (let k = 0; k < list.length; k++) {
      const index = list.array[k];
      if (!this.intersectsBody(tree, index)) continue;
      hits.distance = this.distance[0];
      hits.push(index);
    }
    hits.sort();
  }

  /** Fills `hits` with the first body, by distance, then index, that passes the filter, or with nothing. */
  findFirst(tree: Tree, categories: number, candidatesOnly: boolean, filter: BodyFilter, scratch: Scratch, hits: HitList): void {
    this.anyBody = false;
    this.walk(tree, categories, candidatesOnly, filter, scratch);
    hits.clear();
    hits.distance = this.ray.maxDistance;
    if (this.firstIndex >= 0) hits.push(this.firstIndex);
  }

  /** Whether the ray enters any body, between near and far, that passes the filter. The nearest nodes come first; the walk ends at the first such body. */
  hasAny(tree: Tree, categories: number, candidatesOnly: boolean, filter: BodyFilter, scratch: Scratch): boolean {
    this.anyBody = true;
    this.walk(tree, categories, candidatesOnly, filter, scratch);
    return this.firstIndex >= 0;
  }

  private walk(tree: Tree, categories: number, candidatesOnly: boolean, filter: BodyFilter, scratch: Scratch): void {
    scratch.resetCosts();
    this.tree = tree;
    this.categories = categories;
    this.candidatesOnly = candidatesOnly;
    this.filter = filter;
    this.firstIndex = -1;
    this.begin(tree);
    this.wasmKernel = RAY_DISTANCE;
    try {
      walkNearestFirst(tree, this, categories, scratch);
    } finally {
      this.tree = null;
      this.filter = null;
    }
  }

  private begin(tree: Tree): void {
    this.ray.setTolerance(tree.nodes.fitted, ROOT * BOX_STRIDE);
    this.ray.maxDistance = this.far;
  }

  writeVolume(target: Float32Array): boolean {
    return this.ray.writeFloat32(target);
  }

  writeMaxDistance(target: Float32Array): void {
    this.ray.writeMaxDistance32(target);
  }

  filterBoxes(boxes: Boxes, begin: number, end: number, _overlap: number, kept: Int32Array, overlaps: Int32Array, count: number): number {
    if (this.distances.length < kept.length) this.distances = new Float64Array(kept.length);
    const newCount = this.ray.filterByMinDistance(boxes, begin, end, kept, this.distances, count);
    for (let k = count; k < newCount; k++) overlaps[k] = INTERSECTING;
    return newCount;
  }

  filterByMinDistance(boxes: Boxes, begin: number, end: number, kept: Int32Array, distances: Float64Array, count: number): number {
    return this.ray.filterByMinDistance(boxes, begin, end, kept, distances, count);
  }

  isNearEnough(distances: Float64Array, offset: number): boolean {
    return distances[offset] <= this.ray.maxDistance;
  }

  visitBody(index: number): void {
    const tree = this.tree!;
    if ((tree.bodies.categoryMask[index] & this.categories) === 0) return;
    if (!this.intersectsBody(tree, index)) return;
    const distance = this.distance[0];
    if (distance === this.ray.maxDistance && this.firstIndex >= 0 && index > this.firstIndex) return;
    if (this.filter !== null && !this.filter(index)) return;
    this.firstIndex = index;
    this.ray.maxDistance = this.anyBody ? NOTHING_IS_NEARER : distance;
  }

  /**
   * Whether the ray enters a body, or its slot bounds if candidates are requested, between near and the greatest distance; sets
   * `distance`.
   */
  private intersectsBody(tree: Tree, index: number): boolean {
    const { ray, entered, distance, bodyBox } = this;
    const { bodies, slots } = tree;
    if (this.candidatesOnly) {
      // No test against `near`: the ray enters the slot bounds first, and may enter the body beyond `near`.
      const slot = bodies.slot[index];
      return ray.intersectBoxes(slots.slotBounds, slot, slot + 1, entered, distance, 0) === 1;
    }
    const isEntered = bodies.isSphere(index)
      ? ray.intersectBoxes(bodies.readBox(index, bodyBox), 0, 1, entered, distance, 0) === 1 && ray.intersectsSphere(bodies.bounds, index * BOX_STRIDE, distance)
      : ray.intersectBoxes(bodies.bounds, index, index + 1, entered, distance, 0) === 1;
    return isEntered && distance[0] >= this.near && distance[0] <= ray.maxDistance;
  }
}
