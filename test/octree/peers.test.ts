import { Box3, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import type { Body } from '../../src/index.ts';
import { nearest, Octree } from '../../src/index.ts';
import { collected, dataOf, octreeOf, ownerOf, region } from '../support/octrees.ts';
import { coincident, uniform } from '../support/scenes.ts';
import { boxOf, cube, rayOf } from '../support/shapes.ts';
import { validate } from '../../src/debug/index.ts';

const all = boxOf(cube(0, 0, 0, 1e9));
const origin = { x: 0, y: 0, z: 0 };

describe('wrong results of other libraries, not repeated here', () => {
  it('removing a body twice does not empty the tree', () => {
    const { octree, bodies } = octreeOf(uniform(200, 1));
    octree.update();
    bodies[5].remove();
    bodies[5].remove();
    expect(octree.intersectBox(all)).toHaveLength(199);
  });

  it('one NaN box does not hide the bodies inserted before it', () => {
    const { octree } = octreeOf(uniform(200, 1));
    expect(() => octree.insert(new Box3(new Vector3(NaN, 0, 0), new Vector3(1, 1, 1)), 200)).toThrow(RangeError);
    expect(octree.intersectBox(all)).toHaveLength(200);
  });

  it('10,000 identical boxes do not overflow the stack', () => {
    expect(octreeOf(coincident(10_000), { leafCapacity: 1 }).octree.intersectBox(all)).toHaveLength(10_000);
  });

  it('an axis-parallel ray in the plane of a face hits', () => {
    const { octree } = octreeOf([[0, 0, 0, 1, 1, 1]]);
    for (const at of [
      [-1, 0, 0.5],
      [-1, 1, 0.5],
      [-1, 0.5, 0],
      [-1, 1, 1],
    ])
      expect(octree.firstHit(rayOf(at, [1, 0, 0]))!.distance).toBe(1);
  });

  it('a body that moves out of the region is not lost', () => {
    const { octree, bodies } = octreeOf(uniform(50, 1), { region: region(-128, 256) });
    octree.update();
    bodies[0].setBox(boxOf(cube(1e6, 1e6, 1e6)));
    expect(dataOf(octree.intersectPoint({ x: 1e6, y: 1e6, z: 1e6 }))).toEqual([0]);
  });

  it('two bodies at one point do not overwrite each other', () => {
    expect(
      dataOf(
        octreeOf([
          [1, 1, 1, 1, 1, 1],
          [1, 1, 1, 1, 1, 1],
          [1, 1, 1, 0],
        ]).octree.intersectPoint({ x: 1, y: 1, z: 1 }),
      ),
    ).toEqual([0, 1, 2]);
  });

  it('bodies are hit before the first update', () => {
    expect(octreeOf([cube(5, 0, 0)]).octree.firstHit(rayOf([0, 0, 0], [1, 0, 0]))!.distance).toBe(4.5);
  });

  it("the caller's arrays of bounds and indices are neither reordered nor inflated", () => {
    const octree = new Octree<number>();
    const bounds = new Float64Array(uniform(300, 1).flatMap((shape) => cube(shape[0], shape[1], shape[2], 1)));
    const copy = bounds.slice();
    const indices = octree.insertMany(bounds, { kind: 'box' });
    const order = indices.slice();
    octree.update();
    octree.moveMany(indices, bounds);
    octree.update();
    expect(bounds).toEqual(copy);
    expect(indices).toEqual(order);
  });

  it('removed bodies are not hit, inserted ones are found, masks are respected', () => {
    const octree = new Octree<number>();
    const [first, second] = [
      octree.insert(boxOf(cube(0, 0, 0)), 0, { mask: 1 }),
      octree.insert(boxOf(cube(0, 0, 0)), 1, { mask: 2 }),
    ];
    octree.update();
    first.remove();
    expect(dataOf(octree.intersectPoint(origin))).toEqual([1]);
    octree.insert(boxOf(cube(0, 0, 0)), 2, { mask: 4 });
    expect(dataOf(octree.intersectPoint(origin))).toEqual([1, 2]);
    expect(dataOf(octree.intersectPoint(origin, { mask: second.mask }))).toEqual([1]);
  });

  it('indices stay exact: 200,000 bodies are distinct', () => {
    const octree = new Octree<number>();
    const bounds = new Float64Array(200_000 * 6);
    for (let i = 0; i < bounds.length; i++) bounds[i] = Math.floor(i / 6);
    const indices = octree.insertMany(bounds, { kind: 'box' });
    expect(collected((list) => octree.collectPoint({ x: 199_999, y: 199_999, z: 199_999 }, list))).toEqual([
      indices[199_999],
    ]);
    expect(new Set(indices).size).toBe(200_000);
  });
});

describe('why engines abandoned octrees, not repeated here', () => {
  it('tiny bodies far apart do not make the tree deep: the smallest cell limits it', () => {
    const { octree } = octreeOf(
      [
        [0, 0, 0, 1e-9, 1e-9, 1e-9],
        [1e-8, 0, 0, 1e-8, 0, 0],
        [1e9, 0, 0, 1e9, 0, 0],
      ],
      { leafCapacity: 1 },
    );
    octree.update();
    expect(octree.statistics.depth).toBeLessThanOrEqual(30);
    expect(octree.statistics.nodes).toBeLessThan(100);
  });

  it('the fast path of small moves loses nothing: many small moves add up to a large one', () => {
    const { octree, bodies } = octreeOf(uniform(300, 1), { leafCapacity: 4 });
    octree.update();
    for (let i = 1; i <= 4_000; i++) {
      bodies[0].setBox(boxOf(cube(i * 0.03, 0, 0, 0.01)));
      if (i % 7 === 0) octree.update();
      expect(octree.intersectPoint({ x: i * 0.03, y: 0, z: 0 }).some(({ body }) => body === bodies[0])).toBe(true);
      expect(octree.intersectPoint({ x: (i - 1) * 0.03, y: 0, z: 0 }).some(({ body }) => body === bodies[0])).toBe(
        false,
      );
    }
    expect(validate(octree)).toEqual([]);
  });

  it('a body that has become small sinks as deep as it can when it leaves its fat bounds', () => {
    const { octree, bodies } = octreeOf(uniform(300, 1), { leafCapacity: 1, looseness: 1, region: region(-128, 256) });
    for (let half = 20; half > 0.01; half *= 0.97) {
      bodies[0].setBox(boxOf(cube(33, 33, 33, half)));
      octree.update();
    }
    for (const x of [-90, 33]) {
      bodies[0].setBox(boxOf(cube(x, 33, 33, 0.01)));
      octree.update();
    }
    const { depth } = ownerOf(octree, bodies[0]);
    const fresh = octreeOf([cube(33, 33, 33, 0.01), ...uniform(300, 1).slice(1)], {
      leafCapacity: 1,
      looseness: 1,
      region: region(-128, 256),
    });
    expect(depth).toBeGreaterThanOrEqual(ownerOf(fresh.octree, fresh.bodies[0]).depth);
  });

  it('fat bounds are never reported: a moved body is tested with its exact bounds', () => {
    const { octree, bodies } = octreeOf([cube(0, 0, 0), cube(10, 0, 0)]);
    octree.update();
    for (let i = 1; i < 50; i++) {
      bodies[0].setBox(boxOf(cube(i * 0.01, 0, 0)));
      expect(octree.intersectBox(boxOf([i * 0.01 + 0.50001, 0, 0, 1, 1, 1]))).toEqual([]);
      expect(octree.firstHit(rayOf([-5, 0, 0], [1, 0, 0]))!.distance).toBeCloseTo(4.5 + i * 0.01, 12);
      expect(nearest(octree, { x: -5, y: 0, z: 0 }, 1)[0].distance).toBeCloseTo(4.5 + i * 0.01, 12);
    }
  });

  it('an index reused within one tick belongs to the new body only', () => {
    const octree = new Octree<number>();
    let body: Body<number> = octree.insert(boxOf(cube(0, 0, 0)), 0);
    octree.update();
    for (let i = 1; i < 50; i++) {
      body.remove();
      body = octree.insert(boxOf(cube(i * 10, 0, 0)), i);
      expect(dataOf(octree.intersectBox(all))).toEqual([i]);
      expect(octree.intersectPoint({ x: (i - 1) * 10, y: 0, z: 0 })).toEqual([]);
      if (i % 3 === 0) octree.update();
    }
    expect(validate(octree)).toEqual([]);
  });

  it('far objects do not vanish: a region that is too small grows', () => {
    const { octree } = octreeOf([cube(1e12, 1e12, 1e12, 1e6), cube(0, 0, 0)], { region: region(0, 1) });
    expect(dataOf(octree.intersectPoint({ x: 1e12, y: 1e12, z: 1e12 }))).toEqual([0]);
  });
});
