import { expect, it } from 'vitest';
import { TriangleBoxTest } from '../../../src/occlusion/solid-boxes/triangle-box.ts';
import { createRandom, type Random } from '../../support/random.ts';

type Point = readonly number[];

/** What is left of a triangle inside a box: it is cut by one plane after the other. */
function cut(triangle: readonly Point[], low: Point, size: Point): readonly Point[] {
  let corners = triangle;
  for (let plane = 0; plane < 6; plane++) {
    const axis = plane >> 1;
    const depth = (point: Point): number =>
      plane % 2 === 0 ? point[axis] - low[axis] : low[axis] + size[axis] - point[axis];
    corners = corners.flatMap((from, k) => {
      const to = corners[(k + 1) % corners.length];
      const [here, there] = [depth(from), depth(to)];
      const crossing = from.map((value, at) => value + (here / (here - there)) * (to[at] - value));
      return [...(here >= 0 ? [from] : []), ...(here >= 0 !== there >= 0 ? [crossing] : [])];
    });
  }
  return corners;
}

/** The test as its callers make it: first by the bounds of the triangle. */
function touches(test: TriangleBoxTest, triangle: readonly Point[], low: Point, size: Point): boolean {
  const isBeside = [0, 1, 2].some((axis) => {
    const values = triangle.map((corner) => corner[axis]);
    return Math.max(...values) < low[axis] || Math.min(...values) > low[axis] + size[axis];
  });
  test.set(Float64Array.from(triangle.flat()), 0, 3, 6, Float64Array.from(size));
  return !isBeside && test.touchesAlongX(low[1], low[2]) && test.touchesAt(low[0], low[1], low[2]);
}

const pointOf = (random: Random, reach: number): number[] => [0, 1, 2].map(() => random.between(-reach, reach));

it('touches the boxes in which a part of the triangle is left when it is cut by their faces', () => {
  const random = createRandom(3);
  const test = new TriangleBoxTest();
  const counts = [0, 0];
  for (let k = 0; k < 20_000; k++) {
    const triangle = [0, 1, 2].map(() => pointOf(random, random.pick([1, 3])));
    const low = pointOf(random, 2);
    const size = [0, 1, 2].map(() => random.pick([0.01, 0.5, 2]));
    const isTouched = cut(triangle, low, size).length > 0;
    counts[Number(isTouched)]++;
    expect(touches(test, triangle, low, size)).toBe(isTouched);
  }
  expect(Math.min(...counts)).toBeGreaterThan(1000);
});
