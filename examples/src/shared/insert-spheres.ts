// Inserts many spheres in slices, so that the page stays responsive.

import { IndexList, type Octree } from '../../../src/index.ts';
import type { SlicedWork } from './slices.ts';

/** Spheres that are inserted at a time. */
const PORTION = 500;

/**
 * Inserts spheres, centre x y z and radius each. A query after each portion builds its part of the tree; otherwise the
 * first update would build all of it. Returns the indices of the bodies.
 */
export function* insertSpheres(octree: Octree<null>, spheres: Float64Array): SlicedWork<Uint32Array> {
  const bodies = new Uint32Array(spheres.length / 4);
  const list = new IndexList();
  for (let from = 0; from < bodies.length; from += PORTION) {
    bodies.set(octree.insertMany(spheres.subarray(from * 4, (from + PORTION) * 4), { kind: 'sphere' }), from);
    octree.collectPoint({ x: 0, y: 0, z: 0 }, list);
    yield from / bodies.length;
  }
  return bodies;
}
