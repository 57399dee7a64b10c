import { describe, expect, it } from 'vitest';
import { closestToBox } from '../../../src/triangles/kernels/box.ts';
import { CLOSEST_STRIDE } from '../../../src/triangles/kernels/closest.ts';
import { touchBox, touchSegment } from '../../../src/triangles/kernels/contact.ts';
import {
  boxCorners,
  boxTriangle,
  exactPoints,
  pointTriangle,
  rootOf,
  segmentTriangle,
} from '../../support/exact-distance.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { IS_LONG } from '../../support/sampled.ts';
import {
  boxNear,
  largest,
  randomTriangle,
  segmentNear,
  TRIANGLE_KINDS,
  lengthOf,
  shifted,
  say,
} from '../../support/triangle-cases.ts';

/** Part of the largest coordinate. */
const TOLERANCE = 1e-15;
const ROUNDS = IS_LONG ? 300 : 100;
/** Exact distances of boxes take longer. */
const BOXES = IS_LONG ? 30 : 10;

const contact = new Float64Array(7);
const [position, normal] = [contact.subarray(0, 3), contact.subarray(3, 6)];
const direction = (random: Random): Float64Array => {
  const vector = Float64Array.from([0, 1, 2], () => random.between(-1, 1));
  return vector.map((x) => x / lengthOf(vector));
};

describe.each(TRIANGLE_KINDS)('a contact with a triangle: %s', (kind) => {
  const random = createRandom(TRIANGLE_KINDS.indexOf(kind) + 11);

  it('of a capsule: touches as far as its radius, and shifted by the depth it only touches', () => {
    let touching = 0;
    let pushed = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const triangle = randomTriangle(random, kind);
      const ends = segmentNear(random, triangle);
      const exact = exactPoints(triangle);
      const distance = rootOf(segmentTriangle(exactPoints(ends), exact));
      const radius = random.pick([0, distance, distance * random.between(0.5, 2), random.next()]);
      const segment = Float64Array.from([...ends, radius]);
      const message = say(triangle, segment);
      const tolerance = TOLERANCE * largest(triangle, segment);
      const isTouching = touchSegment(segment, triangle, contact);
      if (Math.abs(distance - radius) > tolerance) expect(isTouching, message).toBe(distance < radius);
      if (!isTouching) continue;
      touching++;
      expect(rootOf(pointTriangle(exactPoints(position)[0], exact)), message).toBeLessThanOrEqual(tolerance);
      expect(lengthOf(normal), message).toBeCloseTo(1, 14);
      expect(contact[6], message).toBeGreaterThanOrEqual(0);
      const away = shifted(ends, 2, normal, contact[6]);
      const gap = rootOf(segmentTriangle(exactPoints(away), exact));
      const far = TOLERANCE * largest(triangle, away);
      if (distance > 1e-13 * largest(triangle)) {
        expect(Math.abs(contact[6] - (radius - distance)), message).toBeLessThanOrEqual(tolerance);
        // A normal of two near points is as exact as their distance.
        expect(Math.abs(gap - radius), message).toBeLessThanOrEqual(4 * far * (1 + contact[6] / distance));
      } else if (distance === 0) {
        pushed++;
        expect(gap, message).toBeGreaterThanOrEqual(radius - 16 * far);
        const plane = [0, 3].map((end) => normal.reduce((sum, x, k) => sum + x * (ends[end + k] - position[k]), 0));
        const push = Math.min(Math.max(...plane), -Math.min(...plane));
        expect(Math.abs(contact[6] - (radius + push)), message).toBeLessThanOrEqual(16 * far);
      }
    }
    expect(touching).toBeGreaterThan(ROUNDS / 4);
    if (!['point', 'line', 'folded'].includes(kind)) expect(pushed).toBeGreaterThan(5);
  });

  it('of a box: the closest points', () => {
    const out = new Float64Array(CLOSEST_STRIDE);
    for (let round = 0; round < BOXES; round++) {
      const triangle = randomTriangle(random, kind);
      const box = boxNear(random, triangle);
      const message = say(triangle, box);
      // The axes of the box are unit vectors up to rounding.
      const tolerance = 2 * TOLERANCE * largest(triangle, box);
      closestToBox(box, triangle, out);
      const distance = rootOf(boxTriangle(boxCorners(box), exactPoints(triangle)));
      expect(Math.abs(out[6] - distance), message).toBeLessThanOrEqual(tolerance);
      const onTriangle = exactPoints(out.subarray(3, 6))[0];
      expect(rootOf(pointTriangle(onTriangle, exactPoints(triangle))), message).toBeLessThanOrEqual(tolerance);
      const inBox = exactPoints(out.subarray(0, 3))[0];
      expect(rootOf(boxTriangle(boxCorners(box), [inBox, inBox, inBox])), message).toBeLessThanOrEqual(tolerance);
      const difference = [0, 1, 2].map((k) => Math.abs(out[k] - out[k + 3] - out[k + 7]));
      expect(Math.max(...difference), message).toBeLessThanOrEqual(2 * tolerance);
    }
  });

  it('of a box: no shorter push frees it, and this one does', () => {
    let touching = 0;
    for (let round = 0; round < BOXES; round++) {
      const triangle = randomTriangle(random, kind);
      const box = boxNear(random, triangle);
      const exact = exactPoints(triangle);
      const message = say(triangle, box);
      const tolerance = 4 * TOLERANCE * largest(triangle, box);
      const gap = (by: Float64Array, scale: number): number =>
        rootOf(boxTriangle(boxCorners(shifted(box, 1, by, scale)), exact));
      const isTouching = touchBox(box, triangle, contact);
      const distance = gap(normal, 0);
      if (distance > tolerance) expect(isTouching, message).toBe(false);
      if (!isTouching) continue;
      touching++;
      expect(distance, message).toBeLessThanOrEqual(tolerance);
      expect(rootOf(pointTriangle(exactPoints(position)[0], exact)), message).toBeLessThanOrEqual(tolerance);
      expect(lengthOf(normal), message).toBeCloseTo(1, 14);
      expect(gap(normal, contact[6]), message).toBeLessThanOrEqual(tolerance);
      expect(Math.abs(gap(normal, contact[6] + 0.25) - 0.25), message).toBeLessThanOrEqual(tolerance);
      for (let k = 0; k < 3; k++)
        expect(gap(direction(random), 0.99 * contact[6]), message).toBeLessThanOrEqual(tolerance);
    }
    expect(touching).toBeGreaterThan(BOXES / 8);
  });
});
