import { Matrix3, Matrix4, Quaternion, Vector3 } from 'three';
import { expect, it } from 'vitest';
import { numbersOfBox } from '../../src/tiles/property-table.ts';
import { createRandom } from '../support/random.ts';

it('writes a box as ten 32-bit floats: its rotation as a quaternion, its sizes inside of the box', () => {
  const random = createRandom(3);
  for (let k = 0; k < 200; k++) {
    const parts = Array.from({ length: 4 }, () => random.between(-1, 1));
    // Each part is the largest one in turn.
    parts[k % 4] = 2;
    const rotation = new Quaternion(...parts).normalize();
    const matrix = new Matrix3().setFromMatrix4(new Matrix4().makeRotationFromQuaternion(rotation));
    const center = new Vector3(random.between(-5e4, 5e4), random.between(-1, 1), 0);
    const halfSize = new Vector3(random.between(1, 2), random.between(2, 3), random.between(3, 4));
    const numbers = numbersOfBox({ center, halfSize, rotation: matrix });
    const [x, y, z, w] = numbers.slice(6);
    expect(Math.abs(new Quaternion(x, y, z, w).dot(rotation))).toBeCloseTo(1, 12);
    expect(Math.hypot(x, y, z, w)).toBeCloseTo(1, 12);
    for (const [axis, name] of (['x', 'y', 'z'] as const).entries()) {
      const error = Math.abs(Math.fround(center.x) - center.x);
      const half = Math.fround(numbers[3 + axis]);
      expect(half + error).toBeLessThan(halfSize[name]);
      expect(half).toBeGreaterThan(halfSize[name] - 0.02);
    }
  }
  const atOrigin = { center: new Vector3(), halfSize: new Vector3(1, 1, 1), rotation: new Matrix3() };
  expect(Math.fround(numbersOfBox(atOrigin)[3])).toBeLessThan(1);
  const thin = { center: new Vector3(1e6, 0, 0), halfSize: new Vector3(1, 0.1, 1), rotation: new Matrix3() };
  expect(numbersOfBox(thin)).toEqual([]);
  expect(numbersOfBox({ ...atOrigin, halfSize: new Vector3(1, 0, 1) })).toEqual([]);
});
