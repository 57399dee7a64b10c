/**
 * Bounds of few instances of which most move in every frame. Passes test them one by one: that takes less time than the
 * update of an octree. The octree is brought up to date when a ray or a query needs it, and when the instances rest.
 */

import type { Box3 } from 'three';
import { FrustumPlanes } from '../../math/frustum-planes.ts';
import { COORDINATE_LIMIT } from '../../math/integer-cube.ts';
import { readFrustum, type FrustumLike } from '../../octree/input/query-shapes.ts';
import { copyIndices, IndexList } from '../../tree/storage/index-list.ts';

/**
 * Largest number of instances. With more, a pass that sees few of them is faster with an octree. Up to it, setting all
 * matrices, an update and a pass take 0.59 to 0.72 of the time with an octree; with three passes 0.59 to 0.86.
 * All constants here are held by test/instances/instances-linear.test.ts.
 */
const MAX_COUNT = 4096;
/** A sync after which most instances have other bounds adds this to the score; any other subtracts 1. */
const GAIN = 4;
/** Score at which linear tests begin; they end at 0. With four passes or more in a frame it is not reached. */
const BEGIN = 8;
const MAX_SCORE = 16;

export class LinearBounds {
  /** Whether passes use these bounds, and the octree is out of date. */
  isActive = false;
  /** The visible instances, ascending. */
  readonly ids = new IndexList();
  /** Their bounds: boxes (min and max) or spheres (centre and radius). */
  private bounds: Float64Array = new Float64Array(0);
  private stride = 6;
  /** Around all of them: min and max. */
  private box = new Float64Array(6);
  private score = 0;
  private readonly planes = new FrustumPlanes();

  /** Decides anew, in each sync. @param changes Number of instances whose bounds have changed since the last sync. */
  decide(changes: number, count: number): void {
    const isBusy = 2 * changes >= count && count <= MAX_COUNT && changes > 0;
    this.score = isBusy ? Math.min(this.score + GAIN, MAX_SCORE) : this.score - Math.sign(this.score);
    if (this.score >= BEGIN) this.isActive = true;
    else if (this.score <= 0) this.isActive = false;
  }

  /** Ends linear tests for some frames, because a ray or a query needs the octree. */
  suspend(): void {
    this.score = -MAX_SCORE;
    this.isActive = false;
  }

  /** @param bounds One for each of `ids`. Used until the next call. */
  set(bounds: Float64Array, stride: number): void {
    this.bounds = bounds;
    this.stride = stride;
    let minX = Infinity;
    let minY = Infinity;
    let minZ = Infinity;
    let maxX = -Infinity;
    let maxY = -Infinity;
    let maxZ = -Infinity;
    for (let at = 0; at < bounds.length; at += stride) {
      const radius = stride === 6 ? 0 : bounds[at + 3];
      const far = stride === 6 ? at + 3 : at;
      minX = Math.min(minX, bounds[at] - radius);
      minY = Math.min(minY, bounds[at + 1] - radius);
      minZ = Math.min(minZ, bounds[at + 2] - radius);
      maxX = Math.max(maxX, bounds[far] + radius);
      maxY = Math.max(maxY, bounds[far + 1] + radius);
      maxZ = Math.max(maxZ, bounds[far + 2] + radius);
    }
    this.box = Float64Array.of(minX, minY, minZ, maxX, maxY, maxZ);
  }

  /** Whether all numbers of the bounds are allowed ones. NaN is not. */
  get isWithinLimit(): boolean {
    return this.box.every((coordinate) => Math.abs(coordinate) <= COORDINATE_LIMIT);
  }

  /** Lists the ids of the bounds that touch a frustum, as the octree does. */
  collectFrustum(frustum: FrustumLike, list: IndexList): void {
    const { planes, ids, bounds, stride } = this;
    readFrustum('OctreeInstances', frustum, planes);
    list.length = 0;
    list.reserve(ids.length);
    // What is in the box needs no test: its values at the planes are greater, also after rounding.
    if (planes.containsBox(this.box)) {
      copyIndices(ids, list);
      return;
    }
    for (let k = 0, at = 0; k < ids.length; k++, at += stride)
      if (stride === 6 ? planes.intersectsBox(bounds, at, planes.mask) : planes.intersectsSphere(bounds, at))
        list.array[list.length++] = ids.array[k];
  }

  /** The box around all bounds; empty without instances. */
  boxAround(target: Box3): Box3 {
    target.min.fromArray(this.box);
    target.max.fromArray(this.box, 3);
    return target;
  }
}
