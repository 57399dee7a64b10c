import { describe, expect, it } from 'vitest';
import { intersectPairs, nearest, Octree } from '../../src/index.ts';
import { dataOf, octreeOf, region, sketch } from '../support/octrees.ts';
import { boxOf, cube, sphereOf } from '../support/shapes.ts';
import { uniform } from '../support/scenes.ts';
import { validate } from '../../src/debug/index.ts';

const wide = boxOf(cube(0, 0, 0, 1000));

describe('octree.insert', () => {
  it('only queues: no node exists and the body is pending until the first query', () => {
    const { octree } = octreeOf(uniform(50, 1));
    expect(octree.statistics).toMatchObject({ bodies: 50, pending: 50, nodes: 0, nodesCreated: 0 });
    expect(octree.size).toBe(50);
    octree.intersectPoint({ x: 0, y: 0, z: 0 });
    expect(octree.statistics.pending).toBe(0);
    expect(octree.statistics.nodes).toBeGreaterThan(0);
  });

  it('is flushed by update() as well', () => {
    const { octree } = octreeOf(uniform(50, 1));
    octree.update();
    expect(octree.statistics.pending).toBe(0);
  });

  it('makes the body visible to the next query of every kind', () => {
    const { octree } = octreeOf([cube(50, 50, 50)]);
    octree.update();
    const at = { x: 1, y: 2, z: 3 };
    octree.insert(boxOf(cube(1, 2, 3)), 7);
    expect(dataOf(octree.intersectPoint(at))).toEqual([7]);
    octree.insert(boxOf(cube(1, 2, 3)), 8);
    expect(dataOf(octree.intersectSphere({ center: at, radius: 0 }))).toEqual([7, 8]);
    octree.insert(boxOf(cube(1, 2, 3)), 9);
    expect(nearest(octree, at, 3).map(({ body }) => body.data)).toEqual([7, 8, 9]);
    octree.insert(boxOf(cube(-5, 2, 3)), 10);
    expect(octree.firstHit({ origin: { x: -10, y: 2, z: 3 }, direction: { x: 1, y: 0, z: 0 } })!.body.data).toBe(10);
    octree.insert(boxOf(cube(1, 2, 3)), 11);
    expect(intersectPairs(octree)).toHaveLength(6);
  });

  it('copies the bounds: the caller may reuse its box and sphere', () => {
    const octree = new Octree<number>();
    const box = boxOf(cube(0, 0, 0));
    const sphere = sphereOf([10, 0, 0, 1]);
    octree.insert(box, 0);
    octree.insert(sphere, 1);
    (box.min as { x: number }).x = -500;
    (sphere.center as { x: number }).x = 500;
    expect(dataOf(octree.intersectBox(boxOf([-100, -1, -1, -50, 1, 1])))).toEqual([]);
    expect(dataOf(octree.intersectPoint({ x: 10.5, y: 0, z: 0 }))).toEqual([1]);
  });
});

describe('the queue', () => {
  it('applies the changes of a pending body: the latest bounds count', () => {
    const { octree, bodies } = octreeOf([cube(0, 0, 0), cube(100, 0, 0)]);
    bodies[0].setBox(boxOf(cube(20, 0, 0)));
    bodies[0].setSphere(sphereOf([40, 0, 0, 1]));
    expect(dataOf(octree.intersectPoint({ x: 20, y: 0, z: 0 }))).toEqual([]);
    expect(dataOf(octree.intersectPoint({ x: 40, y: 0, z: 0 }))).toEqual([0]);
    expect(validate(octree)).toEqual([]);
  });

  it('never shows a body that was removed before the flush', () => {
    const { octree, bodies } = octreeOf(uniform(20, 2));
    expect(bodies[3].remove()).toBe(true);
    expect(dataOf(octree.intersectBox(wide))).not.toContain(3);
    bodies[4].setBox(boxOf(cube(1, 1, 1)));
    expect(bodies[4].remove()).toBe(true);
    expect(dataOf(octree.intersectBox(wide))).not.toContain(4);
    expect(octree.size).toBe(18);
    expect(validate(octree)).toEqual([]);
  });

  it('leaves an empty octree without a region if it is emptied before the first flush', () => {
    const { octree, bodies } = octreeOf([cube(0, 0, 0)]);
    bodies[0].remove();
    expect(octree.intersectBox(wide)).toEqual([]);
    octree.update();
    expect(octree.size).toBe(0);
    expect(validate(octree)).toEqual([]);
  });

  it('gives the same results applied at once as with one flush after every write', () => {
    const shapes = uniform(120, 5);
    const [eager, lazy] = [
      octreeOf(shapes, { region: region(-256, 512) }),
      octreeOf(shapes, { region: region(-256, 512) }),
    ];
    eager.octree.update();
    for (let i = 0; i < 60; i++) {
      for (const { bodies } of [eager, lazy]) {
        if (i % 3 === 0) bodies[i].remove();
        else bodies[i].setBox(boxOf(cube(i, -i, 2 * i)));
      }
      eager.octree.intersectPoint({ x: 0, y: 0, z: 0 });
    }
    expect(dataOf(lazy.octree.intersectBox(wide))).toEqual(dataOf(eager.octree.intersectBox(wide)));
    expect(validate(lazy.octree)).toEqual([]);
    expect(sketch(lazy.octree).length).toBeGreaterThan(1);
  });
});

describe('octree.clear', () => {
  it('returns to the state after construction, and old handles are dead', () => {
    const { octree, bodies } = octreeOf(uniform(100, 3));
    octree.update();
    octree.clear();
    expect(octree.size).toBe(0);
    expect(octree.region).toBeNull();
    expect(octree.statistics).toEqual(new Octree().statistics);
    expect(bodies.every((body) => body.index === -1 && !octree.has(body) && !body.remove())).toBe(true);
    expect(() => bodies[0].setBox(boxOf(cube(0, 0, 0)))).toThrow(/removed/);
    octree.insert(boxOf(cube(0, 0, 0)), 1);
    expect(dataOf(octree.intersectBox(wide))).toEqual([1]);
    expect(validate(octree)).toEqual([]);
  });

  it('drops pending bodies', () => {
    const { octree } = octreeOf(uniform(100, 3));
    octree.clear();
    expect(octree.intersectBox(wide)).toEqual([]);
  });
});
