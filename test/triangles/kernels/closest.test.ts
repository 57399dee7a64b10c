import { Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { CLOSEST_STRIDE, closestToSegment, closestTriangles } from '../../../src/triangles/kernels/closest.ts';
import {
  exactPoints,
  pointSegment,
  pointTriangle,
  rootOf,
  segmentTriangle,
  triangleTriangle,
} from '../../support/exact-distance.ts';
import { createRandom } from '../../support/random.ts';
import { largest, pointNear, randomTriangle, segmentNear, TRIANGLE_KINDS } from '../../support/triangle-cases.ts';

/** Part of the largest coordinate. */
const TOLERANCE = 1e-15;
const ROUNDS = 300;

const out = new Float64Array(CLOSEST_STRIDE);

/** Fails unless `out` is right: the distance, two points of the shapes, and the vector between them. */
function check(distance: number, scale: number, toFirst: number, toTriangle: number, message: string): void {
  const tolerance = TOLERANCE * scale;
  expect(Math.abs(out[6] - distance), message).toBeLessThanOrEqual(tolerance);
  expect(toFirst, `${message}: point of the first shape`).toBeLessThanOrEqual(tolerance);
  expect(toTriangle, `${message}: point of the triangle`).toBeLessThanOrEqual(tolerance);
  const difference = [0, 1, 2].map((k) => Math.abs(out[k] - out[k + 3] - out[k + 7]));
  expect(Math.max(...difference), `${message}: vector`).toBeLessThanOrEqual(2 * tolerance);
  const length = Math.sqrt(out[7] ** 2 + out[8] ** 2 + out[9] ** 2);
  expect(Math.abs(length - out[6]), `${message}: length`).toBeLessThanOrEqual(tolerance);
}

const [first, second] = [out.subarray(0, 3), out.subarray(3, 6)];
const say = (...arrays: readonly Float64Array[]): string => arrays.map((array) => `[${array.join()}]`).join(' ');

describe.each(TRIANGLE_KINDS)('closest points of a triangle: %s', (kind) => {
  const random = createRandom(TRIANGLE_KINDS.indexOf(kind) + 1);

  it('and a point', () => {
    for (let round = 0; round < ROUNDS; round++) {
      const triangle = randomTriangle(random, kind);
      const point = Float64Array.from(pointNear(random, triangle));
      closestToSegment(Float64Array.of(...point, ...point), triangle, out);
      const exact = exactPoints(triangle);
      const distance = rootOf(pointTriangle(exactPoints(point)[0], exact));
      check(
        distance,
        largest(triangle, point),
        largest(point.map((x, k) => x - out[k])),
        rootOf(pointTriangle(exactPoints(second)[0], exact)),
        say(triangle, point),
      );
    }
  });

  it('and a segment', () => {
    for (let round = 0; round < ROUNDS; round++) {
      const triangle = randomTriangle(random, kind);
      const segment = segmentNear(random, triangle);
      closestToSegment(segment, triangle, out);
      const exact = exactPoints(triangle);
      const ends = exactPoints(segment);
      check(
        rootOf(segmentTriangle(ends, exact)),
        largest(triangle, segment),
        rootOf(pointSegment(exactPoints(first)[0], ends)),
        rootOf(pointTriangle(exactPoints(second)[0], exact)),
        say(triangle, segment),
      );
    }
  });

  it('and another triangle', () => {
    for (let round = 0; round < ROUNDS; round++) {
      const triangle = randomTriangle(random, kind);
      const [a, b] = [pointNear(random, triangle), segmentNear(random, triangle)];
      const other =
        random.next() < 0.3 ? randomTriangle(random, random.pick(TRIANGLE_KINDS)) : Float64Array.from([...a, ...b]);
      out[6] = Infinity;
      expect(closestTriangles(other, triangle, out)).toBe(true);
      const exact = exactPoints(triangle);
      const exactOther = exactPoints(other);
      check(
        rootOf(triangleTriangle(exactOther, exact)),
        largest(triangle, other),
        rootOf(pointTriangle(exactPoints(first)[0], exactOther)),
        rootOf(pointTriangle(exactPoints(second)[0], exact)),
        say(triangle, other),
      );
      // A limit is closed, and changes no result within it.
      const all = [...out];
      expect(closestTriangles(other, triangle, out), say(triangle, other)).toBe(true);
      expect([...out], say(triangle, other)).toEqual(all);
      out[6] = random.pick([0.5, 1 - 1e-15]) * all[6];
      if (all[6] > 1e-290) expect(closestTriangles(other, triangle, out), say(triangle, other)).toBe(false);
    }
  });
});

/** Direction from the first point to the second. */
const along = (points: Float64Array): Vector3 =>
  new Vector3(points[3] - points[0], points[4] - points[1], points[5] - points[2]).normalize();

it('the vector between two edges that almost touch is perpendicular to both, although the points are rounded', () => {
  const random = createRandom(20);
  const turn = new Quaternion();
  const place = (...numbers: number[]): Float64Array => {
    const turned: number[] = [];
    for (let k = 0; k < numbers.length; k += 3)
      turned.push(...new Vector3().fromArray(numbers, k).applyQuaternion(turn).toArray());
    return Float64Array.from(turned);
  };
  for (let round = 0; round < ROUNDS; round++) {
    turn.set(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1), 0.5).normalize();
    const [gap, x] = [1e-9 * random.between(1, 2), random.between(-0.5, 0.5)];
    // The triangle lies below its edge along x, the segment just above it, along z.
    const triangle = place(-1, 0, 0, 1, 0, 0, 0, -1, random.between(-1, 1));
    const segment = place(x, gap, -1, x + 0.3, gap, 1);
    closestToSegment(segment, triangle, out);
    expect(Math.abs(out[6] - gap)).toBeLessThan(TOLERANCE);
    const vector = new Vector3(out[7], out[8], out[9]).normalize();
    for (const edge of [along(triangle), along(segment)]) expect(Math.abs(vector.dot(edge))).toBeLessThan(TOLERANCE);
  }
});
