import { Vector3 } from 'three';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { QueryStats, RayHits } from '../../../src/index.ts';
import { castRays, Octree } from '../../../src/index.ts';
import { loadRayStreams, RayBundle } from '../../../src/features/ray-bundles/cast-rays.ts';
import { internalsOf } from '../../../src/octree/internals.ts';
import { RayStreamWalk } from '../../../src/wasm/ray-stream-walk.ts';
import { octreeOf, region } from '../../support/octrees.ts';
import { createRandom } from '../../support/random.ts';
import { errorOf, expectRejection } from '../../support/rejects.ts';
import { flat, gridAligned, uniform } from '../../support/scenes.ts';
import { cube, rayOf, shapeOf, sphereOf, type Shape } from '../../support/shapes.ts';
import { validate } from '../../../src/debug/index.ts';
import { freeMemories } from '../../support/wasm.ts';

beforeAll(freeMemories);

beforeAll(loadRayStreams);

afterEach(() => {
  vi.restoreAllMocks();
});

/** Enough rays for streams and for sorting. */
const MANY = 300;

interface Hits extends RayHits {
  readonly indices: Int32Array;
  readonly distances: Float64Array;
  readonly normals: Float64Array;
}

function hitsFor(count: number): Hits {
  return {
    indices: new Int32Array(count).fill(-7),
    distances: new Float64Array(count).fill(-7),
    normals: new Float64Array(3 * count).fill(-7),
  };
}

/** Rays of all lengths, along axes and slanted, with directions of any length. */
function randomRays(count: number, seed: number, extent = 70): Float64Array {
  const random = createRandom(seed);
  const rays = Array.from({ length: count }, () => {
    const origin = [0, 1, 2].map(() =>
      random.pick([random.between(-extent, extent), Math.round(random.between(-extent, extent))]),
    );
    const direction = [0, 1, 2].map(() =>
      random.pick<number>([random.between(-1, 1), random.between(-1, 1), 0, 1e-200]),
    );
    if (!direction.some(Boolean)) direction[0] = -1;
    return [...origin, ...direction, random.pick([0, 10, 100, Infinity, Infinity])];
  });
  return Float64Array.from(rays.flat());
}

function expectFirstHits(
  octree: Octree<number>,
  rays: Float64Array | Float32Array,
  hits: Hits,
  options: object = {},
): void {
  const wrong: unknown[] = [];
  for (let k = 0; k < rays.length / 7; k++) {
    const [x, y, z, dx, dy, dz, far] = rays.subarray(7 * k);
    const hit = octree.firstHit(rayOf([x, y, z], [dx, dy, dz]), { ...options, far });
    const expected = [hit?.body.index ?? -1, hit?.distance ?? Infinity, ...(hit?.normal.toArray() ?? [0, 0, 0])];
    const written = [hits.indices[k], hits.distances[k], ...hits.normals.subarray(3 * k, 3 * k + 3)];
    if (!expected.every((value, i) => value === written[i])) wrong.push([k, expected, written]);
  }
  expect(wrong).toEqual([]);
}

/** Two valid rays, in which number `k` is replaced by `value`. */
function twoRays(k: number, value: number): Float64Array {
  const valid = new Float64Array([0, 0, 0, 1, 0, 0, 9, 0, 0, 0, 1, 0, 0, 9]);
  valid[k] = value;
  return valid;
}

function fail(): boolean {
  throw new Error('mine');
}

describe('castRays', () => {
  it.each([
    ['bodies of all sizes', uniform(2000, 3), 0],
    ['bodies of all sizes, in JavaScript', uniform(500, 4), Infinity],
    ['a grid, whose faces rays run along', gridAligned(6), 0],
    ['bodies in a plane', flat(300, 5), Infinity],
    ['one body', [cube(0, 0, 0, 9)], 0],
    ['no body', [], 0],
  ])('gives index, distance and normal of firstHit: %s', (_name, shapes, simdFrom) => {
    const { octree } = octreeOf(shapes, { simdFrom });
    for (const count of [0, 1, 40, MANY]) {
      const rays = randomRays(count, count + 1);
      const hits = hitsFor(count);
      const found = castRays(octree, rays, hits);
      expect(found).toBe(hits.indices.filter((index) => index !== -1).length);
      expectFirstHits(octree, rays, hits);
    }
  });

  it('applies mask, near and candidates to every ray', () => {
    const octree = new Octree<number>();
    for (const [k, shape] of uniform(1500, 8).entries())
      octree.insert(
        shape.length === 4
          ? sphereOf(shape)
          : { min: new Vector3(...shape.slice(0, 3)), max: new Vector3(...shape.slice(3)) },
        k,
        { mask: 1 << (k % 3) },
      );
    const rays = randomRays(MANY, 9);
    for (const options of [
      { mask: 2 },
      { near: 5 },
      { mask: 5, near: 0.5 },
      { filter: ({ data }: { data: number }) => data % 2 === 0 },
    ]) {
      const hits = hitsFor(MANY);
      castRays(octree, rays, hits, options);
      expectFirstHits(octree, rays, hits, options);
    }
    const hits = hitsFor(MANY);
    castRays(octree, rays, hits, { candidates: true });
    for (let k = 0; k < MANY; k++) {
      const [x, y, z, dx, dy, dz, far] = rays.subarray(7 * k);
      expect(hits.indices[k]).toBe(octree.firstHitIndex(rayOf([x, y, z], [dx, dy, dz]), { far, candidates: true }));
    }
  });

  it('takes arrays of Float32, writes Float32, and leaves normals out if there are none', () => {
    const { octree } = octreeOf([cube(10, 0, 0, 1), [0, 20, 0, 2]]);
    const hits = { indices: new Int32Array(3), distances: new Float32Array(3) };
    expect(
      castRays(
        octree,
        new Float32Array([0, 0, 0, 2, 0, 0, Infinity, 0, 0, 0, 0, 3, 0, 18, 0, 0, 0, 0, 0, -1, 99]),
        hits,
      ),
    ).toBe(2);
    expect([...hits.indices]).toEqual([0, 1, -1]);
    expect([...hits.distances]).toEqual([9, 18, Infinity]);
  });

  it('casts the first rays of a longer array, and leaves the rest of the results as they are', () => {
    const { octree } = octreeOf([cube(10, 0, 0, 1)]);
    const hits = hitsFor(3);
    const rays = new Float64Array(25);
    rays.set([0, 0, 0, 1, 0, 0, Infinity]);
    expect(castRays(octree, rays, hits, { count: 1 })).toBe(1);
    expect([...hits.indices]).toEqual([0, -7, -7]);
    expect([...hits.normals.subarray(0, 4)]).toEqual([-1, 0, 0, -7]);
  });

  it('reports a ray that starts in a body with distance 0 and without a normal', () => {
    const { octree } = octreeOf([cube(0, 0, 0, 4), [20, 0, 0, 3]]);
    const hits = hitsFor(2);
    castRays(octree, new Float64Array([1, 1, 1, 1, 0, 0, 0, 20, 1, 0, 0, 1, 0, 5]), hits);
    expect([...hits.indices, ...hits.distances, ...hits.normals]).toEqual([0, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
  });

  it('adds up the costs of all rays', () => {
    const { octree } = octreeOf(uniform(600, 3), { simdFrom: Infinity });
    const rays = randomRays(20, 2);
    const stats = {} as QueryStats;
    const single = {} as QueryStats;
    const sum = { nodesVisited: 0, bodiesTested: 0, bodiesReported: 0 };
    castRays(octree, rays, hitsFor(20), { stats });
    for (let k = 0; k < 20; k++) {
      castRays(octree, rays.subarray(7 * k, 7 * k + 7), hitsFor(1), { stats: single });
      for (const field of ['nodesVisited', 'bodiesTested', 'bodiesReported'] as const) sum[field] += single[field];
    }
    expect(stats).toMatchObject(sum);
    expect(sum.bodiesReported).toBeGreaterThan(0);
  });

  it('finds bodies that wait in the queue, and runs inside a filter, which may query and write', () => {
    const { octree } = octreeOf(uniform(1200, 6));
    octree.insert(sphereOf([500, 0, 0, 1]), -1);
    const outer = hitsFor(1);
    const inner = hitsFor(MANY);
    const rays = randomRays(MANY, 3);
    let calls = 0;
    const filter = ({ data }: { data: number }): boolean => {
      if (calls++ === 0) octree.insert(sphereOf([400, 0, 0, 1]), -2);
      castRays(octree, rays, inner);
      return data < 0;
    };
    expect(castRays(octree, new Float64Array([300, 0, 0, 1, 0, 0, Infinity]), outer, { filter })).toBe(1);
    expect(octree.dataAt(outer.indices[0])).toBe(-1);
    expectFirstHits(octree, rays, inner);
    expect(castRays(octree, new Float64Array([300, 0, 0, 1, 0, 0, Infinity]), outer)).toBe(1);
    expect(octree.dataAt(outer.indices[0])).toBe(-2);
  });

  it('runs inside the filter of another batch', () => {
    const { octree } = octreeOf(uniform(1200, 6), { simdFrom: 0 });
    const [rays, nested] = [randomRays(MANY, 3), randomRays(MANY, 4)];
    const [outer, inner] = [hitsFor(MANY), hitsFor(MANY)];
    let calls = 0;
    const filter = ({ data }: { data: number }): boolean => {
      if (calls++ % 20 === 0) castRays(octree, nested, inner);
      return data % 2 === 0;
    };
    castRays(octree, rays, outer, { filter });
    expect(calls).toBeGreaterThan(20);
    expectFirstHits(octree, nested, inner);
    expectFirstHits(octree, rays, outer, { filter: ({ data }: { data: number }) => data % 2 === 0 });
  });

  it('finds the one of many bodies in a node, all of them on all rays, that the filter lets pass', () => {
    const shapes = Array.from({ length: 100 }, (_, k): Shape => [-k - 1, -k - 1, -k - 1, k + 1, k + 1, k + 1]);
    const { octree } = octreeOf(shapes, { simdFrom: 0, leafCapacity: 200 });
    const rays = new Float64Array(7 * MANY);
    for (let k = 0; k < MANY; k++) rays.set([-200, k % 17, k % 13, 1, 0.001 * (k % 5), 0, Infinity], 7 * k);
    for (const data of [0, 50, 97, 99]) {
      const hits = hitsFor(MANY);
      const filter = (body: { data: number }): boolean => body.data === data;
      castRays(octree, rays, hits, { filter });
      expectFirstHits(octree, rays, hits, { filter });
    }
  });

  it('keeps many rays together in a deep tree, where they reach all children of each node', () => {
    // Bodies around corners of ever larger cells: on the diagonal a ray touches all eight children of each node.
    const shapes = Array.from({ length: 45 }, (_, level) => level + 1).flatMap((level) => {
      const at = 2 ** level;
      return [0, 1, 2, 3, 4, 5, 6, 7].map((octant): Shape => {
        const low = [octant & 1, (octant >> 1) & 1, octant >> 2].map((bit) => (bit === 1 ? at : at - 0.5));
        return [...low, ...low.map((value) => value + 0.5)] as Shape;
      });
    });
    const { octree } = octreeOf(shapes, { simdFrom: 0, leafCapacity: 1, region: region(0, 2 ** 46) });
    const rays = new Float64Array(7 * MANY);
    for (let k = 0; k < MANY; k++)
      rays.set([-1 - k, -1 - k, -1 - k, 1, 1, 1, k % 2 === 0 ? Infinity : 2 ** (k % 40)], 7 * k);
    const hits = hitsFor(MANY);
    // No body passes, so that no ray ends early.
    castRays(octree, rays, hits, { filter: () => false });
    expect(hits.indices.every((index) => index === -1)).toBe(true);
    castRays(octree, rays, hits);
    expectFirstHits(octree, rays, hits);
    expect(validate(octree)).toEqual([]);
  });

  it('finds nothing in a tree whose bodies are all removed', () => {
    const { octree, bodies } = octreeOf(uniform(1200, 6), { simdFrom: 0 });
    octree.update();
    for (const body of bodies) octree.remove(body);
    octree.update();
    const hits = hitsFor(MANY);
    expect(castRays(octree, randomRays(MANY, 3), hits)).toBe(0);
    expect(hits.indices.every((index) => index === -1)).toBe(true);
  });

  it('counts the nodes and bodies of each ray', () => {
    const { octree } = octreeOf(uniform(1200, 6), { simdFrom: 0 });
    const rays = randomRays(MANY, 3);
    const [stats, single] = [{} as QueryStats, {} as QueryStats];
    castRays(octree, rays, hitsFor(MANY), { stats });
    const sum = { nodesVisited: 0, bodiesTested: 0 };
    for (let k = 0; k < MANY; k++) {
      castRays(octree, rays.subarray(7 * k, 7 * k + 7), hitsFor(1), { stats: single });
      for (const field of ['nodesVisited', 'bodiesTested'] as const) sum[field] += single[field];
    }
    // Together, rays meet the nodes in another order than alone.
    for (const field of ['nodesVisited', 'bodiesTested'] as const)
      expect(stats[field] / sum[field]).toSatisfy((ratio: number) => ratio > 0.9 && ratio < 1.3);
  });

  it('casts 32 rays and more in streams, fewer one by one', () => {
    const { octree } = octreeOf(uniform(1200, 6), { simdFrom: 0 });
    octree.update();
    const spy = vi.spyOn(RayStreamWalk, 'of');
    castRays(octree, randomRays(31, 3), hitsFor(31));
    expect(spy).not.toHaveBeenCalled();
    castRays(octree, randomRays(33, 3), hitsFor(33));
    expect(spy).toHaveBeenCalledTimes(1);
  });

  it('without streams sorts 256 rays and more by their directions', () => {
    const { octree } = octreeOf([cube(0, 0, 0, 5)], { simdFrom: Infinity });
    // All hit the body, from its two sides by turns: the filter is called once for each.
    const order = (count: number): number[] => {
      const rays = Array.from({ length: count }, (_, k) => (k % 2 === 0 ? 1 : -1)).flatMap((x) => [
        -9 * x,
        0,
        0,
        x,
        0,
        0,
        99,
      ]);
      const hits = hitsFor(count);
      const written: number[] = [];
      castRays(octree, Float64Array.from(rays), hits, {
        filter: () => {
          written.push([...hits.indices].lastIndexOf(0));
          return true;
        },
      });
      return written;
    };
    // The last ray with a result so far grows in the order of the rays only where they are not sorted.
    expect(order(250)).toEqual(Array.from({ length: 250 }, (_, k) => k - 1));
    expect(order(260)).not.toEqual(Array.from({ length: 260 }, (_, k) => k - 1));
  });

  it('casts rays one by one without the module for streams', () => {
    const { octree } = octreeOf(uniform(1200, 6), { simdFrom: 0 });
    octree.update();
    const spy = vi.spyOn(RayStreamWalk, 'of').mockReturnValue(null);
    const rays = randomRays(MANY, 3);
    const hits = hitsFor(MANY);
    castRays(octree, rays, hits);
    expect(spy).toHaveBeenCalled();
    expectFirstHits(octree, rays, hits);
  });

  it('casts rays one by one until the module for streams is loaded, then in streams', async () => {
    vi.resetModules();
    const { castRays: cast } = await import('../../../src/features/ray-bundles/cast-rays.ts');
    const { Octree: FreshOctree } = await import('../../../src/index.ts');
    const { loadRayStreams: load } = await import('../../../src/features/ray-bundles/cast-rays.ts');
    const { RayStreamWalk: FreshWalk } = await import('../../../src/wasm/ray-stream-walk.ts');
    const spy = vi.spyOn(FreshWalk, 'of');
    const octree = new FreshOctree<number>({ simdFrom: 0 });
    for (const [k, shape] of uniform(1200, 6).entries()) octree.insert(shapeOf(shape), k);
    octree.update();
    const rays = randomRays(MANY, 3);
    for (const isLoaded of [false, true]) {
      const hits = hitsFor(MANY);
      cast(octree, rays, hits);
      expectFirstHits(octree, rays, hits);
      expect(spy.mock.calls.length > 0).toBe(isLoaded);
      await load();
    }
  });

  it('casts rays one by one where the module for streams cannot be loaded', async () => {
    vi.resetModules();
    vi.doMock('../../../src/features/ray-bundles/ray-stream.ts', () => {
      throw new Error('not found');
    });
    try {
      const { castRays: cast } = await import('../../../src/features/ray-bundles/cast-rays.ts');
      const { Octree: FreshOctree } = await import('../../../src/index.ts');
      const { loadRayStreams: load } = await import('../../../src/features/ray-bundles/cast-rays.ts');
      const octree = new FreshOctree<number>({ simdFrom: 0 });
      for (const [k, shape] of uniform(1200, 6).entries()) octree.insert(shapeOf(shape), k);
      octree.update();
      const rays = randomRays(MANY, 3);
      for (let round = 0; round < 2; round++) {
        await load();
        const hits = hitsFor(MANY);
        cast(octree, rays, hits);
        expectFirstHits(octree, rays, hits);
      }
    } finally {
      vi.doUnmock('../../../src/features/ray-bundles/ray-stream.ts');
      vi.resetModules();
    }
  });

  it('stays usable after a filter that throws', () => {
    const { octree } = octreeOf(uniform(1200, 6));
    const rays = randomRays(MANY, 3);
    expect((errorOf(() => castRays(octree, rays, hitsFor(MANY), { filter: fail })) as Error).message).toBe('mine');
    expect(validate(octree)).toEqual([]);
    const hits = hitsFor(MANY);
    castRays(octree, rays, hits);
    expectFirstHits(octree, rays, hits);
  });

  it('keeps no array of the caller, also after an error', () => {
    const { octree } = octreeOf(uniform(1200, 6));
    const { runner } = internalsOf('test', octree);
    for (const filter of [() => true, fail]) {
      errorOf(() => castRays(octree, randomRays(MANY, 3), hitsFor(MANY), { filter }));
      const { indices, distances, normals } = runner.begin('test').queryOf(RayBundle);
      runner.end();
      expect([indices.length, distances.length, normals]).toEqual([0, 0, undefined]);
    }
  });

  it('takes origins at the limit of coordinates', () => {
    const { octree } = octreeOf([cube(0, 0, 0, 1)]);
    const far = 2 ** 50;
    const rays = [0, 1, 2].flatMap((axis) =>
      [far, -far].flatMap((at) => {
        const ray = [0.5, 0.5, 0.5, 0, 0, 0, Infinity];
        ray[axis] = at;
        ray[3 + axis] = -Math.sign(at);
        return ray;
      }),
    );
    const hits = hitsFor(6);
    expect(castRays(octree, Float64Array.from(rays), hits)).toBe(6);
    expect(Array.from(hits.indices)).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('names field, value and remedy of a wrong argument, and writes nothing', () => {
    const { octree } = octreeOf([cube(10, 0, 0, 1)]);
    const hits = hitsFor(2);
    const reject = (call: () => unknown, errorClass: ErrorConstructor, sentence: RegExp): void =>
      expectRejection(octree, call, errorClass, sentence);
    reject(
      () => castRays(octree, [0, 0, 0, 1, 0, 0, 9] as never, hits),
      TypeError,
      /^castRays: rays must be a Float32Array or a Float64Array, but is an array; pass/,
    );
    reject(
      () => castRays(octree, new Float64Array(12), hits),
      RangeError,
      /rays must have seven numbers per ray, but has 12 numbers; add the missing ones, or pass options\.count\.$/,
    );
    reject(
      () => castRays(octree, twoRays(0, 0), hits, { count: 3 }),
      RangeError,
      /options\.count must be an integer from 0 to 2, for which rays has room, but is 3;/,
    );
    reject(
      () => castRays(octree, twoRays(0, 0), hits, { count: 0.5 }),
      RangeError,
      /options\.count must be an integer/,
    );
    reject(
      () => castRays(octree, twoRays(0, 0), null as never),
      TypeError,
      /hits must be an object, but is null; pass \{indices, distances\}\.$/,
    );
    reject(
      () => castRays(octree, twoRays(0, 0), { ...hits, indices: new Uint32Array(2) } as never),
      TypeError,
      /hits\.indices must be an Int32Array/,
    );
    reject(
      () => castRays(octree, twoRays(0, 0), { ...hits, distances: undefined } as never),
      TypeError,
      /hits\.distances must be a Float32Array or a Float64Array, but is undefined/,
    );
    reject(
      () => castRays(octree, twoRays(0, 0), { ...hits, indices: new Int32Array(1) }),
      RangeError,
      /hits\.indices must have room for 2 numbers, 1 per ray, but has 1; make it longer\.$/,
    );
    reject(
      () => castRays(octree, twoRays(0, 0), { ...hits, normals: new Float32Array(5) }),
      RangeError,
      /hits\.normals must have room for 6 numbers, 3 per ray, but has 5;/,
    );
    reject(
      () => castRays(octree, twoRays(8, NaN), hits),
      RangeError,
      /rays\[8\], the origin y of ray 1, must be finite, but is NaN;/,
    );
    reject(
      () => castRays(octree, twoRays(7, 2 ** 51), hits),
      RangeError,
      /rays\[7\], the origin x of ray 1, must lie within/,
    );
    reject(
      () => castRays(octree, twoRays(12, Infinity), hits),
      RangeError,
      /rays\[12\], the direction z of ray 1, must be finite/,
    );
    reject(
      () => castRays(octree, twoRays(3, 0), hits),
      RangeError,
      /the direction of ray 0, rays\[3\] to rays\[5\], must not be of length 0/,
    );
    reject(
      () => castRays(octree, twoRays(13, -1), hits),
      RangeError,
      /rays\[13\], the far of ray 1, must be 0 or more, but is -1; use Infinity for no limit\.$/,
    );
    reject(() => castRays(octree, twoRays(0, 0), hits, { near: -1 }), RangeError, /options\.near must be 0 or more/);
    expect([...hits.indices, ...hits.distances, ...hits.normals].every((value) => value === -7)).toBe(true);
  });
});
