import { Box3 } from 'three';
import { beforeAll, describe, expect, it } from 'vitest';
import { BruteForce } from '../../src/debug/index.ts';
import { collectPairs, IndexList, intersectPairs, nearest, Octree } from '../../src/index.ts';
import { neighbour } from '../support/nasty-numbers.ts';
import { collected, dataOf, octreeOf, region } from '../support/octrees.ts';
import { expectRejection } from '../support/rejects.ts';
import { gridAligned, uniform } from '../support/scenes.ts';
import { boxOf, cube, planesOf, point, sphereOf } from '../support/shapes.ts';
import { Twin } from '../support/twin.ts';
import { freeMemories } from '../support/wasm.ts';

beforeAll(freeMemories);

/** The unit box with one number replaced. */
function boxWith(offset: number, value: number): number[] {
  return [0, 0, 0, 1, 1, 1].map((number, i) => (i === offset ? value : number));
}

describe('nasty D: boxes, spheres, nearest, pairs', () => {
  it('D12 intersectBox rejects NaN and infinite boxes; a box without volume finds what it touches', () => {
    const { octree } = octreeOf(uniform(50, 1));
    for (let offset = 0; offset < 6; offset++) {
      for (const value of [NaN, offset < 3 ? -Infinity : Infinity]) {
        expectRejection(
          octree,
          () => octree.intersectBox(boxOf(boxWith(offset, value))),
          RangeError,
          new RegExp(`intersectBox.*${offset < 3 ? 'min' : 'max'}\\.${'xyz'[offset % 3]}`),
        );
      }
    }
    const flat = octreeOf([[0, 0, 0, 2, 2, 2]]).octree;
    expect(flat.intersectBox(boxOf([2, 2, 2, 2, 2, 2]))).toHaveLength(1);
    expect(flat.intersectBox(boxOf([neighbour(2, 1), 0, 0, neighbour(2, 1), 2, 2]))).toHaveLength(0);
  });

  it.each([0, Infinity])('D12 an empty box, also of bodies around it, touches nothing: simdFrom %d', (simdFrom) => {
    const { octree } = octreeOf([...uniform(200, 1), cube(0, 0, 0, 500), [0, 0, 0, 500]], { simdFrom });
    const twin = new BruteForce();
    twin.setBox(0, cube(0, 0, 0, 500));
    twin.setSphere(1, [0, 0, 0, 500]);
    const nearlyEmpty = [0, 1, 2].map((axis) => boxWith(axis, neighbour(1, 1)));
    for (const numbers of [
      [1, 1, 1, -1, -1, -1].map((sign) => sign * Infinity),
      [5, 5, 5, -5, -5, -5],
      [0, 0, 5, 1, 1, 4],
      ...nearlyEmpty,
    ]) {
      for (const candidates of [false, true]) {
        expect(octree.intersectBox(boxOf(numbers), { candidates })).toEqual([]);
        expect(octree.collectBox(boxOf(numbers), new IndexList(), { candidates })).toBe(0);
      }
      expect(twin.box(numbers)).toEqual([]);
    }
    expect(twin.box(boxWith(0, 1))).toHaveLength(2);
    expect(octree.intersectBox(new Box3())).toEqual([]);
    expect(octree.intersectBox(boxOf(boxWith(0, 1)))).not.toEqual([]);
  });

  it('D13 intersectSphere is exact for radius 0, for touching spheres and for radii whose square overflows; it rejects other radii', () => {
    const { octree } = octreeOf([
      [0, 0, 0, 1, 1, 1],
      [10, 0, 0, 2],
    ]);
    expect(dataOf(octree.intersectSphere(sphereOf([1, 1, 1, 0])))).toEqual([0]);
    expect(dataOf(octree.intersectSphere(sphereOf([4, 5, 1, 5])))).toEqual([0]);
    expect(dataOf(octree.intersectSphere(sphereOf([10, 5, 0, 3])))).toEqual([1]);
    expect(octree.intersectSphere(sphereOf([10, 5, 0, neighbour(3, -1)]))).toEqual([]);
    for (const radius of [1e155, 1e300, Number.MAX_VALUE])
      expect(dataOf(octree.intersectSphere(sphereOf([0, 0, 0, radius])))).toEqual([0, 1]);
    for (const radius of [-1, -Number.MIN_VALUE, NaN, Infinity]) {
      expectRejection(
        octree,
        () => octree.intersectSphere(sphereOf([0, 0, 0, radius])),
        RangeError,
        /intersectSphere.*radius/,
      );
    }
  });

  it.each([1, 1.5, 2])(
    'D16 pairs are reported once, without self pairs, smaller index first, also across faces of cells: looseness %d',
    (looseness) => {
      const shapes = [...gridAligned(5), [0, 0, 0, 5, 5, 5], [2, 2, 2, 1], cube(2, 2, 2, 2.5), [3, 3, 3, 3, 3, 3]];
      const twin = new Twin({ looseness, leafCapacity: 1, region: region(-8, 16) });
      for (const shape of shapes) twin.insert(shape);
      twin.expectQuery({ kind: 'pairs' });
      const written = collected((list) => collectPairs(twin.octree, list));
      const names = new Set<string>();
      for (let i = 0; i < written.length; i += 2) {
        expect(written[i]).toBeLessThan(written[i + 1]);
        names.add(`${written[i]}+${written[i + 1]}`);
      }
      expect(names.size).toBe(written.length / 2);
      expect(names.size).toBeGreaterThan(1000);
    },
  );

  it('D17 a body that touches 200 others pairs with each of them, in all parts of the tree', () => {
    const { octree } = octreeOf(
      [
        [-100, -1, -100, 100, 0, 100],
        ...Array.from({ length: 200 }, (_, i) => cube((i % 20) * 10 - 95, 0.5, Math.floor(i / 20) * 20 - 90)),
      ],
      { leafCapacity: 2 },
    );
    const pairs = intersectPairs(octree);
    expect(pairs).toHaveLength(200);
    expect(pairs.every(({ body }) => body.data === 0)).toBe(true);
  });

  it('D18 nearest() stops at its count and leaves no state for the next query', () => {
    const { octree } = octreeOf(uniform(300, 1));
    const at = point([1, 2, 3]);
    const full = nearest(octree, at, 300).map(({ body }) => body.index);
    for (const count of [1, 2, 3, 299, 300, 301]) {
      expect(nearest(octree, at, count).map(({ body }) => body.index)).toEqual(full.slice(0, count));
      expect(nearest(octree, at, 1)[0].body.index).toBe(full[0]);
    }
    for (const count of [-1, 1.5, NaN, Infinity])
      expectRejection(octree, () => nearest(octree, at, count), RangeError, /nearest.*count/);
    expectRejection(octree, () => nearest(octree, at, '3' as never), TypeError, /nearest.*count/);
    for (const maxDistance of [-1, NaN])
      expectRejection(octree, () => nearest(octree, at, 1, { maxDistance }), RangeError, /nearest.*maxDistance/);
  });

  it('D19 touching, concentric and point-sized bodies give finite distances in every query', () => {
    const octree = new Octree<number>();
    for (let i = 0; i < 60; i++)
      octree.insert(i % 2 === 0 ? sphereOf([i % 7, 0, 0, i % 3]) : boxOf([i % 7, 0, 0, i % 7, i % 2, 0]), i);
    const records = [
      ...octree.intersectRay({ origin: point([-5, 0, 0]), direction: point([1, 0, 0]) }),
      ...octree.intersectRay({ origin: point([0, 0, 0]), direction: point([1, 0, 0]) }),
      ...octree.intersectSphere(sphereOf([0, 0, 0, 0])),
      ...octree.intersectSphere(sphereOf([0, 0, 0, 9])),
      ...octree.intersectPoint(point([0, 0, 0])),
      ...octree.intersectBox(boxOf([0, 0, 0, 0, 0, 0])),
      ...nearest(octree, point([0, 0, 0]), 100),
      ...intersectPairs(octree),
      ...octree.intersectFrustum(planesOf([[1, 0, 0, 0]])),
    ];
    expect(records.length).toBeGreaterThan(400);
    for (const { distance, position, normal } of records)
      expect([distance, ...position.toArray(), ...normal.toArray()].every(Number.isFinite)).toBe(true);
  });
});
