import { describe, expect, it } from 'vitest';
import { IndexList, Octree } from '../../src/index.ts';
import { octreeOf, region, sketch } from '../support/octrees.ts';
import { createRandom } from '../support/random.ts';
import { uniform } from '../support/scenes.ts';
import { boxOf, cube } from '../support/shapes.ts';
import { validate } from '../../src/debug/index.ts';

function fail(): never {
  throw new Error('mine');
}

describe('octree.statistics', () => {
  it('counts bodies, pending writes, nodes, depth and bytes', () => {
    const { octree, bodies } = octreeOf(uniform(300, 1), { leafCapacity: 4 });
    octree.update();
    const nodes = sketch(octree);
    expect(octree.statistics).toMatchObject({
      bodies: 300,
      pending: 0,
      nodes: nodes.length,
      depth: Math.max(...nodes.map(({ depth }) => depth)),
    });
    expect(octree.statistics.bytes).toBeGreaterThan(300 * 48);
    bodies[0].remove();
    octree.insert(boxOf(cube(0, 0, 0)), 300);
    expect(octree.statistics.bodies).toBe(300);
    expect(octree.statistics.pending).toBeGreaterThan(0);
  });

  it('of a query in an empty octree are 0', () => {
    const stats = { nodesVisited: 1, nodesContained: 1, bodiesTested: 1, bodiesReported: 1 };
    new Octree().collectBox(boxOf(cube(0, 0, 0)), new IndexList(), { stats });
    expect(stats).toEqual({ nodesVisited: 0, nodesContained: 0, bodiesTested: 0, bodiesReported: 0 });
  });

  it('is a new plain object each time', () => {
    const { octree } = octreeOf(uniform(30, 1));
    const first = octree.statistics;
    expect(octree.statistics).not.toBe(first);
    expect(octree.statistics).toEqual(first);
  });

  it('keeps nodes = created - expired - merged', () => {
    const { octree, bodies } = octreeOf(uniform(300, 1), { leafCapacity: 2 });
    const random = createRandom(5);
    for (let i = 0; i < 300; i++) {
      for (let k = 0; k < 10; k++)
        random
          .pick(bodies)
          .setBox(boxOf(cube(random.between(-60, 60), random.between(-60, 60), random.between(-60, 60))));
      octree.update();
      const { nodes, nodesCreated, nodesExpired, nodesMerged } = octree.statistics;
      expect(nodes).toBe(nodesCreated - nodesExpired - nodesMerged);
    }
    expect(octree.statistics.nodesExpired).toBeGreaterThan(0);
  });
});

describe('the result of update()', () => {
  it('has the counts since the previous update; they add up to the counts since the start', () => {
    const { octree, bodies } = octreeOf(uniform(300, 1), { leafCapacity: 2, region: region(-128, 256) });
    const random = createRandom(6);
    const sums = { nodesCreated: 0, nodesReused: 0, nodesExpired: 0, nodesMerged: 0, bodiesRelocated: 0 };
    for (let i = 0; i < 200; i++) {
      for (let k = 0; k < 10; k++)
        random
          .pick(bodies)
          .setBox(boxOf(cube(random.between(-60, 60), random.between(-60, 60), random.between(-60, 60))));
      if (i % 2 === 0) octree.intersectPoint({ x: 0, y: 0, z: 0 });
      const tick = octree.update();
      sums.nodesCreated += tick.nodesCreated;
      sums.nodesReused += tick.nodesReused;
      sums.nodesExpired += tick.nodesExpired;
      sums.nodesMerged += tick.nodesMerged;
      sums.bodiesRelocated += tick.bodiesRelocated;
    }
    expect(octree.statistics).toMatchObject(sums);
    expect(sums.bodiesRelocated).toBeGreaterThan(1000);
  });

  it('counts the bodies removed since the previous update', () => {
    const { octree, bodies } = octreeOf(uniform(30, 1));
    octree.update();
    bodies[0].remove();
    octree.intersectPoint({ x: 0, y: 0, z: 0 });
    octree.removeMany([bodies[1].index, bodies[2].index]);
    expect(octree.update()).toMatchObject({ bodiesRemoved: 3, bodies: 27 });
    expect(octree.update().bodiesRemoved).toBe(0);
  });

  it('counts from an update that has thrown', () => {
    const octree = new Octree<number>();
    const failing = octree.insert(boxOf(cube(0, 0, 0)), 0, { update: fail });
    octree.insert(boxOf(cube(5, 0, 0)), 1).remove();
    expect(() => octree.update()).toThrow('mine');
    failing.remove();
    expect(octree.update().bodiesRemoved).toBe(1);
  });

  it('reports what has left the region in the next update, if one has thrown', () => {
    const octree = new Octree<string>({ region: region(-8, 16), outside: 'remove' });
    const failing = octree.insert(boxOf(cube(0, 0, 0)), 'failing', { update: fail });
    octree.insert(boxOf(cube(50, 0, 0)), 'first');
    expect(() => octree.update()).toThrow('mine');
    failing.remove();
    octree.insert(boxOf(cube(50, 0, 0)), 'second');
    const { outside, bodiesOutside } = octree.update();
    expect([bodiesOutside, outside.map(({ data }) => data)]).toEqual([2, ['first', 'second']]);
    expect(octree.update()).toMatchObject({ bodiesOutside: 0, outside: [] });
  });
});

describe('at a constant population', () => {
  it('nodes and bytes level off over 3,000 ticks of moves, removals and inserts', () => {
    const { octree, bodies } = octreeOf(uniform(400, 1), { region: region(-128, 256), leafCapacity: 4 });
    const random = createRandom(7);
    const highest = { early: { nodes: 0, bytes: 0 }, late: { nodes: 0, bytes: 0 } };
    for (let tick = 0; tick < 3_000; tick++) {
      for (let k = 0; k < 12; k++) {
        const spot = cube(
          random.between(-100, 100),
          random.between(-100, 100),
          random.between(-100, 100),
          random.between(0, 2),
        );
        const i = random.below(bodies.length);
        if (k % 3 > 0) bodies[i].setBox(boxOf(spot));
        else {
          bodies[i].remove();
          bodies[i] = octree.insert(boxOf(spot), i);
        }
      }
      const { nodes, bytes } = octree.update();
      const record = tick < 1_000 ? highest.early : highest.late;
      record.nodes = Math.max(record.nodes, nodes);
      record.bytes = Math.max(record.bytes, bytes);
    }
    expect(highest.late.nodes).toBeLessThanOrEqual(highest.early.nodes * 1.1);
    expect(highest.late.bytes).toBeLessThanOrEqual(highest.early.bytes * 1.1);
    expect(validate(octree)).toEqual([]);
  });

  it('no node is created or removed while nothing changes', () => {
    const { octree } = octreeOf(uniform(400, 1));
    octree.update();
    const before = octree.statistics;
    for (let tick = 0; tick < 200; tick++) octree.update();
    expect(octree.statistics).toEqual(before);
    expect(new Octree().update()).toMatchObject({ bodies: 0, nodes: 0 });
  });
});
