import { Box3 } from 'three';
import { describe, expect, it } from 'vitest';
import { Octree } from '../../src/index.ts';
import { collected, dataOf, octreeOf, region, sketch } from '../support/octrees.ts';
import type { Query } from '../support/queries.ts';
import { queryIndices, queryRecords } from '../support/queries.ts';
import { createRandom } from '../support/random.ts';
import { clustered, uniform } from '../support/scenes.ts';
import { boxOf, cube, planesOfBox } from '../support/shapes.ts';
import { validate } from '../../src/debug/index.ts';

const all = boxOf(cube(0, 0, 0, 1e6));
const queries: Query[] = [
  { kind: 'box', box: cube(0, 0, 0, 9) },
  { kind: 'sphere', sphere: [0, 0, 0, 9] },
  { kind: 'point', point: [0, 0, 0] },
  { kind: 'ray', origin: [-9, 0, 0], direction: [1, 0, 0] },
  { kind: 'nearest', point: [0, 0, 0], count: 3 },
  { kind: 'frustum', planes: planesOfBox(cube(0, 0, 0, 9)) },
  { kind: 'pairs' },
];

describe('nasty B: nodes', () => {
  it('B15 all bodies can be removed and inserted again, 20 times', () => {
    const { octree, bodies } = octreeOf(uniform(300, 1));
    for (let round = 0; round < 20; round++) {
      octree.removeMany(bodies.map(({ index }) => index));
      if (round % 3 === 0) octree.update();
      expect(octree.intersectBox(all)).toEqual([]);
      bodies.length = 0;
      for (let i = 0; i < 300; i++) bodies.push(octree.insert(boxOf(cube(i, round, 0)), i));
      expect(octree.intersectBox(all)).toHaveLength(300);
      expect(validate(octree)).toEqual([]);
    }
  });

  it('B16 every query works on 0, 1 and 2 bodies, before and after update', () => {
    for (let count = 0; count <= 2; count++) {
      const { octree } = octreeOf(Array.from({ length: count }, () => cube(0, 0, 0)));
      for (let round = 0; round < 2; round++) {
        for (const query of queries) {
          const expected = query.kind === 'pairs' ? count - (count > 0 ? 1 : 0) : count;
          expect(queryRecords(octree, query)).toHaveLength(expected);
          expect(collected((list) => queryIndices(octree, query, list))).toHaveLength(
            expected * (query.kind === 'pairs' ? 2 : 1),
          );
        }
        expect(octree.firstHit({ origin: { x: 9, y: 0, z: 0 }, direction: { x: -1, y: 0, z: 0 } }) !== null).toBe(
          count > 0,
        );
        expect(validate(octree)).toEqual([]);
        octree.update();
      }
    }
  });

  it('B17 500 removals without an update in between leave no body behind', () => {
    const { octree, bodies } = octreeOf(clustered(500, 1), { leafCapacity: 1 });
    octree.update();
    for (const [i, body] of bodies.entries()) {
      body.remove();
      if (i % 50 === 0) expect(octree.intersectBox(all)).toHaveLength(499 - i);
      expect(validate(octree)).toEqual([]);
    }
  });

  it('B18 a leaf does not expire while a body lies in it, moves to it or is pending for it', () => {
    const shapes = [cube(2, 2, 2), cube(14, 14, 14), cube(14, 2, 2)];
    for (let wait = 1; wait < 12; wait++) {
      const { octree, bodies } = octreeOf(shapes, { leafCapacity: 1, looseness: 1, region: region(0, 16) });
      octree.update();
      bodies[0].setBox(boxOf(cube(2, 14, 2)));
      for (let i = 0; i < wait; i++) octree.update();
      bodies[0].setBox(boxOf(cube(2, 2, 2)));
      octree.update();
      expect(dataOf(octree.intersectPoint({ x: 2, y: 2, z: 2 }))).toEqual([0]);
      octree.insert(boxOf(cube(2, 14, 2)), 3);
      octree.update();
      for (let i = 0; i < 20; i++) octree.update();
      expect(dataOf(octree.intersectBox(all))).toEqual([0, 1, 2, 3]);
      expect(validate(octree)).toEqual([]);
    }
  });

  it('B19 an expired node that is used again at another place keeps no old state', () => {
    const { octree, bodies } = octreeOf(clustered(200, 1), { leafCapacity: 1, region: region(-512, 1024) });
    const random = createRandom(4);
    for (let round = 0; round < 60; round++) {
      const spot = [random.between(-400, 400), random.between(-400, 400), random.between(-400, 400)];
      for (const body of bodies)
        body.setBox(
          boxOf(
            cube(
              spot[0] + random.between(-9, 9),
              spot[1] + random.between(-9, 9),
              spot[2] + random.between(-9, 9),
              0.1,
            ),
          ),
        );
      for (let i = 0; i < 12; i++) octree.update();
      expect(validate(octree)).toEqual([]);
      expect(octree.intersectBox(boxOf(cube(spot[0], spot[1], spot[2], 10)))).toHaveLength(200);
    }
    expect(octree.statistics.nodesExpired).toBeGreaterThan(500);
    for (const { lifespan } of sketch(octree)) expect([8, 16, 32, 64]).toContain(lifespan);
  });

  // B20 (refilling a leaf at update 8, 16, 32 and 64, compared with a model of the timer) is in
  // test/tree/update/maintain.test.ts.

  it('B21 a body that moves away for 2,000 ticks keeps the number of nodes below 200', () => {
    const { octree, bodies } = octreeOf(uniform(50, 1));
    let maxNodes = 0;
    for (let tick = 0; tick < 2000; tick++) {
      bodies[0].setBox(boxOf(cube(0, -tick * tick * 10, 0)));
      maxNodes = Math.max(maxNodes, octree.update().nodes);
    }
    expect(maxNodes).toBeLessThan(200);
    expect(octree.statistics.depth).toBeLessThan(54);
    expect(validate(octree)).toEqual([]);
  });

  // B22 (removals and insertions at a constant number of bodies) is in test/octree/statistics.test.ts.

  it('B23 queries find all other bodies after the removal of any one body', () => {
    const shapes = clustered(60, 5);
    for (let victim = 0; victim < shapes.length; victim++) {
      const { octree, bodies } = octreeOf(shapes, { leafCapacity: 2 });
      octree.update();
      bodies[victim].remove();
      const target = new Box3();
      for (const body of bodies) {
        if (body === bodies[victim]) continue;
        expect(octree.intersectBox(body.getBox(target)).some((record) => record.body === body)).toBe(true);
      }
      expect(octree.size).toBe(59);
    }
  });

  it('B24 the fitted boxes of ancestors contain their bodies after every split and removal', () => {
    const { octree, bodies } = octreeOf(uniform(150, 6), { leafCapacity: 1 });
    const random = createRandom(6);
    for (let step = 0; step < 400; step++) {
      const i = random.below(bodies.length);
      if (step % 2 === 0) bodies[i].remove();
      bodies[i] =
        step % 2 === 0
          ? octree.insert(boxOf(cube(random.between(-60, 60), 0, 0, random.between(0, 20))), i)
          : bodies[i];
      expect(validate(octree)).toEqual([]);
    }
  });

  it('B25 clear() invalidates all handles and may be called twice', () => {
    const { octree, bodies } = octreeOf(uniform(20, 1));
    octree.update();
    octree.clear();
    octree.clear();
    octree.insert(boxOf(cube(0, 0, 0)), 99);
    for (const body of bodies) expect([octree.has(body), body.index, body.remove()]).toEqual([false, -1, false]);
    expect(octree.size).toBe(1);
  });

  // B26 (more results than a call can spread) is in test/octree/records.test.ts.

  it('B27 queries work in a tree of the greatest depth, 53 levels', () => {
    const corners = Array.from({ length: 300 }, (_, i) => [i / 300, 0, 0, i / 300, 0, 0]);
    const { octree } = octreeOf(
      [...corners, [2 ** 50, 2 ** 50, 2 ** 50, 2 ** 50, 2 ** 50, 2 ** 50], [-(2 ** 50), 0, 0, -(2 ** 50), 0, 0]],
      { leafCapacity: 1 },
    );
    expect(octree.intersectBox(boxOf([0, 0, 0, 1, 1, 1]))).toHaveLength(300);
    expect(octree.statistics.depth).toBeGreaterThan(45);
    expect(octree.statistics.depth).toBeLessThan(54);
    expect(octree.statistics.nodes).toBeLessThan(600);
    expect(validate(octree)).toEqual([]);
  });

  it('B28 50,000 removals and 50,000 insertions leave a valid tree with at most 1.5 times the nodes', () => {
    const octree = new Octree<number>();
    const bounds = new Float64Array(
      uniform(50_000, 8, 2000).flatMap((shape) =>
        shape.length === 6 ? shape : cube(shape[0], shape[1], shape[2], shape[3]),
      ),
    );
    let indices = octree.insertMany(bounds, { kind: 'box' });
    octree.update();
    const { nodes } = octree.statistics;
    for (let round = 0; round < 3; round++) {
      expect(octree.removeMany(indices)).toBe(50_000);
      indices = octree.insertMany(bounds, { kind: 'box' });
      octree.update();
      expect(octree.statistics.nodes).toBeLessThanOrEqual(nodes * 1.5);
    }
    expect(Math.max(...indices.slice(0, 1000))).toBeLessThan(100_000);
    expect(validate(octree)).toEqual([]);
  });
});
