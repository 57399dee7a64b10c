import { Box3, Sphere } from 'three';
import { describe, expect, it } from 'vitest';
import type { BoxLike, SphereLike } from '../../src/index.ts';
import { nearest, Octree } from '../../src/index.ts';
import { LIMIT, neighbour } from '../support/nasty-numbers.ts';
import { dataOf, octreeOf, region } from '../support/octrees.ts';
import { expectRejection, stateOf } from '../support/rejects.ts';
import { translated, uniform } from '../support/scenes.ts';
import { boxOf, cube, point, rayOf, sphereOf } from '../support/shapes.ts';
import { validate } from '../../src/debug/index.ts';

const BOX_FIELDS = ['min.x', 'min.y', 'min.z', 'max.x', 'max.y', 'max.z'];

/** The unit box with one number replaced. */
function boxWith(offset: number, value: number): BoxLike {
  return boxOf([0, 0, 0, 1, 1, 1].map((coordinate, i) => (i === offset ? value : coordinate)));
}

function sceneAt(zero: number): object {
  const { octree } = octreeOf(
    [[zero, zero, zero, zero, zero, zero], [zero, zero, zero, 0], cube(-5, -5, -5), cube(5, 5, 5)],
    { leafCapacity: 1, looseness: 1 },
  );
  octree.insert(boxOf([zero, -5, zero, zero, zero, 5]), 4);
  return [stateOf(octree), dataOf(octree.intersectPoint({ x: zero, y: zero, z: zero })), octree.statistics];
}

describe('nasty A: numbers in bounds', () => {
  it('A1 insert rejects NaN in each coordinate of a box and names the field; queries still find the other bodies', () => {
    const { octree } = octreeOf(uniform(200, 1));
    for (const [offset, field] of BOX_FIELDS.entries()) {
      expectRejection(
        octree,
        () => octree.insert(boxWith(offset, NaN), 0),
        RangeError,
        new RegExp(`insert.*${field}.*NaN`),
      );
    }
    for (let i = 0; i < 100; i++) octree.insert(boxOf(cube(0, 0, 0)), 1000 + i);
    expect(octree.intersectPoint({ x: 0, y: 0, z: 0 }).length).toBeGreaterThanOrEqual(100);
  });

  it('A2 setBox and setSphere reject NaN, and the body keeps its bounds', () => {
    const { octree, bodies } = octreeOf(uniform(200, 1));
    for (const [offset, field] of BOX_FIELDS.entries()) {
      expectRejection(
        octree,
        () => bodies[7].setBox(boxWith(offset, NaN)),
        RangeError,
        new RegExp(`setBox.*${field}.*NaN`),
      );
    }
    expectRejection(
      octree,
      () => bodies[7].setSphere({ center: { x: 0, y: NaN, z: 0 }, radius: 1 }),
      RangeError,
      /setSphere.*center\.y.*NaN/,
    );
    expect(octree.has(bodies[7])).toBe(true);
  });

  it('A3 insert and setBox reject infinite bounds', () => {
    const { octree, bodies } = octreeOf(uniform(50, 1));
    for (const value of [Infinity, -Infinity]) {
      for (let offset = 0; offset < 6; offset++)
        expectRejection(
          octree,
          () => octree.insert(boxWith(offset, value), 0),
          RangeError,
          /insert.*(finite|empty).*Infinity/,
        );
      expectRejection(octree, () => bodies[0].setBox(boxWith(3, value)), RangeError, /finite|empty/);
    }
  });

  it('A4 insert rejects boxes with min above max, and the empty Box3 and Sphere of three', () => {
    const { octree } = octreeOf(uniform(50, 1));
    for (let axis = 0; axis < 3; axis++) {
      expectRejection(
        octree,
        () => octree.insert(boxWith(axis, 1.5), 0),
        RangeError,
        new RegExp(
          `^Octree\\.insert: the box is empty, because min\\.${'xyz'[axis]}, 1\\.5, is above max\\.${'xyz'[axis]}, 1; leave empty boxes out\\.$`,
        ),
      );
    }
    expectRejection(
      octree,
      () => octree.insert(new Box3(), 0),
      RangeError,
      /insert: the box is empty.*min\.x, Infinity/,
    );
    expectRejection(octree, () => octree.insert(new Sphere(), 0), RangeError, /insert.*radius.*-1/);
  });

  it('A5 queries that touch a point or a flat box find it', () => {
    const { octree } = octreeOf([
      [3, 3, 3, 3, 3, 3],
      [0, 5, 0, 10, 5, 10],
      [7, 7, 7, 0],
    ]);
    expect(dataOf(octree.intersectPoint(point([3, 3, 3])))).toEqual([0]);
    expect(dataOf(octree.intersectBox(boxOf([5, 5, 5, 6, 6, 6])))).toEqual([1]);
    expect(dataOf(octree.intersectRay(rayOf([4, 0, 4], [0, 1, 0])))).toEqual([1]);
    expect(dataOf(octree.intersectRay(rayOf([7, 0, 7], [0, 1, 0])))).toEqual([1, 2]);
    expect(dataOf(octree.intersectSphere(sphereOf([7, 8, 7, 1])))).toEqual([2]);
  });

  it.each([1, 2])('A6 a flat box in a splitting plane is found once, from both sides: looseness %d', (looseness) => {
    const shapes = [[8, 2, 2, 8, 14, 14], cube(4, 4, 4), cube(12, 12, 12), cube(4, 12, 4), cube(12, 4, 4)];
    const { octree } = octreeOf(shapes, { looseness, leafCapacity: 1, region: region(0, 16) });
    expect(dataOf(octree.intersectBox(boxOf([7, 5, 5, 8, 6, 6])))).toEqual([0]);
    expect(dataOf(octree.intersectBox(boxOf([8, 5, 5, 9, 6, 6])))).toEqual([0]);
    expect(dataOf(octree.intersectRay(rayOf([0, 8, 8], [1, 0, 0])))).toEqual([0]);
    expect(dataOf(octree.intersectRay(rayOf([16, 8, 8], [-1, 0, 0])))).toEqual([0]);
    expect(dataOf(octree.intersectRay(rayOf([8, 0, 8], [0, 1, 0])))).toEqual([0]);
  });

  it('A7 coordinates of 2^50 are accepted and give finite distances; the next greater Float64 is rejected', () => {
    const { octree } = octreeOf([
      [-LIMIT, -LIMIT, -LIMIT, LIMIT, LIMIT, LIMIT],
      [LIMIT, LIMIT, LIMIT, LIMIT, LIMIT, LIMIT],
      [0, 0, 0, LIMIT],
      cube(1, 1, 1),
    ]);
    expect(dataOf(octree.intersectPoint(point([LIMIT, LIMIT, LIMIT])))).toEqual([0, 1]);
    expect(
      nearest(octree, point([-LIMIT, -LIMIT, -LIMIT]), 4).map(({ distance }) => Number.isFinite(distance)),
    ).toEqual([true, true, true, true]);
    expect(dataOf(octree.intersectRay(rayOf([-LIMIT, LIMIT, LIMIT], [1e-300, 0, 0])))).toEqual([0, 1]);
    for (const value of [LIMIT * (1 + 2 ** -52), 1e300, Number.MAX_VALUE]) {
      expectRejection(octree, () => octree.insert(boxWith(3, value), 0), RangeError, /insert.*max\.x.*2\^50/);
      expectRejection(
        octree,
        () => octree.insert({ center: { x: 0, y: 0, z: 0 }, radius: value }, 0),
        RangeError,
        /insert.*2\^50/,
      );
      expectRejection(
        octree,
        () => octree.intersectPoint({ x: value, y: 0, z: 0 }),
        RangeError,
        /intersectPoint.*x.*2\^50/,
      );
    }
  });

  it('A8 bounds are Float64: a point query separates two bodies one ULP apart at 1e7 + 0.3', () => {
    const x = 1e7 + 0.3;
    const { octree } = octreeOf([
      [x, 0, 0, x, 0, 0],
      [neighbour(x, 1), 0, 0, neighbour(x, 1), 0, 0],
      ...uniform(100, 1),
    ]);
    expect(dataOf(octree.intersectPoint({ x, y: 0, z: 0 }))).toEqual([0]);
    expect(dataOf(octree.intersectPoint({ x: neighbour(x, 1), y: 0, z: 0 }))).toEqual([1]);
    expect(octree.intersectPoint({ x: neighbour(x, -1), y: 0, z: 0 })).toEqual([]);
  });

  it.each([2 ** 20, 2 ** 30, -(2 ** 40)])(
    'A9 a scene translated by %d gives the same results as at the origin',
    (offset) => {
      const shapes = uniform(300, 1).map((shape) => shape.map((value) => Math.round(value * 8) / 8));
      const near = octreeOf(shapes).octree;
      const far = octreeOf(translated(shapes, offset)).octree;
      for (let i = 0; i < 50; i++) {
        const spot = shapes[i].slice(0, 3);
        const query = [...spot, ...spot.map((value) => value + 6)];
        expect(dataOf(far.intersectBox(boxOf(query.map((value) => value + offset))))).toEqual(
          dataOf(near.intersectBox(boxOf(query))),
        );
        const hits = far.intersectRay(
          rayOf(
            spot.map((value) => value + offset - 50),
            [1, 1, 1],
          ),
        );
        expect(hits.map(({ body }) => body.data)).toEqual(
          near
            .intersectRay(
              rayOf(
                spot.map((value) => value - 50),
                [1, 1, 1],
              ),
            )
            .map(({ body }) => body.data),
        );
      }
    },
  );

  it('A10 -0 equals 0 in bounds, in queries and in the choice of an octant', () => {
    expect(JSON.stringify(sceneAt(-0))).toBe(JSON.stringify(sceneAt(0)));
  });

  it('A11 queries are exact one ULP to either side of a splitting plane, and for denormal coordinates', () => {
    for (const plane of [0, 1, 8, -4, 2 ** 20]) {
      for (const x of [neighbour(plane, -1), plane, neighbour(plane, 1)]) {
        const { octree } = octreeOf([[x, 0, 0, x, 0, 0], cube(-15, 0, 0), cube(13, 0, 0), cube(2, 0, 0)], {
          leafCapacity: 1,
          looseness: 1,
        });
        for (const query of [neighbour(plane, -1), plane, neighbour(plane, 1)]) {
          expect(dataOf(octree.intersectPoint({ x: query, y: 0, z: 0 })).includes(0)).toBe(query === x);
        }
        expect(validate(octree)).toEqual([]);
      }
    }
  });

  it('A12 insert throws a TypeError that names the field for strings, null, missing coordinates and flat arrays', () => {
    const { octree } = octreeOf(uniform(20, 1));
    const wrong: [unknown, RegExp][] = [
      [{ min: { x: '1', y: 0, z: 0 }, max: { x: 1, y: 1, z: 1 } }, /insert.*min\.x.*string/],
      [{ min: { x: 0, y: 0 }, max: { x: 1, y: 1, z: 1 } }, /insert.*min\.z.*undefined/],
      [{ min: null, max: { x: 1, y: 1, z: 1 } }, /insert.*min.*null/],
      [{ min: { x: 0, y: 0, z: 0 } }, /insert.*max.*undefined/],
      [{ center: { x: 0, y: 0, z: 0 } }, /insert.*radius.*undefined/],
      [{ center: [0, 0, 0], radius: 1 }, /insert.*center.*array/],
      [[0, 0, 0, 1, 1, 1], /insert/],
      [null, /insert.*null/],
      [undefined, /insert.*undefined/],
      ['box', /insert.*string/],
      [{}, /insert.*min.*max.*center.*radius/],
    ];
    for (const [bounds, sentence] of wrong)
      expectRejection(octree, () => octree.insert(bounds as BoxLike, 0), TypeError, sentence);
  });

  it('A13 a sphere of radius 0 is a point; negative, NaN and infinite radii are rejected', () => {
    const octree = new Octree<number>();
    octree.insert(sphereOf([1, 2, 3, 0]), 0);
    octree.insert(sphereOf([1, 2, 3, -0]), 1);
    expect(dataOf(octree.intersectPoint({ x: 1, y: 2, z: 3 }))).toEqual([0, 1]);
    expect(octree.intersectPoint({ x: 1, y: 2, z: neighbour(3, 1) })).toEqual([]);
    for (const radius of [-1, -Number.MIN_VALUE, NaN, Infinity, -Infinity]) {
      const sphere: SphereLike = { center: { x: 0, y: 0, z: 0 }, radius };
      expectRejection(octree, () => octree.insert(sphere, 0), RangeError, /insert.*radius/);
      expectRejection(octree, () => octree.bodyAt(0).setSphere(sphere), RangeError, /setSphere.*radius/);
    }
  });
});
