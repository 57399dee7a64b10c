import { Ray, Raycaster, Vector3 } from 'three';
import { beforeAll, describe, expect, it } from 'vitest';
import type { QueryStats } from '../../src/index.ts';
import { Octree } from '../../src/index.ts';
import { collected, dataOf, octreeOf } from '../support/octrees.ts';
import { createRandom } from '../support/random.ts';
import { expectRejection } from '../support/rejects.ts';
import { uniform } from '../support/scenes.ts';
import { cube, rayOf, sphereOf } from '../support/shapes.ts';
import { freeMemories } from '../support/wasm.ts';

beforeAll(freeMemories);

const row = [cube(10, 0, 0), cube(20, 0, 0), [30, 0, 0, 1], cube(40, 0, 0)];
const backwards = row.map((_, i) => row[row.length - 1 - i]);
const alongX = rayOf([0, 0, 0], [1, 0, 0]);

describe('octree.intersectRay', () => {
  it('orders by distance, then by index', () => {
    const { octree } = octreeOf([cube(20, 0.1, 0), cube(20, 0, 0), ...backwards]);
    const records = octree.intersectRay(alongX);
    expect(records.map(({ distance }) => distance)).toEqual([9.5, 19.5, 19.5, 19.5, 29, 39.5]);
    expect(records.slice(1, 4).map(({ body }) => body.index)).toEqual([0, 1, 4]);
  });

  it('measures in world units for any length of the direction', () => {
    const { octree } = octreeOf(row);
    const expected = octree.intersectRay(alongX).map(({ distance }) => distance);
    for (const length of [1e-300, 5e-324, 1e-38, 0.5, 3, 1e10, 1e300, Number.MAX_VALUE]) {
      expect(octree.intersectRay(rayOf([0, 0, 0], [length, 0, 0])).map(({ distance }) => distance)).toEqual(expected);
    }
    const slanted = octree.firstHit(rayOf([10, 3, 4.5], [0, -6, -8]))!;
    expect(slanted.distance).toBe(5);
  });

  it('reports the entry point, the normal of the face and the ray', () => {
    const { octree } = octreeOf([cube(0, 0, 0, 1)]);
    for (const axis of [0, 1, 2]) {
      for (const sign of [1, -1]) {
        const origin = [0.25, 0.25, 0.25].map((value, i) => (i === axis ? -5 * sign : value));
        const ray = rayOf(
          origin,
          [0, 1, 2].map((i) => (i === axis ? sign * 2 : 0)),
        );
        const [record] = octree.intersectRay(ray);
        expect(record.normal.toArray().map((value) => value + 0)).toEqual(
          [0, 1, 2].map((i) => (i === axis ? -sign : 0)),
        );
        expect(record.position.toArray()).toEqual(origin.map((value, i) => (i === axis ? -sign : value)));
        expect(record).toMatchObject({ distance: 4, inside: false, other: null });
        expect(record.ray!.origin).toMatchObject(ray.origin);
      }
    }
  });

  it('reports the normal of the surface of a sphere', () => {
    const { octree } = octreeOf([[10, 0, 0, 5]]);
    const { normal, position, distance } = octree.firstHit(rayOf([0, 3, 0], [1, 0, 0]))!;
    expect(distance).toBeCloseTo(6, 12);
    expect(position.toArray()[0]).toBeCloseTo(6, 12);
    expect(normal.x).toBeCloseTo(-0.8, 12);
    expect(normal.y).toBeCloseTo(0.6, 12);
  });

  it('reports the normal of a sphere of radius 0 as minus the direction, even if rounding moves the hit off the centre', () => {
    for (const [center, origin, direction] of [
      [
        [10, 0, 0],
        [0, 0, 0],
        [2, 0, 0],
      ],
      [
        [3, 4, 0],
        [0, 0, 0],
        [3, 4, 0],
      ],
      [
        [1e-9, 0.3, 0],
        [1e-9, 0.1, 0],
        [0, 1, 0],
      ],
      [
        [0, 0, 0.1],
        [0, 0, 123.4],
        [0, 0, -1],
      ],
    ]) {
      const { octree } = octreeOf([[...center, 0]]);
      const ray = rayOf(origin, direction);
      for (const record of [octree.intersectRay(ray)[0], octree.firstHit(ray)!]) {
        expect(record.inside).toBe(false);
        expect(record.normal.toArray()).toEqual(record.ray!.direction.toArray().map((component) => 0 - component));
        expect(record.normal.length()).toBeCloseTo(1, 15);
      }
    }
  });

  it('reports a zero normal for a sphere of radius 0 at the origin of the ray', () => {
    const { octree } = octreeOf([[1, 2, 3, 0]]);
    const hit = octree.firstHit(rayOf([1, 2, 3], [1, 0, 0]))!;
    expect({ inside: hit.inside, distance: hit.distance, normal: hit.normal.toArray() }).toEqual({
      inside: true,
      distance: 0,
      normal: [0, 0, 0],
    });
  });

  it('reports inside if the ray starts in the body or on its surface: distance 0, position the origin, normal zero', () => {
    const { octree } = octreeOf([cube(0, 0, 0, 1), [0, 0, 0, 1]]);
    for (const origin of [
      [0.5, 0, 0],
      [1, 0, 0],
      [-1, 0, 0],
    ]) {
      const records = octree.intersectRay(rayOf(origin, [1, 0, 0]));
      expect(dataOf(records)).toEqual([0, 1]);
      for (const { inside, distance, position, normal } of records) {
        expect({ inside, distance, position: position.toArray(), normal: normal.toArray() }).toEqual({
          inside: true,
          distance: 0,
          position: origin,
          normal: [0, 0, 0],
        });
      }
    }
  });

  it('reports no inside if the ray starts outside of a sphere by one ulp, and enters it at distance 0', () => {
    const { octree } = octreeOf([[0, 0, 64, 64]]);
    // The squared distance is 4096 + 1e-12, and its ulp 9e-13.
    const { inside, distance, normal } = octree.firstHit(rayOf([0, 1e-6, 0], [0, -1, 1]))!;
    expect({ inside, distance }).toEqual({ inside: false, distance: 0 });
    expect(normal.z).toBe(-1);
  });

  it('misses bodies behind the origin, even by one ulp', () => {
    const { octree } = octreeOf([cube(0, 0, 0, 1)]);
    expect(octree.intersectRay(rayOf([1 + 2 ** -52, 0, 0], [1, 0, 0]))).toEqual([]);
    expect(octree.intersectRay(rayOf([1 + 2 ** -52, 0, 0], [-1, 0, 0]))).toHaveLength(1);
  });

  it('misses a sphere whose box it hits', () => {
    const { octree } = octreeOf([[0, 0, 0, 1]]);
    expect(octree.intersectRay(rayOf([-5, 0.9, 0.9], [1, 0, 0]))).toEqual([]);
    expect(octree.intersectRay(rayOf([-5, 1, 0], [1, 0, 0]))).toHaveLength(1);
  });

  it('takes near and far as a closed interval of entry distances', () => {
    const { octree } = octreeOf(row);
    const within = (near: number, far: number): number[] => dataOf(octree.intersectRay(alongX, { near, far }));
    expect(within(9.5, 19.5)).toEqual([0, 1]);
    expect(within(9.500001, 19.499999)).toEqual([]);
    expect(within(29, 29)).toEqual([2]);
    expect(within(0, Infinity)).toEqual([0, 1, 2, 3]);
  });

  it('drops bodies that contain the origin if near is above 0, and reports them at far 0', () => {
    const { octree } = octreeOf([cube(0, 0, 0, 1)]);
    expect(octree.intersectRay(alongX, { near: Number.MIN_VALUE })).toEqual([]);
    expect(octree.intersectRay(alongX, { near: 0, far: 0 })).toHaveLength(1);
  });

  it("takes three's Ray", () => {
    const { octree } = octreeOf(row);
    expect(octree.intersectRay(new Ray(new Vector3(), new Vector3(1, 0, 0)))).toHaveLength(4);
  });

  it('refuses a Raycaster and names its ray', () => {
    const { octree } = octreeOf(row);
    for (const query of ['firstHit', 'intersectRay', 'hasHit', 'firstHitIndex'] as const)
      expectRejection(
        octree,
        () => octree[query](new Raycaster() as never),
        TypeError,
        new RegExp(
          `^Octree\\.${query}: ray must have origin and direction, but is a Raycaster; pass raycaster\\.ray\\.$`,
        ),
      );
    expect(octree.intersectRay(new Raycaster(new Vector3(), new Vector3(1, 0, 0)).ray)).toHaveLength(4);
  });
});

describe('octree.firstHit', () => {
  it('is the first record of intersectRay, or null', () => {
    const { octree } = octreeOf(uniform(2000, 11, 128, 12));
    const random = createRandom(12);
    let hits = 0;
    for (let i = 0; i < 300; i++) {
      const ray = rayOf(
        [random.between(-80, 80), random.between(-80, 80), random.between(-80, 80)],
        [random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)],
      );
      const all = octree.intersectRay(ray);
      const first = octree.firstHit(ray);
      expect(first?.body).toBe(all[0]?.body);
      expect(first?.distance).toBe(all[0]?.distance);
      expect(octree.firstHit(ray, { near: 10, far: 30 })?.body).toBe(
        octree.intersectRay(ray, { near: 10, far: 30 })[0]?.body,
      );
      hits += all.length;
    }
    expect(hits).toBeGreaterThan(300);
  });

  it('reports the lowest index among equal distances', () => {
    const { octree, bodies } = octreeOf([cube(20, 0, 0), cube(10, 0, 0), cube(10, 0, 0), cube(10, 0.2, 0)]);
    expect(octree.firstHit(alongX)!.body).toBe(bodies[1]);
    bodies[1].remove();
    expect(octree.firstHit(alongX)!.body).toBe(bodies[2]);
  });

  it('skips bodies that do not pass filter or mask', () => {
    const { octree } = octreeOf(row);
    expect(octree.firstHit(alongX, { filter: ({ data }) => data > 1 })!.body.data).toBe(2);
    expect(octree.firstHit(alongX, { filter: () => false })).toBeNull();
  });
});

describe('octree.hasHit', () => {
  it('is true where firstHit finds a body', () => {
    const { octree } = octreeOf(uniform(2000, 11, 128, 12));
    const random = createRandom(13);
    const counts = [0, 0];
    for (let i = 0; i < 300; i++) {
      const ray = rayOf(
        [random.between(-80, 80), random.between(-80, 80), random.between(-80, 80)],
        [random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)],
      );
      const options = random.next() < 0.5 ? { near: 1, far: random.between(1, 20) } : { near: 1 };
      const isHit = octree.hasHit(ray, options);
      expect(isHit).toBe(octree.firstHit(ray, options) !== null);
      counts[Number(isHit)]++;
    }
    expect(Math.min(...counts)).toBeGreaterThan(20);
  });

  it('takes near and far as a closed interval, and hits a body that contains the origin at distance 0', () => {
    const { octree } = octreeOf([cube(0, 0, 0, 1), cube(10, 0, 0)]);
    expect(octree.hasHit(alongX, { far: 0 })).toBe(true);
    expect(octree.hasHit(alongX, { near: Number.MIN_VALUE, far: 9.499999 })).toBe(false);
    expect(octree.hasHit(alongX, { near: 9.5, far: 9.5 })).toBe(true);
    expect(octree.hasHit(alongX, { near: 9.500001 })).toBe(false);
    expect(octreeOf([]).octree.hasHit(alongX)).toBe(false);
  });

  it('obeys mask, filter and candidates, and counts its cost', () => {
    const octree = new Octree<number>();
    octree.insert(sphereOf([10, 0, 0, 1]), 0, { mask: 2 });
    expect(octree.hasHit(alongX, { mask: 1 })).toBe(false);
    expect(octree.hasHit(alongX, { mask: 2 })).toBe(true);
    expect(octree.hasHit(alongX, { filter: () => false })).toBe(false);
    // Passes a corner of the sphere's box.
    const beside = rayOf([0, 0.9, 0.9], [1, 0, 0]);
    const stats = {} as QueryStats;
    expect(octree.hasHit(beside, { stats })).toBe(false);
    expect(stats).toMatchObject({ nodesVisited: 1, bodiesTested: 1, bodiesReported: 0 });
    expect(octree.hasHit(beside, { candidates: true, stats })).toBe(true);
    expect(stats.bodiesReported).toBe(1);
  });

  it.each([0, Infinity])('stops at the first body found: simdFrom %d', (simdFrom) => {
    const { octree } = octreeOf(uniform(2000, 11, 128, 12), { simdFrom });
    let calls = 0;
    const filter = (): boolean => ++calls > 0;
    expect(octree.hasHit(rayOf([-80, 0, 0], [1, 0.01, 0.02]), { filter })).toBe(true);
    expect(calls).toBe(1);
    const [any, all] = [{} as QueryStats, {} as QueryStats];
    octree.hasHit(rayOf([-80, 0, 0], [1, 0.01, 0.02]), { stats: any });
    octree.intersectRay(rayOf([-80, 0, 0], [1, 0.01, 0.02]), { stats: all });
    expect(any.bodiesTested).toBeLessThan(all.bodiesTested / 3);
  });

  it('gives the same result while another query runs', () => {
    const { octree } = octreeOf(uniform(2000, 11, 128, 12));
    const seen: boolean[] = [];
    const inner = rayOf([-80, 20, 0], [1, 0, 0]);
    octree.hasHit(rayOf([-80, 0, 0], [1, 0.01, 0.02]), { filter: () => seen.push(octree.hasHit(inner)) < 0 });
    expect(seen.length).toBeGreaterThan(3);
    expect(new Set(seen)).toEqual(new Set([octree.hasHit(inner)]));
  });
});

describe('octree.collectRay', () => {
  it('writes the indices in the order of the records', () => {
    const { octree } = octreeOf(backwards);
    expect(collected((list) => octree.collectRay(alongX, list))).toEqual([3, 2, 1, 0]);
  });
});
