import { describe, expect, it } from 'vitest';
import { touchBox, touchSegment } from '../../../src/triangles/kernels/contact.ts';
import { timeOfBox, timeOfSegment } from '../../../src/triangles/kernels/time-of-touch.ts';
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
  pointNear,
  randomTriangle,
  segmentNear,
  TRIANGLE_KINDS,
  lengthOf,
  shifted,
  say,
} from '../../support/triangle-cases.ts';

/** Part of the largest coordinate. */
const TOLERANCE = 2e-15;
const ROUNDS = IS_LONG ? 200 : 30;
/** Exact distances of boxes take longer. */
const BOXES = IS_LONG ? 25 : 9;

const touch = new Float64Array(7);
const contact = new Float64Array(7);
const [position, normal] = [touch.subarray(0, 3), touch.subarray(3, 6)];

/** From a shape to a point of the triangle and beyond, or past it; sometimes none. */
function motionNear(random: Random, shape: Float64Array, triangle: Float64Array): Float64Array {
  const scale = random.pick([0, 1, 2, random.between(-1, 3)]);
  return Float64Array.from(pointNear(random, triangle), (x, k) => scale * (x - shape[k]));
}

/** The least of a convex function in [0, 1 - 1e-12], by thirds. Whether a touch at 1 counts is a matter of rounding. */
function leastOf(f: (time: number) => number): number {
  let [low, high] = [0, 1 - 1e-12];
  for (let step = 0; step < 60; step++) {
    const third = (high - low) / 3;
    if (f(low + third) < f(high - third)) high -= third;
    else low += third;
  }
  return Math.min(f(0), f(low), f(high));
}

/**
 * Compares a result, or a miss, with the exact distance at times of the motion. `least` is the least distance that a
 * miss may have, from a search along the whole motion.
 */
function check(
  isHit: boolean,
  radius: number,
  tolerance: number,
  distanceAt: (time: number) => number,
  onTriangle: () => number,
  message: string,
): void {
  if (!isHit) {
    const least = leastOf(distanceAt);
    if (radius === 0) expect(least, `${message}: missed`).toBeGreaterThan(0.005 * tolerance);
    // A normal between near points is as exact as their distance.
    else expect(least, `${message}: missed`).toBeGreaterThanOrEqual(radius - tolerance * (1 + 1 / radius));
    return;
  }
  const time = touch[6];
  expect(time >= 0 && time <= 1, message).toBe(true);
  expect(lengthOf(normal), message).toBeCloseTo(1, 14);
  expect(onTriangle(), `${message}: position`).toBeLessThanOrEqual(tolerance);
  if (time === 0) {
    expect(distanceAt(0), `${message}: at the start`).toBeLessThanOrEqual(radius + tolerance);
    return;
  }
  expect(Math.abs(distanceAt(time) - radius), `${message}: gap`).toBeLessThanOrEqual(tolerance);
  for (const part of [0, 0.5, 0.9, 0.99, 0.9999])
    expect(distanceAt(part * time), `${message}: before`).toBeGreaterThanOrEqual(radius - tolerance);
}

describe.each(TRIANGLE_KINDS)('the time of touch with a triangle: %s', (kind) => {
  const random = createRandom(TRIANGLE_KINDS.indexOf(kind) + 31);

  it('of a capsule', () => {
    let hits = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const triangle = randomTriangle(random, kind);
      const center = pointNear(random, triangle);
      const ends = random.next() < 0.5 ? segmentNear(random, triangle) : Float64Array.from([...center, ...center]);
      const segment = Float64Array.from([...ends, random.pick([0, 0, 1e-3, 0.1, random.next()])]);
      const motion = motionNear(random, segment, triangle);
      const exact = exactPoints(triangle);
      const distanceAt = (time: number): number =>
        rootOf(segmentTriangle(exactPoints(shifted(ends, 2, motion, time)), exact));
      touch[6] = 1;
      const isHit = timeOfSegment(segment, motion, triangle, touch);
      const tolerance = TOLERANCE * largest(triangle, segment, shifted(segment, 2, motion, 1));
      const onTriangle = (): number => rootOf(pointTriangle(exactPoints(position)[0], exact));
      const message = say(triangle, segment, motion);
      // From very near, and nearly along the triangle: the normal, and so hit or miss, is a matter of rounding.
      const start = distanceAt(0);
      if (!isHit && start < 1e-5 && start ** 2 < 1e-13 * lengthOf(motion)) continue;
      check(isHit, segment[6], tolerance, distanceAt, onTriangle, message);
      if (!isHit) continue;
      hits++;
      const time = touch[6];
      if (time === 0) {
        if (touchSegment(segment, triangle, contact)) expect([...normal], message).toEqual([...contact.subarray(3, 6)]);
        continue;
      }
      // The result does not depend on the largest time, which is closed.
      touch[6] = time;
      expect(timeOfSegment(segment, motion, triangle, touch), message).toBe(true);
      expect(touch[6], message).toBe(time);
      touch[6] = time * (1 - 1e-15);
      expect(timeOfSegment(segment, motion, triangle, touch), message).toBe(false);
    }
    expect(hits).toBeGreaterThan(ROUNDS / 4);
  });

  it('of a box', () => {
    let hits = 0;
    for (let round = 0; round < BOXES; round++) {
      const triangle = randomTriangle(random, kind);
      const box = boxNear(random, triangle);
      const motion = motionNear(random, box, triangle);
      const exact = exactPoints(triangle);
      touch[6] = 1;
      const isHit = timeOfBox(box, motion, triangle, touch);
      // Without volume it touches by rounding only.
      if (!isHit && Math.min(...box.subarray(3, 6)) < 1e-6) continue;
      const tolerance = 4 * TOLERANCE * largest(triangle, box, shifted(box, 1, motion, 1));
      const onTriangle = (): number => rootOf(pointTriangle(exactPoints(position)[0], exact));
      const message = say(triangle, box, motion);
      // A miss may be by rounding, but then a smaller box misses clearly.
      const other = box.map((x, k) => (k > 2 && k < 6 && !isHit ? x - tolerance : x));
      const distanceAt = (time: number): number =>
        rootOf(boxTriangle(boxCorners(shifted(other, 1, motion, time)), exact));
      check(isHit, 0, tolerance, distanceAt, onTriangle, message);
      if (!isHit) continue;
      hits++;
      const time = touch[6];
      if (time === 0) {
        touchBox(box, triangle, contact);
        expect([...normal], message).toEqual([...contact.subarray(3, 6)]);
        continue;
      }
      // The normal separates the shapes before the touch.
      expect(
        normal.reduce((sum, x, k) => sum + x * motion[k], 0),
        message,
      ).toBeLessThan(0);
      touch[6] = time;
      expect(timeOfBox(box, motion, triangle, touch), message).toBe(true);
      expect(touch[6], message).toBe(time);
      touch[6] = time * (1 - 1e-15);
      expect(timeOfBox(box, motion, triangle, touch), message).toBe(false);
    }
    expect(hits).toBeGreaterThan(BOXES / 8);
  });
});
