/** Fitted boxes and categories of a tree at rest: they cover what is in and below a node, and nothing else. */
import { Box3 } from 'three';
import { describe, expect, it } from 'vitest';
import type { Octree, OctreeNode, QueryStats } from '../../../src/index.ts';
import { IndexList } from '../../../src/index.ts';
import { octreeOf, region } from '../../support/octrees.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { boxOf, cube, type Shape } from '../../support/shapes.ts';
import { validate } from '../../../src/debug/index.ts';
import { usedNodes } from '../../../src/tree/traverse/walk-nodes.ts';
import { refitSome } from '../../../src/tree/update/refit.ts';

const EDGE = 256;
const POPULATION = 1500;
/** Updates after which all refits are done: each update does a part of them. */
const REST = 200;

/** A cube with integer faces, which Float32 represents exactly. */
function anywhere(random: Random): Shape {
  const within = (): number => 5 + random.below(EDGE - 10);
  return cube(within(), within(), within(), 1 + random.below(4));
}

/**
 * An octree at rest, after bodies were inserted, removed and moved. Its slot bounds equal the exact bounds: faces are
 * integers, and static bodies have no margin.
 */
function worn(seed: number, maskOf: (k: number) => number, grows = false): Octree<number> {
  const random = createRandom(seed);
  const { octree } = octreeOf([], { region: region(0, EDGE) });
  const bodies = Array.from({ length: POPULATION }, (_, k) =>
    octree.insert(boxOf(anywhere(random)), k, { isStatic: true, mask: maskOf(k) }),
  );
  for (let tick = 0; tick < 60; tick++) {
    for (let k = 0; k < 20; k++) bodies[random.below(bodies.length)].setBox(boxOf(anywhere(random)));
    for (let k = 0; k < 10; k++) bodies.splice(random.below(bodies.length), 1)[0].remove();
    // Doubles the root, while nodes wait for a refit.
    if (grows && tick % 20 === 9) octree.insert(boxOf(cube(EDGE << (tick / 20), 5, 5)), 0, { isStatic: true });
    octree.update();
  }
  for (let k = 0; k < REST; k++) octree.update();
  expect(validate(octree)).toEqual([]);
  return octree;
}

/** Nodes whose fitted box is not the one around the bodies in and below them. */
function looseNodes(octree: Octree<number>): string[] {
  const open: { node: OctreeNode<number>; around: Box3 }[] = [];
  const loose: string[] = [];
  const closeDownTo = (depth: number): void => {
    while (open.length > depth) {
      const { node, around } = open.pop()!;
      open.at(-1)?.around.union(around);
      if (!node.fitted.equals(around))
        loose.push(`depth ${node.depth}: ${JSON.stringify(node.fitted)} for ${JSON.stringify(around)}`);
    }
  };
  octree.visitNodes((node) => {
    closeDownTo(node.depth);
    const around = new Box3();
    for (const body of node.bodies()) around.union(body.getBox());
    open.push({ node, around });
  });
  closeDownTo(0);
  return loose;
}

describe('a fitted box, after bodies were inserted, removed and moved', () => {
  it.each([1, 2, 3])('is the box around the bodies in and below its node if all bodies are alike (seed %i)', (seed) => {
    expect(looseNodes(worn(seed, () => 1))).toEqual([]);
  });

  it.each([4, 5, 6])('is that box if bodies differ in their categories (seed %i)', (seed) => {
    expect(looseNodes(worn(seed, (k) => 1 << (k % 5)))).toEqual([]);
  });

  it.each([7, 8])('is that box if the region has grown meanwhile (seed %i)', (seed) => {
    expect(looseNodes(worn(seed, (k) => 1 << (k % 5), true))).toEqual([]);
  });
});

describe('the queue of nodes to refit', () => {
  it('is refitted from its oldest node on, a part in each flush', () => {
    const { tree } = worn(3, () => 1).internals.store;
    const nodes = usedNodes(tree).sort((a, b) => ((7919 * a) % 1009) - ((7919 * b) % 1009));
    for (const node of nodes) tree.listRefit(node);
    for (const node of nodes) tree.listRefit(node);
    expect(tree.refits).toEqual(nodes);
    refitSome(tree);
    // No box has changed, so no parent is listed.
    expect(nodes.length).toBeGreaterThan(100);
    expect(tree.refits).toEqual(nodes.slice(64));
  });
});

describe('a fitted box around a moving body', () => {
  it('shrinks behind the body', () => {
    const { octree, bodies } = octreeOf([cube(10, 128, 128), cube(220, 128, 128)], { region: region(0, EDGE) });
    for (let x = 10; x <= 200; x++) {
      bodies[0].setBox(boxOf(cube(x, 128, 128)));
      octree.update();
    }
    for (let k = 0; k < REST; k++) octree.update();
    octree.visitNodes(({ bodyCount, fitted }) =>
      expect({ bodyCount, minX: fitted.min.x }).toEqual({
        bodyCount: 2,
        minX: expect.toSatisfy((x: number) => x > 50),
      }),
    );
  });
});

describe('categories of nodes', () => {
  it.each([2, 3])(
    'lose a category when its last body is gone, also if all bodies had the same categories at first (later bodies: mask %i)',
    (mask) => {
      const random = createRandom(7);
      const { octree } = octreeOf([], { region: region(0, EDGE) });
      for (let k = 0; k < POPULATION; k++) octree.insert(boxOf(anywhere(random)), k, { mask: 1 });
      octree.update();
      const guests = Array.from({ length: 100 }, () => octree.insert(boxOf(anywhere(random)), 0, { mask }));
      octree.update();
      for (const guest of guests) guest.remove();
      for (let k = 0; k < REST; k++) octree.update();
      const stats: QueryStats = { nodesVisited: 0, nodesContained: 0, bodiesTested: 0, bodiesReported: 0 };
      expect(octree.collectBox(boxOf([40, 40, 40, 200, 200, 200]), new IndexList(), { mask: 2, stats })).toBe(0);
      expect(stats.nodesVisited).toBe(0);
    },
  );
});
