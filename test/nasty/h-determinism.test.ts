import { readdirSync, readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collected, octreeOf } from '../support/octrees.ts';
import { histories } from '../support/operations.ts';
import { HistoryRunner } from '../support/run-history.ts';
import type { Query } from '../support/queries.ts';
import { queryIndices } from '../support/queries.ts';
import { createRandom } from '../support/random.ts';
import { clustered, uniform } from '../support/scenes.ts';
import { cube, planesOfBox } from '../support/shapes.ts';
import type { Twin } from '../support/twin.ts';

const queries: Query[] = [
  { kind: 'box', box: cube(0, 0, 0, 70) },
  { kind: 'sphere', sphere: [0, 0, 0, 60] },
  { kind: 'ray', origin: [-100, 0, 0], direction: [1, 0.01, 0.02] },
  { kind: 'nearest', point: [0, 0, 0], count: 50 },
  { kind: 'frustum', planes: planesOfBox(cube(0, 0, 0, 40)) },
  { kind: 'pairs' },
];

/** FNV-1a hash of the results of all queries, in their order. */
function fingerprint({ octree }: Pick<Twin, 'octree'>): string {
  let hash = 0x811c9dc5;
  for (const query of queries) {
    for (const index of collected((list) => queryIndices(octree, query, list))) hash = Math.imul(hash ^ index, 0x01000193) >>> 0;
  }
  return hash.toString(16);
}

describe('nasty H: determinism', () => {
  it('H1 two runs of a history give the same results in the same order: seed 77', () => {
    const property = fc.property(histories(60), (history) => {
      const [first, second] = [new HistoryRunner({ leafCapacity: 2 }), new HistoryRunner({ leafCapacity: 2 })];
      first.run(history);
      second.run(history);
      expect(fingerprint(second.twin)).toBe(fingerprint(first.twin));
      expect(second.twin.octree.statistics).toEqual(first.twin.octree.statistics);
    });
    fc.assert(property, { seed: 77, numRuns: 60 });
  });

  it('H2 src calls no function of Math whose last bit differs between engines', () => {
    const banned = /Math\.(sin|cos|tan|asin|acos|atan2?|exp|expm1|log|log2|log10|log1p|pow|hypot|cbrt|sinh|cosh|tanh|random)\b/;
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts') && !file.startsWith('three'));
    expect(files.length).toBeGreaterThan(20);
    for (const file of files) expect(banned.exec(readFileSync(`src/${file}`, 'utf8'))?.[0], file).toBeUndefined();
  });

  it('H3 results do not depend on other octrees or on earlier queries', () => {
    const shapes = clustered(300, 1);
    const quiet = octreeOf(shapes);
    const busy = octreeOf(shapes);
    for (let i = 0; i < 20; i++) {
      octreeOf(uniform(100, i)).octree.update();
      for (const query of queries) collected((list) => queryIndices(busy.octree, query, list));
      busy.octree.intersectPairs();
    }
    expect(fingerprint(busy)).toBe(fingerprint(quiet));
  });

  it('H4 the order of insertion does not change the set of results, and for ray and nearest not their order', () => {
    const shapes = uniform(500, 1);
    const random = createRandom(1);
    const shuffled = shapes.map((shape, i) => ({ shape, i, key: random.next() })).sort((a, b) => a.key - b.key);
    const straight = octreeOf(shapes).octree;
    const mixed = octreeOf(shuffled.map(({ shape }) => shape)).octree;
    const original = (data: number): number => shuffled[data].i;
    for (const query of queries) {
      if (query.kind === 'pairs') continue;
      const expected = collected((list) => queryIndices(straight, query, list));
      const found = collected((list) => queryIndices(mixed, query, list)).map(original);
      if (query.kind === 'ray' || query.kind === 'nearest') expect(found).toEqual(expected);
      else expect(found.sort((a, b) => a - b)).toEqual(expected.sort((a, b) => a - b));
    }
  });
});
