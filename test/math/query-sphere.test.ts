import { describe, expect, it } from 'vitest';
import { KeptBoxes } from '../../src/math/box.ts';
import { QuerySphere, sphereContainsBox, sphereTouchesBox } from '../../src/math/sphere.ts';
import { randomBoxes } from '../support/nested-boxes.ts';
import { createRandom } from '../support/random.ts';

describe('the filter of QuerySphere', () => {
  it('keeps every box that contains a touching box, and reports contained only for contained boxes', () => {
    const random = createRandom(2);
    const kept = new KeptBoxes(2);
    let [touching, contained] = [0, 0];
    // Used again in each turn: to create them would take longer than to test.
    const volume = new QuerySphere();
    const sphere = new Float64Array(4);
    randomBoxes(random, 100_000, (k, boxes, point, magnitude) => {
      let distanceSq = 0;
      for (let axis = 0; axis < 3; axis++)
        distanceSq += Math.max(boxes[axis] - point[axis], point[axis] - boxes[axis + 3], 0) ** 2;
      sphere.set(point);
      // A radius that ends exactly at the box, but for rounding, or any other.
      sphere[3] = random.pick([Math.sqrt(distanceSq), 1, 5, magnitude]);
      volume.set(sphere);
      kept.length = 0;
      volume.filterBoxes(boxes, 0, 2, kept);
      if (sphereTouchesBox(sphere, 0, boxes, 0)) {
        touching++;
        if (kept.length !== 2) expect({ k, sphere: [...sphere], boxes: [...boxes] }).toBeNull();
      }
      if (kept.length === 0 || kept.numbers[0] !== 0 || kept.overlaps[0] !== 0) return;
      contained++;
      if (!sphereContainsBox(sphere, 0, boxes, 0)) expect({ k, sphere: [...sphere], boxes: [...boxes] }).toBeNull();
    });
    expect(Math.min(touching, contained)).toBeGreaterThan(1_000);
  });
});
