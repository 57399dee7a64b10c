/**
 * The first hits of many rays that go through the tree together, see src/tree/simd/assembly/ray-stream.ts. WebAssembly finds the bodies that a ray may
 * hit; here each is tested exactly, as for a single ray, so that the results are the same.
 */

import { UNIT_RAY_STRIDE } from '../../math/unit-ray.ts';
import { MAX_STREAM_RAYS, STREAM_RAY_LENGTH } from '../../tree/simd/memory-map.ts';
import type { WasmRayStream } from '../../tree/simd/wasm-ray-stream.ts';
import { addCosts } from '../../tree/traverse/walk-wasm.ts';
import type { Scratch } from '../../tree/traverse/scratch.ts';
import type { Tree } from '../../tree/tree.ts';
import type { BodyFilter } from '../results/body-filter.ts';
import type { RayQuery } from './ray-query.ts';

export class RayStream {
  /** Number of rays. */
  count = 0;
  /** First hit of each ray so far: the index of the body, or -1. */
  readonly indices = new Int32Array(MAX_STREAM_RAYS);
  /** Maximum distance of each ray: that of its first hit so far. */
  readonly distances = new Float64Array(MAX_STREAM_RAYS);
  private readonly unitRays = new Float64Array(MAX_STREAM_RAYS * UNIT_RAY_STRIDE);

  /** Whether the stream can take another ray. */
  get isFull(): boolean {
    return this.count === MAX_STREAM_RAYS;
  }

  /** Adds the ray of a query. Returns false if its numbers are too large for Float32; it has to be cast alone then. */
  add({ ray, far }: RayQuery, tree: Tree, { rays }: WasmRayStream): boolean {
    const k = this.count;
    ray.path.begin(tree.sceneBounds, 0);
    ray.path.maxDistance = far;
    if (!ray.path.writeFloat32(rays, k * STREAM_RAY_LENGTH)) return false;
    ray.write(this.unitRays, k * UNIT_RAY_STRIDE);
    this.indices[k] = -1;
    this.distances[k] = far;
    this.count++;
    return true;
  }

  /**
   * Finds the first hit of each ray. Returns false if the rays reach too many nodes at once for the memory of the walk.
   *
   * @param nearest The octant of a node that all rays reach first.
   */
  cast(tree: Tree, walk: WasmRayStream, query: RayQuery, nearest: number, categories: number, candidatesOnly: boolean, filter: BodyFilter, scratch: Scratch): boolean {
    const wasm = tree.wasm!;
    scratch.resetCosts();
    query.beginVisits(tree, categories, candidatesOnly, false, filter);
    // The filter may run other queries: these must not use the memory of this walk.
    wasm.isBusy = true;
    try {
      walk.begin(this.count, nearest, categories);
      let found = walk.next();
      for (; found > 0; found = walk.next()) this.visit(query, walk, found);
      addCosts(wasm, scratch);
      return found === 0;
    } finally {
      wasm.isBusy = false;
      query.endVisits();
    }
  }

  /** Sets a ray of the stream as the ray of a query. */
  read(k: number, { ray }: RayQuery): void {
    ray.read(this.unitRays, k * UNIT_RAY_STRIDE);
  }

  private visit(query: RayQuery, { bodies, bodyRays, bodyDistances, rays }: WasmRayStream, count: number): void {
    const { distances, indices, unitRays } = this;
    const { path } = query.ray;
    for (let k = 0; k < count; k++) {
      const ray = bodyRays[k];
      if (bodyDistances[k] > distances[ray]) continue;
      query.ray.read(unitRays, ray * UNIT_RAY_STRIDE);
      path.maxDistance = distances[ray];
      query.hitIndex = indices[ray];
      query.visitBody(bodies[k]);
      if (query.hitIndex === indices[ray]) continue;
      indices[ray] = query.hitIndex;
      distances[ray] = path.maxDistance;
      path.writeMaxDistance32(rays, ray * STREAM_RAY_LENGTH);
    }
  }
}
