/**
 * The first body on each of many rays, in flat arrays. Long rays are reordered for coherence, by the octant of the direction and the Morton code of the
 * origin, so that the nodes and bodies that one ray has read are still in the cache for the next. The results do not depend on the order.
 */

import { BOX_STRIDE } from '../../math/box.ts';
import { clamp } from '../../math/clamp.ts';
import { spreadBits } from '../../math/morton.ts';
import { RadixSorter } from '../../math/radix-sort.ts';
import { RayEntry } from '../../math/ray-entry.ts';
import { grownCapacity, type FloatArray } from '../../math/typed-arrays.ts';
import type { Scratch } from '../../tree/traverse/scratch.ts';
import type { Tree } from '../../tree/tree.ts';
import type { BodyFilter } from '../results/body-filter.ts';
import type { HitList } from '../results/hit-list.ts';
import type { RayQuery } from './ray-query.ts';

/** Numbers of one ray: origin x y z, direction x y z, maximum distance. */
export const RAY_STRIDE = 7;
const FAR_OFFSET = 6;

/**
 * log2 of the number of cells along each axis of the grid that orders the origins. A key of 32 bits has room for three times nine bits and the three signs
 * of the direction.
 */
const ORIGIN_BITS = 9;
/** Fewest rays for which sorting saves more than it costs. */
const MIN_SORTED_RAYS = 256;
/**
 * Minimum mean length of sorted rays, as a part of the edge of the box around all bodies. Shorter rays read so few nodes that sorting costs more than it
 * saves.
 */
const MIN_SORTED_LENGTH = 1 / 8;

/** Where `octree.castRays` writes its results. The arrays belong to the caller, and may be longer than needed. They must not overlap the rays in memory. */
export interface RayHits {
  /** One number per ray: the index of the first body on it, -1 if there is none. */
  readonly indices: Int32Array;
  /** One number per ray: the distance at which it enters that body, world units; Infinity if there is none. */
  readonly distances: Float32Array | Float64Array;
  /**
   * Three numbers per ray: the normal of the body where the ray enters it, as in a record; 0, 0, 0 if there is none, or if the ray starts in the body.
   * Leave it out if you do not need it.
   */
  readonly normals?: Float32Array | Float64Array;
}

export class RayBatch {
  /** Number of rays. */
  count = 0;
  private readonly values = new Float64Array(6);
  private readonly entry = new RayEntry();
  private readonly bounds = new Float64Array(BOX_STRIDE);
  private readonly box = new Float64Array(BOX_STRIDE);
  private readonly sorter = new RadixSorter();
  private keys = new Uint32Array(0);
  private order = new Uint32Array(0);

  /** Writes the first hit of each ray to `target`; returns the number of rays that hit a body. The scratch then holds the costs of all of them. */
  cast(tree: Tree, query: RayQuery, rays: FloatArray, target: RayHits, categories: number, candidatesOnly: boolean, filter: BodyFilter, scratch: Scratch, hits: HitList): number {
    const { values, count } = this;
    const { indices, distances, normals } = target;
    const isSorted = this.sort(rays, tree);
    let found = 0;
    let nodesVisited = 0;
    let bodiesTested = 0;
    for (let k = 0; k < count; k++) {
      const ray = isSorted ? this.order[k] : k;
      const at = ray * RAY_STRIDE;
      for (let offset = 0; offset < FAR_OFFSET; offset++) values[offset] = rays[at + offset];
      query.ray.set(values);
      query.far = rays[at + FAR_OFFSET];
      query.findFirst(tree, categories, candidatesOnly, filter, scratch, hits);
      nodesVisited += scratch.nodesVisited;
      bodiesTested += scratch.bodiesTested;
      const isHit = hits.length > 0;
      indices[ray] = isHit ? hits.indices[0] : -1;
      distances[ray] = isHit ? hits.distances[0] : Infinity;
      if (isHit) found++;
      if (normals !== undefined) this.writeNormal(tree, query, hits, normals, 3 * ray);
    }
    scratch.resetCosts();
    scratch.nodesVisited = nodesVisited;
    scratch.bodiesTested = bodiesTested;
    return found;
  }

  private writeNormal({ bodies }: Tree, { ray }: RayQuery, hits: HitList, normals: FloatArray, at: number): void {
    const { entry, bounds, box } = this;
    if (hits.length === 0) {
      normals[at] = normals[at + 1] = normals[at + 2] = 0;
      return;
    }
    const index = hits.indices[0];
    for (let k = 0; k < BOX_STRIDE; k++) bounds[k] = bodies.bounds[index * BOX_STRIDE + k];
    entry.set(ray, bounds, bodies.isSphere(index), bodies.readBox(index, box), hits.distances, 0);
    normals[at] = entry.normalX;
    normals[at + 1] = entry.normalY;
    normals[at + 2] = entry.normalZ;
  }

  /** Sets `order`: the rays by the signs of their directions, then along a Morton curve through their origins. Returns false if sorting would cost more than it saves. */
  private sort(rays: FloatArray, tree: Tree): boolean {
    const { count } = this;
    if (count < MIN_SORTED_RAYS || !tree.hasRoot) return false;
    const { sceneBounds } = tree;
    const edge = Math.max(sceneBounds[3] - sceneBounds[0], sceneBounds[4] - sceneBounds[1], sceneBounds[5] - sceneBounds[2]);
    let length = 0;
    for (let k = 0; k < count; k++) length += Math.min(rays[k * RAY_STRIDE + FAR_OFFSET], edge);
    if (!(length > count * edge * MIN_SORTED_LENGTH)) return false;
    if (this.keys.length < count) {
      this.keys = new Uint32Array(grownCapacity(count, this.keys.length));
      this.order = new Uint32Array(this.keys.length);
    }
    const { keys, order } = this;
    const cells = 1 << ORIGIN_BITS;
    const scale = cells / edge;
    for (let k = 0, at = 0; k < count; k++, at += RAY_STRIDE) {
      const x = clamp((rays[at] - sceneBounds[0]) * scale, 0, cells - 1);
      const y = clamp((rays[at + 1] - sceneBounds[1]) * scale, 0, cells - 1);
      const z = clamp((rays[at + 2] - sceneBounds[2]) * scale, 0, cells - 1);
      const signs = (rays[at + 3] < 0 ? 4 : 0) + (rays[at + 4] < 0 ? 2 : 0) + (rays[at + 5] < 0 ? 1 : 0);
      keys[k] = ((signs << (3 * ORIGIN_BITS)) | (spreadBits(x | 0) << 2) | (spreadBits(y | 0) << 1) | spreadBits(z | 0)) >>> 0;
      order[k] = k;
    }
    this.sorter.sort(keys, order, 0, count);
    return true;
  }
}
