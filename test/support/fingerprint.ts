/** One number for the results of a few large queries, in their order. */
import type { Octree } from '../../src/index.ts';
import { collected } from './octrees.ts';
import type { Query } from './queries.ts';
import { queryIndices } from './queries.ts';
import { cube, planesOfBox } from './shapes.ts';

export const LARGE_QUERIES: readonly Query[] = [
  { kind: 'box', box: cube(0, 0, 0, 70) },
  { kind: 'sphere', sphere: [0, 0, 0, 60] },
  { kind: 'ray', origin: [-100, 0, 0], direction: [1, 0.01, 0.02] },
  { kind: 'nearest', point: [0, 0, 0], count: 50 },
  { kind: 'frustum', planes: planesOfBox(cube(0, 0, 0, 40)) },
  { kind: 'pairs' },
];

/** FNV-1a hash of the results of all large queries. */
export function fingerprint(octree: Octree<number>): string {
  let hash = 0x811c9dc5;
  for (const query of LARGE_QUERIES) {
    for (const index of collected((list) => queryIndices(octree, query, list)))
      hash = Math.imul(hash ^ index, 0x01000193) >>> 0;
  }
  return hash.toString(16);
}
