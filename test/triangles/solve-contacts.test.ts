import { Vector3 } from 'three';
import { expect, it } from 'vitest';
import { solveContacts, type ContactPlane } from '../../src/triangles/index.ts';
import { createRandom } from '../support/random.ts';
import { directionOf } from '../support/triangle-scenes.ts';

const plane = (x: number, y: number, z: number, depth: number): ContactPlane => ({
  normal: new Vector3(x, y, z).normalize(),
  depth,
});

it('leaves a motion without contacts as it is', () => {
  expect(solveContacts([], { x: 1, y: -2, z: 3 })).toEqual(new Vector3(1, -2, 3));
});

it('slides along a floor and out of a corner', () => {
  expect(solveContacts([plane(0, 1, 0, 0)], { x: 1, y: -2, z: 3 })).toEqual(new Vector3(1, 0, 3));
  const corner = [plane(0, 1, 0, 0.1), plane(1, 0, 0, 0.2), plane(0, 0, -1, 0)];
  expect(solveContacts(corner, { x: -5, y: -5, z: 5 }).distanceTo(new Vector3(0.2, 0.1, 0))).toBeLessThan(1e-14);
});

it('takes back what a plane has pushed too far', () => {
  // The steep slope alone would push upwards; with the wall the way out is another one.
  const planes = [plane(1, 1, 0, 1), plane(1, 0, 0, 2)];
  expect(solveContacts(planes, { x: 0, y: 0, z: 0 }).distanceTo(new Vector3(2, 0, 0))).toBeLessThan(1e-12);
});

it('finds the motion nearest to the wanted one, whatever the order of the contacts', () => {
  const random = createRandom(3);
  for (let round = 0; round < 300; round++) {
    // Normals within 60 degrees of an axis: there is room.
    const axis = directionOf(random);
    const planes = Array.from({ length: 1 + random.below(6) }, () => {
      const normal = directionOf(random).addScaledVector(axis, 1.2).normalize();
      return { normal, depth: random.between(0, 1) };
    });
    const motion = directionOf(random);
    const solved = solveContacts(planes, motion);
    const worst = Math.max(...planes.map(({ normal, depth }) => depth - normal.dot(solved)));
    expect(worst).toBeLessThan(1e-10);
    const reversed = solveContacts(
      planes.map((_, k) => planes[planes.length - 1 - k]),
      motion,
    );
    expect(reversed.distanceTo(solved)).toBeLessThan(1e-8);
    // Nothing nearer to the wanted motion is allowed.
    const length = solved.distanceTo(motion);
    const tries = length > 0 ? 30 : 0;
    for (let k = 0; k < tries; k++) {
      const other = directionOf(random)
        .multiplyScalar(length * 0.999)
        .add(motion);
      const isAllowed = planes.every(({ normal, depth }) => normal.dot(other) >= depth);
      expect(isAllowed).toBe(false);
    }
  }
});

it('ends between planes that leave no room', () => {
  const solved = solveContacts([plane(0, 1, 0, 1), plane(0, -1, 0, 1)], { x: 3, y: 0, z: 0 });
  expect(Math.abs(solved.y)).toBeLessThanOrEqual(1);
  expect(solved.x).toBe(3);
});

it('refuses other arguments', () => {
  expect(() => solveContacts(null as never, new Vector3())).toThrow('solveContacts: contacts must be an array');
  expect(() => solveContacts([], { x: NaN, y: 0, z: 0 })).toThrow('solveContacts: motion.x');
});
