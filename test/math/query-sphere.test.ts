import { describe, expect, it } from 'vitest';
import { QuerySphere } from '../../src/math/query-sphere.ts';
import { sphereContainsBox } from '../../src/math/sphere.ts';
import { createRandom } from '../support/random.ts';

const random = createRandom(2);
const MAGNITUDES = [0, 1e-300, 1, 100, 1e8, 2 ** 50];

describe('the filters of QuerySphere', () => {
  it('keep every box that contains a touching box, with a distance that is not greater, and report contained only for contained boxes', () => {
    const kept = new Int32Array(2);
    const distances = new Float64Array(2);
    const overlaps = new Int32Array(2);
    let [near, touching, contained] = [0, 0, 0];
    // Used again in each turn: to create them would take longer than to test.
    const sphere = new QuerySphere();
    const [boxes, point, exact] = [new Float64Array(12), new Float64Array(3), new Float64Array(4)];
    for (let k = 0; k < 200_000; k++) {
      const magnitude = random.pick(MAGNITUDES);
      for (let axis = 0; axis < 3; axis++) {
        const min = magnitude * random.between(-1, 1);
        boxes[axis] = min;
        boxes[axis + 3] = min + random.pick([0, 1e-3, 1, magnitude / 2]) * random.next();
        boxes[axis + 6] = min - random.pick([0, 0, 1]);
        boxes[axis + 9] = boxes[axis + 3] + random.pick([0, 0, 1]);
        point[axis] = random.pick([boxes[axis], boxes[axis + 3], min + random.pick([1, 5, magnitude]) * random.between(-1, 1)]);
      }
      sphere.maxDistanceSq = Infinity;
      sphere.setPoint(point);
      sphere.setTolerance(boxes, 6);
      sphere.writeDistanceSq(boxes, 0, distances, 0);
      const [distanceSq] = distances;
      if (distanceSq === 0) touching++;
      // A radius that ends exactly at the box, or any other; the squared distance may also be unlimited.
      const radius = random.pick([Math.sqrt(distanceSq), 1, 5, magnitude]);
      sphere.maxDistanceSq = random.pick([distanceSq, Infinity, radius * radius]);
      if (distanceSq <= sphere.maxDistanceSq) {
        near++;
        const count = sphere.filterByMinDistance(boxes, 0, 2, kept, distances, 0);
        if (count !== 2 || distances[0] > distanceSq || distances[1] > distanceSq) expect({ k, point: [...point], boxes: [...boxes], distanceSq, distances: [...distances] }).toBeNull();
        if (sphere.filterBoxes(boxes, 0, 2, kept, overlaps, 0) !== 2) expect({ k, point: [...point], boxes: [...boxes], distanceSq }).toBeNull();
      }
      exact.set(point);
      exact[3] = radius;
      sphere.maxDistanceSq = radius * radius;
      if (sphere.filterBoxes(boxes, 0, 1, kept, overlaps, 0) === 0 || overlaps[0] !== 0) continue;
      contained++;
      if (!sphereContainsBox(exact, 0, boxes, 0)) expect({ k, point: [...point], radius, boxes: [...boxes] }).toBeNull();
    }
    expect(Math.min(near, touching, contained)).toBeGreaterThan(1_000);
  });
});
