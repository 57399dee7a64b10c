import { Plane, Vector3 } from 'three';
import { expect, it } from 'vitest';
import { isValidPlane } from '../../../src/three/passes/render-pass.ts';

it.each([
  ['a plane', 1, 5, true],
  ['the far plane of an infinite frustum', 0 / 0, Infinity, true],
  ['a direction that is not a number', NaN, 5, false],
  ['no direction', 0, 5, false],
  ['an infinite direction', Infinity, 5, false],
  ['a distance that is not a number', 1, NaN, false],
  ['an infinite distance', 1, Infinity, false],
])('%s is valid, or of a broken camera', (_, x, constant, expected) => {
  expect(isValidPlane(new Plane(new Vector3(x, 0, 0), constant))).toBe(expected);
});
