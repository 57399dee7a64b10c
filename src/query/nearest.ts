/** The bodies nearest to a point, by the distance to their surface; 0 for those that hold the point. */

import { Reach } from '../math/ball.ts';
import { BOX_LANES, type Boxes } from '../math/box.ts';
import type { NearestKernel } from '../tree/kernel.ts';
import { ALL_CATEGORIES, ROOT } from '../tree/layout.ts';
import type { Scratch } from '../tree/scratch.ts';
import { NEAR_POINT } from '../tree/simd/kinds.ts';
import type { Tree } from '../tree/tree.ts';
import { walkNearestFirst } from '../tree/walk.ts';
import type { HitList } from './hit-list.ts';
import type { Accept } from './ray.ts';

/** Squares of distances are compared at nodes; this much slack makes up for the rounding of the roots compared at bodies. */
const SQUARE_SLACK = 1 + 2 ** -50;

export class NearestQuery implements NearestKernel {
  /** Everything that can still be an answer, about the point asked for. */
  readonly reach = new Reach();
  readonly simdKind = NEAR_POINT;
  count = 1;
  maxDistance = Infinity;

  private tree: Tree | null = null;
  private hits: HitList | null = null;
  private categories = ALL_CATEGORIES;
  private candidatesOnly = false;
  private accept: Accept = null;
  /** The body measured last, and its distance. */
  private readonly near = new Int32Array(1);
  private readonly distance = new Float64Array(1);
  private readonly bodyBox = new Float64Array(BOX_LANES);

  /** Takes the point from three lanes. */
  set(point: Float64Array, count: number, maxDistance: number): void {
    const { reach } = this;
    reach.x = point[0];
    reach.y = point[1];
    reach.z = point[2];
    this.count = count;
    this.maxDistance = maxDistance;
  }

  /** Fills `hits` with the `count` nearest bodies within the distance, by distance, then index. */
  find(tree: Tree, categories: number, accept: Accept, scratch: Scratch, hits: HitList): void {
    this.walk(tree, categories, false, accept, scratch, hits);
  }

  /** Fills `hits` with all bodies whose entry is as near as the answer: what has to be tested to be sure of it. */
  findCandidates(tree: Tree, categories: number, accept: Accept, scratch: Scratch, hits: HitList): void {
    this.find(tree, categories, accept, scratch, hits);
    if (this.count > 0 && hits.length === this.count) this.maxDistance = hits.distances[this.count - 1];
    if (this.count > 0) this.count = Infinity;
    this.walk(tree, categories, true, accept, scratch, hits);
  }

  private walk(tree: Tree, categories: number, candidatesOnly: boolean, accept: Accept, scratch: Scratch, hits: HitList): void {
    hits.clear();
    if (this.count === 0) {
      scratch.resetCost();
      return;
    }
    this.tree = tree;
    this.hits = hits;
    this.categories = categories;
    this.candidatesOnly = candidatesOnly;
    this.accept = accept;
    this.reach.setExtent(tree.nodes.fitted, ROOT * BOX_LANES);
    this.reach.mostSq = this.maxDistance * this.maxDistance * SQUARE_SLACK;
    try {
      walkNearestFirst(tree, this, categories, scratch);
    } finally {
      this.tree = null;
      this.hits = null;
      this.accept = null;
    }
    hits.sort();
  }

  approach(boxes: Boxes, begin: number, end: number, kept: Int32Array, distances: Float64Array, count: number): number {
    return this.reach.approachBoxes(boxes, begin, end, kept, distances, count);
  }

  writeMost(lanes: Float32Array): void {
    this.reach.writeMost32(lanes);
  }

  mayHold(distancesSq: Float64Array, at: number): boolean {
    return distancesSq[at] <= this.reach.mostSq;
  }

  writeShape(lanes: Float32Array): boolean {
    return this.reach.writeFloat32(lanes);
  }

  visit(index: number): void {
    const tree = this.tree!;
    const hits = this.hits!;
    if ((tree.bodies.categoryMask[index] & this.categories) === 0 || !this.reaches(tree, index)) return;
    const distance = this.distance[0];
    if (distance > this.maxDistance || (hits.length >= this.count && distance > hits.distances[0])) return;
    if (this.accept !== null && !this.accept(index)) return;
    hits.distance = distance;
    hits.offer(index, this.count);
    if (hits.length < this.count) return;
    // The farthest of those kept is on top.
    const limit = Math.min(hits.distances[0], this.maxDistance);
    this.reach.mostSq = limit * limit * SQUARE_SLACK;
  }

  /** Whether a body's exact bounds, or its entry in the tree, may be near enough; sets `distance`. */
  private reaches(tree: Tree, index: number): boolean {
    const { reach, near, distance, bodyBox } = this;
    const { bodies, slots } = tree;
    const { bounds } = bodies;
    let isNear: boolean;
    if (this.candidatesOnly) {
      const slot = bodies.slot[index];
      isNear = reach.reachBoxes(slots.entries, slot, slot + 1, near, distance, 0) === 1;
    } else if (bodies.isSphere(index)) isNear = reach.reachBoxes(bodies.readBox(index, bodyBox), 0, 1, near, distance, 0) === 1;
    else isNear = reach.reachBoxes(bounds, index, index + 1, near, distance, 0) === 1;
    if (!isNear) return false;
    distance[0] = Math.sqrt(distance[0]);
    if (this.candidatesOnly || !bodies.isSphere(index)) return true;
    const at = index * BOX_LANES;
    const dx = bounds[at] - reach.x;
    const dy = bounds[at + 1] - reach.y;
    const dz = bounds[at + 2] - reach.z;
    distance[0] = Math.max(distance[0], Math.sqrt(dx * dx + dy * dy + dz * dz) - bounds[at + 3]);
    return true;
  }
}
