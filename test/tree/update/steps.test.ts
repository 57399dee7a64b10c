import { expect, it } from 'vitest';
import { IndexList } from '../../../src/index.ts';
import { BODY_HAS_TIGHT_SLOT } from '../../../src/tree/layout.ts';
import { BodyArrays, STEP_STRIDE } from '../../../src/tree/storage/body-arrays.ts';
import { relocateMany } from '../../../src/tree/update/relocate.ts';
import { octreeOf, region } from '../../support/octrees.ts';
import { boxOf, cube } from '../../support/shapes.ts';
import { validate } from '../../../src/debug/index.ts';

function stepOf(bodies: BodyArrays, index: number): number[] {
  const step = new Float32Array(STEP_STRIDE);
  bodies.readSteps(Uint32Array.of(index), 1, step);
  return [...step];
}

it('a body that loses its margin in a split has made no step: relocated where it is, it gets no margin', () => {
  const { octree } = octreeOf([], { region: region(0, 64), looseness: 1, leafCapacity: 2 });
  // On the planes between the eight octants, so that it stays in the root.
  const body = octree.insert(boxOf(cube(32, 32, 32, 2)), 0);
  octree.update();
  body.setBox(boxOf(cube(32.25, 32, 32, 2)));
  octree.update();
  const { tree } = octree.internals.store;
  const { bodies } = tree;
  expect(bodies.hasMargin(body.index)).toBe(true);
  for (let k = 0; k < 4; k++) octree.insert(boxOf(cube(8 + 2 * k, 8, 8, 0.5)), k);
  octree.update();
  expect(bodies.hasMargin(body.index)).toBe(false);
  expect(stepOf(bodies, body.index)).toEqual([0, 0, 0]);

  const displaced = new IndexList();
  displaced.push(body.index);
  relocateMany(tree, displaced);
  expect(bodies.hasMargin(body.index)).toBe(false);
  expect(validate(octree)).toEqual([]);
});

it('a body that has moved has no tight slot bounds, even before the move is applied', () => {
  const {
    octree,
    bodies: [body],
  } = octreeOf([cube(32, 32, 32, 2)], { region: region(0, 64) });
  const isTight = (): boolean => (octree.internals.store.tree.bodies.flags[body.index] & BODY_HAS_TIGHT_SLOT) !== 0;
  octree.update();
  expect(isTight()).toBe(true);
  body.setBox(boxOf(cube(33, 32, 32, 2)));
  expect(isTight()).toBe(false);
});
