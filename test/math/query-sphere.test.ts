import { expect, it } from 'vitest';
import { QuerySphere } from '../../src/math/query-sphere.ts';
import { sphereContainsBox } from '../../src/math/sphere.ts';
import { createRandom } from '../support/random.ts';

const random = createRandom(2);
const MAGNITUDES = [0, 1e-300, 1, 100, 1e8, 2 ** 50];

it('a box that holds one within reach is kept by the quick tests, at no more than its distance, and boxes enclosed are enclosed', () => {
  const kept = new Int32Array(2);
  const distances = new Float64Array(2);
  const crossing = new Int32Array(2);
  let [near, touching, enclosed] = [0, 0, 0];
  for (let k = 0; k < 200_000; k++) {
    const magnitude = random.pick(MAGNITUDES);
    const boxes = new Float64Array(12);
    const point = [0, 0, 0];
    for (let axis = 0; axis < 3; axis++) {
      const min = magnitude * random.between(-1, 1);
      boxes[axis] = min;
      boxes[axis + 3] = min + random.pick([0, 1e-3, 1, magnitude / 2]) * random.next();
      boxes[axis + 6] = min - random.pick([0, 0, 1]);
      boxes[axis + 9] = boxes[axis + 3] + random.pick([0, 0, 1]);
      point[axis] = random.pick([boxes[axis], boxes[axis + 3], min + random.pick([1, 5, magnitude]) * random.between(-1, 1)]);
    }
    const reach = new QuerySphere();
    [reach.x, reach.y, reach.z] = point;
    reach.setTolerance(boxes, 6);
    reach.writeDistanceSq(boxes, 0, distances, 0);
    const [distanceSq] = distances;
    if (distanceSq === 0) touching++;
    // A reach that ends exactly at the box, one that is unlimited, and one of any length.
    const radius = random.pick([Math.sqrt(distanceSq), 1, 5, magnitude]);
    reach.maxDistanceSq = random.pick([distanceSq, Infinity, radius * radius]);
    if (distanceSq <= reach.maxDistanceSq) {
      near++;
      const count = reach.filterByMinDistance(boxes, 0, 2, kept, distances, 0);
      if (count !== 2 || distances[0] > distanceSq || distances[1] > distanceSq) expect({ k, point, boxes: [...boxes], distanceSq, distances: [...distances] }).toBeNull();
      if (reach.filterBoxes(boxes, 0, 2, kept, crossing, 0) !== 2) expect({ k, point, boxes: [...boxes], distanceSq }).toBeNull();
    }
    const ball = Float64Array.of(...point, radius);
    reach.maxDistanceSq = radius * radius;
    if (reach.filterBoxes(boxes, 0, 1, kept, crossing, 0) === 0 || crossing[0] !== 0) continue;
    enclosed++;
    if (!sphereContainsBox(ball, 0, boxes, 0)) expect({ k, point, radius, boxes: [...boxes] }).toBeNull();
  }
  expect(Math.min(near, touching, enclosed)).toBeGreaterThan(1_000);
});
