import { describe, expect, it } from 'vitest';
import { KeptBoxes } from '../../src/math/box.ts';
import { MovingBox } from '../../src/math/moving-box.ts';
import { BEYOND } from '../support/nested-boxes.ts';
import { createRandom } from '../support/random.ts';

const random = createRandom(1);
const MAGNITUDES = [0, 1e-300, 1, 100, 1e8, 2 ** 50];

/** A moving box, and two boxes, of which the second contains the first. */
function createCase(): { path: MovingBox; boxes: Float64Array } {
  const magnitude = random.pick(MAGNITUDES);
  const boxes = new Float64Array(12);
  const path = new MovingBox();
  path.maxDistance = random.pick([1, 1, 0.5, 0]);
  for (let axis = 0; axis < 3; axis++) {
    const min = magnitude * random.between(-1, 1);
    const size = random.pick([0, 1e-3, 1, magnitude / 2]) * random.next();
    const extent = random.pick([0, 0.5, 3, magnitude]);
    boxes[axis] = min;
    boxes[axis + 3] = Math.max(min, min + size);
    boxes[axis + 6] = min - random.pick(BEYOND);
    boxes[axis + 9] = boxes[axis + 3] + random.pick(BEYOND);
    const motion =
      random.pick([0, 0, -0, 1, 1e-9, 1e-160, 5e-324, random.next() * 9, magnitude]) * random.pick([-1, 1]);
    // Its faces meet those of the box before, at or after the end of the motion, or not at all.
    const target = random.pick([boxes[axis], boxes[axis + 3], boxes[axis] - extent, min + size * random.next()]);
    path.bounds[axis] = target - motion * random.pick([0, 1, 0.5, 3, -1]);
    path.bounds[axis + 3] = path.bounds[axis] + extent;
    path.direction[axis] = motion;
  }
  path.begin();
  return { path, boxes };
}

/**
 * The first time at which the moving box touches the first of the boxes, null if it does not before the greatest
 * distance.
 */
function entryTime({ bounds, direction, maxDistance }: MovingBox, box: Float64Array): number | null {
  let [first, last] = [0, maxDistance];
  for (let axis = 0; axis < 3; axis++) {
    const gaps = [box[axis] - bounds[axis + 3], box[axis + 3] - bounds[axis]];
    if (direction[axis] === 0 && (gaps[0] > 0 || gaps[1] < 0)) return null;
    if (direction[axis] === 0) continue;
    const times = gaps.map((gap) => gap / direction[axis]);
    first = Math.max(first, Math.min(...times));
    last = Math.min(last, Math.max(...times));
  }
  return first <= last ? first : null;
}

describe('MovingBox.filterByMinDistance', () => {
  it('keeps every box that contains a box which the moving box touches, with a time that is not greater', () => {
    const kept = new KeptBoxes(2);
    const { distances: times } = kept;
    const counts = { hits: 0, outside: 0, filtered: 0 };
    for (let k = 0; k < 100_000; k++) {
      const { path, boxes } = createCase();
      const time = entryTime(path, boxes);
      kept.length = 0;
      path.filterByMinDistance(boxes, 0, 2, kept);
      const { length: count } = kept;
      counts.filtered += count < 2 ? 1 : 0;
      if (time === null) continue;
      counts.hits++;
      counts.outside += time > 0 ? 1 : 0;
      if (count !== 2 || times[0] > time || times[1] > time)
        expect({ k, count, time, times: [...times], boxes: [...boxes], path }).toBeNull();
    }
    expect(counts.hits).toBeGreaterThan(5_000);
    expect(counts.outside).toBeGreaterThan(1_000);
    expect(counts.filtered).toBeGreaterThan(20_000);
  });

  it('rejects empty boxes, whatever the motion', () => {
    const empty = Float64Array.from([1, 1, 1, -1, -1, -1].map((sign) => sign * 3.4e38));
    for (const motion of [
      [0, 0, 0],
      [1, 0, 0],
      [-1, 0, 0],
      [0, -0, 5e-324],
      [-3, 2, 1],
    ]) {
      const path = new MovingBox();
      path.bounds.set([-1, -1, -1, 1, 1, 1]);
      path.direction.set(motion);
      path.maxDistance = 1;
      path.begin();
      const kept = new KeptBoxes(1);
      path.filterByMinDistance(empty, 0, 1, kept);
      expect(kept.length).toBe(0);
    }
  });
});
