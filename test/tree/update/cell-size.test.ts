import { expect, it } from 'vitest';
import { validate } from '../../../src/debug/index.ts';
import { octreeOf } from '../../support/octrees.ts';
import { cube } from '../../support/shapes.ts';
import { adaptCells } from '../../../src/tree/update/place.ts';

// With a looseness of 2, a cell accepts bodies of twice its edge.
it.each([
  [4, 1],
  [0.25, 0.125],
  [0.26, 0.25],
  [2 ** -40, 2 ** -30],
])('a body of size %d needs cells of edge %d at least', (size, edge) => {
  const { octree } = octreeOf([cube(0.5, 0.5, 0.5)]);
  octree.update();
  const { tree } = octree.internals.store;
  adaptCells(tree, size, 1);
  expect(tree.minCellSize).toBe(edge);
  expect(tree.smallestEdge).toBe(edge);
});

it('leaves that could not split before split once cells may be smaller', () => {
  const shapes = Array.from({ length: 20 }, (_, k) => cube(0.05 * k, 0.5, 0.5, 0.01));
  const { octree } = octreeOf(shapes, { leafCapacity: 4 });
  const { nodes } = octree.update();
  adaptCells(octree.internals.store.tree, 0.02, 1);
  expect(octree.statistics.nodes).toBeGreaterThan(nodes);
  expect(validate(octree)).toEqual([]);
});
