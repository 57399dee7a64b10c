import { Matrix4 } from 'three';
import { expect, it } from 'vitest';
import { maxStretchOf } from '../../../src/three/bounds/bounds-math.ts';
import { createRandom } from '../../support/random.ts';

const dot = (a: number[], b: number[]): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

it('is the root of the largest sum of magnitudes in a row of A^T A', () => {
  const random = createRandom(3);
  for (let k = 0; k < 100; k++) {
    const columns = [0, 1, 2].map(() => [0, 1, 2].map(() => random.between(-3, 3)));
    const sums = columns.map((one) => columns.reduce((sum, other) => sum + Math.abs(dot(one, other)), 0));
    const matrix = new Matrix4().fromArray(columns.flatMap((column) => [...column, 0]).concat(7, 8, 9, 1));
    expect(maxStretchOf(matrix.elements)).toBeCloseTo(Math.sqrt(Math.max(...sums)), 12);
  }
});
