import { inspect } from 'node:util';
import { Box3, Sphere, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { Octree } from '../../src/index.ts';
import { dataOf, octreeOf } from '../support/octrees.ts';
import { boxOf, cube, sphereOf } from '../support/shapes.ts';
import { uniform } from '../support/scenes.ts';
import { validate } from '../../src/debug/index.ts';

describe('Body', () => {
  it('has index, data, mask and kind', () => {
    const octree = new Octree<string>();
    const box = octree.insert(boxOf(cube(0, 0, 0)), 'a box');
    const sphere = octree.insert(sphereOf([5, 0, 0, 1]), 'a sphere', { mask: 6 });
    expect([box.data, box.kind, box.mask >>> 0]).toEqual(['a box', 'box', 0xffffffff]);
    expect([sphere.data, sphere.kind, sphere.mask]).toEqual(['a sphere', 'sphere', 6]);
    expect(new Set([box.index, sphere.index])).toEqual(new Set([0, 1]));
  });

  it('prints in a few lines, and so does a record', () => {
    const octree = new Octree<string>();
    const body = octree.insert(boxOf(cube(0, 0, 0)), 'a house');
    const [record] = octree.intersectPoint(new Vector3());
    expect(inspect(body)).toContain('a house');
    expect(inspect(body).split('\n').length).toBeLessThan(12);
    expect(inspect(record).split('\n').length).toBeLessThan(50);
  });

  it('takes the bounds of three, and gives them back exactly', () => {
    const octree = new Octree();
    const box = octree.insert(new Box3(new Vector3(0.1, 0.2, 0.3), new Vector3(1e7 + 0.3, 2, 3)), null);
    const sphere = octree.insert(new Sphere(new Vector3(0.1, 0.2, 0.3), 0.7), null);
    expect(box.getBox(new Box3())).toEqual(new Box3(new Vector3(0.1, 0.2, 0.3), new Vector3(1e7 + 0.3, 2, 3)));
    expect(sphere.getSphere(new Sphere())).toEqual(new Sphere(new Vector3(0.1, 0.2, 0.3), 0.7));
    expect(sphere.getBox(new Box3())).toEqual(
      new Box3(new Vector3(0.1 - 0.7, 0.2 - 0.7, 0.3 - 0.7), new Vector3(0.1 + 0.7, 0.2 + 0.7, 0.3 + 0.7)),
    );
    const around = box.getSphere(new Sphere());
    expect(around.radius).toBeGreaterThanOrEqual((1e7 + 0.2) / 2);
  });

  it('returns the target of getBox and getSphere', () => {
    const { bodies } = octreeOf([cube(0, 0, 0)]);
    const [box, sphere] = [new Box3(), new Sphere()];
    expect(bodies[0].getBox(box)).toBe(box);
    expect(bodies[0].getSphere(sphere)).toBe(sphere);
  });

  it('reports its new bounds at once, before any flush', () => {
    const { octree, bodies } = octreeOf([cube(0, 0, 0)]);
    octree.update();
    bodies[0].setBox(boxOf([1, 2, 3, 4, 5, 6]));
    expect(bodies[0].getBox(new Box3())).toEqual(new Box3(new Vector3(1, 2, 3), new Vector3(4, 5, 6)));
  });

  it('becomes a sphere body by setSphere and a box body by setBox', () => {
    const { octree, bodies } = octreeOf([cube(0, 0, 0, 1)]);
    const corner = { x: 0.9, y: 0.9, z: 0.9 };
    expect(octree.intersectPoint(corner)).toHaveLength(1);
    bodies[0].setSphere(sphereOf([0, 0, 0, 1]));
    expect(bodies[0].kind).toBe('sphere');
    expect(octree.intersectPoint(corner)).toHaveLength(0);
    bodies[0].setBox(boxOf(cube(0, 0, 0, 1)));
    expect(bodies[0].kind).toBe('box');
    expect(octree.intersectPoint(corner)).toHaveLength(1);
    expect(validate(octree)).toEqual([]);
  });
});

describe('body.remove', () => {
  it('returns true once, then false; the index is -1 and the octree no longer has it', () => {
    const { octree, bodies } = octreeOf(uniform(10, 1));
    octree.update();
    expect(octree.has(bodies[4])).toBe(true);
    expect([bodies[4].remove(), bodies[4].remove(), bodies[4].remove()]).toEqual([true, false, false]);
    expect(bodies[4].index).toBe(-1);
    expect(octree.has(bodies[4])).toBe(false);
    expect(octree.size).toBe(9);
    expect(dataOf(octree.intersectBox(boxOf(cube(0, 0, 0, 1000))))).toEqual([0, 1, 2, 3, 5, 6, 7, 8, 9]);
  });

  it('makes later moves of the body throw an error that says so', () => {
    const { bodies } = octreeOf([cube(0, 0, 0)]);
    bodies[0].remove();
    expect(() => bodies[0].setBox(boxOf(cube(1, 1, 1)))).toThrow(/setBox.*removed/);
    expect(() => bodies[0].setSphere(sphereOf([1, 1, 1, 1]))).toThrow(/setSphere.*removed/);
  });

  it('leaves the handle its data, mask and isStatic; its bounds and kind are an error', () => {
    const octree = new Octree<string>();
    const body = octree.insert(boxOf(cube(0, 0, 0)), 'a door', { mask: 6, isStatic: true });
    octree.update();
    body.remove();
    octree.insert(sphereOf([5, 0, 0, 1]), 'a new body');
    octree.update();
    expect([body.data, body.mask, body.isStatic]).toEqual(['a door', 6, true]);
    for (const call of [() => body.getBox(), () => body.getSphere(), () => body.kind]) expect(call).toThrow(RangeError);
  });

  it('leaves the handle dead when a new body gets its index', () => {
    const { octree, bodies } = octreeOf(uniform(10, 1));
    octree.update();
    const { index } = bodies[4];
    bodies[4].remove();
    octree.update();
    const next = octree.insert(boxOf(cube(0, 0, 0)), 99);
    expect(next.index).toBe(index);
    expect(octree.has(bodies[4])).toBe(false);
    expect(bodies[4].index).toBe(-1);
    expect(bodies[4].remove()).toBe(false);
    expect(octree.has(next)).toBe(true);
    expect(octree.bodyAt(index)).toBe(next);
    expect(octree.dataAt(index)).toBe(99);
  });
});

describe('indices', () => {
  it('are dense: 0 to size - 1 for bodies inserted one after the other', () => {
    const { octree, bodies } = octreeOf(uniform(100, 1));
    expect(bodies.map(({ index }) => index)).toEqual(Array.from({ length: 100 }, (_, i) => i));
    expect(bodies.map(({ index }) => octree.bodyAt(index))).toEqual(bodies);
    expect(bodies.map(({ index }) => octree.dataAt(index))).toEqual(bodies.map(({ data }) => data));
  });

  it('do not grow at a constant population', () => {
    const { octree, bodies } = octreeOf(uniform(100, 1));
    for (let round = 0; round < 200; round++) {
      const body = bodies[round % 100];
      body.remove();
      octree.update();
      bodies[round % 100] = octree.insert(boxOf(cube(round, 0, 0)), round % 100);
    }
    expect(Math.max(...bodies.map(({ index }) => index))).toBeLessThan(101);
  });
});

describe('octree.has', () => {
  it("is false for another octree's body", () => {
    const [a, b] = [octreeOf([cube(0, 0, 0)]), octreeOf([cube(0, 0, 0)])];
    expect(a.octree.has(b.bodies[0])).toBe(false);
    expect(a.octree.has(a.bodies[0])).toBe(true);
  });
});

describe('static bodies', () => {
  it('can be moved, and are found at their new place', () => {
    const octree = new Octree<number>();
    const body = octree.insert(boxOf(cube(0, 0, 0)), 1, { isStatic: true });
    octree.update();
    body.setBox(boxOf(cube(50, 0, 0)));
    expect(octree.intersectPoint({ x: 0, y: 0, z: 0 })).toEqual([]);
    expect(dataOf(octree.intersectPoint({ x: 50, y: 0, z: 0 }))).toEqual([1]);
    expect(validate(octree)).toEqual([]);
  });
});
