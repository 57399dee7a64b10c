/**
 * Random boxes of very different magnitudes for the filters of src/math: a box, a second one around it, and a point
 * that often lies on a face.
 */

import type { Random } from './random.ts';

const MAGNITUDES = [0, 1e-300, 1, 100, 1e8, 2 ** 50];
/** How far the outer box reaches beyond the inner one: a node that also holds a body far away is as large as that. */
export const BEYOND = [0, 0, 0, 0, 1, 1e9, 2 ** 50];

/** Calls `test` for each turn; its arrays are used again. `boxes` holds the box at 0 and the box around it at 6. */
export function randomBoxes(
  random: Random,
  turns: number,
  test: (turn: number, boxes: Float64Array, point: Float64Array, magnitude: number) => void,
): void {
  const [boxes, point] = [new Float64Array(12), new Float64Array(3)];
  for (let turn = 0; turn < turns; turn++) {
    const magnitude = random.pick(MAGNITUDES);
    for (let axis = 0; axis < 3; axis++) {
      const min = magnitude * random.between(-1, 1);
      boxes[axis] = min;
      boxes[axis + 3] = min + random.pick([0, 1e-3, 1, magnitude / 2]) * random.next();
      boxes[axis + 6] = min - random.pick(BEYOND);
      boxes[axis + 9] = boxes[axis + 3] + random.pick(BEYOND);
      point[axis] = random.pick([
        boxes[axis],
        boxes[axis + 3],
        min + random.pick([1, 5, magnitude]) * random.between(-1, 1),
      ]);
    }
    test(turn, boxes, point, magnitude);
  }
}
