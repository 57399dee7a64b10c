import { describe, expect, it } from 'vitest';
import { validate } from '../../../src/debug/index.ts';
import { Octree } from '../../../src/index.ts';
import { octreeOf } from '../../support/octrees.ts';
import { clustered, coincident, flat, gridAligned, huge, uniform } from '../../support/scenes.ts';
import { shapeOf } from '../../support/shapes.ts';
import { BLOCK, CAPACITY, LINK_STRIDE, NODE_HAS_MOVABLE, NO_BODY, ROOT } from '../../../src/tree/layout.ts';
import { usedNodes } from '../../../src/tree/traverse/walk-nodes.ts';
import type { Tree } from '../../../src/tree/tree.ts';

/** The slots of a node's page and of everything below it, in the order of the walks: the last octant first. */
function slotsBelow(tree: Tree, node: number): number[] {
  const { nodes } = tree;
  const page = nodes.page(node);
  const own = Array.from({ length: nodes.links[node * LINK_STRIDE + CAPACITY] }, (_, k) => page + k);
  const first = nodes.firstChild(node);
  const octants = Array.from({ length: first === 0 ? 0 : BLOCK }, (_, k) => BLOCK - 1 - k);
  const children = octants.filter((octant) => (nodes.childMask[node] & (1 << octant)) !== 0);
  return [...own, ...children.flatMap((octant) => slotsBelow(tree, first + octant))];
}

/** What the slots of a node's page hold. */
function slotsOf({ nodes, slots }: Tree, node: number): Int32Array {
  const page = nodes.page(node);
  return slots.body.subarray(page, page + nodes.links[node * LINK_STRIDE + CAPACITY]);
}

describe('a bulk build', () => {
  it.each([
    ['uniform', uniform(500, 1)],
    ['clustered', clustered(500, 2)],
    ['coincident', coincident(100)],
    ['flat', flat(300, 3)],
    ['grid', gridAligned(6)],
    ['huge', huge(300, 4)],
  ])('lays out the slots of each subtree as one run, in tree order: %s', (_, shapes) => {
    const { octree } = octreeOf(shapes, { leafCapacity: 4 });
    octree.update();
    const { tree } = octree.internals.store;
    const { nodes, slots } = tree;
    for (const node of usedNodes(tree)) {
      const start = nodes.runStart[node];
      const run = Array.from({ length: nodes.runEnd[node] - start }, (_slot, k) => start + k);
      expect(run).toEqual(slotsBelow(tree, node));
      const count = nodes.bodyCount(node);
      const unused = [...slotsOf(tree, node)].slice(count);
      // The smallest page: whole grains of two slots.
      expect(unused).toEqual(count % 2 === 0 ? [] : [NO_BODY]);
    }
    expect(nodes.runStart[ROOT]).toBe(0);
    expect(nodes.runEnd[ROOT]).toBe(slots.end);
  });

  it.each([true, false])(
    'knows which nodes hold bodies that may move, if only the first one is static: %s',
    (isStatic) => {
      const octree = new Octree<number>({ leafCapacity: 4 });
      for (const [k, shape] of uniform(100, 1).entries())
        octree.insert(shapeOf(shape), k, { isStatic: (k === 0) === isStatic });
      octree.update();
      expect(validate(octree)).toEqual([]);
      const movable = usedNodes(octree.internals.store.tree).filter(
        (node) => (octree.internals.store.tree.nodes.flags[node] & NODE_HAS_MOVABLE) !== 0,
      );
      // With one body that may move: the nodes from the root down to its own.
      if (!isStatic) expect(movable.length).toBeLessThan(10);
      else expect(movable.length).toBeGreaterThan(20);
    },
  );
});
