import { Box3, Ray, Vector3 } from 'three';
import { beforeAll, describe, expect, it } from 'vitest';
import type { QueryStats } from '../../../src/index.ts';
import { collectNearest, nearest, RayRange, Octree } from '../../../src/index.ts';
import { BruteForce } from '../../../src/debug/reference/brute-force.ts';
import { collected, octreeOf } from '../../support/octrees.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { expectRejection } from '../../support/rejects.ts';
import { uniform } from '../../support/scenes.ts';
import { boundsOf, boxOf, cube, rayOf, type Shape } from '../../support/shapes.ts';
import { IS_LONG } from '../../support/sampled.ts';
import { freeMemories } from '../../support/wasm.ts';

beforeAll(freeMemories);

const unit = [0, 0, 0, 2, 2, 2];

function fromRay(
  body: Shape,
  origin: readonly number[],
  direction: readonly number[],
  { near, far }: { readonly near?: number; readonly far?: number } = {},
): object | null {
  const [record] = nearest(octreeOf([body]).octree, new RayRange(rayOf(origin, direction), near, far), 1);
  if (record === undefined) return null;
  const { distance, alongRay, inside, position, normal } = record;
  return {
    distance,
    alongRay,
    inside,
    position: position.toArray(),
    normal: normal.toArray().map((value) => value + 0),
  };
}

function fromBox(body: Shape, box: readonly number[]): object {
  const [{ distance, inside, position, normal, alongRay }] = nearest(octreeOf([body]).octree, boxOf(box), 1);
  return {
    distance,
    alongRay,
    inside,
    position: position.toArray(),
    normal: normal.toArray().map((value) => value + 0),
  };
}

function distanceFromRay(
  body: Shape,
  origin: readonly number[],
  direction: readonly number[],
  { near, far }: { readonly near?: number; readonly far?: number } = {},
): number {
  return nearest(octreeOf([body]).octree, new RayRange(rayOf(origin, direction), near, far), 1)[0].distance;
}

describe('nearest, from a ray', () => {
  it('measures to a face, an edge and a corner of a box, and to a sphere', () => {
    // 3, 4, 5 and 2, 3, 6, 7: all distances are whole numbers.
    expect(fromRay(unit, [1, 5, -10], [0, 0, 1])).toEqual({
      distance: 3,
      alongRay: 10,
      inside: false,
      position: [1, 2, 0],
      normal: [0, 1, 0],
    });
    expect(fromRay(unit, [5, 6, -10], [0, 0, 1])).toMatchObject({ distance: 5, position: [2, 2, 0], alongRay: 10 });
    // The ray passes the corner (2, 2, 2) at (4, 5, 8).
    expect(fromRay(unit, [10, 1, 8], [-3, 2, 0])).toMatchObject({ distance: 7, position: [2, 2, 2] });
    expect(fromRay([0, 0, 0, 2], [-10, 5, 0], [1, 0, 0])).toEqual({
      distance: 3,
      alongRay: 10,
      inside: false,
      position: [0, 2, 0],
      normal: [0, 1, 0],
    });
  });

  it('starts at the origin and ends at far: behind and beyond, the ends count', () => {
    expect(fromRay(unit, [1, 1, 5], [0, 0, 1])).toMatchObject({ distance: 3, alongRay: 0, position: [1, 1, 2] });
    expect(fromRay(unit, [1, 1, -9], [0, 0, 1], { far: 4 })).toMatchObject({
      distance: 5,
      alongRay: 4,
      position: [1, 1, 0],
    });
    expect(fromRay(unit, [1, 1, -9], [0, 0, 1], { far: 0 })).toMatchObject({ distance: 9, alongRay: 0 });
    expect(fromRay(unit, [1, 1, -9], [0, 0, 1], { near: 12, far: 20 })).toMatchObject({ distance: 1, alongRay: 12 });
    expect(fromRay([0, 0, 0, 2], [9, 0, 0], [-1, 0, 0], { far: 4 })).toMatchObject({ distance: 3, alongRay: 4 });
    expect(fromRay(unit, [1, 1, -9], [0, 0, 1], { near: 3, far: 2 })).toBeNull();
  });

  it('is at distance 0 of what the ray hits, where it enters: position on the ray, no normal', () => {
    expect(fromRay(unit, [1, 1, -9], [0, 0, 4])).toEqual({
      distance: 0,
      alongRay: 9,
      inside: true,
      position: [1, 1, 0],
      normal: [0, 0, 0],
    });
    expect(fromRay([0, 0, 0, 2], [-9, 0, 0], [1, 0, 0])).toEqual({
      distance: 0,
      alongRay: 7,
      inside: true,
      position: [-2, 0, 0],
      normal: [0, 0, 0],
    });
    expect(fromRay(unit, [1, 1, 1], [0, 1, 0])).toMatchObject({ distance: 0, alongRay: 0, position: [1, 1, 1] });
    expect(fromRay([0, 0, 0, 2], [1, 0, 0], [1, 0, 0])).toMatchObject({
      distance: 0,
      alongRay: 0,
      position: [1, 0, 0],
    });
  });

  it('is at distance 0 of what it only touches: along a face and an edge, through a corner, a flat box, a point', () => {
    expect(distanceFromRay(unit, [-5, 2, 1], [1, 0, 0])).toBe(0);
    expect(distanceFromRay(unit, [-5, 2, 2], [1, 0, 0])).toBe(0);
    expect(distanceFromRay(unit, [3, 1, 2], [-1, 1, 0])).toBe(0);
    expect(fromRay([-3, -3, 5, 3, 3, 5], [0.1, 0.2, 0], [0.01, 0.02, 1])).toMatchObject({ distance: 0, inside: true });
    expect(fromRay([0, 0, 5, 0, 0, 5], [0, 0, 0], [0, 0, 1])).toMatchObject({ distance: 0, alongRay: 5 });
    expect(distanceFromRay(unit, [2, 1, 1], [1, 0, 0])).toBe(0);
  });

  it('reports the first of the points of a ray that are equally near', () => {
    expect(fromRay(unit, [-10, 5, 1], [1, 0, 0])).toMatchObject({ distance: 3, alongRay: 10, position: [0, 2, 1] });
    expect(fromRay(unit, [1, 5, 1], [1, 0, 0])).toMatchObject({ distance: 3, alongRay: 0, position: [1, 2, 1] });
  });

  it('takes a direction of any length, and far numbers', () => {
    const expected = fromRay(unit, [-4, 5, 6], [2, 1, -2]);
    for (const scale of [1e-200, 1e-9, 7, 1e200])
      expect(fromRay(unit, [-4, 5, 6], [2 * scale, scale, -2 * scale])).toEqual(expected);
    expect(distanceFromRay(unit, [1, 5, -1e6], [0, 0, 1])).toBe(3);
    expect(distanceFromRay([1e6, 1e6, 1e6, 1e6 + 1, 1e6 + 1, 1e6 + 1], [1e6, 1e6 - 4, -1e6], [0, 0, 1])).toBe(4);
    expect(distanceFromRay(unit, [1, 5, -1e15], [0, 0, 1], { far: 1e300 })).toBe(3);
    expect(distanceFromRay(unit, [0, 0, 0], [0, 0, 1], { near: 1e300 })).toBe(2 ** 54 - 2);
    // An almost parallel direction, whose crossings of the other planes are far away.
    expect(distanceFromRay(unit, [1, 5, -9], [1e-300, 0, 1])).toBe(3);
  });

  it('equals a search for the least distance that shares no formula', () => {
    const random = createRandom(3);
    for (let k = 0; k < (IS_LONG ? 2000 : 500); k++) {
      const scale = random.pick([1, 100, 1e6]);
      const numbers = (count: number): number[] =>
        Array.from({ length: count }, () =>
          random.pick([random.between(-scale, scale), 0, Math.round(random.between(-3, 3))]),
        );
      const body = randomBody(random, numbers);
      const origin = numbers(3);
      const direction = numbers(3);
      if (!direction.some((component) => component !== 0)) direction[1] = -1;
      const far = random.pick([Infinity, Infinity, scale / 2]);
      const [{ distance, alongRay, position }] = nearest(
        octreeOf([body]).octree,
        new RayRange(rayOf(origin, direction), 0, far),
        1,
      );
      const found = searchRay(body, origin, direction, Math.min(far, 20 * scale));
      expect(Math.abs(distance - found), JSON.stringify({ k, origin, direction, far, body })).toBeLessThan(
        1e-9 * scale + 1e-6 * found,
      );
      const length = Math.hypot(...direction);
      const onRay = new Vector3(...origin).addScaledVector(new Vector3(...direction), alongRay / length);
      expect(Math.abs(onRay.distanceTo(position) - distance)).toBeLessThan(1e-9 * scale);
      expect(distanceToShape(body, position.toArray())).toBeLessThan(1e-9 * scale);
    }
  });

  it('orders by distance, then index, and obeys count, maxDistance, mask, filter and except', () => {
    const { octree, bodies } = octreeOf([cube(5, 4, 0), cube(9, -4, 0), cube(2, 0, 0), [20, 3, 0, 1], cube(7, 8, 0)]);
    const ray = new RayRange(new Ray(new Vector3(), new Vector3(1, 0, 0)));
    expect(nearest(octree, ray, 9).map(({ body, distance }) => [body.data, distance])).toEqual([
      [2, 0],
      [3, 2],
      [0, 3.5],
      [1, 3.5],
      [4, 7.5],
    ]);
    expect(nearest(octree, ray, 3).map(({ body }) => body.data)).toEqual([2, 3, 0]);
    expect(nearest(octree, ray, 9, { maxDistance: 2 }).map(({ body }) => body.data)).toEqual([2, 3]);
    expect(
      nearest(octree, new RayRange(new Ray(new Vector3(), new Vector3(1, 0, 0)), 0, 10), 9, { maxDistance: 3 }).map(
        ({ body }) => body.data,
      ),
    ).toEqual([2]);
    expect(
      nearest(octree, ray, 2, { filter: ({ data }) => data !== 3, except: bodies[2] }).map(({ body }) => body.data),
    ).toEqual([0, 1]);
    expect(nearest(octree, ray, 2, { mask: 0 })).toEqual([]);
    expect(nearest(octree, ray, 0)).toEqual([]);
    const records = nearest(octree, ray, 2);
    expect(records[0].ray?.direction.toArray()).toEqual([1, 0, 0]);
    expect(nearest(octree, ray, 2, {}, records)).toBe(records);
    expect(nearest(new Octree(), ray, 3)).toEqual([]);
  });

  it('may be the start of another query in a filter', () => {
    const { octree } = octreeOf([cube(5, 4, 0), cube(9, -4, 0), cube(2, 0, 0)]);
    const ray = new RayRange(rayOf([0, 0, 0], [1, 0, 0]));
    const inner: number[] = [];
    const found = nearest(octree, ray, 3, { filter: () => inner.push(nearest(octree, ray, 1)[0].body.data) > 0 });
    expect([found.map(({ body }) => body.data), new Set(inner)]).toEqual([[2, 0, 1], new Set([2])]);
  });

  it('visits few nodes', () => {
    const { octree } = octreeOf(uniform(5000, 4), { simdFrom: 0 });
    const stats: QueryStats = { nodesVisited: 0, nodesContained: 0, bodiesTested: 0, bodiesReported: 0 };
    nearest(octree, new RayRange(rayOf([-500, 3, 4], [1, 0.1, 0.2])), 4, { stats });
    expect(stats.bodiesReported).toBe(4);
    expect(stats.bodiesTested).toBeLessThan(1000);
  });
});

describe('nearest, from a box', () => {
  it('measures between faces, edges and corners, and to spheres', () => {
    expect(fromBox(unit, [5, 0, 0, 6, 1, 1])).toEqual({
      distance: 3,
      alongRay: 0,
      inside: false,
      position: [2, 0.5, 0.5],
      normal: [1, 0, 0],
    });
    expect(fromBox(unit, [5, 6, 0, 7, 7, 2])).toMatchObject({ distance: 5, position: [2, 2, 1] });
    expect(fromBox(unit, [4, 5, 8, 9, 9, 9])).toMatchObject({ distance: 7, position: [2, 2, 2] });
    expect(fromBox([0, 0, 0, 2], [4, -1, -1, 5, 1, 1])).toEqual({
      distance: 2,
      alongRay: 0,
      inside: false,
      position: [2, 0, 0],
      normal: [1, 0, 0],
    });
  });

  it('is at distance 0 of what it touches, contains or lies in', () => {
    for (const box of [
      [2, 0, 0, 3, 1, 1],
      [-1, -1, -1, 3, 3, 3],
      [0.5, 0.5, 0.5, 1, 1, 1],
      [1, 1, 1, 1, 1, 1],
    ]) {
      expect(fromBox(unit, box)).toMatchObject({ distance: 0, inside: true, normal: [0, 0, 0] });
      expect(fromBox([1, 1, 1, 1], box)).toMatchObject({ distance: 0, inside: true, normal: [0, 0, 0] });
    }
  });

  it('of a box without extent finds what a point finds', () => {
    const { octree } = octreeOf(uniform(300, 5));
    const place = new Vector3(3, -7, 20);
    expect(collected((list) => collectNearest(octree, new Box3(place, place), 20, list))).toEqual(
      collected((list) => collectNearest(octree, place, 20, list)),
    );
  });

  it.each([0, Infinity])('equals a loop, also among many bodies, simdFrom %d', (simdFrom) => {
    const shapes = uniform(1500, 6);
    const { octree } = octreeOf(shapes, { simdFrom });
    const reference = new BruteForce();
    for (const [index, shape] of shapes.entries()) {
      if (shape.length === 6) reference.setBox(index, shape);
      else reference.setSphere(index, shape);
    }
    const random = createRandom(7);
    for (let k = 0; k < 60; k++) {
      const corner = [0, 1, 2].map(() => random.between(-600, 600));
      const box = [...corner, ...corner.map((low) => low + random.pick([0, 5, 300]))];
      for (const count of [1, 8, 200])
        expect(collected((list) => collectNearest(octree, boxOf(box), count, list))).toEqual(
          reference.nearest({ box }, count).map(({ index }) => index),
        );
    }
  });
});

describe('nearest, invalid', () => {
  it('rejects what is no point, box or ray, and names it', () => {
    const { octree } = octreeOf([unit]);
    expectRejection(
      octree,
      () => nearest(octree, null as never, 1),
      TypeError,
      /nearest: point .*Vector3, a Box3 or a RayRange/,
    );
    expectRejection(
      octree,
      () => nearest(octree, { min: { x: 1, y: 0, z: 0 }, max: { x: 0, y: 1, z: 1 } }, 1),
      RangeError,
      /nearest: the box is empty/,
    );
    expectRejection(
      octree,
      () => nearest(octree, rayOf([0, 0, 0], [0, 0, 1]) as never, 1),
      TypeError,
      /^nearest: point must be a point or a box, but is a ray; pass new RayRange\(ray\)\.$/,
    );
    expectRejection(octree, () => new RayRange(rayOf([0, 0, 0], [0, 0, 0])), RangeError, /^RayRange: ray\.direction/);
    expectRejection(
      octree,
      () => new RayRange(rayOf([0, 0, 0], [0, 0, 1]), 0, -1),
      RangeError,
      /^RayRange: far must be 0 or more, but is -1/,
    );
    const range = new RayRange(rayOf([1, 5, -10], [0, 0, 1]));
    expectRejection(octree, () => range.set(rayOf([9, 9, 9], [0, 0, 1]), NaN), RangeError, /^RayRange\.set: near/);
    expect(nearest(octree, range, 1)[0].distance).toBe(3);
    expect(nearest(octree, range.set(rayOf([1, 6, -10], [0, 0, 1])), 1)[0].distance).toBe(4);
    expectRejection(octree, () => nearest(octree, new Vector3(), -1), RangeError, /nearest: count/);
  });
});

function randomBody(random: Random, numbers: (count: number) => number[]): Shape {
  const corner = numbers(3);
  return random.next() < 0.5
    ? [...corner, ...corner.map((low) => low + Math.abs(numbers(1)[0]))]
    : [...corner, Math.abs(numbers(1)[0])];
}

function distanceToShape(shape: Shape, point: readonly number[]): number {
  if (shape.length === 4) return Math.max(0, Math.hypot(...point.map((value, axis) => value - shape[axis])) - shape[3]);
  const bounds = boundsOf(shape);
  return Math.hypot(...point.map((value, axis) => value - Math.min(Math.max(value, bounds[axis]), bounds[axis + 3])));
}

/**
 * The least distance: the distance of a point that moves along a line from a convex body is a convex function, so
 * thirds of an interval can be left out.
 */
function searchRay(shape: Shape, origin: readonly number[], direction: readonly number[], far: number): number {
  const length = Math.hypot(...direction);
  const at = (t: number): number =>
    distanceToShape(
      shape,
      origin.map((value, axis) => value + (direction[axis] / length) * t),
    );
  let [low, high] = [0, far];
  for (let k = 0; k < 200; k++) {
    const [a, b] = [low + (high - low) / 3, high - (high - low) / 3];
    if (at(a) <= at(b)) high = b;
    else low = a;
  }
  return Math.min(at(0), at(far), at((low + high) / 2));
}
