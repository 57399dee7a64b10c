// When bodies may stay where they are although their container has moved.

import { Euler, Matrix4, Ray, Vector3 } from 'three';
import { expect, it } from 'vitest';
import { BodySpace } from '../../../src/three/bounds/body-space.ts';
import { createRandom } from '../../support/random.ts';

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

/** Turns, and scales all axes. */
function turn(scale: number): Matrix4 {
  return new Matrix4().makeRotationFromEuler(new Euler(1, 2, 3)).scale(new Vector3(scale, scale, scale));
}

it.each([1, 1e-3, 1e3])(
  'takes scales and angles that differ by rounding as none, and others not, at scale %d',
  (scale) => {
    for (let k = 0; k < 9; k++) {
      // Each axis is made longer, then bent to each other one.
      const isSimilarWith = (change: number): boolean => {
        const matrix = new Matrix4();
        matrix.elements[4 * (k % 3) + Math.floor(k / 3)] += change;
        return movedBy(turn(scale).multiply(matrix)).space.isSimilar;
      };
      const step = k % 4 === 0 ? 1 : 2;
      expect([3e-10, 8e-10].map((change) => isSimilarWith(step * change))).toEqual([true, false]);
    }
  },
);

it('stretches no vector by more or less than it says', () => {
  const random = createRandom(1);
  const vector = (): Vector3 => new Vector3(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1));
  for (const world of [
    turn(5),
    turn(0.2),
    turn(1).scale(new Vector3(5, 1, 8)),
    turn(1).scale(new Vector3(0.1, 0.2, 1)),
  ]) {
    const { space } = movedBy(world);
    const origin = space.pointOf(new Vector3());
    const stretches = Array.from({ length: 200 }, () => {
      const v = vector();
      return space.pointOf(v).distanceTo(origin) / v.length();
    });
    const [least, most] = [Math.min(...stretches), Math.max(...stretches)];
    expect(space.minScale).toBeLessThan(least * (1 + 1e-9));
    expect(space.maxScale).toBeGreaterThan(most * (1 - 1e-9));
    expect([space.minScale > least / 2, space.maxScale < most * 2]).toEqual([true, true]);
    const ray = new Ray(vector(), vector());
    expect(space.rayOf(ray).direction.length()).toBeCloseTo(space.rayScale * ray.direction.length(), 9);
  }
});
