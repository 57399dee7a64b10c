import { expect, it } from 'vitest';
import { powerOfTwo, stepFor } from '../../src/tiles/grid.ts';

it('chooses steps that are powers of two: the smallest that fit', () => {
  for (const power of [2 ** -30, 0.25, 1, 2, 2 ** 40]) {
    expect(powerOfTwo(power)).toBe(power);
    expect(powerOfTwo(power * 1.01)).toBe(2 * power);
    expect(powerOfTwo(power * 0.99)).toBe(power);
    expect(stepFor(65_534 * power, 0)).toBe(power);
    expect(stepFor(65_535 * power, 0)).toBe(2 * power);
    expect(stepFor(65_534 * power, 4 * power)).toBe(4 * power);
  }
  expect(stepFor(0, 0.5)).toBe(0.5);
});
