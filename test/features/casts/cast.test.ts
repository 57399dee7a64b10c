import { Box3, Sphere, Vector3 } from 'three';
import { beforeAll, describe, expect, it } from 'vitest';
import type { IntersectionRecord, QueryStats } from '../../../src/index.ts';
import {
  castBox,
  castBoxAll,
  castSphere,
  castSphereAll,
  collectBoxCast,
  collectSphereCast,
  IndexList,
  Octree,
} from '../../../src/index.ts';
import { neighbour } from '../../support/nasty-numbers.ts';
import { collected, dataOf, octreeOf } from '../../support/octrees.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { expectRejection } from '../../support/rejects.ts';
import { gridAligned, uniform } from '../../support/scenes.ts';
import { boxOf, cube, point, sphereOf, type Shape } from '../../support/shapes.ts';
import { searchTouch } from '../../support/touch-search.ts';
import { freeMemories } from '../../support/wasm.ts';

beforeAll(freeMemories);

const unit = [0, 0, 0, 2, 2, 2];

function fieldsOf(record: IntersectionRecord<number> | null): object | null {
  if (record === null) return null;
  const { time, distance, position, normal, inside } = record;
  return { time, distance, position: position.toArray(), normal: normal.toArray().map((value) => value + 0), inside };
}

/** The hit of a moving sphere, or a moving box, on one body. */
function hit(body: Shape, shape: Shape, motion: readonly number[]): object | null {
  const { octree } = octreeOf([body]);
  return fieldsOf(
    shape.length === 4
      ? castSphere(octree, sphereOf(shape), point(motion))
      : castBox(octree, boxOf(shape), point(motion)),
  );
}

/** Whether a moving sphere touches the unit box. */
function passes(radius: number, start: readonly number[], motion: readonly number[]): boolean {
  return hit(unit, [...start, radius], motion) !== null;
}

/** Number of bodies that a query tests. */
function bodiesTested(query: (stats: QueryStats) => unknown): number {
  const stats = {} as QueryStats;
  query(stats);
  return stats.bodiesTested;
}

describe('castSphere', () => {
  it('hits the face of a box where the sphere touches it', () => {
    expect(hit(unit, [-5, 1, 1.5, 1], [16, 0, 0])).toEqual({
      time: 0.25,
      distance: 4,
      position: [0, 1, 1.5],
      normal: [-1, 0, 0],
      inside: false,
    });
    expect(hit(unit, [1, 12, 0, 2], [0, -32, 0])).toEqual({
      time: 0.25,
      distance: 8,
      position: [1, 2, 0],
      normal: [0, 1, 0],
      inside: false,
    });
  });

  it('rounds the edges and the corners of a box', () => {
    // 3, 4, 5 and 2, 3, 6, 7: all distances are whole numbers.
    expect(hit(unit, [13, 12, 1, 5], [-16, -12, 0])).toEqual({
      time: 0.5,
      distance: 10,
      position: [2, 2, 1],
      normal: [0.6, 0.8, 0],
      inside: false,
    });
    expect(hit(unit, [8, 11, 20, 7], [-8, -12, -24])).toEqual({
      time: 0.5,
      distance: 14,
      position: [2, 2, 2],
      normal: [2 / 7, 3 / 7, 6 / 7],
      inside: false,
    });
    // Slides past the corner: the boxes of both touch, the sphere does not.
    expect(hit(unit, [-9, 2.8, 2.8, 1], [18, 0, 0])).toBeNull();
    expect(hit(unit, [-9, 2.7, 2.7, 1], [18, 0, 0])).not.toBeNull();
  });

  it('hits a sphere with the sum of both radii', () => {
    expect(hit([0, 0, 0, 2], [-7, 4, 0, 3], [16, 0, 0])).toEqual({
      time: 0.25,
      distance: 4,
      position: [-1.2, 1.6, 0],
      normal: [-0.6, 0.8, 0],
      inside: false,
    });
    expect(hit([0, 0, 0, 2], [-7, 5, 0, 3], [14, 0, 0])).toEqual({
      time: 0.5,
      distance: 7,
      position: [0, 2, 0],
      normal: [0, 1, 0],
      inside: false,
    });
    expect(hit([0, 0, 0, 2], [-7, neighbour(5, 1), 0, 3], [14, 0, 0])).toBeNull();
  });

  it('counts touching in passing: a face, an edge, a corner', () => {
    expect(passes(3, [5, -9, 1], [0, 18, 0])).toBe(true);
    expect(passes(neighbour(3, -1), [5, -9, 1], [0, 18, 0])).toBe(false);
    expect(passes(5, [5, 6, -9], [0, 0, 18])).toBe(true);
    expect(passes(neighbour(5, -1), [5, 6, -9], [0, 0, 18])).toBe(false);
    // Perpendicular to (2, 3, 6), which leads from the corner to the middle of the way.
    expect(passes(7, [7, 3, 8], [-6, 4, 0])).toBe(true);
    expect(passes(neighbour(7, -1), [7, 3, 8], [-6, 4, 0])).toBe(false);
  });

  it('counts touching at the very end of the motion, and nothing one ulp before', () => {
    for (const length of [3, 49, 2 ** 20]) {
      expect(hit(unit, [-1 - length, 1, 1, 1], [length, 0, 0])).toMatchObject({ normal: [-1, 0, 0] });
      expect(hit(unit, [-1 - length, 1, 1, 1], [neighbour(length, -1), 0, 0])).toBeNull();
    }
    expect(hit(unit, [8, 11, 20, 7], [-4, -6, -12])).toMatchObject({ time: 1, distance: 14 });
  });

  it('a body that the sphere touches at its start has time 0, inside, no normal, and its nearest point to the centre', () => {
    const start = { time: 0, distance: 0, normal: [0, 0, 0], inside: true };
    expect(hit(unit, [1, 1, 1, 9], [5, 0, 0])).toEqual({ ...start, position: [1, 1, 1] });
    expect(hit(unit, [4, 1, 1, 2], [5, 0, 0])).toEqual({ ...start, position: [2, 1, 1] });
    expect(hit(unit, [neighbour(4, 1), 1, 1, 2], [5, 0, 0])).toBeNull();
    expect(hit([0, 0, 0, 2], [5, 0, 0, 3], [5, 0, 0])).toEqual({ ...start, position: [2, 0, 0] });
    expect(hit([0, 0, 0, 2], [0, 0, 0, 3], [5, 0, 0])).toEqual({ ...start, position: [0, 0, 0] });
  });

  it('with radius 0 is a ray that ends', () => {
    expect(hit(unit, [-2, 1, 1, 0], [4, 0, 0])).toEqual({
      time: 0.5,
      distance: 2,
      position: [0, 1, 1],
      normal: [-1, 0, 0],
      inside: false,
    });
    expect(hit(unit, [-2, 1, 1, 0], [1.999, 0, 0])).toBeNull();
    expect(hit([0, 0, 0, 0], [-2, 0, 0, 0], [4, 0, 0])).toEqual({
      time: 0.5,
      distance: 2,
      position: [0, 0, 0],
      normal: [-1, 0, 0],
      inside: false,
    });
    // A flat box, crossed at numbers that are not round; and in its plane.
    expect(hit([-1, -1, 0.3, 1, 1, 0.3], [0.1, 0.2, -0.7, 0], [0.1, 0.3, 1.3])).toMatchObject({ normal: [0, 0, -1] });
    // Where the time is rounded so that the point is not in the plane of the box.
    expect(hit([-9, -9, 4, 9, 9, 4], [0.1, 0.2, -1.8, 0], [0.1, 0.3, 8.8])).toMatchObject({ normal: [0, 0, -1] });
    expect(hit([-1, -1, 0.3, 1, 1, 0.3], [-3, 0.2, 0.3, 0], [4, 0, 0])).toEqual({
      time: 0.5,
      distance: 2,
      position: [-1, 0.2, 0.3],
      normal: [-1, 0, 0],
      inside: false,
    });
  });

  it('finds the thin wall that a step of the same length jumps over', () => {
    const { octree } = octreeOf([[100, -50, -50, 100.1, 50, 50]]);
    const bullet = new Sphere(new Vector3(0, 1, 2), 0.05);
    expect(octree.intersectSphere(new Sphere(new Vector3(800, 1, 2), 0.05))).toEqual([]);
    expect(castSphere(octree, bullet, new Vector3(800, 0, 0))).toMatchObject({
      time: 0.1249375,
      position: { x: 100, y: 1, z: 2 },
    });
  });
});

describe('castBox', () => {
  it('hits the face of a box, in the middle of the area in which both touch', () => {
    expect(hit(unit, [-6, 1, 1, -4, 9, 1.5], [16, 0, 0])).toEqual({
      time: 0.25,
      distance: 4,
      position: [0, 1.5, 1.25],
      normal: [-1, 0, 0],
      inside: false,
    });
    expect(hit(unit, [1, 6, 4, 1, 7, 9], [0, -8, -4])).toEqual({
      time: 0.5,
      distance: Math.sqrt(80) / 2,
      position: [1, 2, 2],
      normal: [0, 1, 0],
      inside: false,
    });
  });

  it('reports the normal of the face that is reached last, x before y before z on a tie', () => {
    expect(hit(unit, [-2, -3, 0, -1, -1, 1], [2, 1.5, 0])).toMatchObject({ normal: [0, -1, 0] });
    expect(hit(unit, [-2, -2, 0, -1, -1, 1], [2, 2, 0])).toMatchObject({ time: 0.5, normal: [-1, 0, 0] });
  });

  it('hits a sphere with its faces, edges and corners', () => {
    expect(hit([0, 0, 0, 2], [-9, -1, -1, -6, 1, 1], [16, 0, 0])).toEqual({
      time: 0.25,
      distance: 4,
      position: [-2, 0, 0],
      normal: [-1, 0, 0],
      inside: false,
    });
    expect(hit([0, 0, 0, 5], [-20, 4, -9, -11, 9, 9], [16, 0, 0])).toEqual({
      time: 0.5,
      distance: 8,
      position: [-3, 4, 0],
      normal: [-0.6, 0.8, 0],
      inside: false,
    });
    expect(hit([0, 0, 0, 7], [-20, 3, 6, -10, 9, 9], [16, 0, 0])).toEqual({
      time: 0.5,
      distance: 8,
      position: [-2, 3, 6],
      normal: [-2 / 7, 3 / 7, 6 / 7],
      inside: false,
    });
    expect(hit([0, 0, 0, 7], [-20, 3, 6.4, -10, 9, 9], [40, 0, 0])).toBeNull();
  });

  it('counts touching in passing, at the start and at the end', () => {
    expect(hit(unit, [-5, 2, 0, -4, 3, 1], [9, 0, 0])).toMatchObject({ normal: [-1, 0, 0] });
    expect(hit(unit, [-5, neighbour(2, 1), 0, -4, 3, 1], [9, 0, 0])).toBeNull();
    expect(hit(unit, [-5, 0, 0, -4, 3, 1], [4, 0, 0])).toMatchObject({ time: 1, distance: 4 });
    expect(hit(unit, [-5, 0, 0, -4, 3, 1], [neighbour(4, -1), 0, 0])).toBeNull();
    expect(hit(unit, [2, 0, 0, 4, 3, 1], [4, 0, 0])).toEqual({
      time: 0,
      distance: 0,
      position: [2, 1.5, 0.5],
      normal: [0, 0, 0],
      inside: true,
    });
  });
});

describe('shape casts', () => {
  const grid = gridAligned(6);

  it('order all hits by time, then index; the single form is the first of them', () => {
    const { octree } = octreeOf([cube(20, 0, 0), cube(10, 0.2, 0), cube(10, 0, 0), [30, 0, 0, 1], cube(0, 0, 0)]);
    const all = castSphereAll(octree, sphereOf([0, 0, 0, 0.5]), point([40, 0, 0]));
    expect(all.map(({ body }) => body.data)).toEqual([4, 1, 2, 0, 3]);
    expect(all.map(({ distance }) => distance)).toEqual([0, 9, 9, 19, 28.5]);
    expect(collected((list) => collectSphereCast(octree, sphereOf([0, 0, 0, 0.5]), point([40, 0, 0]), list))).toEqual([
      4, 1, 2, 0, 3,
    ]);
    expect(castSphere(octree, sphereOf([2, 0, 0, 0.5]), point([40, 0, 0]))!.body.data).toBe(1);
    expect(collected((list) => collectBoxCast(octree, boxOf(cube(2, 0, 0)), point([40, 0, 0]), list))).toEqual([
      1, 2, 0, 3,
    ]);
  });

  it('with a motion of length 0 find what the overlap query finds', () => {
    const { octree } = octreeOf(uniform(400, 3));
    const random = createRandom(4);
    for (const still of [point([0, 0, 0]), point([-0, 0, -0])]) {
      for (let k = 0; k < 100; k++) {
        const at = randomPoint(random, 60);
        const sphere = sphereOf([...at, random.pick([0, 1, 7, 30, 1e200])]);
        const box = boxOf([...at, ...at.map((value) => value + random.pick([0, 1, 9]))]);
        expect(dataOf(castSphereAll(octree, sphere, still))).toEqual(dataOf(octree.intersectSphere(sphere)));
        expect(dataOf(castBoxAll(octree, box, still))).toEqual(dataOf(octree.intersectBox(box)));
        for (const record of castBoxAll(octree, box, still))
          expect(record).toMatchObject({ time: 0, distance: 0, inside: true });
      }
    }
  });

  it('find what the shape touches at its start and at its end', () => {
    const { octree } = octreeOf([...uniform(400, 3), ...grid]);
    const random = createRandom(5);
    for (let k = 0; k < 200; k++) {
      const start = randomPoint(random, 60).map((value) => random.pick([value, Math.round(value)]));
      const motion = randomPoint(random, 60).map((value) => random.pick([value, Math.round(value), 0]));
      const end = start.map((value, axis) => value + motion[axis]);
      const radius = random.pick([0, 1, 2.5, 7]);
      const found = new Set(dataOf(castSphereAll(octree, sphereOf([...start, radius]), point(motion))));
      for (const at of [start, end])
        for (const data of dataOf(octree.intersectSphere(sphereOf([...at, radius])))) expect(found).toContain(data);
      const foundByBox = new Set(
        dataOf(castBoxAll(octree, boxOf([...start, ...start.map((value) => value + radius)]), point(motion))),
      );
      for (const at of [start, end])
        for (const data of dataOf(octree.intersectBox(boxOf([...at, ...at.map((value) => value + radius)]))))
          expect(foundByBox).toContain(data);
    }
  });

  it('agree with a search for the first time, wherever rounding cannot decide', () => {
    const random = createRandom(6);
    const counts = { hits: 0, misses: 0 };
    for (let k = 0; k < 800; k++) {
      const body = randomShape(random, 5);
      const shape = randomShape(random, 8);
      // Towards the body, roughly, and up to twice as far.
      const reach = random.between(0.2, 2);
      const motion = body.slice(0, 3).map((value, axis) => (value + random.between(-2, 4) - shape[axis]) * reach);
      const { first, least } = searchTouch(body, shape, motion);
      if (Math.abs(least) < 1e-6) continue;
      const record = hit(body, shape, motion) as { time: number; distance: number } | null;
      if (least > 0) expect(record).toBeNull();
      else expect(Math.abs(record!.time - first)).toBeLessThan(1e-4);
      counts[least > 0 ? 'misses' : 'hits']++;
    }
    expect(Math.min(counts.hits, counts.misses)).toBeGreaterThan(80);
  });

  it('take motions of any magnitude', () => {
    const { octree } = octreeOf([cube(10, 0, 0), [20, 0, 0, 1], [2 ** 50, 0, 0, 2 ** 50, 0, 0]]);
    for (const shape of [sphereOf([0, 0, 0, 0.5])]) {
      expect(dataOf(castSphereAll(octree, shape, point([2 ** 50, 0, 0])))).toEqual([0, 1, 2]);
      for (const motion of [
        [5e-324, 0, 0],
        [1e-200, 1e-170, -0],
        [1e-9, 0, 0],
      ])
        expect(castSphereAll(octree, shape, point(motion))).toEqual([]);
    }
    // Touching at the start, with squares that underflow; and a radius beyond all coordinates.
    expect(castSphereAll(octree, sphereOf([9, 0, 0, 0.5]), point([1e-200, 5e-324, 0]))).toHaveLength(1);
    expect(castSphereAll(octree, sphereOf([9, 0, 0, 1e200]), point([1, 0, 0]))).toHaveLength(3);
    expect(castSphere(octree, sphereOf([0, 0.9, 0, 0.5]), point([2 ** 40, 1e-12, 0]))!.body.data).toBe(0);
  });

  it("take three's Sphere, Box3 and Vector3, and apply mask, filter, candidates, stats and target", () => {
    const octree = new Octree<number>();
    for (const [k, x] of [0, 4, 8].entries()) octree.insert(sphereOf([x, 0, 0, 1]), k, { mask: k === 0 ? 1 : 2 });
    const sphere = new Sphere(new Vector3(-5, 0, 0), 0);
    const motion = new Vector3(20, 0, 0);
    const target = castSphereAll(octree, sphere, motion);
    const [first] = target;
    expect(dataOf(target)).toEqual([0, 1, 2]);
    expect(
      dataOf(castSphereAll(octree, sphere, motion, { mask: 2, filter: ({ data }) => data !== 1 }, target)),
    ).toEqual([2]);
    expect(target[0]).toBe(first);
    expect(castSphere(octree, sphere, motion, { mask: 2 })!.body.data).toBe(1);
    expect(castSphere(octree, sphere, motion, { filter: ({ data }) => data > 1 })!.body.data).toBe(2);
    expect(castSphere(octree, sphere, motion, { filter: () => false })).toBeNull();
    // Passes the corners of all boxes and misses the spheres.
    const stats = {} as QueryStats;
    const beside = new Box3(new Vector3(-5, 0.9, 0.9), new Vector3(-5, 0.9, 0.9));
    expect(castBoxAll(octree, beside, motion)).toEqual([]);
    expect(dataOf(castBoxAll(octree, beside, motion, { candidates: true, stats }))).toEqual([0, 1, 2]);
    expect(stats).toMatchObject({ bodiesTested: 3, bodiesReported: 3 });
    expect(castBox(octree, beside, motion, { candidates: true })!.body.data).toBe(0);
    for (const { time } of octree.intersectSphere(sphereOf([0, 0, 0, 9]))) expect(time).toBe(0);
  });

  it.each([0, Infinity])('cost little more than a ray: simdFrom %d', (simdFrom) => {
    const { octree } = octreeOf(uniform(5000, 7, 120), { simdFrom });
    const ray = bodiesTested((stats) =>
      octree.intersectRay({ origin: point([-120, 3, 4]), direction: point([1, 0.01, 0.02]) }, { stats }),
    );
    const all = bodiesTested((stats) =>
      castSphereAll(octree, sphereOf([-120, 3, 4, 0.5]), point([240, 2.4, 4.8]), { stats }),
    );
    const first = bodiesTested((stats) =>
      castSphere(octree, sphereOf([-120, 3, 4, 0.5]), point([240, 2.4, 4.8]), { stats }),
    );
    const short = bodiesTested((stats) =>
      castSphereAll(octree, sphereOf([0, 3, 4, 0.5]), point([12, 0.12, 0.24]), { stats }),
    );
    expect(all).toBeLessThan(2 * ray);
    expect(first).toBeLessThan(all);
    expect(short).toBeLessThan(all / 5);
  });

  it('name function, field, value and remedy of a wrong argument, before anything changes', () => {
    const { octree } = octreeOf([unit]);
    const sphere = sphereOf([0, 0, 0, 1]);
    const motion = point([1, 0, 0]);
    expectRejection(
      octree,
      () => castSphere(octree, null as never, motion),
      TypeError,
      /^castSphere: sphere must be an object, but is null; pass a Sphere/,
    );
    expectRejection(
      octree,
      () => castSphere(octree, sphereOf([0, 0, 0, -1]), motion),
      RangeError,
      /^castSphere: sphere\.radius must be 0 or more, but is -1;/,
    );
    expectRejection(
      octree,
      () => castSphereAll(octree, sphere, undefined as never),
      TypeError,
      /^castSphereAll: motion must be an object, but is undefined; pass a Vector3 or \{x, y, z\}\.$/,
    );
    expectRejection(
      octree,
      () => castBox(octree, boxOf(unit), point([NaN, 0, 0])),
      RangeError,
      /^castBox: motion\.x must be finite, but is NaN;/,
    );
    expectRejection(
      octree,
      () => castBoxAll(octree, boxOf([1, 0, 0, 0, 1, 1]), motion),
      RangeError,
      /^castBoxAll: the box is empty, because min\.x, 1, is above max\.x, 0;/,
    );
    expectRejection(
      octree,
      () => collectBoxCast(octree, boxOf(unit), point([2 ** 51, 0, 0]), new IndexList()),
      RangeError,
      /^collectBoxCast: motion\.x must lie within/,
    );
    expectRejection(
      octree,
      () => collectSphereCast(octree, sphere, motion, [] as never),
      TypeError,
      /^collectSphereCast: list must be an IndexList/,
    );
  });
});

function randomPoint(random: Random, extent: number): number[] {
  return [0, 1, 2].map(() => random.between(-extent, extent));
}

function randomShape(random: Random, extent: number): number[] {
  const min = randomPoint(random, extent);
  if (random.next() < 0.5) return [...min, random.pick([0, random.between(0, 3)])];
  return [...min, ...min.map((low) => low + random.pick([0, random.between(0, 4)]))];
}
