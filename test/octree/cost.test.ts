import { describe, expect, it } from 'vitest';
import type { QueryStats } from '../../src/index.ts';
import { IndexList, Octree } from '../../src/index.ts';
import { octreeOf, region } from '../support/octrees.ts';
import { createRandom } from '../support/random.ts';
import type { Query } from '../support/queries.ts';
import { queryIndices } from '../support/queries.ts';
import { coincident, uniform } from '../support/scenes.ts';
import type { Shape } from '../support/shapes.ts';
import { cube, planesOfBox, shapeOf } from '../support/shapes.ts';

/** The cost of a query as counts, which are the same on every machine. */
function cost<T>(octree: Octree<T>, query: Query): QueryStats {
  const stats: QueryStats = { nodesVisited: 0, nodesContained: 0, bodiesTested: 0, bodiesReported: 0 };
  queryIndices(octree, query, new IndexList(), { stats });
  return stats;
}

function smallQueriesAt(x: number, y: number, z: number): Query[] {
  return [
    { kind: 'box', box: cube(x, y, z, 2) },
    { kind: 'sphere', sphere: [x, y, z, 2] },
    { kind: 'point', point: [x, y, z] },
    { kind: 'nearest', point: [x, y, z], count: 4 },
    { kind: 'frustum', planes: planesOfBox(cube(x, y, z, 2)) },
  ];
}

const small = smallQueriesAt(5, 5, 5);

describe('counted cost', () => {
  const scattered = octreeOf(uniform(20_000, 1, 1000)).octree;

  it.each(small)('of a small query among 20,000 bodies is a few hundred tests: $kind', (query) => {
    const { nodesVisited, bodiesTested } = cost(scattered, query);
    expect(nodesVisited).toBeLessThan(150);
    expect(bodiesTested).toBeLessThan(600);
  });

  it('of a ray through 20,000 bodies is a small part of them, and of a first hit less than that', () => {
    const ray: Query = { kind: 'ray', origin: [-600, 3, 4], direction: [1, 0.01, 0.02] };
    expect(cost(scattered, ray).bodiesTested).toBeLessThan(2_000);
    const stats: QueryStats = { nodesVisited: 0, nodesContained: 0, bodiesTested: 0, bodiesReported: 0 };
    scattered.firstHit({ origin: { x: 0, y: 0, z: 0 }, direction: { x: 1, y: 0.01, z: 0.02 } }, { stats });
    expect(stats.bodiesTested).toBeLessThan(cost(scattered, ray).bodiesTested);
  });

  it('of all pairs of 20,000 bodies grows with the number of bodies, not with its square', () => {
    const { bodiesTested, nodesVisited } = cost(scattered, { kind: 'pairs' });
    expect(bodiesTested).toBeLessThan(20_000 * 100);
    expect(nodesVisited).toBeLessThan(scattered.statistics.nodes * 100);
  });

  it('of a frustum that contains every body is no body test', () => {
    const { bodiesTested, nodesContained, bodiesReported } = cost(scattered, {
      kind: 'frustum',
      planes: planesOfBox(cube(0, 0, 0, 2000)),
    });
    expect(bodiesReported).toBe(20_000);
    expect(bodiesTested).toBe(0);
    expect(nodesContained).toBeGreaterThan(0);
  });

  it.each(small)('of a query far from all bodies is the root alone: $kind', (query) => {
    const { octree } = octreeOf(
      uniform(20_000, 1, 1000).map((shape) =>
        shape.map((value, offset) => (shape.length === 4 && offset === 3 ? value : value + 1e6)),
      ),
    );
    const { nodesVisited, bodiesTested } = cost(octree, query);
    if (query.kind === 'nearest') expect(bodiesTested).toBeLessThan(600);
    else expect([nodesVisited <= 1, bodiesTested]).toEqual([true, 0]);
  });

  it.each([1, 2])('of 10,000 identical bodies is one test each, in fewer than 30 nodes: looseness %d', (looseness) => {
    const { octree } = octreeOf(coincident(10_000), { looseness });
    for (const query of small) expect(cost(octree, query).bodiesTested).toBeLessThanOrEqual(10_000);
    expect(cost(octree, { kind: 'point', point: [0.5, 0.5, 0.5] }).nodesVisited).toBeLessThan(30);
    expect(octree.statistics.nodes).toBeLessThan(30);
  });

  it('of small bodies on the splitting planes of the root is low with looseness 2, but high with looseness 1', () => {
    const shapes = uniform(5_000, 2, 500).map((shape, i) =>
      shape.map((value, offset) => (offset % 3 === i % 3 && shape.length === 6 ? (offset < 3 ? -0.5 : 0.5) : value)),
    );
    const costs = [1, 2].map(
      (looseness) =>
        cost(octreeOf(shapes, { looseness, region: region(-512, 1024) }).octree, {
          kind: 'box',
          box: cube(90, 0, 90, 4),
        }).bodiesTested,
    );
    expect(costs[1]).toBeLessThan(300);
    expect(costs[1]).toBeLessThan(costs[0] / 3);
  });

  it('of a query that touches 10,000 identical bodies is one path of nodes, and of a query that misses them no node and no body test', () => {
    const { octree } = octreeOf(coincident(10_000));
    octree.update();
    const deepest = octree.statistics.depth + 1;
    for (const query of smallQueriesAt(0.5, 0.5, 0.5)) {
      const { nodesVisited, nodesContained } = cost(octree, query);
      expect(nodesVisited + nodesContained).toBeLessThanOrEqual(deepest);
    }
    for (const query of smallQueriesAt(9, 9, 9).filter(({ kind }) => kind !== 'nearest'))
      expect(cost(octree, query)).toMatchObject({ nodesVisited: 0, bodiesTested: 0 });
  });

  it('of a query among 10,000 small bodies on the splitting planes of the root is at most eight nodes per level', () => {
    const random = createRandom(3);
    const shapes = Array.from({ length: 10_000 }, (_, i) => {
      const [x, y, z] = [0, 1, 2].map((axis) => (axis === i % 3 ? 0 : random.between(-500, 500)));
      return cube(x, y, z, 0.5);
    });
    const { octree } = octreeOf(shapes, { region: region(-512, 1024) });
    octree.update();
    const { depth, nodes } = octree.statistics;
    for (const [x, y, z] of [
      [90, 0, 90],
      [-300, 200, 0],
      [0, 0, 400],
      [0, 0, 0],
    ]) {
      for (const query of smallQueriesAt(x, y, z)) {
        const { nodesVisited, bodiesTested } = cost(octree, query);
        expect(nodesVisited).toBeLessThanOrEqual(8 * (depth + 1));
        expect(bodiesTested).toBeLessThanOrEqual(16 * (depth + 1));
      }
    }
    const pairs = cost(octree, { kind: 'pairs' });
    expect(pairs.nodesVisited).toBeLessThan(2 * nodes);
    expect(pairs.bodiesTested).toBeLessThan(10 * shapes.length);
  });

  it('of 50,000 replacements that advance through space is less than one new node for two of them; queries then cost about what they cost in a new octree', () => {
    const random = createRandom(4);
    const within = (): number => random.between(-450, 450);
    const ahead = (k: number): Shape => cube(-450 + k * 0.018 + random.between(0, 60), within(), within(), 1);
    const shapes = Array.from({ length: 5_000 }, () => ahead(0));
    const { octree, bodies } = octreeOf(shapes, { region: region(-512, 1024) });
    octree.update();
    for (let k = 0; k < 50_000; k++) {
      const at = k % shapes.length;
      shapes[at] = ahead(k);
      bodies[at].remove();
      bodies[at] = octree.insert(shapeOf(shapes[at]), k);
      if (k % 100 === 99) octree.update();
    }
    expect(octree.statistics.nodesCreated).toBeLessThan(25_000);
    // Longer than the longest lifespan.
    for (let tick = 0; tick < 80; tick++) octree.update();
    const fresh = octreeOf(shapes, { region: region(-512, 1024) }).octree;
    const boxes = Array.from({ length: 200 }, (): Query => ({
      kind: 'box',
      box: cube(within(), within(), within(), 60),
    }));
    const visits = (tree: Octree<number>): number =>
      boxes.reduce((sum, query) => sum + cost(tree, query).nodesVisited, 0);
    expect(visits(octree)).toBeLessThan(1.25 * visits(fresh));
    expect(octree.statistics.nodes).toBeLessThan(1.5 * fresh.statistics.nodes);
  });

  it('of 50,000 removals and insertions, ten times, is a bounded number of nodes and bytes', () => {
    const octree = new Octree<number>({ region: region(-1024, 2048) });
    const bounds = new Float64Array(
      uniform(50_000, 3, 1500).flatMap((shape) =>
        shape.length === 6 ? shape : cube(shape[0], shape[1], shape[2], shape[3]),
      ),
    );
    let indices = octree.insertMany(bounds, { kind: 'box' });
    octree.update();
    const first = octree.statistics;
    for (let round = 0; round < 10; round++) {
      octree.removeMany(indices);
      octree.update();
      indices = octree.insertMany(bounds, { kind: 'box' });
      const { nodes, bytes } = octree.update();
      expect(nodes).toBeLessThan(first.nodes * 1.5);
      expect(bytes).toBeLessThan(first.bytes * 3);
    }
  });

  it('of queries, after all bodies have moved and then stopped, is about the cost in a new octree', () => {
    const shapes = uniform(5_000, 4, 500);
    const { octree, bodies } = octreeOf(shapes, { region: region(-512, 1024) });
    for (let tick = 0; tick < 20; tick++) {
      const bounds = shapes.flatMap((_, i) =>
        cube(
          ((i * 37 + tick * 11) % 500) - 250,
          ((i * 91 + tick * 7) % 500) - 250,
          ((i * 53 + tick * 3) % 500) - 250,
          1,
        ),
      );
      octree.moveMany(
        bodies.map(({ index }) => index),
        new Float64Array(bounds),
      );
      octree.update();
    }
    for (let tick = 0; tick < 200; tick++) octree.update();
    const settled = octreeOf(
      shapes.map((_, i) =>
        cube(((i * 37 + 209) % 500) - 250, ((i * 91 + 133) % 500) - 250, ((i * 53 + 57) % 500) - 250, 1),
      ),
      { region: region(-512, 1024) },
    );
    for (const query of small) {
      expect(cost(octree, query).bodiesTested).toBeLessThan(2 * cost(settled.octree, query).bodiesTested + 300);
      expect(cost(octree, query).nodesVisited).toBeLessThan(3 * cost(settled.octree, query).nodesVisited + 30);
    }
  });
});
