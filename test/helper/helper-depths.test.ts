import { expect, it } from 'vitest';
import { Octree } from '../../src/index.ts';
import { OctreeHelper } from '../../src/three.ts';
import { uniform } from '../support/scenes.ts';
import { shapeOf } from '../support/shapes.ts';

function filled(): Octree<number> {
  const octree = new Octree<number>({ leafCapacity: 4 });
  for (const shape of uniform(500, 1)) octree.insert(shapeOf(shape), 0);
  octree.update();
  return octree;
}

it('draws all nodes in another colouring than that of the query, whatever the query visits', () => {
  const octree = filled();
  const query = { origin: { x: -100, y: 3, z: 3 }, direction: { x: 1, y: 0, z: 0 } };
  expect(new OctreeHelper(octree, { query }).boxCount).toBeLessThan(octree.statistics.nodes);
  expect(new OctreeHelper(octree, { query, coloring: 'depth' }).boxCount).toBe(octree.statistics.nodes);
});

it('draws nodes down to a depth that is no integer', () => {
  const octree = filled();
  const depths: number[] = [];
  octree.visitNodes(({ depth }) => void depths.push(depth));
  for (const maxDepth of [0, 0.5, 1, 1.5])
    expect([maxDepth, new OctreeHelper(octree, { maxDepth }).boxCount]).toEqual([
      maxDepth,
      depths.filter((depth) => depth <= maxDepth).length,
    ]);
});

it('draws fitted boxes without an extent', () => {
  const octree = new Octree<number>();
  octree.insert({ min: { x: 1, y: 2, z: 3 }, max: { x: 1, y: 2, z: 3 } }, 0);
  octree.update();
  expect(new OctreeHelper(octree, { outline: 'fitted' }).boxCount).toBe(1);
});

it('refuses a negative opacity', () => {
  expect(() => new OctreeHelper(filled(), { coloring: () => -0.5 })).toThrow(
    'OctreeHelper.update: coloring must return an opacity from 0 to 1, but returned -0.5; return 0 to leave a node out.',
  );
});
