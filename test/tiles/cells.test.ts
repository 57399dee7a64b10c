import { describe, expect, it } from 'vitest';
import { cutIntoCells, type Cell } from '../../src/tiles/cells.ts';

/** The places of each leaf of points on a line, of which each has 100 vertices. */
function leavesOf(points: readonly number[]): number[][] {
  const order = Uint32Array.from(points, (_, place) => place);
  const table = { bounds: points.flatMap((x) => [x, 0, 0, x, 0, 0]), vertices: points.map(() => 100) };
  const leaves: number[][] = [];
  const collect = ({ begin, end, children }: Cell): void => {
    if (children.length === 0) leaves.push(Array.from(order.subarray(begin, end)));
    children.forEach(collect);
  };
  collect(cutIntoCells(table, order, 400));
  return leaves;
}

describe('cutIntoCells', () => {
  it('gives each place to one leaf, siblings that fit together', () => {
    expect(leavesOf([-1, 1, 0.5, -0.5, 0.75, -0.75])).toEqual([
      [0, 3, 5],
      [1, 2, 4],
    ]);
  });

  it.each([
    [2 ** -50, true],
    [2 ** -80, false],
  ])('separates what is apart, and ends with what is hardly so: by %f of the extent', (distance, isSeparated) => {
    const points = [-1, 1, ...Array.from({ length: 8 }, (_, k) => (k % 2) * distance)];
    const leaves = leavesOf(points);
    expect(leaves.flat().sort((a, b) => a - b)).toEqual(points.map((_, place) => place));
    expect(Math.max(...leaves.map(({ length }) => length))).toBeLessThanOrEqual(4);
    const near = leaves.map((leaf) => leaf.filter((place) => place > 1)).filter(({ length }) => length > 0);
    expect(near.every((leaf) => new Set(leaf.map((place) => place % 2)).size === 1)).toBe(isSeparated);
  });
});
