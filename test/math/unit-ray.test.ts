import { describe, expect, it } from 'vitest';
import { KeptBoxes } from '../../src/math/box.ts';
import { unitDirection } from '../../src/debug/reference/geometry.ts';
import { UnitRay } from '../../src/math/unit-ray.ts';
import { BEYOND } from '../support/nested-boxes.ts';
import { createRandom } from '../support/random.ts';
import { IS_LONG } from '../support/sampled.ts';

const random = createRandom(1);
const sign = (): number => random.pick([-1, 1]);
/** Components of directions along an axis, in the plane of a face, nearly so, and of any other direction. */
const slope = (): number => random.pick([0, 0, -0, 1, 1e-9, 1e-160, 5e-324, random.next()]) * sign();
const MAGNITUDES = [0, 1e-300, 1, 100, 1e8, 2 ** 50];

interface Case {
  readonly ray: UnitRay;
  /** A box, and a box that contains it. */
  readonly boxes: Float64Array;
}

const testCase = { ray: new UnitRay(), boxes: new Float64Array(12), values: new Float64Array(6) };

/** Draws a case into `testCase`: to create 200,000 rays would take longer than to test them. */
function drawCase(): Case {
  const { ray, boxes, values } = testCase;
  const magnitude = random.pick(MAGNITUDES);
  for (let axis = 0; axis < 3; axis++) {
    const min = magnitude * random.between(-1, 1);
    const size = random.pick([0, 1e-3, 1, magnitude / 2]) * random.next();
    boxes[axis] = min;
    boxes[axis + 3] = Math.max(min, min + size);
    boxes[axis + 6] = min - random.pick(BEYOND);
    boxes[axis + 9] = boxes[axis + 3] + random.pick(BEYOND);
    values[axis + 3] = slope();
    // Towards a corner, a face or an inner point of the box. The origin lies before the box, inside of it or behind it.
    const target = random.pick([boxes[axis], boxes[axis + 3], min + size * random.next()]);
    values[axis] = target - values[axis + 3] * random.pick([0, 1, 10, magnitude, -1]);
  }
  if (values[3] === 0 && values[4] === 0 && values[5] === 0) values[3 + random.below(3)] = sign();
  ray.set(values);
  ray.path.maxDistance = random.pick([Infinity, Infinity, 10, magnitude]);
  ray.path.begin();
  return testCase;
}

describe('the direction of a UnitRay', () => {
  it('is that of the reference to the last bit, at every length', () => {
    for (let k = 0; k < 2_000; k++) {
      const scale = random.pick([1e-320, 1e-308, 1e-200, 1e-110, 1, 1e90, 1e110, 1e300]);
      const direction = [0, 1, 2].map(() => random.between(-1, 1) * scale * random.pick([1, 1, 1e-9, 0]));
      if (direction.every((component) => component === 0)) continue;
      const ray = new UnitRay();
      ray.set(Float64Array.of(0, 0, 0, ...direction));
      expect([k, ...ray.direction].map((component) => component + 0)).toEqual([k, ...unitDirection(direction)]);
    }
  });
});

describe('the path of a UnitRay, filterByMinDistance', () => {
  it('keeps every box that contains a box which the ray enters, with a distance that is not greater', () => {
    const kept = new KeptBoxes(2);
    const { distances } = kept;
    let hits = 0;
    let outside = 0;
    for (let k = 0; k < (IS_LONG ? 200_000 : 60_000); k++) {
      const { ray, boxes } = drawCase();
      if (!ray.intersectsBox(boxes, 0, distances)) continue;
      hits++;
      const [distance] = distances;
      if (distance > 0) outside++;
      kept.length = 0;
      ray.path.filterByMinDistance(boxes, 0, 2, kept);
      const { length: count } = kept;
      if (count !== 2 || distances[0] > distance || distances[1] > distance) {
        expect({ k, boxes: [...boxes], count, distance, distances: [...distances] }).toBeNull();
      }
    }
    expect(hits).toBeGreaterThan(6_000);
    expect(outside).toBeGreaterThan(1_500);
  });

  it('keeps fewer than 1.6 times the boxes that the ray enters', () => {
    const boxes = Float64Array.from(
      Array.from({ length: 20_000 }, () => [0, 0, 0].map(() => random.between(0, 100))).flatMap((min) => [
        ...min,
        ...min.map((value) => value + 2),
      ]),
    );
    const kept = new KeptBoxes(20_000);
    const distances = new Float64Array(1);
    const ray = new UnitRay();
    let exact = 0;
    let filtered = 0;
    for (let k = 0; k < 50; k++) {
      ray.set(Float64Array.of(50, 50, 50, random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)));
      ray.path.begin();
      for (let at = 0; at < boxes.length; at += 6) exact += Number(ray.intersectsBox(boxes, at, distances));
      kept.length = 0;
      ray.path.filterByMinDistance(boxes, 0, 20_000, kept);
      filtered += kept.length;
    }
    expect(exact).toBeGreaterThan(300);
    expect(filtered).toBeLessThan(1.6 * exact);
  });
});
