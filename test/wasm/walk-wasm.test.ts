import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Body, OctreeOptions, QueryOptions } from '../../src/index.ts';
import { collectNearest, IndexList, nearest, Octree } from '../../src/index.ts';
import { collected, octreeOf, type Filled } from '../support/octrees.ts';
import type { Query } from '../support/queries.ts';
import { queryIndices, queryRecords, randomQueryNear } from '../support/queries.ts';
import { createRandom } from '../support/random.ts';
import { clustered, coincident, huge, translated, uniform } from '../support/scenes.ts';
import type { Shape } from '../support/shapes.ts';
import { boundsOf, boxOf, cube, planesOfBox, point, rayOf, shapeOf } from '../support/shapes.ts';
import { validate } from '../../src/debug/index.ts';
import { freeMemories, traversalOf as wasmOf } from '../support/wasm.ts';

beforeAll(freeMemories);

const FAR = 2 ** 50;

/** Queries with many results in a scene around the point (at, at, at). */
function wideQueriesAround(at: number): Query[] {
  return [
    { kind: 'box', box: cube(at, at, at, 40) },
    { kind: 'box', box: [-FAR, -FAR, -FAR, FAR, FAR, at] },
    { kind: 'sphere', sphere: [at, at, at, 50] },
    { kind: 'frustum', planes: planesOfBox(cube(at + 10, at, at, 45)) },
    {
      kind: 'frustum',
      planes: [
        [1, 2, 3, -6 * at],
        [-1, 0.5, 0, 60 + 0.5 * at],
      ],
    },
    { kind: 'nearest', point: [at + 1, at + 2, at + 3], count: 700 },
    { kind: 'ray', origin: [-FAR, at + 0.5, at + 0.5], direction: [1, 0, 0] },
    { kind: 'sphereCast', sphere: [at - 200, at, at, 9], motion: [400, 1, 0] },
    { kind: 'boxCast', box: cube(at + 200, at, at, 9), motion: [-400, 0, -1] },
    {
      kind: 'orientedBox',
      center: [at, at, at],
      halfSize: [90, 60, 30],
      axes: [
        [0.6, 0.8, 0],
        [-0.8, 0.6, 0],
        [0, 0, 1],
      ],
    },
    { kind: 'capsule', start: [at - 60, at, at], end: [at + 60, at + 1, at], radius: 20 },
  ];
}

/** Octrees to clear after each test: the number of WebAssembly instances is limited. */
const filled: Octree<number>[] = [];

/** The same bodies in two octrees: one with walks in WebAssembly, one with walks in JavaScript. */
function twins(shapes: readonly Shape[], options: OctreeOptions = {}): readonly [Filled, Filled] {
  const pair = [
    octreeOf(shapes, { ...options, simdFrom: 0 }),
    octreeOf(shapes, { ...options, simdFrom: Infinity }),
  ] as const;
  filled.push(...pair.map(({ octree }) => octree));
  return pair;
}

const [found, expected] = [new IndexList(), new IndexList()];

/**
 * `expect` takes longer than a query of 3,000 bodies, and so does a copy of the list: both come only after a
 * difference.
 */
function expectSame(
  [simd, plain]: readonly [Filled, Filled],
  query: Query,
  options: QueryOptions<number> = {},
): number {
  queryIndices(plain.octree, query, expected, options);
  queryIndices(simd.octree, query, found, options);
  let isSame = found.length === expected.length;
  for (let k = 0; isSame && k < expected.length; k++) isSame = found.array[k] === expected.array[k];
  if (!isSame) expect(found.array.slice(0, found.length)).toEqual(expected.array.slice(0, expected.length));
  if (wasmOf(simd.octree) === null || wasmOf(plain.octree) !== null)
    expect([wasmOf(simd.octree) === null, wasmOf(plain.octree)]).toEqual([false, null]);
  return expected.length;
}

/** Compares the results of small queries, most of which touch one body or few, and of wide ones. */
function expectAllSame(
  pair: readonly [Filled, Filled],
  shapes: readonly Shape[],
  seed: number,
  options: QueryOptions<number> = {},
  at = 0,
): void {
  const random = createRandom(seed);
  for (let k = 0; k < 140; k++) expectSame(pair, randomQueryNear(k, boundsOf(random.pick(shapes)), random), options);
  for (const query of wideQueriesAround(at)) expectSame(pair, query, options);
}

function fail(): boolean {
  throw new Error('no');
}

afterEach(() => {
  for (const octree of filled.splice(0)) octree.clear();
  vi.restoreAllMocks();
});

describe('walks in WebAssembly', () => {
  const SCENES: readonly (readonly [string, Shape[], number])[] = [
    ['uniform', uniform(3000, 1), 0],
    ['clustered', clustered(3000, 2), 0],
    ['all at one place', coincident(3000), 0],
    ['over fifteen orders of magnitude', huge(1000, 3), 0],
    ['at 1e7 + 0.3', translated(uniform(1000, 4), 1e7 + 0.3), 1e7],
    ['at 2^45', translated(uniform(1000, 5), 2 ** 45), 2 ** 45],
    ['tiny, about 0', uniform(1000, 6, 1e-20, 1e-22), 0],
  ];

  it.each(SCENES)('return the same results as walks in JavaScript, in the same order: %s', (_name, shapes, at) => {
    const pair = twins(shapes);
    expectAllSame(pair, shapes, 7, {}, at);
    expectAllSame(pair, shapes, 8, { filter: (body) => body.data % 3 !== 0 }, at);
    const [largest] = wideQueriesAround(at)
      .map((query) => expectSame(pair, query))
      .sort((a, b) => b - a);
    expect(largest).toBeGreaterThan(400);
  });

  it.each(SCENES)('decide by exact bounds where Float32 cannot decide whether bodies touch: %s', (_name, shapes) => {
    const pair = twins(shapes);
    const random = createRandom(17);
    for (let k = 0; k < 400; k++) {
      const bounds = boundsOf(random.pick(shapes));
      const size = (bounds[3] - bounds[0] || 1) * random.between(0, 2);
      const [x, y, z] = [0, 1, 2].map((axis) => (bounds[axis] + bounds[axis + 3]) / 2);
      // Volumes that touch a face of a body, or just contain the body, up to the rounding of Float64.
      expectSame(pair, { kind: 'sphere', sphere: [bounds[3] + size, y, z, size] });
      expectSame(pair, { kind: 'nearest', point: [bounds[3] + size, y, z], count: 9, maxDistance: size });
      expectSame(pair, { kind: 'box', box: [bounds[3], y, z, bounds[3] + size, y, z] });
      expectSame(pair, { kind: 'box', box: [...bounds.slice(0, 3), ...bounds.slice(3).map((max) => max + size)] });
      expectSame(pair, { kind: 'sphere', sphere: [x, y, z, Math.hypot(bounds[3] - x, bounds[4] - y, bounds[5] - z)] });
      expectSame(pair, { kind: 'frustum', planes: planesOfBox(bounds) });
      // An oblique plane through the corner that lies farthest on its inner side, or just before or behind it.
      const normal = [0, 1, 2].map(() => random.between(0.1, 1) * random.pick([-1, 1]));
      const constant = -normal.reduce(
        (sum, component, axis) => sum + component * bounds[component > 0 ? axis + 3 : axis],
        0,
      );
      for (const factor of [-14, -17, -20, -24, -30, -52].flatMap((exponent) => [1 - 2 ** exponent, 1 + 2 ** exponent]))
        expectSame(pair, { kind: 'frustum', planes: [[...normal, constant * factor]] });
      expectSame(pair, {
        kind: 'ray',
        origin: [bounds[3], bounds[4], bounds[2] - size],
        direction: [random.pick([0, 1e-12]), random.pick([0, -1e-12]), 1],
      });
    }
  });

  it('return the same results after moves, insertions and removals, and for some categories', () => {
    const random = createRandom(9);
    const shapes = uniform(2000, 10);
    const pair = twins(shapes);
    for (let round = 0; round < 5; round++) {
      for (let k = 0; k < 300; k++) {
        const [which, at] = [
          random.below(shapes.length),
          [random.between(-64, 64), random.between(-64, 64), random.between(-64, 64), random.next()],
        ];
        for (const { bodies } of pair) bodies[which].setSphere({ center: point(at), radius: at[3] });
        shapes[which] = at;
      }
      for (const { octree, bodies } of pair) {
        for (const shape of uniform(200, 20 + round))
          bodies.push(octree.insert(shapeOf(shape), bodies.length, { mask: 1 << (round + 1) }));
        for (let k = 0; k < 150; k++) bodies[shapes.length + 7 * k]?.remove();
        octree.update();
      }
      expectAllSame(pair, shapes, 30 + round);
      expectAllSame(pair, shapes, 40 + round, { mask: 6 });
      expect(validate(pair[0].octree)).toEqual([]);
    }
  });

  it('reach every body of a leaf that holds more bodies than a batch', () => {
    const [{ octree }] = twins(coincident(5000));
    expect(octree.collectBox(boxOf(cube(0.5, 0.5, 0.5, 0.1)), new IndexList())).toBe(5000);
    expect(collectNearest(octree, point([0, 0, 0]), 4999, new IndexList())).toBe(4999);
    expect(octree.collectRay(rayOf([-5, 0.5, 0.5], [1, 0, 0]), new IndexList())).toBe(5000);
  });

  it('visit as many nodes and bodies as walks in JavaScript, to 2 %', () => {
    const shapes = uniform(3000, 18);
    const pair = twins(shapes);
    const random = createRandom(19);
    const sums = pair.map(() => ({ nodesVisited: 0, nodesContained: 0, bodiesTested: 0 }));
    for (let k = 0; k < 700; k++) {
      const query = randomQueryNear(k, boundsOf(random.pick(shapes)), random);
      // Nearest queries from a point or a box are speculative: see speculative-search.test.ts.
      if (query.kind === 'nearest' || query.kind === 'nearestToBox') continue;
      for (const [i, { octree }] of pair.entries()) {
        const stats = { nodesVisited: 0, nodesContained: 0, bodiesTested: 0, bodiesReported: 0 };
        queryIndices(octree, query, new IndexList(), { stats });
        for (const cost of ['nodesVisited', 'nodesContained', 'bodiesTested'] as const) sums[i][cost] += stats[cost];
      }
    }
    const [simd, plain] = sums;
    for (const cost of ['nodesVisited', 'nodesContained', 'bodiesTested'] as const)
      expect(Math.abs(simd[cost] / plain[cost] - 1)).toBeLessThan(0.02);
  });

  it('accept any number of planes, and numbers beyond the range of Float32', () => {
    const pair = twins(uniform(2000, 11));
    const random = createRandom(12);
    const many = Array.from({ length: 50 }, () => [
      random.between(-1, 1),
      random.between(-1, 1),
      random.between(-1, 1),
      45,
    ]);
    expect(expectSame(pair, { kind: 'frustum', planes: many })).toBeGreaterThan(0);
    for (const factor of [1e-140, 1e-40, 1e40, 1e140]) {
      const planes = planesOfBox(cube(0, 0, 0, 30)).map((plane) => plane.map((value) => value * factor));
      expect(expectSame(pair, { kind: 'frustum', planes })).toBeGreaterThan(0);
    }
    // Numbers that underflow in Float32, or in products of Float64.
    const tiny = twins([
      [0, 0, 0, 0],
      [0, -1e15, 0, 0],
      [0, 1e15, 0, 0],
      [1e-43, 1e-43, 1e-43, 0],
      [0, -1, 0, 0],
    ]);
    const slight: readonly (readonly [number[], number[]])[] = [
      [[1, 0, 0, -1e-46], [3]],
      [
        [1, 1e-46, 0, 5e-32],
        [0, 2, 3, 4],
      ],
      [[1, 1e-46, 0, -5e-32], [2]],
      [[1, 0.3, 0.3, -1.61e-43], [2]],
      [
        [-8, 5e-324, 0, 0],
        [0, 2],
      ],
    ];
    for (const [plane, touching] of slight) {
      for (const { octree } of tiny)
        expect(
          collected((list) => queryIndices(octree, { kind: 'frustum', planes: [plane] }, list)).sort((a, b) => a - b),
        ).toEqual(touching);
    }
    for (const radius of [0, 1e-200, 1e-30, 2 ** 52, 1e300])
      expectSame(pair, { kind: 'sphere', sphere: [1, 1, 1, radius] });
    for (const distance of [0, 1e-200, 1e-30, 1e300])
      expectSame(pair, { kind: 'nearest', point: [1, 1, 1], count: 5, maxDistance: distance });
    for (const far of [0, 1e-200, 1e-30, 1e300])
      expectSame(pair, { kind: 'ray', origin: [1, 1, 1], direction: [1e-150, 1, 1e-40], far });
  });

  it('allow queries in a filter, and a filter that throws', () => {
    const pair = twins(uniform(2000, 13));
    const query: Query = { kind: 'nearest', point: [0, 0, 0], count: 20 };
    const [simd, plain] = pair.map(({ octree }) => {
      const inner: number[] = [];
      const filter = (body: Body<number>): boolean =>
        inner.push(...nearest(octree, body.getBox().min, 3).map((record) => record.body.data)) % 2 === 0;
      return [queryRecords(octree, query, { filter }).map(({ body }) => body.data), inner];
    });
    expect(simd).toEqual(plain);
    expect(() => queryRecords(pair[0].octree, query, { filter: fail })).toThrow('no');
    expect(wasmOf(pair[0].octree)?.isBusy).toBe(false);
    expectAllSame(pair, uniform(100, 13), 14);
  });

  it('begin at `simdFrom` bodies, and continue in a new instance when arrays grow', () => {
    const octree = new Octree<number>({ simdFrom: 50 });
    const wasmInstances = uniform(400, 15).map((shape, k) => {
      octree.insert(shapeOf(shape), k);
      octree.update();
      return wasmOf(octree);
    });
    expect(wasmInstances.findIndex((wasm) => wasm !== null)).toBe(49);
    expect(wasmInstances.slice(49)).not.toContain(null);
    expect(new Set(wasmInstances).size).toBeGreaterThan(3);
    expect(octree.statistics.bytes).toBeLessThan(300_000);
  });
});

describe('WebAssembly instances', () => {
  it('are limited in number, so that other libraries on the page get memory, and are available again after octrees are cleared', () => {
    const octrees = Array.from({ length: 100 }, () => octreeOf(uniform(20, 20), { simdFrom: 0 }).octree);
    filled.push(...octrees);
    const countWasm = (): number =>
      octrees.filter((octree) => octree.update().bodies > 0 && wasmOf(octree) !== null).length;
    const first = countWasm();
    expect(first).toBeGreaterThan(10);
    expect(first).toBeLessThan(80);
    for (const octree of octrees.slice(0, 80)) octree.clear();
    for (const octree of octrees.slice(80)) octree.insert(shapeOf([0, 0, 0, 1]), 0);
    expect(countWasm()).toBe(20);
  });
});
