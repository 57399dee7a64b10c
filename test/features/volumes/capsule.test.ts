import { Line3, Vector3 } from 'three';
import { Capsule as ThreeCapsule } from 'three/addons/math/Capsule.js';
import { describe, expect, it } from 'vitest';
import type { CapsuleLike, IntersectionRecord, QueryStats, SegmentLike } from '../../../src/index.ts';
import { Capsule, castSphereAll, collect, IndexList, intersect, Octree, Segment } from '../../../src/index.ts';
import { neighbour } from '../../support/nasty-numbers.ts';
import { collected, dataOf, octreeOf } from '../../support/octrees.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { expectRejection } from '../../support/rejects.ts';
import { uniform } from '../../support/scenes.ts';
import { point, sphereOf, type Shape } from '../../support/shapes.ts';
import { searchTouch } from '../../support/touch-search.ts';

const unit = [0, 0, 0, 2, 2, 2];

function capsule(start: readonly number[], end: readonly number[], radius: number): CapsuleLike {
  return { start: point(start), end: point(end), radius };
}

function segment(start: readonly number[], end: readonly number[]): SegmentLike {
  return { start: point(start), end: point(end) };
}

/** A sphere of radius 1 on the x axis. */
function unitSphereAt(x: number): Shape {
  return [x, 0, 0, 1];
}

function touches(body: Shape, query: CapsuleLike): boolean {
  return intersect(octreeOf([body]).octree, new Capsule(query)).length === 1;
}

function crosses(body: Shape, query: SegmentLike): boolean {
  return intersect(octreeOf([body]).octree, new Segment(query)).length === 1;
}

function contact(body: Shape, query: CapsuleLike): object {
  const [{ position, normal, distance, inside, time }] = intersect(octreeOf([body]).octree, new Capsule(query));
  return {
    position: position.toArray(),
    normal: normal.toArray().map((value) => value + 0),
    distance: distance + 0,
    inside,
    time,
  };
}

function fieldsOf({ body, position, normal, distance, inside }: IntersectionRecord<number>): unknown {
  return [body.data, position.toArray(), normal.toArray(), distance, inside];
}

function randomPoint(random: Random, extent: number): number[] {
  return [0, 1, 2].map(() => random.between(-extent, extent));
}

describe('intersect with a Capsule', () => {
  it('counts touching a face, an edge and a corner of a box with its side, and nothing one ulp apart', () => {
    // 3, 4, 5 and 2, 3, 6, 7: all distances are whole numbers.
    expect(touches(unit, capsule([5, -9, 1], [5, 9, 1], 3))).toBe(true);
    expect(touches(unit, capsule([5, -9, 1], [5, 9, 1], neighbour(3, -1)))).toBe(false);
    expect(touches(unit, capsule([5, 6, -9], [5, 6, 9], 5))).toBe(true);
    expect(touches(unit, capsule([5, 6, -9], [5, 6, 9], neighbour(5, -1)))).toBe(false);
    // Perpendicular to (2, 3, 6), which leads from the corner to the middle of the axis.
    expect(touches(unit, capsule([7, 3, 8], [1, 7, 8], 7))).toBe(true);
    expect(touches(unit, capsule([7, 3, 8], [1, 7, 8], neighbour(7, -1)))).toBe(false);
  });

  it('counts touching with its round ends', () => {
    expect(touches(unit, capsule([5, 6, 1], [9, 9, 1], 5))).toBe(true);
    expect(touches(unit, capsule([9, 9, 1], [5, 6, 1], 5))).toBe(true);
    expect(touches(unit, capsule([9, 9, 1], [5, 6, 1], neighbour(5, -1)))).toBe(false);
    expect(touches(unit, capsule([9, 20, 9], [4, 5, 8], 7))).toBe(true);
    expect(touches(unit, capsule([9, 20, 9], [4, 5, 8], neighbour(7, -1)))).toBe(false);
  });

  it('tests a sphere body as a sphere, against its side and its ends', () => {
    expect(touches([0, 0, 0, 2], capsule([3, 4, -9], [3, 4, 9], 3))).toBe(true);
    expect(touches([0, 0, 0, 2], capsule([3, 4, -9], [3, 4, 9], 2.999))).toBe(false);
    expect(touches([0, 0, 0, 2], capsule([3, 4, 0], [9, 9, 0], 3))).toBe(true);
    expect(touches([0, 0, 0, 2], capsule([3, 4, 0], [9, 9, 0], 2.999))).toBe(false);
  });

  it('with equal ends gives the results and records of the sphere query', () => {
    const random = createRandom(5);
    const { octree } = octreeOf(uniform(300, 3));
    for (let k = 0; k < 100; k++) {
      const at = randomPoint(random, 60);
      const radius = random.pick([0, 1, 7, 30, 1e200]);
      expect(intersect(octree, new Capsule(capsule(at, at, radius))).map(fieldsOf)).toEqual(
        octree.intersectSphere(sphereOf([...at, radius])).map(fieldsOf),
      );
    }
  });

  it('is the same in both directions, wherever rounding cannot decide, and agrees with a search', () => {
    const random = createRandom(6);
    const counts = { hits: 0, misses: 0 };
    for (let k = 0; k < 250; k++) {
      const min = randomPoint(random, 4);
      const body =
        random.next() < 0.3
          ? [...min, random.between(0, 3)]
          : [...min, ...min.map((low) => low + random.pick([0, random.between(0, 4)]))];
      const [start, end] = [randomPoint(random, 4), randomPoint(random, 4)];
      const radius = random.pick([0, random.between(0, 3)]);
      const { least } = searchTouch(
        body,
        [...start, radius],
        end.map((value, axis) => value - start[axis]),
      );
      if (Math.abs(least) < 1e-6) continue;
      const { octree } = octreeOf([body]);
      const found = [capsule(start, end, radius), capsule(end, start, radius)].map(
        (query) => intersect(octree, new Capsule(query)).length,
      );
      expect(found).toEqual(least < 0 ? [1, 1] : [0, 0]);
      counts[least > 0 ? 'misses' : 'hits']++;
    }
    expect(Math.min(counts.hits, counts.misses)).toBeGreaterThan(25);
  });

  it('with an enormous radius finds every body, without overflow', () => {
    const { octree } = octreeOf([unit, [5, 5, 5, 1], [2 ** 50, 2 ** 50, 2 ** 50, 2 ** 50, 2 ** 50, 2 ** 50]]);
    for (const radius of [2 ** 54, 1e154, Number.MAX_VALUE]) {
      const records = intersect(octree, new Capsule(capsule([-(2 ** 50), 0, 0], [2 ** 50, 3, 0], radius)));
      expect(dataOf(records)).toEqual([0, 1, 2]);
      expect(records.every(({ inside, distance }) => inside && Number.isFinite(distance))).toBe(true);
    }
  });

  it('takes ends so near to each other that the squared length underflows', () => {
    expect(touches(unit, capsule([3, 1, 1], [3, 1 + 2 ** -52, 1], 1))).toBe(true);
    expect(touches([0, 0, 0, 0, 0, 0], capsule([0, 0, 0], [1e-200, 5e-324, 0], 0))).toBe(true);
    expect(touches([0, 0, 0, 0], capsule([1, 0, 0], [1, 1e-200, 0], 1))).toBe(true);
  });

  it('reports the contact with its sphere about the nearest point of the axis', () => {
    const record = { inside: false, time: 0 };
    expect(contact(unit, capsule([4, -9, 1], [4, 1, 1], 3))).toEqual({
      ...record,
      position: [2, 0.5, 1],
      normal: [1, 0, 0],
      distance: -1,
    });
    expect(contact(unit, capsule([5, 6, 1], [9, 9, 1], 5))).toEqual({
      ...record,
      position: [2, 2, 1],
      normal: [0.6, 0.8, 0],
      distance: 0,
    });
    expect(contact([0, 0, 0, 2], capsule([3, -9, 0], [3, 9, 0], 2))).toEqual({
      ...record,
      position: [2, 0, 0],
      normal: [1, 0, 0],
      distance: -1,
    });
    // A character that stands on a floor touches it below its centre, wherever the floor's middle is.
    expect(contact([-90, -1, -5, 10, 0, 5], capsule([3, 0.4, 1], [3, 1.4, 1], 0.5))).toMatchObject({
      position: [3, 0, 1],
      normal: [0, 1, 0],
    });
  });

  it('along a face or through a box reports the contact about the middle', () => {
    expect(contact(unit, capsule([-8, 3, 1], [1, 3, 1], 2))).toMatchObject({
      position: [0.5, 2, 1],
      normal: [0, 1, 0],
      distance: -1,
    });
    expect(contact(unit, capsule([-8, 1.5, 1], [8, 1.5, 1], 0.25))).toMatchObject({
      position: [1, 2, 1],
      normal: [0, 1, 0],
      distance: -0.75,
    });
    expect(contact(unit, capsule([1.5, 1, 1], [8, 1, 1], 0.25))).toMatchObject({
      position: [2, 1, 1],
      normal: [1, 0, 0],
      distance: -0.5,
    });
    // The axis passes through the centre of a sphere: +x is the convention.
    expect(contact([0, 0, 0, 2], capsule([0, -9, 0], [0, 9, 0], 1))).toMatchObject({
      position: [2, 0, 0],
      normal: [1, 0, 0],
      distance: -3,
    });
  });

  it('reports inside if the capsule contains the whole body, touching included', () => {
    expect(contact([-3, 3, 0, 3, 4, 3], capsule([-3, 0, 0], [3, 0, 0], 5))).toMatchObject({ inside: true });
    expect(contact([-3, 3, 0, 3, 4, 3], capsule([-3, 0, 0], [3, 0, 0], 4.999))).toMatchObject({ inside: false });
    expect(contact([-6, 0, 0, 6, 4, 0], capsule([-3, 0, 0], [3, 0, 0], 5))).toMatchObject({ inside: true });
    expect(contact([1, 1, 0, 1], capsule([-9, 0, 0], [9, 0, 0], 2))).toMatchObject({ inside: true });
    expect(contact([1, 1, 0, 1], capsule([-9, 0, 0], [9, 0, 0], 1.999))).toMatchObject({ inside: false });
  });

  it("takes three's Capsule, applies mask and filter, reuses a target, and reports candidates and costs", () => {
    const octree = new Octree<number>();
    for (const [k, x] of [0, 4, 8].entries()) octree.insert(sphereOf([x, 0, 0, 1]), k, { mask: k === 0 ? 1 : 2 });
    const row = new ThreeCapsule(new Vector3(0, 0, 0), new Vector3(8, 0, 0), 0);
    const target = intersect(octree, new Capsule(row));
    const [first] = target;
    expect(dataOf(target)).toEqual([0, 1, 2]);
    expect(dataOf(intersect(octree, new Capsule(row), { mask: 2, filter: ({ data }) => data !== 1 }, target))).toEqual([
      2,
    ]);
    expect(target[0]).toBe(first);
    // Passes the corners of all boxes and misses the spheres.
    const corner = capsule([0, 0.9, 0.9], [8, 0.9, 0.9], 0);
    const stats = {} as QueryStats;
    expect(intersect(octree, new Capsule(corner))).toEqual([]);
    expect(dataOf(intersect(octree, new Capsule(corner), { candidates: true, stats }))).toEqual([0, 1, 2]);
    expect(stats).toMatchObject({ bodiesTested: 3, bodiesReported: 3 });
  });

  it('names field, value and remedy of a wrong argument', () => {
    const { octree } = octreeOf([unit]);
    const valid = capsule([0, 0, 0], [1, 0, 0], 1);
    expectRejection(
      octree,
      () => intersect(octree, new Capsule(null as never)),
      TypeError,
      /^Capsule: capsule must be an object, but is null; pass a Capsule or \{start, end, radius\}\.$/,
    );
    expectRejection(
      octree,
      () => intersect(octree, new Capsule({ ...valid, end: 3 } as never)),
      TypeError,
      /^Capsule: capsule\.end must be an object, but is 3; pass a Vector3/,
    );
    expectRejection(
      octree,
      () => intersect(octree, new Capsule({ ...valid, radius: -1 })),
      RangeError,
      /^Capsule: capsule\.radius must be 0 or more, but is -1; a radius of 0 is a segment\.$/,
    );
    expectRejection(
      octree,
      () => intersect(octree, new Capsule({ ...valid, radius: Infinity })),
      RangeError,
      /^Capsule: capsule\.radius must be finite, but is Infinity;/,
    );
    expectRejection(
      octree,
      () => intersect(octree, new Capsule({ ...valid, start: { x: 0, y: NaN, z: 0 } })),
      RangeError,
      /^Capsule: capsule\.start\.y must be finite, but is NaN/,
    );
    expectRejection(
      octree,
      () => collect(octree, new Capsule({ ...valid, end: { x: 2 ** 51, y: 0, z: 0 } }), new IndexList()),
      RangeError,
      /^Capsule: capsule\.end\.x must lie within/,
    );
  });
});

describe('intersect with a Segment', () => {
  it('finds the bodies that the segment crosses or touches', () => {
    const { octree } = octreeOf([unit, [5, 5, 5, 1], [20, 20, 20, 21, 21, 21]]);
    expect(dataOf(intersect(octree, new Segment(segment([-1, -1, -1], [6, 6, 6]))))).toEqual([0, 1]);
    expect(collected((list) => collect(octree, new Segment(segment([-1, -1, -1], [0, 0, 0])), list))).toEqual([0]);
    expect(dataOf(intersect(octree, new Segment(new Line3(new Vector3(-1, 2, 1), new Vector3(9, 2, 1)))))).toEqual([0]);
    expect(intersect(octree, new Segment(segment([-1, neighbour(2, 1), 1], [9, neighbour(2, 1), 1])))).toEqual([]);
    expect(intersect(octree, new Segment(segment([-2, 1, 1], [-Number.MIN_VALUE, 1, 1])))).toHaveLength(1);
    expect(intersect(octree, new Segment(segment([-2, 1, 1], [-1e-15, 1, 1])))).toEqual([]);
  });

  it('crosses a box without thickness, at numbers that are not round', () => {
    const random = createRandom(8);
    for (let k = 0; k < 300; k++) {
      const z = random.between(-5, 5);
      const [start, end] = [randomPoint(random, 1), randomPoint(random, 1)];
      expect(
        crosses(
          [-9, -9, z, 9, 9, z],
          segment([start[0], start[1], z - random.next()], [end[0], end[1], z + random.next()]),
        ),
      ).toBe(true);
    }
  });

  it('runs along an edge, through a corner, and in the plane of a flat box', () => {
    expect(crosses(unit, segment([2, 2, -1], [2, 2, 9]))).toBe(true);
    expect(crosses(unit, segment([3, 3, 1], [1, 3, 3]))).toBe(false);
    expect(crosses(unit, segment([3, 1, 2], [1, 3, 2]))).toBe(true);
    expect(crosses([5, 5, 5, 7, 5, 7], segment([0, 5, 6], [9, 5, 6]))).toBe(true);
    expect(crosses([5, 5, 5, 5, 5, 5], segment([4, 4, 4], [6, 6, 6]))).toBe(true);
  });

  it('agrees with a ray that ends at its end, wherever rounding cannot decide', () => {
    const random = createRandom(9);
    const { octree } = octreeOf(uniform(400, 3, 40));
    let hits = 0;
    for (let k = 0; k < 100; k++) {
      const [start, end] = [randomPoint(random, 25), randomPoint(random, 25)].map(point);
      const direction = point([end.x - start.x, end.y - start.y, end.z - start.z]);
      const far = Math.hypot(direction.x, direction.y, direction.z);
      const records = intersect(octree, new Segment({ start, end }));
      expect(dataOf(records)).toEqual(dataOf(octree.intersectRay({ origin: start, direction }, { far })));
      expect(dataOf(records)).toEqual(dataOf(castSphereAll(octree, { center: start, radius: 0 }, direction)));
      hits += records.length;
    }
    expect(hits).toBeGreaterThan(100);
  });

  it('of length 0 is a point', () => {
    const { octree } = octreeOf(uniform(400, 3, 40));
    const random = createRandom(10);
    for (let k = 0; k < 50; k++) {
      const at = randomPoint(random, 20);
      expect(dataOf(intersect(octree, new Segment(segment(at, at))))).toEqual(dataOf(octree.intersectPoint(point(at))));
    }
  });

  it('names field, value and remedy of a wrong argument', () => {
    const { octree } = octreeOf([unit]);
    expectRejection(
      octree,
      () => intersect(octree, new Segment(7 as never)),
      TypeError,
      /^Segment: segment must be an object, but is 7; pass a Line3 or \{start, end\}\.$/,
    );
    expectRejection(
      octree,
      () => collect(octree, new Segment(segment([0, 0, 0], [0, Infinity, 0])), new IndexList()),
      RangeError,
      /^Segment: segment\.end\.y must be finite, but is Infinity/,
    );
  });

  it('may get other numbers, and be queried again, in a filter of its own query', () => {
    const { octree } = octreeOf([unitSphereAt(0), unitSphereAt(5), unitSphereAt(100)]);
    const volume = new Capsule(capsule([0, 0, 0], [6, 0, 0], 0.5));
    const expected = intersect(octree, volume).map(({ body, distance }) => [body.index, distance]);
    const inner: number[] = [];
    const records = intersect(octree, volume, {
      filter: () => {
        volume.set(capsule([100, 0, 0], [101, 0, 0], 0.25));
        inner.push(...intersect(octree, volume).map(({ body }) => body.index));
        return true;
      },
    });
    expect(records.map(({ body, distance }) => [body.index, distance])).toEqual(expected);
    expect(expected.map(([index]) => index)).toEqual([0, 1]);
    expect(inner).toEqual([2, 2]);
  });
});
