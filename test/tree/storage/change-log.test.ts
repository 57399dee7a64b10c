import { expect, it } from 'vitest';
import { octreeOf } from '../../support/octrees.ts';
import { cube } from '../../support/shapes.ts';

it('the lists of changes are empty once nobody reads them', () => {
  const { octree, bodies } = octreeOf([cube(0, 0, 0), cube(9, 0, 0)]);
  octree.update();
  const { changes } = octree.internals.store;
  changes.addReader();
  bodies[0].setCenter({ x: 1, y: 0, z: 0 });
  octree.internals.store.flush();
  expect([changes.moved.length, changes.renewed.length]).toEqual([1, 1]);
  changes.removeReader();
  expect([changes.moved.length, changes.renewed.length]).toEqual([0, 0]);
});
