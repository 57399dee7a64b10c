import { describe, expect, it } from 'vitest';
import { cutIntoCells, type Cell } from '../../src/tiles/cells.ts';

/** The places of each leaf of points on a line, or in space, of which each has as many vertices. */
function leavesOf(points: readonly (number | readonly number[])[], vertices = 100): number[][] {
  const bounds = points.flatMap((point) => {
    if (typeof point === 'number') return [point, 0, 0, point, 0, 0];
    // Extents, which do not count.
    const [x, y, z] = point;
    return [x - 4, y - 2, z - 1, x + 4, y + 2, z + 1];
  });
  const table = { bounds, vertices: points.map(() => vertices) };
  const leaves = ({ places, children }: Cell): number[][] =>
    children.length === 0 ? [[...places]] : children.flatMap(leaves);
  return leaves(cutIntoCells(table, 400));
}

/** The bits of a place of a grid of 4 * 4 * 4, the high ones of all axes first. */
const octantsOf = (place: number): number =>
  [1, 0].reduce((sum, bit) => [2, 1, 0].reduce((key, axis) => 2 * key + ((place >> (2 * axis + bit)) & 1), sum), 0);

describe('cutIntoCells', () => {
  it('gives each place to one leaf, siblings that fit together', () => {
    expect(leavesOf([-1, 1, 0.5, -0.5, 0.75, -0.75])).toEqual([
      [0, 3, 5],
      [1, 2, 4],
    ]);
  });

  it('leaves objects that are too large for a leaf alone', () => {
    expect(leavesOf([0], 500)).toEqual([[0]]);
    expect(leavesOf([0, 0.1, 5, 5, 5], 500)).toEqual([[0], [1], [2], [3], [4]]);
  });

  it('halves cells along all axes, x first in the order of leaves; joins those that fit exactly', () => {
    const points = Array.from({ length: 64 }, (_, k) => [0, 1, 2].map((axis) => ((k >> (2 * axis)) & 3) / 4 - 0.375));
    const inOrder = points.map((_, place) => place).sort((a, b) => octantsOf(a) - octantsOf(b));
    expect(leavesOf(points, 400)).toEqual(inOrder.map((place) => [place]));
    const eights = Array.from({ length: 8 }, (_, octant) => inOrder.slice(8 * octant, 8 * octant + 8));
    expect(leavesOf(points, 50)).toEqual(eights.map((leaf) => leaf.sort((a, b) => a - b)));
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
