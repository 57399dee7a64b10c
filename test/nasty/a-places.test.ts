import { describe, expect, it } from 'vitest';
import { collected, dataOf, octreeOf, ownerOf, region, sketch } from '../support/octrees.ts';
import { coincident, gridAligned, uniform } from '../support/scenes.ts';
import { boxOf, cube, planesOf, planesOfBox, point, rayOf, sphereOf } from '../support/shapes.ts';
import { Twin } from '../support/twin.ts';
import { nearest } from '../../src/index.ts';
import { validate } from '../../src/debug/index.ts';

describe('nasty A: places in the world', () => {
  it('A14 bodies outside the region, across its boundary and larger than it are found', () => {
    const { octree } = octreeOf([cube(4, 4, 4), cube(100, 4, 4), [-5, 3, 3, 3, 5, 5], [-50, -50, -50, 50, 50, 50]], {
      region: region(0, 8),
    });
    expect(dataOf(octree.intersectBox(boxOf(cube(0, 0, 0, 1000))))).toEqual([0, 1, 2, 3]);
    expect(dataOf(octree.intersectPoint({ x: 100, y: 4, z: 4 }))).toEqual([1]);
    expect(dataOf(octree.intersectPoint({ x: -4, y: 4, z: 4 }))).toEqual([2, 3]);
    expect(validate(octree)).toEqual([]);
  });

  it('A15 the root grows by doublings, and depth and node count stay bounded', () => {
    const { octree, bodies } = octreeOf([cube(0.5, 0.5, 0.5, 0.25)]);
    octree.update();
    for (let level = 1; level < 49; level++) {
      const far = (level % 2 === 0 ? 1 : -1) * 2 ** level;
      octree.insert(boxOf([far, far, far, far, far, far]), level);
      octree.update();
      expect(octree.region!.edge).toBeLessThanOrEqual(2 ** (level + 3));
    }
    expect(octree.intersectBox(boxOf(cube(0, 0, 0, 2 ** 49)))).toHaveLength(49);
    expect(octree.statistics.nodes).toBeLessThan(49 * 8);
    expect(dataOf(octree.intersectPoint({ x: 0.5, y: 0.5, z: 0.5 }))).toEqual([0]);
    expect(ownerOf(octree, bodies[0]).edge).toBeGreaterThan(0);
    expect(validate(octree)).toEqual([]);
  });

  it.each([1, 1.5, 2])('A16 10,000 identical bodies share one cell of the smallest size: looseness %d', (looseness) => {
    const { octree, bodies } = octreeOf(coincident(10_000), { looseness });
    octree.insert(boxOf(cube(1000, 0, 0)), 10_000);
    expect(octree.intersectPoint({ x: 0.5, y: 0.5, z: 0.5 })).toHaveLength(10_000);
    expect(octree.statistics.depth).toBeLessThanOrEqual(11);
    expect(octree.statistics.nodes).toBeLessThan(100);
    expect(octree.firstHit(rayOf([-5, 0.5, 0.5], [1, 0, 0]))!.body.index).toBe(0);
    expect(nearest(octree, { x: 9, y: 0, z: 0 }, 3).map(({ body }) => body.index)).toEqual([0, 1, 2]);
    expect(octree.removeMany(bodies.map(({ index }) => index))).toBe(10_000);
    expect(octree.intersectPoint({ x: 0.5, y: 0.5, z: 0.5 })).toEqual([]);
    expect(validate(octree)).toEqual([]);
  });

  it.each([1, 2])(
    'A17 bodies that all cross a splitting plane of the root are found, and stats report the cost: looseness %d',
    (looseness) => {
      const shapes = uniform(2000, 1, 200).map((shape, i) =>
        shape.map((value, k) =>
          shape.length === 6 ? (k % 3 === i % 3 ? (k < 3 ? -0.5 : 0.5) : value) : k === i % 3 ? 0 : value,
        ),
      );
      const { octree } = octreeOf(shapes, { looseness, region: region(-128, 256) });
      const stats = { nodesVisited: 0, nodesContained: 0, bodiesTested: 0, bodiesReported: 0 };
      const twin = new Twin({ looseness, region: region(-128, 256) });
      for (const shape of shapes) twin.insert(shape);
      twin.expectQuery({ kind: 'box', box: cube(10, 0, 10, 5) });
      twin.expectQuery({ kind: 'ray', origin: [-100, 0, 3], direction: [1, 0, 0] });
      octree.intersectBox(boxOf(cube(10, 0, 10, 5)), { stats });
      expect(stats.bodiesTested).toBeLessThanOrEqual(2000);
      if (looseness === 2) expect(stats.bodiesTested).toBeLessThan(500);
    },
  );

  it.each([1, 2])('A18 every kind of query reports bodies that it only touches: looseness %d', (looseness) => {
    const { octree } = octreeOf(gridAligned(6), { looseness, leafCapacity: 1 });
    // The corner (3, 3, 3) belongs to eight cubes, an edge to four, a face to two.
    expect(octree.intersectPoint(point([3, 3, 3]))).toHaveLength(8);
    expect(octree.intersectPoint(point([3.5, 3, 3]))).toHaveLength(4);
    expect(octree.intersectPoint(point([3.5, 3.5, 3]))).toHaveLength(2);
    expect(octree.intersectBox(boxOf([3, 3, 3, 4, 4, 4]))).toHaveLength(27);
    expect(octree.intersectSphere(sphereOf([3, 3, 3, 0]))).toHaveLength(8);
    expect(octree.intersectSphere(sphereOf([3.5, 3.5, 3.5, 0.5]))).toHaveLength(7);
    expect(octree.intersectRay(rayOf([-1, 3, 3], [1, 0, 0]))).toHaveLength(24);
    expect(nearest(octree, point([3, 3, 3]), 216, { maxDistance: 0 })).toHaveLength(8);
    expect(collected((list) => octree.collectFrustum(planesOf(planesOfBox([3, 3, 3, 4, 4, 4])), list))).toHaveLength(
      27,
    );
  });

  it('A19 a body on a face, an edge or a corner of the region lies inside it', () => {
    for (const corner of [
      [16, 8, 8],
      [16, 16, 8],
      [16, 16, 16],
      [0, 0, 0],
      [0, 16, 8],
    ]) {
      const { octree } = octreeOf([[...corner, ...corner], cube(4, 4, 4), cube(12, 12, 12)], {
        region: region(0, 16),
        outside: 'throw',
        leafCapacity: 1,
      });
      expect(dataOf(octree.intersectPoint(point(corner)))).toEqual([0]);
      expect(sketch(octree)[0].edge).toBe(16);
      expect(validate(octree)).toEqual([]);
    }
  });
});
