/**
 * The first hits of many rays that go through the tree together, see src/wasm/assembly/ray-stream.ts. That walk finds
 * the bodies that a ray may hit; here each is tested exactly, as for a single ray, so that the results are the same.
 * Loaded by cast-rays.ts when it is first needed.
 */

import { UNIT_RAY_STRIDE } from '../../math/unit-ray.ts';
import { MAX_STREAM_RAYS, RayStreamWalk, STREAM_RAY_LENGTH } from '../../wasm/ray-stream-walk.ts';
import type { Tree } from '../../tree/tree.ts';
import type { Search } from '../../octree/queries/search.ts';
import type { RayQuery } from '../../octree/queries/hit-query.ts';

export class RayStream {
  /** Number of rays. */
  count = 0;
  /** First hit of each ray so far: the index of the body, or -1. */
  readonly indices = new Int32Array(MAX_STREAM_RAYS);
  /** Maximum distance of each ray: that of its first hit so far. */
  readonly distances = new Float64Array(MAX_STREAM_RAYS);
  private walk: RayStreamWalk | null = null;
  private readonly unitRays = new Float64Array(MAX_STREAM_RAYS * UNIT_RAY_STRIDE);

  /** Whether the stream can take another ray. */
  get isFull(): boolean {
    return this.count === MAX_STREAM_RAYS;
  }

  /** Prepares for streams through a tree. Returns false if there can be none now. */
  begin(tree: Tree): boolean {
    this.walk = RayStreamWalk.of(tree);
    return this.walk !== null;
  }

  /** Adds the ray of a query. */
  add(query: RayQuery): void {
    const { rays } = this.walk!;
    const k = this.count++;
    query.beginPath();
    // Never too large for Float32: coordinates are limited, and the tree is not empty.
    query.ray.path.writeFloat32(rays, k * STREAM_RAY_LENGTH);
    this.unitRays.set(query.ray.numbers, k * UNIT_RAY_STRIDE);
    this.indices[k] = -1;
    this.distances[k] = query.far;
  }

  /**
   * Finds the first hit of each ray.
   *
   * @param nearest The octant on the side from which all rays come: bit k is set if component k of their directions is
   *   negative.
   */
  cast(query: RayQuery, nearest: number, search: Search): void {
    const walk = this.walk!;
    const { exports, traversal } = walk;
    query.beginVisits(search, false);
    // The filter of a query may run other queries: these must not use the memory of this walk.
    traversal.isBusy = true;
    try {
      exports.beginRays(this.count, nearest, search.categories);
      for (let found = exports.nextRays(); found > 0; found = exports.nextRays()) this.visit(query, walk, found);
      traversal.addCosts(search.scratch);
    } finally {
      traversal.isBusy = false;
    }
  }

  /** Sets ray `k` as the ray of a query, for its exact tests. */
  loadRay(k: number, { ray }: RayQuery): void {
    const { unitRays } = this;
    for (let j = 0, at = k * UNIT_RAY_STRIDE; j < UNIT_RAY_STRIDE; j++, at++) ray.numbers[j] = unitRays[at];
  }

  /**
   * Visits bodies that `walk` has found. The query holds the state of one ray: that of each body's ray is loaded, and
   * stored after a hit.
   */
  private visit(query: RayQuery, { bodies, bodyRays, bodyDistances, rays }: RayStreamWalk, count: number): void {
    const { distances, indices } = this;
    const { path } = query.ray;
    for (let k = 0; k < count; k++) {
      const ray = bodyRays[k];
      if (bodyDistances[k] > distances[ray]) continue;
      this.loadRay(ray, query);
      path.maxDistance = distances[ray];
      query.hitIndex = indices[ray];
      if (!query.visitBody(bodies[k])) continue;
      indices[ray] = query.hitIndex;
      distances[ray] = path.maxDistance;
      path.writeMaxDistance32(rays, ray * STREAM_RAY_LENGTH);
    }
  }
}
