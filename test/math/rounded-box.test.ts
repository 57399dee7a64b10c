import { describe, expect, it } from 'vitest';
import { KeptBoxes } from '../../src/math/box.ts';
import { RoundedBox } from '../../src/math/rounded-box.ts';
import { randomBoxes } from '../support/nested-boxes.ts';
import { createRandom } from '../support/random.ts';

describe('the filter of RoundedBox', () => {
  it('keeps every box that contains a box within the distance, with a bound that is not greater than its distance', () => {
    const random = createRandom(2);
    const kept = new KeptBoxes(2);
    const { distances } = kept;
    let [near, touching] = [0, 0];
    // Used again in each turn: to create them would take longer than to test.
    const volume = new RoundedBox();
    const core = new Float64Array(6);
    randomBoxes(random, 100_000, (k, boxes, point, magnitude) => {
      core.set(point);
      for (let axis = 0; axis < 3; axis++)
        core[axis + 3] = point[axis] + random.pick([0, 1, magnitude / 4]) * random.next();
      volume.maxDistanceSq = Infinity;
      if (random.below(2) === 0) volume.setPoint(point);
      else volume.setBox(core);
      volume.writeDistanceSq(boxes, 0, distances, 0);
      const [distanceSq] = distances;
      if (distanceSq === 0) touching++;
      // A distance that ends exactly at the box, or any other; it may also be unlimited.
      const distance = random.pick([1, 5, magnitude]);
      volume.maxDistanceSq = random.pick([distanceSq, Infinity, distance * distance]);
      if (distanceSq > volume.maxDistanceSq) return;
      near++;
      kept.length = 0;
      volume.filterByMinDistance(boxes, 0, 2, kept);
      if (kept.length !== 2 || distances[0] > distanceSq || distances[1] > distanceSq)
        expect({ k, core: [...volume.core], boxes: [...boxes], distanceSq, distances: [...distances] }).toBeNull();
    });
    expect(Math.min(near, touching)).toBeGreaterThan(1_000);
  });
});
