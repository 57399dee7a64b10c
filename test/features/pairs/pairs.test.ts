import { describe, expect, it } from 'vitest';
import { BruteForce } from '../../../src/debug/reference/brute-force.ts';
import {
  collectPairs,
  IndexList,
  intersectPairs,
  Octree,
  type PairOptions,
  type QueryStats,
} from '../../../src/index.ts';
import { collected, octreeOf, region } from '../../support/octrees.ts';
import { createRandom } from '../../support/random.ts';
import { gridAligned } from '../../support/scenes.ts';
import type { Shape } from '../../support/shapes.ts';
import { boxOf, cube, shapeOf } from '../../support/shapes.ts';

function names(octree: Octree<number>, options = {}): string[] {
  return intersectPairs(octree, options)
    .map(({ body, other }) => `${body.index}+${other!.index}`)
    .sort();
}

describe('intersectPairs', () => {
  it('reports each overlapping pair once, the smaller index first', () => {
    const { octree } = octreeOf([cube(0, 0, 0, 1), cube(1, 0, 0, 1), cube(5, 0, 0, 1), cube(0.5, 0, 0, 10)]);
    expect(names(octree)).toEqual(['0+1', '0+3', '1+3', '2+3']);
  });

  it('counts touching at faces, edges and corners: a 4 x 4 x 4 grid of cubes has 468 touching pairs', () => {
    const { octree } = octreeOf(gridAligned(4), { leafCapacity: 1, looseness: 1 });
    // Neighbours within one step on every axis: (10^3 - 4^3) / 2, where 10 = 4 + 2 * 3 ordered pairs along one axis.
    expect(intersectPairs(octree)).toHaveLength((10 ** 3 - 4 ** 3) / 2);
  });

  it('tests spheres as spheres', () => {
    expect(
      names(
        octreeOf([
          [0, 0, 0, 1],
          [1.9, 1.9, 0, 1],
        ]).octree,
      ),
    ).toEqual([]);
    expect(
      names(
        octreeOf([
          [0, 0, 0, 2],
          [3, 4, 0, 3],
        ]).octree,
      ),
    ).toEqual(['0+1']);
    expect(
      names(
        octreeOf([
          [0, 0, 0, 5],
          [3, 4, 0, 9, 9, 9],
        ]).octree,
      ),
    ).toEqual(['0+1']);
    expect(
      names(
        octreeOf([
          [0, 0, 0, 5],
          [4, 4, 0, 9, 9, 9],
        ]).octree,
      ),
    ).toEqual([]);
  });

  it('with staticPairs reports pairs of two static bodies too, as a loop over all does: alone, and with every other option', () => {
    const random = createRandom(5);
    const octree = new Octree<number>({ leafCapacity: 4 });
    const bruteForce = new BruteForce();
    for (let k = 0; k < 400; k++) {
      const shape = cube(random.between(0, 20), random.between(0, 20), random.between(0, 20), random.between(0, 1));
      const options = { isStatic: k < 300, mask: k % 3 };
      const { index } = octree.insert(boxOf(shape), k, options);
      bruteForce.setBox(index, shape, options);
    }
    const pairsOf = (options: PairOptions<number>): string[] =>
      intersectPairs(octree, options)
        .map(({ body, other }) => `${body.index}+${other!.index}`)
        .sort();
    for (const options of [
      {},
      { within: 1 },
      { mask: 1 },
      { mask: 1, otherMask: 2 },
      { mask: 1, otherMask: 2, within: 2 },
    ]) {
      const all = bruteForce.pairs({ ...options, staticPairs: true });
      expect(pairsOf({ ...options, staticPairs: true })).toEqual(
        all.map(({ index, other }) => `${index}+${other}`).sort(),
      );
      expect(pairsOf(options).length).toBeLessThan(all.length);
    }
    expect(collectPairs(octree, new IndexList(), { staticPairs: true })).toBe(
      bruteForce.pairs({ staticPairs: true }).length,
    );
  });

  it('leaves out pairs of static bodies, reports pairs of a static and a moving one', () => {
    const octree = new Octree<number>();
    for (const [i, isStatic] of [true, true, false].entries()) octree.insert(boxOf(cube(0, 0, 0)), i, { isStatic });
    expect(names(octree)).toEqual(['0+2', '1+2']);
  });

  it('reports a pair only if both bodies pass mask and filter', () => {
    const octree = new Octree<number>();
    for (const [i, mask] of [1, 3, 2, 1].entries()) octree.insert(boxOf(cube(0, 0, 0)), i, { mask });
    expect(names(octree, { mask: 1 })).toEqual(['0+1', '0+3', '1+3']);
    expect(names(octree, { filter: ({ index }: { index: number }) => index !== 1 })).toEqual(['0+2', '0+3', '2+3']);
  });

  it.each<[string, Shape, Shape, number[], number[], number]>([
    ['two boxes', [0, 0, 0, 2, 2, 2], [1.5, 0, 0, 4, 2, 2], [2, 1, 1], [1, 0, 0], -0.5],
    ['box and sphere', [0, 0, 0, 2, 2, 2], [4, 1, 1, 3], [2, 1, 1], [1, 0, 0], -1],
    ['sphere and box', [4, 1, 1, 3], [0, 0, 0, 2, 2, 2], [1, 1, 1], [-1, 0, 0], -1],
    ['two spheres', [0, 0, 0, 2], [3, 0, 0, 2], [2, 0, 0], [1, 0, 0], -1],
    ['concentric spheres', [0, 0, 0, 2], [0, 0, 0, 1], [2, 0, 0], [1, 0, 0], -3],
  ])(
    'describes the contact of %s from the first body to the second',
    (_name, first, second, position, normal, distance) => {
      const [record] = intersectPairs(octreeOf([first, second]).octree);
      expect(record.position.toArray()).toEqual(position);
      expect(record.normal.toArray().map((value) => value + 0)).toEqual(normal);
      expect(record).toMatchObject({ distance, inside: false, ray: null });
    },
  );

  it.each<[string, Shape, Shape, number[], number[], number]>([
    ['two boxes', [0, 0, 0, 2, 2, 2], [5, 6, 0, 7, 8, 4], [2, 2, 1], [0.6, 0.8, 0], 5],
    ['two boxes, the second before the first', [5, 6, 0, 7, 8, 4], [0, 0, 0, 2, 2, 2], [5, 6, 1], [-0.6, -0.8, 0], 5],
    ['box and sphere', [0, 0, 0, 2, 2, 2], [8, 1, 1, 3], [2, 1, 1], [1, 0, 0], 3],
    ['two spheres', [0, 0, 0, 2], [9, 0, 0, 2], [2, 0, 0], [1, 0, 0], 5],
  ])('describes the gap of %s that are apart', (_name, first, second, position, normal, distance) => {
    const [record] = intersectPairs(octreeOf([first, second]).octree, { within: 5 });
    expect(record.position.toArray()).toEqual(position);
    expect(record.normal.toArray().map((value) => value + 0)).toEqual(normal);
    expect(record).toMatchObject({ distance, inside: false, ray: null });
  });

  it('follows moves and removals', () => {
    const { octree, bodies } = octreeOf([cube(0, 0, 0), cube(10, 0, 0), cube(20, 0, 0)]);
    expect(names(octree)).toEqual([]);
    bodies[1].setBox(boxOf(cube(1, 0, 0)));
    expect(names(octree)).toEqual(['0+1']);
    bodies[0].remove();
    expect(names(octree)).toEqual([]);
  });
});

describe('pairs within a distance', () => {
  it('includes the distance itself: faces, edges and corners of boxes, surfaces of spheres', () => {
    const boxes = octreeOf([
      [0, 0, 0, 1, 1, 1],
      [4, 5, 1, 6, 6, 6],
      [-6, -7, -8, -1, -4, -2],
    ]).octree;
    expect(names(boxes, { within: 5 })).toEqual(['0+1', '0+2']);
    expect(names(boxes, { within: 4.999999 })).toEqual(['0+2']);
    expect(names(boxes, { within: 4.5825 })).toEqual([]);
    const spheres = octreeOf([
      [0, 0, 0, 1],
      [6, 8, 0, 2],
      [0, 0, 12, 13, 1, 13],
    ]).octree;
    expect(names(spheres, { within: 7 })).toEqual(['0+1']);
    expect(names(spheres, { within: 11 })).toEqual(['0+1', '0+2']);
    expect(names(spheres, { within: 10.999999 })).toEqual(['0+1']);
    expect(names(spheres, { within: 6.999999 })).toEqual([]);
  });

  it('are all pairs at an infinite distance, and those that touch at distance 0', () => {
    const { octree } = octreeOf([cube(0, 0, 0), cube(1, 0, 0), cube(1e9, 0, 0), [0, -1e12, 0, 3]]);
    expect(names(octree, { within: Infinity })).toEqual(['0+1', '0+2', '0+3', '1+2', '1+3', '2+3']);
    expect(names(octree, { within: 0 })).toEqual(names(octree));
  });

  it.each([1, 2, 3])('equal the loop over all bodies, deep in the tree and in large pages (seed %i)', (seed) => {
    const random = createRandom(seed);
    const bruteForce = new BruteForce();
    // Strict, with many bodies on splitting planes: some pages are large enough to be swept.
    const octree = new Octree<number>({ looseness: seed === 1 ? 1 : 2 });
    for (let k = 0; k < 400; k++) {
      const [x, y, z] = [0, 1, 2].map(() => (k % 3 === 0 ? 0 : Math.round(random.between(-60, 60))));
      const size = random.pick([0.5, 1, 1, 4]);
      const [mask, isStatic] = [random.pick([1, 2, 3, 4]), random.next() < 0.3];
      const shape = k % 2 === 0 ? [x, y, z, size] : [x - size, y - size, z - size, x + size, y + size, z + size];
      octree.insert(shapeOf(shape), k, { mask, isStatic });
      if (shape.length === 4) bruteForce.setSphere(k, [x, y, z, size], { mask, isStatic });
      else bruteForce.setBox(k, shape, { mask, isStatic });
    }
    for (const options of [
      { within: 3 },
      { within: 5, mask: 1 },
      { within: 2, mask: 1, otherMask: 2 },
      { within: 0, mask: 1, otherMask: 6 },
      { within: 7.5, otherMask: 4 },
    ]) {
      const expected = bruteForce
        .pairs(options)
        .map(({ index, other }) => `${index}+${other}`)
        .sort();
      expect(expected.length).toBeGreaterThan(20);
      expect(names(octree, options)).toEqual(expected);
    }
  });

  it('cost few tests where few bodies are near each other', () => {
    const { octree } = octreeOf(
      Array.from({ length: 1000 }, (_, k) =>
        cube(100 * (k % 10), 100 * (Math.floor(k / 10) % 10), 100 * Math.floor(k / 100)),
      ),
    );
    const stats = { nodesVisited: 0, nodesContained: 0, bodiesTested: 0, bodiesReported: 0 };
    collectPairs(octree, new IndexList(), { within: 20, stats });
    expect(stats.bodiesTested).toBeLessThan(20_000);
  });
});

describe('pairs of two groups', () => {
  const PLAYER = 1;
  const CRATE = 2;

  it('name the body of the first group first, and leave out pairs within a group', () => {
    const octree = new Octree<number>();
    for (const [i, mask] of [CRATE, PLAYER, PLAYER, CRATE, PLAYER | CRATE].entries())
      octree.insert(boxOf(cube(0, 0, 0)), i, { mask });
    expect(names(octree, { mask: PLAYER, otherMask: CRATE })).toEqual(
      ['1+0', '1+3', '1+4', '2+0', '2+3', '2+4', '4+0', '4+3'].sort(),
    );
    expect(names(octree, { mask: CRATE, otherMask: PLAYER })).toEqual(
      ['0+1', '0+2', '0+4', '3+1', '3+2', '3+4', '4+1', '4+2'].sort(),
    );
    expect(names(octree, { mask: PLAYER, otherMask: PLAYER })).toEqual(['1+2', '1+4', '2+4']);
  });

  it('are filtered on both sides', () => {
    const octree = new Octree<number>();
    for (const [i, mask] of [PLAYER, CRATE, CRATE].entries()) octree.insert(boxOf(cube(0, 0, 0)), i, { mask });
    expect(
      names(octree, { mask: PLAYER, otherMask: CRATE, filter: ({ index }: { index: number }) => index !== 1 }),
    ).toEqual(['0+2']);
  });
});

describe('collectPairs', () => {
  it('writes two indices per pair and returns the number of pairs', () => {
    const { octree } = octreeOf([cube(0, 0, 0), cube(1, 0, 0), cube(2, 0, 0)]);
    const list = new IndexList();
    expect(collectPairs(octree, list)).toBe(2);
    expect(list.length).toBe(4);
    const records = intersectPairs(octree).flatMap(({ body, other }) => [body.index, other!.index]);
    expect(collected((target) => collectPairs(octree, target))).toEqual(records);
  });

  it('finds pairs of bodies in different subtrees, across cell faces and between ancestor and descendant', () => {
    const shapes = [
      cube(7.5, 7.5, 7.5, 0.5),
      cube(8.5, 8.5, 8.5, 0.5),
      cube(8, 8, 8, 8),
      cube(0.5, 0.5, 0.5, 0.25),
      cube(15, 15, 15, 1),
    ];
    for (const looseness of [1, 2]) {
      const octree = new Octree<number>({
        looseness,
        leafCapacity: 1,
        region: { min: { x: 0, y: 0, z: 0 }, edge: 16 },
      });
      for (const [i, shape] of shapes.entries()) octree.insert(shapeOf(shape), i);
      expect(names(octree)).toEqual(['0+1', '0+2', '1+2', '2+3', '2+4']);
    }
  });
});

function costOf(octree: Octree<number>, options: PairOptions<number> = {}): QueryStats {
  const stats = { nodesVisited: 0, nodesContained: 0, bodiesTested: 0, bodiesReported: 0 };
  collectPairs(octree, new IndexList(), { ...options, stats });
  return stats;
}

/** Bodies in a row, all in one node. */
function inOnePage(count: number): Octree<number> {
  const row = Array.from({ length: count }, (_, k) => cube(2 * k, 0, 0, 0.5));
  return octreeOf(row, { leafCapacity: 1000 }).octree;
}

/** 120 bodies, the first of category 1, the others of category 2. */
function ofTwoGroups(few: number): Octree<number> {
  const octree = new Octree<number>({ leafCapacity: 4 });
  for (let k = 0; k < 120; k++)
    octree.insert(boxOf(cube(2 * (k % 11), 3 * (k % 7), k % 5)), k, { mask: k < few ? 1 : 2 });
  return octree;
}

describe('pairs in a deep tree', () => {
  it('finds all pairs of 8 bodies around the centres of 20 cells, each an octant of the one before', () => {
    const shapes: Shape[] = [];
    let center = 0;
    for (let edge = 2 ** 20; edge >= 2; edge /= 2) {
      for (let octant = 0; octant < 8; octant++) {
        const [x, y, z] = [1, 2, 4].map((bit) => center + ((octant & bit) === 0 ? -edge : edge) / 8);
        shapes.push(cube(x, y, z, edge / 4));
      }
      center += edge / 4;
    }
    const { octree } = octreeOf(shapes, { leafCapacity: 1, region: region(-(2 ** 19), 2 ** 20) });
    const bruteForce = new BruteForce();
    for (const [index, shape] of shapes.entries()) bruteForce.setBox(index, shape);
    expect(intersectPairs(octree)).toHaveLength(bruteForce.pairs().length);
    expect(octree.statistics.depth).toBeGreaterThan(15);
  });
});

describe('the cost of pairs', () => {
  it('of a page of up to 64 bodies is that of each against each, of a larger page that of neighbours along an axis', () => {
    expect(costOf(inOnePage(60)).bodiesTested).toBe((60 * 59) / 2);
    expect(costOf(inOnePage(70)).bodiesTested).toBeLessThan(70);
  });

  it('of two groups is that of tasks, unless a group has fewer than a third of all bodies', () => {
    // Bodies that walk alone visit no task.
    expect(costOf(ofTwoGroups(38), { mask: 1, otherMask: 2 }).nodesVisited).toBe(0);
    expect(costOf(ofTwoGroups(42), { mask: 1, otherMask: 2 }).nodesVisited).toBeGreaterThan(8);
    // Either group, and only with categories.
    expect(costOf(ofTwoGroups(38), { mask: 2, otherMask: 1 }).nodesVisited).toBe(0);
    expect(costOf(ofTwoGroups(38)).nodesVisited).toBeGreaterThan(8);
  });
});
