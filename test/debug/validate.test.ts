import { expect, it } from 'vitest';
import { validate } from '../../src/debug/index.ts';
import { octreeOf } from '../support/octrees.ts';
import { uniform } from '../support/scenes.ts';
import { BLOCK, CAPACITY, FIRST_CHILD, LINK_STRIDE, NODE_HAS_MOVABLE, NODE_USED, ROOT } from '../../src/tree/layout.ts';
import { usedNodes } from '../../src/tree/traverse/walk-nodes.ts';
import type { Tree } from '../../src/tree/tree.ts';

function leafOf(tree: Tree): number {
  return usedNodes(tree).find((node) => tree.nodes.isLeaf(node) && tree.nodes.bodyCount(node) > 1)!;
}

const moveFace =
  (face: number, by: number) =>
  (tree: Tree): void => {
    tree.slots.slotBounds[6 * tree.nodes.page(leafOf(tree)) + face] += by;
  };

/** Faults that are planted into a right tree, and what is said about them. */
const FAULTS: readonly [string, (tree: Tree) => unknown, string][] = [
  ...[0, 1, 2, 3, 4, 5].flatMap((face): [string, (tree: Tree) => unknown, string][] => [
    [`loose slot bounds, face ${face}`, moveFace(face, face < 3 ? -0.1 : 0.1), 'its slot bounds are not tight'],
    [`small slot bounds, face ${face}`, moveFace(face, face < 3 ? 0.1 : -0.1), 'its slot bounds do not contain'],
  ]),
  ['a small fitted box', (tree) => (tree.nodes.fitted[6 * leafOf(tree)] += 9), 'its fitted box does not contain body'],
  ['a small fitted box of a parent', (tree) => (tree.nodes.fitted[4] -= 9), 'its fitted box does not contain'],
  ['a missing category', (tree) => (tree.nodes.categoryMask[leafOf(tree)] = 0), 'does not have all categories'],
  ['static bodies only', (tree) => (tree.nodes.flags[leafOf(tree)] &= ~NODE_HAS_MOVABLE), 'not marked as movable'],
  ['an unused node', (tree) => (tree.nodes.flags[leafOf(tree)] &= ~NODE_USED), 'not marked as used'],
  ['a wrong count of nodes', (tree) => tree.nodes.count++, 'are counted, but'],
  ['a wrong count of bodies', (tree) => tree.placedCount++, 'are counted as placed'],
  ['a wrong lifespan', (tree) => (tree.nodes.lifespan[ROOT] = 9), 'its lifespan is 9'],
  ['a countdown of a leaf in use', (tree) => (tree.nodes.countdown[leafOf(tree)] = 3), 'is not an empty leaf'],
  ['a wrong parent', (tree) => tree.nodes.blockParent[1]++, 'the parent of its children is node'],
  ['a wrong owner', (tree) => tree.slots.setOwner(tree.nodes.page(leafOf(tree)), 2, ROOT), 'but its owner is node 0'],
  ['a wrong page', (tree) => (tree.nodes.links[leafOf(tree) * LINK_STRIDE + CAPACITY] = 0), 'does not match its'],
  ['a lost run', (tree) => (tree.nodes.runEnd[ROOT] -= 2), 'its run of slots holds'],
  ['a lost free block', (tree) => tree.nodes.blocks++, 'do not add up'],
  [
    'a cycle',
    ({ nodes }) => {
      const child = nodes.firstChild(ROOT) + 31 - Math.clz32(nodes.childMask[ROOT]);
      nodes.links[child * LINK_STRIDE + FIRST_CHILD] = nodes.firstChild(ROOT);
      nodes.childMask[child] = nodes.childMask[ROOT];
    },
    'the parent of its children is node',
  ],
];

it.each(FAULTS)('validate finds %s', (_, plant, fault) => {
  const { octree } = octreeOf(uniform(300, 1), { leafCapacity: 4 });
  octree.update();
  expect(validate(octree)).toEqual([]);
  const { tree } = octree.internals.store;
  expect(tree.nodes.blocks).toBeGreaterThan(BLOCK);
  plant(tree);
  expect(validate(octree)).toContainEqual(expect.stringContaining(fault));
});
