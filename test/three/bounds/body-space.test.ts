// When bodies may stay where they are although their container has moved.

import { Matrix4 } from 'three';
import { expect, it } from 'vitest';
import { BodySpace } from '../../../src/three/bounds/body-space.ts';

function movedBy(world: Matrix4): { readonly space: BodySpace; readonly stays: boolean } {
  const space = new BodySpace();
  const stays = space.setWorld(world);
  return { space, stays };
}

it('keeps the bodies unless the container is so flat that the inverse loses half of its digits', () => {
  expect(movedBy(new Matrix4().makeScale(1, 1, 1.5e-6)).stays).toBe(true);
  expect(movedBy(new Matrix4().makeScale(1, 1, 7e-7)).stays).toBe(false);
  // What counts is the ratio of the scales.
  expect(movedBy(new Matrix4().makeScale(1e-7, 1e-7, 1e-7)).stays).toBe(true);
});

it('takes scales that differ by rounding as uniform, and others not', () => {
  for (const axis of [0, 1, 2]) {
    const scaledBy = (factor: number): boolean => {
      const world = new Matrix4().makeRotationY(1);
      return movedBy(world.scale({ x: 1, y: 1, z: 1, [['x', 'y', 'z'][axis]]: factor } as never)).space.isSimilar;
    };
    expect(scaledBy(1 + 3e-10)).toBe(true);
    expect(scaledBy(1 + 8e-10)).toBe(false);
  }
});
