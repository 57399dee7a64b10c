/** The bodies nearest to a point, by the distance to their surface; 0 for those that hold the point. */

import { QuerySphere } from '../math/query-sphere.ts';
import { BOX_STRIDE, type Boxes } from '../math/box.ts';
import type { NearestKernel } from '../tree/traverse/kernel.ts';
import { ALL_CATEGORIES, MAX_INSERTION_SORT, ROOT } from '../tree/layout.ts';
import type { Scratch } from '../tree/traverse/scratch.ts';
import { NEAR_POINT } from '../tree/simd/kinds.ts';
import { MAX_DISTANCE_OFFSET } from '../tree/simd/memory-map.ts';
import { readCosts, wasmFor, walkOn } from '../tree/traverse/walk-simd.ts';
import type { Tree } from '../tree/tree.ts';
import { walkNearestFirst } from '../tree/traverse/walk.ts';
import type { BodyFilter } from './body-filter.ts';
import type { HitList } from './hit-list.ts';

/** Squares of distances are compared at nodes; this much slack makes up for the rounding of the roots compared at bodies. */
const SQUARE_SLACK = 1 + 2 ** -50;
/** Of so many questions at least one is answered by a guess, as a power of two. */
const MOST_MISSES = 6;
/** So much farther than the last answers the next ones may be to be found at once, squared. */
const USUAL_SPARE = 2;
/** What that becomes with each question whose answers are nearer. */
const USUAL_EASE = 0.8;
/** Bodies that a good guess takes beyond those asked for, at most. */
const MOST_SPARE = 8;

export class NearestQuery implements NearestKernel {
  /** Everything that can still be an answer, about the point asked for. */
  readonly sphere = new QuerySphere();
  readonly simdKind = NEAR_POINT;
  count = 1;
  maxDistance = Infinity;

  private tree: Tree | null = null;
  private hits: HitList | null = null;
  private categories = ALL_CATEGORIES;
  private candidatesOnly = false;
  private filter: BodyFilter = null;
  /** Of the body measured last. */
  private readonly distance = new Float64Array(1);
  /** Of the bodies that a guess takes, squared. */
  private readonly distances = new Float64Array(MAX_INSERTION_SORT);
  private readonly bodyBox = new Float64Array(BOX_STRIDE);
  /** Bad guesses in a row: after n of them only one question in 2^n is answered by a guess. */
  private misses = 0;
  private asked = 0;
  /** Square of the distance within which the last guess has found its answers, with something to spare, and how many these were. */
  private readonly usualSq = Float64Array.of(Infinity);
  private usualCount = 0;
  /** Squares of the distance that is asked for, and of that to which a guess goes. In lanes, like all numbers that have to outlast a call. */
  private readonly wholeSq = new Float64Array(1);
  private readonly withinSq = new Float64Array(1);

  /** Takes the point from three lanes. */
  set(point: Float64Array, count: number, maxDistance: number): void {
    const { sphere } = this;
    sphere.x = point[0];
    sphere.y = point[1];
    sphere.z = point[2];
    this.count = count;
    this.maxDistance = maxDistance;
  }

  /** Fills `hits` with the `count` nearest bodies within the distance, by distance, then index. */
  find(tree: Tree, categories: number, filter: BodyFilter, scratch: Scratch, hits: HitList): void {
    this.walk(tree, categories, false, filter, scratch, hits);
  }

  /** Fills `hits` with all bodies whose entry is as near as the answer: what has to be tested to be sure of it. */
  findCandidates(tree: Tree, categories: number, filter: BodyFilter, scratch: Scratch, hits: HitList): void {
    this.find(tree, categories, filter, scratch, hits);
    if (this.count > 0 && hits.length === this.count) this.maxDistance = hits.distances[this.count - 1];
    if (this.count > 0) this.count = Infinity;
    this.walk(tree, categories, true, filter, scratch, hits);
  }

  private walk(tree: Tree, categories: number, candidatesOnly: boolean, filter: BodyFilter, scratch: Scratch, hits: HitList): void {
    hits.clear();
    scratch.resetCost();
    if (this.count === 0) return;
    this.tree = tree;
    this.hits = hits;
    this.categories = categories;
    this.candidatesOnly = candidatesOnly;
    this.filter = filter;
    this.sphere.setTolerance(tree.nodes.fitted, ROOT * BOX_STRIDE);
    this.sphere.maxDistanceSq = this.maxDistance * this.maxDistance * SQUARE_SLACK;
    try {
      if (!this.guess(tree, hits, scratch)) walkNearestFirst(tree, this, categories, scratch);
    } finally {
      this.tree = null;
      this.hits = null;
      this.filter = null;
    }
    hits.sort();
  }

  /** Answers by a guess, if that is possible: first within a sphere as it was enough the last time, because what lies beyond costs less then. */
  private guess(tree: Tree, hits: HitList, scratch: Scratch): boolean {
    if (this.cannotGuess(tree)) return false;
    const { count, sphere, usualSq, wholeSq } = this;
    if (count !== this.usualCount) usualSq[0] = Infinity;
    this.usualCount = count;
    wholeSq[0] = sphere.maxDistanceSq;
    const isCut = usualSq[0] < wholeSq[0];
    if (isCut) sphere.maxDistanceSq = usualSq[0];
    let isRight = this.guessWithin(tree, hits, scratch);
    if (isCut && hits.length < count) {
      sphere.maxDistanceSq = wholeSq[0];
      hits.clear();
      isRight = this.guessWithin(tree, hits, scratch);
    }
    // Not as one expression: a number or Infinity would become an object.
    if (!isRight || hits.length < count) usualSq[0] = Infinity;
    else {
      const enoughSq = sphere.maxDistanceSq * USUAL_SPARE;
      // Less only step by step, for a sphere that is too short costs more than one too long.
      const lessSq = usualSq[0] * USUAL_EASE;
      usualSq[0] = lessSq < Infinity && lessSq > enoughSq ? lessSq : enoughSq;
    }
    if (!isRight) hits.clear();
    return isRight;
  }

  /**
   * Takes the bodies whose slotBounds are nearest for the answer, and measures no others: so the walk need not ask what is in its way. That is right if
   * those left out lie beyond the farthest that was taken; so it mostly is where slotBounds are tight, and hardly ever where bodies have room to
   * move. If not, what was found is of no use but to take in the sphere.
   */
  private guessWithin(tree: Tree, hits: HitList, scratch: Scratch): boolean {
    const wasm = wasmFor(tree, this);
    if (wasm === null) return false;
    const { count, sphere, withinSq } = this;
    const { answers, guessedDistances, shape } = wasm;
    withinSq[0] = sphere.maxDistanceSq;
    wasm.begin(this.simdKind, 0, ALL_CATEGORIES);
    const found = wasm.guessNearest(count);
    let measured = Math.min(found, count);
    this.measure(tree, answers, 0, measured, hits);
    this.writeMaxDistance(shape);
    // Those that are as near, but for what Float32 cannot tell.
    while (measured < found && guessedDistances[measured] <= shape[MAX_DISTANCE_OFFSET]) measured++;
    if (measured > count) this.measure(tree, answers, count, measured, hits);
    const { hasMore } = wasm;
    if (hasMore) {
      hits.makeHeap();
      walkOn(wasm, this, scratch);
    } else readCosts(wasm, scratch);
    const isRight = wasm.leftOutIsBeyond && sphere.maxDistanceSq <= withinSq[0];
    // A guess that takes many more than are asked for does not pay either.
    const pays = isRight && !hasMore && found <= count + MOST_SPARE;
    this.misses = pays ? 0 : Math.min(this.misses + 1, MOST_MISSES);
    return isRight;
  }

  /** Whether the question is not for a guess: that takes any body, but few, and is not to be made where it is mostly wrong. */
  private cannotGuess({ maskless }: Tree): boolean {
    const takesAll = this.filter === null && !this.candidatesOnly && this.categories === ALL_CATEGORIES && maskless === 0;
    if (!takesAll || this.count > MAX_INSERTION_SORT) return true;
    this.asked = (this.asked + 1) % (1 << MOST_MISSES);
    return this.asked % (1 << this.misses) !== 0;
  }

  /** Adds those of a few bodies that are near enough to `hits`, keeps the nearest in order, and takes in the sphere if there are enough. */
  private measure(tree: Tree, indices: Int32Array, begin: number, end: number, hits: HitList): void {
    const { count, distances, maxDistance, sphere } = this;
    const { bodies } = tree;
    // All of them first: a loop that does nothing else waits for many places of memory at once.
    for (let k = begin; k < end; k++) sphere.writeDistanceSq(bodies.bounds, indices[k], distances, k);
    for (let k = begin; k < end; k++) {
      const index = indices[k];
      let distance = Math.sqrt(distances[k]);
      if (bodies.isSphere(index)) {
        if (!this.reaches(tree, index)) continue;
        distance = this.distance[0];
      }
      if (distance > maxDistance) continue;
      hits.distance = distance;
      hits.push(index);
    }
    hits.sort();
    if (hits.length < count) return;
    hits.length = count;
    const farthest = hits.distances[count - 1];
    sphere.maxDistanceSq = farthest * farthest * SQUARE_SLACK;
  }

  approach(boxes: Boxes, begin: number, end: number, kept: Int32Array, distances: Float64Array, count: number): number {
    return this.sphere.filterByMinDistance(boxes, begin, end, kept, distances, count);
  }

  writeMaxDistance(lanes: Float32Array): void {
    this.sphere.writeMaxDistance32(lanes);
  }

  mayHold(distancesSq: Float64Array, at: number): boolean {
    return distancesSq[at] <= this.sphere.maxDistanceSq;
  }

  writeShape(lanes: Float32Array): boolean {
    return this.sphere.writeFloat32(lanes);
  }

  visit(index: number): void {
    const tree = this.tree!;
    const hits = this.hits!;
    if ((tree.bodies.categoryMask[index] & this.categories) === 0 || !this.reaches(tree, index)) return;
    const distance = this.distance[0];
    if (distance > this.maxDistance || (hits.length >= this.count && distance > hits.distances[0])) return;
    if (this.filter !== null && !this.filter(index)) return;
    hits.distance = distance;
    hits.offer(index, this.count);
    if (hits.length < this.count) return;
    // The farthest of those kept is on top.
    const limit = Math.min(hits.distances[0], this.maxDistance);
    this.sphere.maxDistanceSq = limit * limit * SQUARE_SLACK;
  }

  /** Whether a body's exact bounds, or its entry in the tree, may be near enough; sets `distance`. */
  private reaches(tree: Tree, index: number): boolean {
    const { sphere, distance, bodyBox } = this;
    const { bodies, slots } = tree;
    const { bounds } = bodies;
    if (this.candidatesOnly) sphere.writeDistanceSq(slots.slotBounds, bodies.slot[index], distance, 0);
    else if (bodies.isSphere(index)) sphere.writeDistanceSq(bodies.readBox(index, bodyBox), 0, distance, 0);
    else sphere.writeDistanceSq(bounds, index, distance, 0);
    if (!this.mayHold(distance, 0)) return false;
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
