import { describe, expect, it } from 'vitest';
import { intersectPairs, Octree } from '../../src/index.ts';
import { dataOf, octreeOf } from '../support/octrees.ts';
import { createRandom } from '../support/random.ts';
import { expectRejection, stateOf } from '../support/rejects.ts';
import { uniform } from '../support/scenes.ts';
import { boxOf, cube } from '../support/shapes.ts';
import { validate } from '../../src/debug/index.ts';

const all = boxOf(cube(0, 0, 0, 1e6));
const origin = { x: 0, y: 0, z: 0 };

describe('nasty B: mutation and handles', () => {
  it('B1 the same bounds and data inserted twice are two bodies, each removed by its own handle', () => {
    const octree = new Octree<object>();
    const data = {};
    const bounds = boxOf(cube(0, 0, 0));
    const [first, second] = [octree.insert(bounds, data), octree.insert(bounds, data)];
    expect(octree.intersectPoint(origin)).toHaveLength(2);
    first.remove();
    expect(octree.intersectPoint(origin).map(({ body }) => body)).toEqual([second]);
    second.remove();
    expect(octree.intersectPoint(origin)).toEqual([]);
  });

  it('B2 removing twice returns false and changes nothing', () => {
    const { octree, bodies } = octreeOf(uniform(200, 1));
    octree.update();
    bodies[100].remove();
    octree.update();
    const before = stateOf(octree);
    for (let i = 0; i < 5; i++) expect(bodies[100].remove()).toBe(false);
    expect(stateOf(octree)).toEqual(before);
    expect(octree.size).toBe(199);
  });

  it('B3 an unknown index is rejected, and has() is false for a body of another octree', () => {
    const { octree } = octreeOf(uniform(20, 1));
    const other = octreeOf(uniform(40, 2));
    expect(octree.has(other.bodies[3])).toBe(false);
    for (const index of [20, -1, 1.5, 2 ** 32, NaN]) {
      expectRejection(octree, () => octree.bodyAt(index), RangeError, /bodyAt.*index/);
      expectRejection(octree, () => octree.dataAt(index), RangeError, /dataAt.*index/);
      expectRejection(octree, () => octree.removeMany([0, index]), RangeError, /removeMany.*ind/);
      expectRejection(octree, () => octree.moveMany([0, index], new Float64Array(12)), RangeError, /moveMany.*ind/);
    }
  });

  it('B4 a handle of a removed body never refers to the body that reuses its index', () => {
    const { octree, bodies } = octreeOf([cube(0, 0, 0)]);
    let stale = bodies[0];
    const handles = [stale];
    for (let i = 1; i < 300; i++) {
      stale.remove();
      octree.update();
      const next = octree.insert(boxOf(cube(i, 0, 0)), i);
      expect(next.index).toBe(0);
      expect(handles.some((handle) => octree.has(handle) || handle.index !== -1 || handle.remove())).toBe(false);
      expect(() => handles[i - 1].setBox(boxOf(cube(5, 5, 5)))).toThrow(/removed/);
      expect(dataOf(octree.intersectBox(all))).toEqual([i]);
      handles.push(next);
      stale = next;
    }
  });

  it('B5 a move after removal throws, and the body stays removed', () => {
    const { octree, bodies } = octreeOf(uniform(20, 1));
    octree.update();
    bodies[3].remove();
    expectRejection(octree, () => bodies[3].setBox(boxOf(cube(0, 0, 0))), Error, /setBox.*removed/);
    octree.update();
    expectRejection(octree, () => bodies[3].setBox(boxOf(cube(0, 0, 0))), Error, /setBox.*removed/);
    expect(dataOf(octree.intersectBox(all))).not.toContain(3);
  });

  it('B6 a body that is inserted and removed before the flush is in no result', () => {
    const { octree } = octreeOf(uniform(20, 1));
    octree.update();
    const body = octree.insert(boxOf(cube(0, 0, 0)), 99);
    const { index } = body;
    body.remove();
    expect(dataOf(octree.intersectBox(all))).not.toContain(99);
    expect(() => octree.bodyAt(index)).toThrow(RangeError);
    octree.update();
    const next = octree.insert(boxOf(cube(0, 0, 0)), 100);
    expect(dataOf(octree.intersectBox(all))).toContain(100);
    expect([octree.has(body), octree.has(next)]).toEqual([false, true]);
  });

  it('B7 the last of several moves of a pending body counts', () => {
    const { octree } = octreeOf([]);
    const body = octree.insert(boxOf(cube(0, 0, 0)), 0);
    for (let i = 1; i <= 10; i++) body.setBox(boxOf(cube(i * 10, 0, 0)));
    for (let i = 0; i < 10; i++) expect(octree.intersectPoint({ x: i * 10, y: 0, z: 0 })).toEqual([]);
    expect(octree.intersectPoint({ x: 100, y: 0, z: 0 })).toHaveLength(1);
  });

  it('B8 queries find pending bodies, and pending bodies form pairs', () => {
    const { octree } = octreeOf(uniform(20, 1));
    octree.update();
    octree.insert(boxOf(cube(500, 0, 0)), 50);
    octree.insert(boxOf(cube(500.5, 0, 0)), 51);
    expect(intersectPairs(octree).some(({ body, other }) => body.data === 50 && other!.data === 51)).toBe(true);
  });

  it('B9 the caller may change a bounds object after the call', () => {
    const octree = new Octree<number>();
    const bounds = { min: { x: 0, y: 0, z: 0 }, max: { x: 1, y: 1, z: 1 } };
    const body = octree.insert(bounds, 0);
    bounds.min.x = NaN;
    octree.update();
    expect(validate(octree)).toEqual([]);
    bounds.min.x = 5;
    bounds.max.x = 6;
    body.setBox(bounds);
    bounds.max.x = -7;
    expect(octree.intersectPoint({ x: 6, y: 1, z: 1 })).toHaveLength(1);
    body.remove();
    expect(octree.intersectBox(all)).toEqual([]);
  });

  it('B10 firstHit and pairs use the new bounds after a small move inside a node', () => {
    const { octree, bodies } = octreeOf([
      cube(0, 0, 0, 1),
      cube(3, 0, 0, 1),
      ...uniform(100, 1).map((shape) => shape.map((value) => value + 500)),
    ]);
    octree.update();
    const hits = (): number[] => [
      intersectPairs(octree).filter(({ body }) => body.data === 0).length,
      octree.firstHit({ origin: { x: 10, y: 0, z: 0 }, direction: { x: -1, y: 0, z: 0 } })!.distance,
    ];
    expect(hits()).toEqual([0, 6]);
    bodies[1].setBox(boxOf(cube(2, 0, 0, 1)));
    expect(hits()).toEqual([1, 7]);
    bodies[1].setBox(boxOf(cube(2.0001, 0, 0, 1)));
    expect(hits()).toEqual([0, 10 - 3.0001]);
  });

  it('B11 a body that jumps across all levels in each tick is found at its new position only', () => {
    const { octree, bodies } = octreeOf(uniform(200, 1), { leafCapacity: 2 });
    const random = createRandom(3);
    let x = bodies[0].data;
    for (let tick = 0; tick < 200; tick++) {
      const previous = x;
      x = 1000 + random.between(0, 1) * 4 ** random.below(20);
      bodies[0].setBox(boxOf(cube(x, -x, x, random.pick([0, 1, 100]))));
      octree.update();
      expect(dataOf(octree.intersectPoint({ x, y: -x, z: x }))).toEqual([0]);
      if (Math.abs(previous - x) > 101)
        expect(octree.intersectPoint({ x: previous, y: -previous, z: previous })).toEqual([]);
    }
    expect(validate(octree)).toEqual([]);
  });

  it('B12 a body that crosses a splitting plane in each tick is found, and fewer than 10 nodes are created', () => {
    const { octree, bodies } = octreeOf([cube(-3, -3, 3), cube(3, 3, 3), cube(-3, -3, -3), cube(3, -3, -3)], {
      leafCapacity: 1,
      looseness: 1,
    });
    octree.update();
    for (let tick = 0; tick < 500; tick++) {
      bodies[0].setBox(boxOf(cube(tick % 2 === 0 ? 3 : -3, -3, 3)));
      octree.update();
      expect(octree.intersectPoint({ x: tick % 2 === 0 ? 3 : -3, y: -3, z: 3 })).toHaveLength(1);
    }
    expect(octree.statistics.nodesCreated).toBeLessThan(10);
    expect(validate(octree)).toEqual([]);
  });

  it('B13 a body that leaves the region and returns is found at every position', () => {
    const { octree, bodies } = octreeOf(uniform(50, 1));
    octree.update();
    for (const x of [0, 1e3, 1e6, 1e12, -1e15, 0]) {
      bodies[7].setBox(boxOf(cube(x, 77, 0)));
      expect(dataOf(octree.intersectPoint({ x, y: 77, z: 0 }))).toEqual([7]);
      octree.update();
    }
    expect(octree.intersectBox(boxOf(cube(0, 0, 0, 100)))).toHaveLength(50);
    expect(validate(octree)).toEqual([]);
  });

  it('B14 a body that grows beyond its cell, or shrinks to a point, is found', () => {
    const { octree, bodies } = octreeOf(uniform(200, 1), { leafCapacity: 2 });
    for (const half of [0, 1, 10, 60, 1000, 0.1, 0, 50, 0]) {
      bodies[0].setBox(boxOf(cube(1, 2, 3, half)));
      octree.update();
      expect(dataOf(octree.intersectPoint({ x: 1 + half, y: 2, z: 3 }))).toContain(0);
      expect(validate(octree)).toEqual([]);
    }
  });
});
