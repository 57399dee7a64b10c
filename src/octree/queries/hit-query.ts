/**
 * Shared by ray queries and shape casts: finds the bodies that are hit along a straight path: all in order, the first,
 * or any. The searches for the first and for any hit end early.
 *
 * A distance is measured along the path in the unit of its `MovingBox`.
 */

import { BOX_STRIDE, type Boxes, type KeptBoxes } from '../../math/box.ts';
import type { MovingBox } from '../../math/moving-box.ts';
import type { FloatArray } from '../../math/typed-arrays.ts';
import { ALL_CATEGORIES, BODY_SPHERE } from '../../tree/layout.ts';
import { INTERSECTING, RAY_DISTANCE, RAY_OVERLAP } from '../../tree/traverse/walk-numbers.ts';
import type { IndexList } from '../../tree/storage/index-list.ts';
import type { NearestKernel, RangeKernel } from '../../tree/traverse/kernel.ts';
import { walkNearestFirst, walkOverlapping } from '../../tree/traverse/walk.ts';
import type { Tree } from '../../tree/tree.ts';
import { keepCategories, type Search } from './search.ts';
import { UnitRay } from '../../math/unit-ray.ts';

/** As `maxDistance` it excludes every box, which ends the walk. */
const NOTHING_IS_NEARER = -1;

export abstract class HitQuery implements RangeKernel, NearestKernel {
  readonly rootOverlap = INTERSECTING;
  /** RAY_OVERLAP for all bodies, RAY_DISTANCE for the first one or any one. */
  simdKernel = RAY_OVERLAP;
  /** Closed interval of the distance of a hit. `near` is not tested with `candidates`. */
  near = 0;
  far = Infinity;

  /** The path, with the box that moves along it. */
  abstract readonly path: MovingBox;
  /** Output of `hits`: the distance of the body. In an array, because V8 may box a double that crosses a call. */
  abstract readonly distance: Float64Array;

  private search: Search | null = null;
  /** Whether the walk ends at the first body found, which need not be the nearest. */
  private anyBody = false;
  /** The first hit so far; -1 if there is none. Its distance is `path.maxDistance`, except in a search for any hit. */
  hitIndex = -1;

  /** Whether a body is hit, by its exact bounds; sets `distance`. */
  protected abstract hits(tree: Tree, index: number): boolean;

  /** As `hits`, for the slot bounds of the body. */
  protected abstract hitsSlotBounds(tree: Tree, index: number): boolean;

  /** Fills the hits with the bodies that are hit between near and far, by distance, then index. Overwrites `list`. */
  collectAll(search: Search, list: IndexList): void {
    const { categories, hits } = search;
    const tree = search.tree!;
    list.length = hits.length = 0;
    this.search = search;
    this.beginPath();
    this.simdKernel = RAY_OVERLAP;
    walkOverlapping(search, this, null, list);
    if (categories !== ALL_CATEGORIES || tree.uncategorizedCount > 0) keepCategories(tree.bodies, categories, list);
    for (let k = 0; k < list.length; k++) {
      const index = list.array[k];
      if (!this.isHit(tree, index)) continue;
      hits.distance[0] = this.distance[0];
      hits.push(index);
    }
    hits.sort();
  }

  /**
   * Fills the hits with the first body, by distance, then index, that passes the filter, or with nothing. With
   * `anyBody`, with any body between near and far that passes: the walk ends at the first one that it finds. Visits the
   * nearest nodes first. Adds to the costs.
   */
  findFirst(search: Search, anyBody: boolean): void {
    const { hits } = search;
    this.beginPath();
    this.simdKernel = RAY_DISTANCE;
    this.beginVisits(search, anyBody);
    walkNearestFirst(search, this);
    hits.length = 0;
    hits.distance[0] = this.path.maxDistance;
    if (this.hitIndex >= 0) hits.push(this.hitIndex);
  }

  /** Sets what `visitBody` reads. */
  beginVisits(search: Search, anyBody: boolean): void {
    this.search = search;
    this.anyBody = anyBody;
    this.hitIndex = -1;
  }

  /** Prepares the path for filters, and sets its maximum distance to `far`. */
  beginPath(): void {
    this.path.begin();
    this.path.maxDistance = this.far;
  }

  writeVolume(target: Float32Array): void {
    this.path.writeFloat32(target);
  }

  writeMaxDistance(target: Float32Array): void {
    this.path.writeMaxDistance32(target);
  }

  filterBoxes(boxes: Boxes, begin: number, end: number, kept: KeptBoxes): void {
    this.path.filterBoxes(boxes, begin, end, kept);
  }

  filterByMinDistance(boxes: Boxes, begin: number, end: number, kept: KeptBoxes): void {
    this.path.filterByMinDistance(boxes, begin, end, kept);
  }

  isNearEnough(distances: Float64Array, offset: number): boolean {
    return distances[offset] <= this.path.maxDistance;
  }

  visitBodies(bodies: Int32Array, distances: FloatArray, count: number): void {
    const { path } = this;
    for (let k = count - 1; k >= 0; k--) if (distances[k] <= path.maxDistance) this.visitBody(bodies[k]);
  }

  /**
   * Returns whether the body is the first hit now: the nearest so far, of equally near ones the one with the smallest
   * index. So the first hit does not depend on the order of the visits.
   */
  visitBody(index: number): boolean {
    const { categories, filter, tree } = this.search!;
    if ((tree!.bodies.categoryMask[index] & categories) === 0) return false;
    if (!this.isHit(tree!, index)) return false;
    const distance = this.distance[0];
    if (distance === this.path.maxDistance && this.hitIndex >= 0 && index > this.hitIndex) return false;
    if (filter !== null && !filter(index)) return false;
    this.hitIndex = index;
    // Not one expression: V8 would box the choice between a constant and a double.
    if (this.anyBody) this.path.maxDistance = NOTHING_IS_NEARER;
    else this.path.maxDistance = distance;
    return true;
  }

  /**
   * Whether a body, or its slot bounds if candidates are requested, is hit between near and the maximum distance; sets
   * `distance`.
   */
  private isHit(tree: Tree, index: number): boolean {
    const { distance, path } = this;
    // No test against `near`: the path may enter the slot bounds before `near`, but the body beyond it.
    if (this.search!.candidatesOnly) return this.hitsSlotBounds(tree, index) && distance[0] <= path.maxDistance;
    return this.hits(tree, index) && distance[0] >= this.near && distance[0] <= path.maxDistance;
  }
}

/** The bodies along a ray. */
export class RayQuery extends HitQuery {
  readonly ray = new UnitRay();
  readonly path = this.ray.path;
  readonly distance = new Float64Array(1);
  private readonly bodyBox = new Float64Array(BOX_STRIDE);

  protected hits({ bodies }: Tree, index: number): boolean {
    const { ray, distance, bodyBox } = this;
    const { bounds } = bodies;
    const at = index * BOX_STRIDE;
    if ((bodies.flags[index] & BODY_SPHERE) === 0) return ray.intersectsBox(bounds, at, distance);
    return ray.intersectsBox(bodies.readBox(index, bodyBox), 0, distance) && ray.intersectsSphere(bounds, at, distance);
  }

  protected hitsSlotBounds({ bodies, slots }: Tree, index: number): boolean {
    return this.ray.intersectsBox(slots.slotBounds, bodies.slot[index] * BOX_STRIDE, this.distance);
  }
}
