/** The bodies along a ray: all of them, or the nearest one with early out. */

import { BOX_LANES, type Boxes } from '../math/box.ts';
import { MISS, UnitRay } from '../math/unit-ray.ts';
import { ALL_CATEGORIES } from '../tree/layout.ts';
import type { IndexList } from '../tree/index-list.ts';
import type { Scratch } from '../tree/scratch.ts';
import type { Tree } from '../tree/tree.ts';
import { CROSSING, walkNearestFirst, walkOverlapping, type NearestKernel, type RangeKernel } from '../tree/walk.ts';
import type { HitList } from './hit-list.ts';
import { keepCategories } from './range-query.ts';

/** Decides, beyond geometry, whether a body may be reported. */
export type Accept = ((index: number) => boolean) | null;


export class RayQuery implements RangeKernel, NearestKernel {
  readonly ray = new UnitRay();
  readonly undecided = CROSSING;
  /** Closed interval of the entry distance. */
  near = 0;
  far = Infinity;

  private tree: Tree | null = null;
  private categories = ALL_CATEGORIES;
  private candidatesOnly = false;
  private accept: Accept = null;
  private readonly bodyBox = new Float64Array(BOX_LANES);
  /** The nearest hit so far. */
  private bestIndex = -1;
  private bestDistance = Infinity;

  /** Fills `hits` with the bodies that the ray enters between near and far, by distance, then index. */
  collectAll(tree: Tree, categories: number, candidatesOnly: boolean, scratch: Scratch, list: IndexList, hits: HitList): void {
    list.length = 0;
    hits.clear();
    walkOverlapping(tree, this, null, categories, scratch, list);
    if (categories !== ALL_CATEGORIES || tree.maskless > 0) keepCategories(tree.bodies, categories, list);
    for (let k = 0; k < list.length; k++) {
      const index = list.array[k];
      const distance = this.distanceTo(tree, index, candidatesOnly);
      // An entry begins before its body does: for a candidate only the far end can be told.
      if ((distance >= this.near || candidatesOnly) && distance <= this.far && distance !== MISS) hits.push(index, distance);
    }
    hits.sort();
  }

  /** Puts the first hit that is accepted into `hits`, if there is one. */
  findFirst(tree: Tree, categories: number, candidatesOnly: boolean, accept: Accept, scratch: Scratch, hits: HitList): void {
    hits.clear();
    this.tree = tree;
    this.categories = categories;
    this.candidatesOnly = candidatesOnly;
    this.accept = accept;
    this.bestIndex = -1;
    this.bestDistance = this.far;
    try {
      walkNearestFirst(tree, this, categories, scratch);
    } finally {
      this.tree = null;
      this.accept = null;
    }
    if (this.bestIndex >= 0) hits.push(this.bestIndex, this.bestDistance);
  }

  filter(boxes: Boxes, begin: number, end: number, _lane: number, kept: Int32Array, lanes: Int32Array, count: number): number {
    const { ray, far } = this;
    for (let k = begin; k < end; k++) {
      const distance = ray.distanceToBox(boxes, k * BOX_LANES);
      if (distance === MISS || distance > far) continue;
      kept[count] = k;
      lanes[count++] = CROSSING;
    }
    return count;
  }

  approach(boxes: Boxes, begin: number, end: number, kept: Int32Array, distances: Float64Array, count: number): number {
    const { ray, bestDistance } = this;
    for (let k = begin; k < end; k++) {
      const distance = ray.distanceToBox(boxes, k * BOX_LANES);
      if (distance === MISS || distance > bestDistance) continue;
      kept[count] = k;
      distances[count++] = distance;
    }
    return count;
  }

  mayHold(distance: number): boolean {
    return distance <= this.bestDistance;
  }

  visit(index: number): void {
    const tree = this.tree!;
    if ((tree.bodies.categoryMask[index] & this.categories) === 0) return;
    const distance = this.distanceTo(tree, index, this.candidatesOnly);
    if ((distance < this.near && !this.candidatesOnly) || distance > this.bestDistance || distance === MISS) return;
    if (distance === this.bestDistance && this.bestIndex >= 0 && index > this.bestIndex) return;
    if (this.accept !== null && !this.accept(index)) return;
    this.bestIndex = index;
    this.bestDistance = distance;
  }

  /** Distance at which the ray enters a body's exact bounds, or its entry in the tree, or MISS. */
  private distanceTo(tree: Tree, index: number, candidatesOnly: boolean): number {
    const { ray } = this;
    const { bodies, slots } = tree;
    if (candidatesOnly) return ray.distanceToBox(slots.entries, bodies.slot[index] * BOX_LANES);
    const { bounds } = bodies;
    const at = index * BOX_LANES;
    if (!bodies.isSphere(index)) return ray.distanceToBox(bounds, at);
    const boxDistance = ray.distanceToBox(bodies.readBox(index, this.bodyBox), 0);
    return boxDistance === MISS ? MISS : ray.distanceToSphere(bounds[at], bounds[at + 1], bounds[at + 2], bounds[at + 3], boxDistance);
  }
}
