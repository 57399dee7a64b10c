import { expect, it } from 'vitest';
import { UnitRay } from '../../src/math/unit-ray.ts';
import { createRandom } from '../support/random.ts';

const random = createRandom(1);
const sign = (): number => random.pick([-1, 1]);
/** Along the axes, in the planes of faces, nearly so, and across. */
const slope = (): number => random.pick([0, 0, -0, 1, 1e-9, 1e-160, 5e-324, random.next()]) * sign();
const MAGNITUDES = [0, 1e-300, 1, 100, 1e8, 2 ** 50];

interface Case {
  readonly ray: UnitRay;
  /** A box, and one around it. */
  readonly boxes: Float64Array;
}

function createCase(): Case {
  const magnitude = random.pick(MAGNITUDES);
  const boxes = new Float64Array(12);
  const lanes = new Float64Array(6);
  for (let axis = 0; axis < 3; axis++) {
    const min = magnitude * random.between(-1, 1);
    const size = random.pick([0, 1e-3, 1, magnitude / 2]) * random.next();
    boxes[axis] = min;
    boxes[axis + 3] = Math.max(min, min + size);
    boxes[axis + 6] = min - random.pick([0, 0, 1]);
    boxes[axis + 9] = boxes[axis + 3] + random.pick([0, 0, 1]);
    lanes[axis + 3] = slope();
    // Towards a corner, a face or a point of the box, from before it, from within, or from behind it.
    const target = random.pick([boxes[axis], boxes[axis + 3], min + size * random.next()]);
    lanes[axis] = target - lanes[axis + 3] * random.pick([0, 1, 10, magnitude, -1]);
  }
  if (lanes[3] === 0 && lanes[4] === 0 && lanes[5] === 0) lanes[3 + random.below(3)] = sign();
  const ray = new UnitRay();
  ray.set(lanes);
  ray.maxDistance = random.pick([Infinity, Infinity, 10, magnitude]);
  ray.setTolerance(boxes, 6);
  return { ray, boxes };
}

it('a box that holds one which the ray enters is kept by the quick test, and not behind it', () => {
  const kept = new Int32Array(2);
  const distances = new Float64Array(2);
  let hits = 0;
  let kinds = 0;
  for (let k = 0; k < 200_000; k++) {
    const { ray, boxes } = createCase();
    if (ray.intersectBoxes(boxes, 0, 1, kept, distances, 0) === 0) continue;
    hits++;
    const [distance] = distances;
    if (distance > 0) kinds++;
    const count = ray.filterByMinDistance(boxes, 0, 2, kept, distances, 0);
    if (count !== 2 || distances[0] > distance || distances[1] > distance) {
      expect({ k, boxes: [...boxes], count, distance, distances: [...distances] }).toBeNull();
    }
  }
  expect(hits).toBeGreaterThan(20_000);
  expect(kinds).toBeGreaterThan(5_000);
});

it('the quick test keeps hardly more than the strict one', () => {
  const boxes = Float64Array.from(Array.from({ length: 20_000 }, () => [0, 0, 0].map(() => random.between(0, 100))).flatMap((min) => [...min, ...min.map((value) => value + 2)]));
  const kept = new Int32Array(20_000);
  const distances = new Float64Array(20_000);
  const ray = new UnitRay();
  ray.setTolerance(Float64Array.of(0, 0, 0, 102, 102, 102), 0);
  let strict = 0;
  let quick = 0;
  for (let k = 0; k < 50; k++) {
    ray.set(Float64Array.of(50, 50, 50, random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)));
    strict += ray.intersectBoxes(boxes, 0, 20_000, kept, distances, 0);
    quick += ray.filterByMinDistance(boxes, 0, 20_000, kept, distances, 0);
  }
  expect(strict).toBeGreaterThan(300);
  expect(quick).toBeLessThan(1.6 * strict);
});
