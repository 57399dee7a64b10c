import { Box3 } from 'three';
import { describe, expect, it } from 'vitest';
import { OctreeNode, type QueryStats } from '../../src/index.ts';
import { IndexList, Octree, WalkSignal } from '../../src/index.ts';
import { collected, octreeOf, region, sketch } from '../support/octrees.ts';
import type { Query } from '../support/queries.ts';
import { queryIndices, queryRecords } from '../support/queries.ts';
import { uniform } from '../support/scenes.ts';
import { boxOf, cube, planesOfBox } from '../support/shapes.ts';

describe('octree.visitNodes', () => {
  it('visits nothing in an empty octree', () => {
    expect(sketch(new Octree<number>())).toEqual([]);
  });

  it('visits every node once, the root first, with cell, depth, counts and bodies', () => {
    const { octree } = octreeOf(uniform(500, 1), { leafCapacity: 8 });
    const nodes = sketch(octree);
    expect(nodes).toHaveLength(octree.statistics.nodes);
    expect(nodes[0]).toMatchObject({ depth: 0, edge: octree.region!.edge });
    expect(new Set(nodes.map(({ min, edge }) => `${min.join(' ')} ${edge}`)).size).toBe(nodes.length);
    expect(nodes.flatMap(({ bodies }) => bodies).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 500 }, (_, i) => i),
    );
    for (const { depth, edge, lifespan, countdown } of nodes) {
      expect(edge).toBe(nodes[0].edge / 2 ** depth);
      expect([lifespan, countdown]).toEqual([8, -1]);
    }
    expect(nodes.reduce((sum, { childCount }) => sum + childCount, 0)).toBe(nodes.length - 1);
  });

  it('shows a fitted box that contains the bodies of the node', () => {
    const { octree } = octreeOf(uniform(500, 1), { leafCapacity: 8 });
    octree.visitNodes((node) => {
      for (const body of node.bodies()) expect(node.fitted.containsBox(body.getBox(new Box3()))).toBe(true);
    });
  });

  it('shows an empty fitted box for a node with nothing below', () => {
    const { octree, bodies } = octreeOf([cube(2, 2, 2), cube(14, 14, 14), cube(14, 2, 2)], {
      leafCapacity: 1,
      looseness: 1,
      region: region(0, 16),
    });
    octree.update();
    bodies[0].remove();
    octree.update();
    const empty: Box3[] = [];
    octree.visitNodes((node) => {
      if (node.bodyCount === 0 && node.childCount === 0) empty.push(node.fitted);
    });
    expect(empty).toHaveLength(1);
    expect(empty[0].isEmpty()).toBe(true);
  });
});

describe('node.bodies', () => {
  it('throws once the tree has changed since', () => {
    const { octree } = octreeOf(uniform(50, 1));
    const nodes: OctreeNode<number>[] = [];
    octree.visitNodes((node) => nodes.push(node));
    expect(nodes[0].bodies().length).toBe(nodes[0].bodyCount);
    octree.insert(boxOf(cube(0, 0, 0)), 50);
    octree.update();
    expect(() => nodes[0].bodies()).toThrow(/bodies.*changed/);
  });

  it('throws after clear()', () => {
    const { octree } = octreeOf(uniform(50, 1));
    const nodes: OctreeNode<number>[] = [];
    octree.visitNodes((node) => nodes.push(node));
    octree.clear();
    expect(() => nodes[0].bodies()).toThrow(/bodies.*changed/);
  });
});

function sketchOf({
  cell: { min, edge },
  fitted,
  depth,
  bodyCount,
  childCount,
  lifespan,
  countdown,
}: OctreeNode<number>): string {
  return JSON.stringify([min, edge, fitted, depth, bodyCount, childCount, lifespan, countdown]);
}

describe('a target node', () => {
  it('is passed to the visitor for every node, with the same content as a new one', () => {
    const { octree } = octreeOf(uniform(300, 4), { leafCapacity: 4 });
    const target = new OctreeNode<number>();
    const fresh: string[] = [];
    const reused: string[] = [];
    octree.visitNodes((node) => fresh.push(sketchOf(node)));
    octree.visitNodes((node) => {
      expect(node).toBe(target);
      expect(node.bodies()).toHaveLength(node.bodyCount);
      reused.push(sketchOf(node));
    }, target);
    expect(reused).toEqual(fresh);
    expect(new Set(reused).size).toBeGreaterThan(50);
  });

  it('must be an OctreeNode', () => {
    const { octree } = octreeOf(uniform(5, 4));
    expect(() => octree.walk(() => undefined, {} as OctreeNode<number>)).toThrow(
      /Octree.walk: target must be an OctreeNode, but is an object/,
    );
    expect(() => new OctreeNode<number>().bodies()).toThrow(/OctreeNode.bodies/);
  });
});

describe('octree.walk', () => {
  const { octree } = octreeOf(uniform(500, 1), { leafCapacity: 8 });
  const total = sketch(octree).length;

  function visits(signal: (node: OctreeNode<number>) => WalkSignal | undefined): OctreeNode<number>[] {
    const nodes: OctreeNode<number>[] = [];
    octree.walk((node) => {
      nodes.push(node);
      return signal(node);
    });
    return nodes;
  }

  it('visits all nodes for Continue, and for no returned value', () => {
    expect(visits(() => WalkSignal.Continue)).toHaveLength(total);
    expect(visits(() => undefined)).toHaveLength(total);
  });

  it('skips the nodes below for Prune', () => {
    expect(visits(() => WalkSignal.Prune)).toHaveLength(1);
    const shallow = visits(({ depth }) => (depth >= 1 ? WalkSignal.Prune : WalkSignal.Continue));
    expect(shallow.map(({ depth }) => depth).sort((a, b) => a - b)).toEqual([
      0,
      ...sketch(octree)
        .filter(({ depth }) => depth === 1)
        .map(() => 1),
    ]);
  });

  it('ends at once for Stop', () => {
    for (const stopAt of [1, 5, total]) {
      let count = 0;
      expect(visits(() => (++count === stopAt ? WalkSignal.Stop : WalkSignal.Continue))).toHaveLength(stopAt);
    }
  });

  it('runs a query that the octree does not have: bodies whose box has its corner in a slab', () => {
    const found: number[] = [];
    octree.walk((node) => {
      if (node.fitted.min.x > 1 || node.fitted.max.x < 0) return WalkSignal.Prune;
      for (const body of node.bodies())
        if (body.getBox(new Box3()).min.x >= 0 && body.getBox(new Box3()).min.x <= 1) found.push(body.data);
      return WalkSignal.Continue;
    });
    const expected = octree.intersectBox(boxOf(cube(0, 0, 0, 1000))).filter(({ body }) => {
      const { x } = body.getBox(new Box3()).min;
      return x >= 0 && x <= 1;
    });
    expect(found.sort((a, b) => a - b)).toEqual(expected.map(({ body }) => body.data).sort((a, b) => a - b));
  });
});

const queries: Query[] = [
  { kind: 'box', box: cube(3, 4, 5, 6) },
  { kind: 'sphere', sphere: [3, 4, 5, 7] },
  { kind: 'point', point: [3, 4, 5] },
  { kind: 'ray', origin: [-100, 1, 2], direction: [1, 0.02, 0.01] },
  { kind: 'frustum', planes: planesOfBox(cube(3, 4, 5, 6)) },
  { kind: 'pairs' },
];

describe('candidates', () => {
  it.each(queries)('include every exact result, and only bodies that the tree would test: $kind', (query) => {
    const { octree } = octreeOf([...uniform(3000, 2), cube(3, 4, 5)], { leafCapacity: 4 });
    const keyOf = (indices: number[]): string[] =>
      query.kind === 'pairs'
        ? indices.flatMap((index, i) => (i % 2 === 0 ? [`${index}+${indices[i + 1]}`] : []))
        : indices.map(String);
    const exact = keyOf(collected((list) => queryIndices(octree, query, list)));
    const broad = new Set(keyOf(collected((list) => queryIndices(octree, query, list, { candidates: true }))));
    expect(exact.length).toBeGreaterThan(0);
    expect(exact.filter((key) => !broad.has(key))).toEqual([]);
    if (query.kind !== 'pairs') expect(broad.size).toBeLessThan(1000);
    expect(queryRecords(octree, query, { candidates: true })).toHaveLength(broad.size);
  });
});

describe('stats', () => {
  it.each([...queries, { kind: 'nearest', point: [3, 4, 5], count: 5 } satisfies Query])(
    'are overwritten with the cost of the query: $kind',
    (query) => {
      const { octree } = octreeOf([...uniform(3000, 2), cube(3, 4, 5)], { leafCapacity: 4 });
      const stats: QueryStats = { nodesVisited: -1, nodesContained: -1, bodiesTested: -1, bodiesReported: -1 };
      const records = queryRecords(octree, query, { stats });
      const { nodes } = octree.statistics;
      expect(stats.bodiesReported).toBe(records.length);
      expect(stats.nodesVisited).toBeGreaterThan(0);
      if (query.kind !== 'pairs') expect(stats.nodesVisited).toBeLessThan(nodes);
      expect(stats.nodesContained).toBeGreaterThanOrEqual(0);
      if (query.kind !== 'pairs') expect(stats.bodiesTested).toBeLessThan(1500);
      const again: QueryStats = { ...stats };
      queryIndices(octree, query, new IndexList(), { stats: again });
      expect(again.bodiesReported).toBe(stats.bodiesReported);
    },
  );
});
