/** The first hits of many rays in one call. */

import type { MathTypes } from '../../octree/input/math-types.ts';
import { internalsOf } from '../../octree/internals.ts';
import type { Octree } from '../../octree/octree.ts';
import { writeStats } from '../../octree/queries/query-runner.ts';
import { readRayBatch, type RayBatchOptions } from './ray-arguments.ts';
import { RayBatch, type RayHits } from './ray-batch.ts';

/**
 * `firstHit` of many rays in one call: writes an index, a distance and, if requested, a normal per ray to the arrays in
 * `hits`. Returns the number of rays that hit a body.
 *
 * Cost: in large trees (see `simdFrom`) and from 32 rays on, rays with the same signs of direction go through the tree
 * together, up to 128 at a time. The code for it is loaded with the first such call; until then, and where it cannot be
 * loaded, rays are cast one by one. 10,000 rays then take about half the time of `firstHit` for each, whatever their
 * order in the array. In smaller trees, with fewer rays, and inside the filter of another query: as `firstHitIndex`.
 * Allocates nothing.
 *
 * The filter is called in no particular order of rays and bodies. It must depend on the body alone, and must not write
 * to the arrays.
 *
 * @param rays Seven numbers per ray: origin x y z, direction x y z of any length but 0, and the maximum distance,
 *   closed, in world units; may be Infinity.
 * @throws {RangeError} If an array of `hits` is too short, `rays` has not seven numbers per ray, or a number of a ray
 *   is invalid; nothing is written then.
 * @throws {TypeError} If an array is of the wrong type, or an option is unknown or of the wrong type.
 */
export function castRays<T, M extends MathTypes>(
  octree: Octree<T, M>,
  rays: Float32Array | Float64Array,
  hits: RayHits,
  options?: RayBatchOptions<T, M>,
): number {
  const where = 'castRays';
  const { runner } = internalsOf(where, octree);
  const workspace = runner.begin(where);
  try {
    const batch = workspace.queryOf(RayBatch);
    runner.prepare(workspace, readRayBatch(workspace, rays, hits, options, batch), options);
    const found = batch.cast(runner.tree, workspace.rayQuery, rays, hits, runner.searchOf(workspace));
    writeStats(workspace, found);
    return found;
  } finally {
    runner.end();
  }
}
