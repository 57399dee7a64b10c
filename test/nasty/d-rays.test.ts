import { describe, expect, it } from 'vitest';
import type { IntersectionRecord, RayLike } from '../../src/index.ts';
import { dataOf, octreeOf } from '../support/octrees.ts';
import { createRandom } from '../support/random.ts';
import { expectRejection } from '../support/rejects.ts';
import { gridAligned, uniform } from '../support/scenes.ts';
import { cube, rayOf } from '../support/shapes.ts';
import { Twin } from '../support/twin.ts';

const unit = [0, 0, 0, 1, 1, 1];

function distances(records: readonly IntersectionRecord<number>[]): number[] {
  return records.map(({ distance }) => distance);
}

describe('nasty D: rays', () => {
  it('D1 a ray in the plane of a face hits', () => {
    const { octree } = octreeOf([unit, ...uniform(50, 1).map((shape) => shape.map((value) => value + 500))]);
    for (const y of [0, 1]) {
      for (const z of [0, 0.5, 1]) expect(distances(octree.intersectRay(rayOf([-2, y, z], [1, 0, 0])))).toEqual([2]);
    }
    expect(octree.intersectRay(rayOf([-2, 1 + 2 ** -52, 0.5], [1, 0, 0]))).toEqual([]);
  });

  it('D2 a component of -0 is the same as 0', () => {
    const { octree } = octreeOf(gridAligned(4));
    for (const y of [0, 1, 2.5, 4]) {
      const plus = octree.intersectRay(rayOf([-2, y, 1], [1, 0, 0]));
      const minus = octree.intersectRay(rayOf([-2, y, 1], [1, -0, -0]));
      expect(minus.map(({ body, distance }) => [body.data, distance])).toEqual(
        plus.map(({ body, distance }) => [body.data, distance]),
      );
      expect(minus.length).toBeGreaterThan(0);
    }
  });

  it('D3 rays along an edge, in a face, through a corner and in the plane of a flat box hit', () => {
    const { octree } = octreeOf([unit, [5, 5, 5, 7, 5, 7]]);
    expect(dataOf(octree.intersectRay(rayOf([-1, 1, 1], [1, 0, 0])))).toEqual([0]);
    expect(dataOf(octree.intersectRay(rayOf([-1, 1, 0.5], [2, 0, 0])))).toEqual([0]);
    expect(dataOf(octree.intersectRay(rayOf([0, 2, 1], [1, -1, 0])))).toEqual([0]);
    expect(dataOf(octree.intersectRay(rayOf([2, 2, 2], [-1, -1, -1])))).toEqual([0]);
    expect(dataOf(octree.intersectRay(rayOf([0, 5, 6], [1, 0, 0])))).toEqual([1]);
    expect(dataOf(octree.intersectRay(rayOf([4, 5, 5], [1, 0, 1])))).toEqual([1]);
  });

  it('D4 a ray that starts inside or on the surface reports inside, distance 0, its origin as position and a zero normal', () => {
    const { octree } = octreeOf([unit, [0.5, 0.5, 0.5, 0.5]]);
    for (const x of [0, 0.5, 1]) {
      for (const record of octree.intersectRay(rayOf([x, 0.5, 0.5], [0.3, 0.2, -5]))) {
        expect([record.inside, record.distance, record.position.toArray(), record.normal.toArray()]).toEqual([
          true,
          0,
          [x, 0.5, 0.5],
          [0, 0, 0],
        ]);
      }
      expect(octree.intersectRay(rayOf([x, 0.5, 0.5], [0.3, 0.2, -5]))).toHaveLength(2);
    }
  });

  it('D5 a direction of length 0 is rejected', () => {
    const { octree } = octreeOf([unit]);
    for (const direction of [
      [0, 0, 0],
      [-0, 0, -0],
    ]) {
      expectRejection(
        octree,
        () => octree.intersectRay(rayOf([0, 0, 0], direction)),
        RangeError,
        /intersectRay.*direction.*length 0/,
      );
      expectRejection(
        octree,
        () => octree.firstHit(rayOf([0, 0, 0], direction)),
        RangeError,
        /firstHit.*direction.*length 0/,
      );
    }
  });

  it('D6 NaN and infinite numbers in origin or direction are rejected before a node is visited', () => {
    const { octree } = octreeOf(uniform(100, 1));
    const stats = { nodesVisited: 7, nodesContained: 7, bodiesTested: 7, bodiesReported: 7 };
    for (const value of [NaN, Infinity, -Infinity]) {
      for (let offset = 0; offset < 6; offset++) {
        const numbers = [0, 0, 0, 1, 1, 1].map((number, i) => (i === offset ? value : number));
        const ray: RayLike = rayOf(numbers, numbers.slice(3));
        const field = `${offset < 3 ? 'origin' : 'direction'}\\.${'xyz'[offset % 3]}`;
        expectRejection(
          octree,
          () => octree.intersectRay(ray, { stats }),
          RangeError,
          new RegExp(`intersectRay.*${field}.*${value}`),
        );
      }
    }
    expect(stats.nodesVisited).toBe(7);
  });

  it('D7 distances are in world units for directions of any length', () => {
    const { octree } = octreeOf([cube(10, 0, 0)]);
    for (const length of [4.5, 1e-5, 1e5])
      expect(distances(octree.intersectRay(rayOf([0, 0, 0], [length, 0, 0])))).toEqual([9.5]);
    const [record] = octree.intersectRay(rayOf([0, 0, 0], [8, 0.3, 0.3]));
    expect(record.position.length()).toBeCloseTo(record.distance, 12);
  });

  it('D8 tiny and denormal components of a direction give finite results', () => {
    const { octree } = octreeOf([cube(10, 0, 0), [20, 0, 0, 1], cube(0, 30, 0)]);
    for (const direction of [
      [1e-38, 1e-45, 0],
      [5e-324, 0, 0],
      [1e-320, 5e-324, 0],
      [1, 5e-324, -5e-324],
      [1e300, 1e-300, 0],
    ]) {
      const records = octree.intersectRay(rayOf([0, 0, 0], direction));
      expect(dataOf(records)).toEqual([0, 1]);
      for (const [i, distance] of [9.5, 19].entries()) expect(records[i].distance).toBeCloseTo(distance, 4);
      for (const { position, normal } of records)
        expect([...position.toArray(), ...normal.toArray()].every(Number.isFinite)).toBe(true);
    }
  });

  it('D9 near and far are a closed interval, also for far = 0 and near = far; negative numbers and NaN are rejected', () => {
    const { octree } = octreeOf([cube(10, 0, 0), cube(0, 0, 0)]);
    const ray = rayOf([0, 0, 0], [1, 0, 0]);
    expect(dataOf(octree.intersectRay(ray, { far: 0 }))).toEqual([1]);
    expect(dataOf(octree.intersectRay(ray, { far: 9.5 }))).toEqual([0, 1]);
    expect(dataOf(octree.intersectRay(ray, { near: 9.5, far: 9.5 }))).toEqual([0]);
    expect(octree.intersectRay(ray, { near: 5, far: 4 })).toEqual([]);
    for (const value of [-1, NaN, -Infinity]) {
      expectRejection(octree, () => octree.intersectRay(ray, { far: value }), RangeError, /intersectRay.*far/);
      expectRejection(octree, () => octree.firstHit(ray, { near: value }), RangeError, /firstHit.*near/);
    }
  });

  it('D10 firstHit is the first record of intersectRay for rays almost parallel to a splitting plane', () => {
    const { octree } = octreeOf(
      gridAligned(8).map((shape) => shape.map((value) => value * 2 - 8)),
      { leafCapacity: 1 },
    );
    const random = createRandom(1);
    for (let i = 0; i < 400; i++) {
      const tiny = random.pick([1e-18, 1e-12, -1e-12, 1e-7, -1e-7]);
      const ray = rayOf(
        [random.pick([-20, 0, 0.5]), random.pick([0, tiny, -4, 2]), random.pick([0, 1, -2])],
        [random.pick([1, -1]), tiny, random.pick([0, -tiny])],
      );
      const all = octree.intersectRay(ray);
      expect(octree.firstHit(ray)?.body).toBe(all[0]?.body);
    }
  });

  it('D11 results at equal distances are ordered by index', () => {
    const { octree } = octreeOf(Array.from({ length: 50 }, (_, i) => [5, -i, -i, 6, i + 1, i + 1]));
    for (let round = 0; round < 5; round++) {
      expect(octree.intersectRay(rayOf([0, 0.5, 0.5], [1, 0, 0])).map(({ body }) => body.index)).toEqual(
        Array.from({ length: 50 }, (_, i) => i),
      );
      octree.update();
    }
  });

  it('D14 rays to unit spheres from a distance of 1e8 hit what brute force hits', () => {
    const twin = new Twin();
    for (let i = 0; i < 200; i++) twin.insert([i * 3, 0, 0, 1]);
    const random = createRandom(2);
    let hits = 0;
    for (let i = 0; i < 400; i++) {
      const direction = [random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)];
      const length = Math.sqrt(direction.reduce((sum, value) => sum + value * value, 0));
      const target = [random.below(200) * 3, random.between(-1.2, 1.2), random.between(-1.2, 1.2)];
      const origin = target.map((value, axis) => value - (direction[axis] / length) * 1e8);
      twin.expectQuery({ kind: 'ray', origin, direction });
      hits += twin.octree.intersectRay(rayOf(origin, direction)).length;
    }
    expect(hits).toBeGreaterThan(200);
  });

  it('D15 a segment at coordinates of 1e7, given by origin, direction and far, ends at far', () => {
    const { octree } = octreeOf([cube(1e7 + 10, 1e7, 1e7)]);
    const [from, to] = [
      [1e7, 1e7, 1e7],
      [1e7 + 9.5, 1e7, 1e7],
    ];
    const direction = to.map((value, axis) => value - from[axis]);
    expect(octree.intersectRay(rayOf(from, direction), { far: 9.5 })).toHaveLength(1);
    expect(octree.intersectRay(rayOf(from, direction), { far: 9.4999 })).toHaveLength(0);
  });
});
