import { describe, expect, it } from 'vitest';
import type { QueryStats } from '../../src/index.ts';
import { IndexList, Octree } from '../../src/index.ts';
import { dataOf } from '../support/octrees.ts';
import type { Query } from '../support/queries.ts';
import { queryRecords } from '../support/queries.ts';
import { uniform } from '../support/scenes.ts';
import { boxOf, cube, planesOfBox, shapeOf } from '../support/shapes.ts';

const all = boxOf(cube(0, 0, 0, 1000));

/** Bodies with the mask that `maskOf` returns for their position in the list. */
function masked(maskOf: (i: number) => number): Octree<number> {
  const octree = new Octree<number>({ leafCapacity: 4 });
  for (const [i, shape] of uniform(600, 1).entries()) octree.insert(shapeOf(shape), i, { mask: maskOf(i) });
  return octree;
}

const queries: Query[] = [
  { kind: 'box', box: cube(0, 0, 0, 40) },
  { kind: 'sphere', sphere: [0, 0, 0, 50] },
  { kind: 'ray', origin: [-100, 0, 0], direction: [1, 0.01, 0] },
  { kind: 'nearest', point: [0, 0, 0], count: 600 },
  { kind: 'frustum', planes: planesOfBox(cube(0, 0, 0, 40)) },
];

describe('mask', () => {
  it.each(queries)('reports exactly the bodies whose mask shares a bit with it: $kind', (query) => {
    const octree = masked((i) => 1 << i % 5);
    const unmasked = dataOf(queryRecords(octree, query));
    for (const mask of [1, 2, 16, 3, 31, 32]) {
      expect(dataOf(queryRecords(octree, query, { mask }))).toEqual(unmasked.filter((data) => ((1 << data % 5) & mask) !== 0));
    }
  });

  it('is all ones by default, so a body with mask 0 is reported by no query', () => {
    const octree = masked((i) => (i % 2 === 0 ? 0 : 4));
    for (const query of queries) expect(dataOf(queryRecords(octree, query)).every((data) => data % 2 === 1)).toBe(true);
    expect(octree.intersectBox(all, { mask: -1 })).toHaveLength(300);
    expect(octree.size).toBe(600);
    expect(octree.intersectPairs().every(({ body, other }) => body.data % 2 === 1 && other!.data % 2 === 1)).toBe(true);
  });

  it('has 32 bits, including the highest', () => {
    const octree = masked((i) => (i === 7 ? 1 << 31 : 1));
    expect(dataOf(octree.intersectBox(all, { mask: 1 << 31 }))).toEqual([7]);
    expect(dataOf(octree.intersectBox(all, { mask: 0x80000000 }))).toEqual([7]);
  });

  it('0 in a query reports nothing', () => {
    expect(masked(() => -1).intersectBox(all, { mask: 0 })).toEqual([]);
  });

  it('skips subtrees: a rare category costs a fraction of the nodes', () => {
    const octree = masked((i) => (i === 7 ? 2 : 1));
    const cost = (mask: number): QueryStats => {
      const stats = { nodesVisited: 0, nodesContained: 0, bodiesTested: 0, bodiesReported: 0 };
      octree.collectSphere({ center: { x: 0, y: 0, z: 0 }, radius: 60 }, new IndexList(), { mask, stats });
      return stats;
    };
    expect(cost(2).nodesVisited).toBeLessThan(cost(1).nodesVisited / 4);
    expect(cost(2).bodiesTested).toBeLessThan(cost(1).bodiesTested / 4);
    expect(cost(4).bodiesTested).toBe(0);
  });

  it('follows insertions, moves and removals up the tree', () => {
    const octree = masked(() => 1);
    octree.update();
    const late = octree.insert(boxOf(cube(1, 1, 1)), 1000, { mask: 8 });
    expect(dataOf(octree.intersectBox(all, { mask: 8 }))).toEqual([1000]);
    late.setBox(boxOf(cube(-60, 60, -60)));
    expect(dataOf(octree.intersectBox(all, { mask: 8 }))).toEqual([1000]);
    late.remove();
    expect(octree.intersectBox(all, { mask: 8 })).toEqual([]);
    octree.update();
    expect(octree.validate()).toEqual([]);
  });
});
