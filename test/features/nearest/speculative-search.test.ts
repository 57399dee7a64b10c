import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { NearestOptions, Octree } from '../../../src/index.ts';
import { collected, octreeOf, type Filled } from '../../support/octrees.ts';
import { createRandom } from '../../support/random.ts';
import { gridAligned, translated, uniform } from '../../support/scenes.ts';
import { boundsOf, boxOf, point, type Shape } from '../../support/shapes.ts';
import { collectNearest, nearest } from '../../../src/index.ts';
import { freeMemories, traversalOf } from '../../support/wasm.ts';

const QUERIES = 300;

beforeAll(freeMemories);

/** The same bodies in two octrees: walked in WebAssembly, with speculative searches, and in JavaScript, without. */
interface Pair {
  readonly simd: Filled;
  readonly plain: Filled;
  /** Calls of the WASM traversal so far: speculative searches, and steps of an exact walk. */
  readonly searches: () => number;
  readonly walks: () => number;
}

const filled: Octree<number>[] = [];

function pairOf(shapes: readonly Shape[]): Pair {
  const simd = octreeOf(shapes, { simdFrom: 0 });
  const plain = octreeOf(shapes, { simdFrom: Infinity });
  filled.push(simd.octree, plain.octree);
  return { simd, plain, ...spiesOn(simd.octree) };
}

function spiesOn(octree: Octree<number>): Pick<Pair, 'searches' | 'walks'> {
  octree.update();
  const wasm = traversalOf(octree)!.exports;
  const search = vi.spyOn(wasm, 'searchSpeculatively');
  const walk = vi.spyOn(wasm, 'nextNearest');
  return { searches: () => search.mock.calls.length, walks: () => walk.mock.calls.length };
}

/** Compares the results for points in and around the bodies, with counts that cut through ties. */
function expectSame(
  { simd, plain }: Pair,
  shapes: readonly Shape[],
  options: NearestOptions<number> = {},
  counts = [1, 2, 5, 8, 30, 64],
): void {
  const random = createRandom(1);
  for (let k = 0; k < QUERIES; k++) {
    const bounds = boundsOf(random.pick(shapes));
    const size = 2 * (bounds[3] - bounds[0]);
    const place = point(bounds.map((face) => (k % 3 === 0 ? face : face + random.between(-size, size))));
    const count = counts[k % counts.length];
    const all =
      options.maxDistance === undefined ? options : { ...options, maxDistance: options.maxDistance * random.next() };
    const query = ({ octree }: Filled): number[] =>
      collected((list) => collectNearest(octree, place, count, list, all));
    expect(query(simd)).toEqual(query(plain));
  }
}

/** Moves every body for some steps, so that its fat bounds are larger than its bounds. */
function moveAll({ simd, plain }: Pair, shapes: Shape[]): void {
  for (let step = 0; step < 3; step++) {
    for (const [k, shape] of shapes.entries()) {
      shapes[k] = shape.map((face, offset) => face + ((k + offset) % 3) / 8);
      for (const { bodies } of [simd, plain]) bodies[k].setBox(boxOf(shapes[k]));
    }
    simd.octree.update();
    plain.octree.update();
  }
}

afterEach(() => {
  for (const octree of filled.splice(0)) octree.clear();
  vi.restoreAllMocks();
});

describe('the speculative search for the nearest bodies', () => {
  const SCENES: readonly (readonly [string, Shape[]])[] = [
    ['boxes', uniform(3000, 1).filter((shape) => shape.length === 6)],
    ['boxes about 1e4', translated(uniform(3000, 2), 1e4).filter((shape) => shape.length === 6)],
    ['boxes in a larger world', uniform(3000, 3, 4096, 30).filter((shape) => shape.length === 6)],
  ];

  it.each(SCENES)('succeeds for nearly all queries about static %s, and the result is exact', (_name, shapes) => {
    const pair = pairOf(shapes);
    expectSame(pair, shapes, {}, [8]);
    expect(pair.searches()).toBeGreaterThan(0.9 * QUERIES);
    expect(pair.walks()).toBeLessThan(0.2 * pair.searches());
  });

  it('detects failures where slot bounds are larger than bodies, and is seldom tried there', () => {
    const shapes = uniform(3000, 4).filter((shape) => shape.length === 6);
    const pair = pairOf(shapes);
    moveAll(pair, shapes);
    // The arrays may have grown into the memory of another instance.
    const { searches, walks } = spiesOn(pair.simd.octree);
    expectSame(pair, shapes);
    expect(searches()).toBeLessThan(0.2 * QUERIES);
    expect(walks()).toBeGreaterThan(QUERIES);
  });

  it('is seldom tried where it finds many more bodies than are wanted, or stops early', () => {
    const shapes = uniform(3000, 9).filter((shape) => shape.length === 6);
    for (const [by, count] of [
      [4e6, 1],
      [1e7, 1],
      [0, 64],
    ]) {
      const moved = translated(shapes, by);
      const pair = pairOf(moved);
      expectSame(pair, moved, {}, [count]);
      expect(pair.searches()).toBeLessThan(0.2 * QUERIES);
    }
  });

  it('is exact for spheres, which do not reach into the corners of their slot bounds', () => {
    const shapes = uniform(4000, 5).filter((shape) => shape.length === 4);
    expectSame(pairOf(shapes), shapes);
  });

  it('reports the smaller index where several bodies are equally near', () => {
    const shapes = gridAligned(12);
    expectSame(pairOf(shapes), shapes);
    const same = Array.from({ length: 500 }, (_, k): Shape => (k % 2 === 0 ? [1, 1, 1, 2, 2, 2] : [3, 1, 1, 4, 2, 2]));
    expectSame(pairOf(same), same);
  });

  it('respects maxDistance', () => {
    const shapes = uniform(3000, 6);
    for (const some of [shapes, shapes.filter((shape) => shape.length === 4)]) {
      const pair = pairOf(some);
      for (const maxDistance of [0, 0.1, 1, 3, 10, 20, 1e9])
        for (const counts of [[8], [2, 30]]) expectSame(pair, some, { maxDistance }, counts);
    }
  });

  it('is exact if the results are farther away than those of the query before', () => {
    const crowd = Array.from({ length: 100 }, (_, k): Shape => [k / 100, 0, 0, k / 100 + 0.001, 0.001, 0.001]);
    // The point lies in a corner of the sphere's slot bounds, 7 away from the sphere itself and 3 from the box.
    const shapes: Shape[] = [...crowd, [1000, 1000, 1000, 10], [1013, 1010, 1010, 1014, 1011, 1011]];
    const { octree } = pairOf(shapes).simd;
    for (const maxDistance of [5, 100, 5]) {
      expect(nearest(octree, { x: 0.5, y: 0.01, z: 0 }, 1, { maxDistance })[0].distance).toBeLessThan(0.02);
      expect(
        nearest(octree, { x: 1010, y: 1010, z: 1010 }, 1, { maxDistance }).map(({ body, distance }) => [
          body.data,
          distance,
        ]),
      ).toEqual([[101, 3]]);
    }
  });

  it('is not tried if not all bodies may be results, or for a large count', () => {
    const shapes = uniform(3000, 7);
    const pair = pairOf(shapes);
    expectSame(pair, shapes, {}, [65, 200]);
    expectSame(pair, shapes, { mask: 1 });
    // The expected distances of queries for all bodies are too small for those for a hundredth.
    for (const { octree, bodies } of [pair.simd, pair.plain]) {
      for (const [k, body] of bodies.entries()) body.setMask(k % 100 === 0 ? 2 : 4);
      for (let k = 0; k < 100; k++) nearest(octree, point([k % 9, k % 7, k % 5]), 5);
    }
    expectSame(pair, shapes, { mask: 2 }, [5]);
    expectSame(pair, shapes, { filter: (body) => body.data % 3 > 0 });
    expectSame(pair, shapes, { candidates: true });
    expect(pair.searches()).toBeLessThan(QUERIES);
    const before = pair.searches();
    for (const { octree } of [pair.simd, pair.plain]) octree.insert(boxOf([1, 1, 1, 2, 2, 2]), 9, { mask: 0 });
    expectSame(pair, shapes);
    expect(pair.searches()).toBe(before);
  });

  it('visits less once an expected distance is stored', () => {
    const shapes = uniform(5000, 10).filter((shape) => shape.length === 6);
    const { octree } = pairOf(shapes).simd;
    const random = createRandom(3);
    const stats = { nodesVisited: 0, nodesContained: 0, bodiesTested: 0, bodiesReported: 0 };
    const sums = [0, 0];
    for (let k = 0; k < 200; k++) {
      const place = point([0, 1, 2].map(() => random.between(-50, 50)));
      // A query with another count resets the expected distance.
      nearest(octree, place, 7);
      for (const time of [0, 1]) {
        nearest(octree, place, 8, { stats });
        sums[time] += stats.nodesVisited + stats.bodiesTested;
      }
    }
    // 14,978 and 13,551 while only the nearest child of a node was found, and the others were not sorted.
    expect(sums[0]).toBeLessThan(13_300);
    expect(sums[1]).toBeLessThan(12_900);
  });

  it('visits little more than an exact walk, and counts all visits', () => {
    const shapes = uniform(5000, 8).filter((shape) => shape.length === 6);
    const pair = pairOf(shapes);
    const random = createRandom(2);
    const places = Array.from({ length: 200 }, () => point([0, 1, 2].map(() => random.between(-128, 128))));
    const cost = ({ octree }: Filled): number => {
      const stats = { nodesVisited: 0, nodesContained: 0, bodiesTested: 0, bodiesReported: 0 };
      let sum = 0;
      for (const place of places) {
        nearest(octree, place, 8, { stats });
        sum += stats.nodesVisited + stats.bodiesTested;
      }
      return sum;
    };
    const still = cost(pair.simd) / cost(pair.plain);
    expect([still > 0.9, still < 1.15]).toEqual([true, true]);
    // Failed searches cost extra, but they are rare.
    moveAll(pair, shapes);
    const moving = cost(pair.simd) / cost(pair.plain);
    expect([moving > 1, moving < 1.1]).toEqual([true, true]);
  });
});
