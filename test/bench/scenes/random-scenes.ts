/** Scenes of random boxes. */

import { createRandom, type Random } from '../../support/random.ts';
import { WORLD, type Scene } from './scene.ts';

const CLUSTERS = 200;
/** World units. Along each axis, half of this is the standard deviation of a cluster. */
const SPREAD = 60;

/** Half extents of 0.5 to 4 world units along each axis; for one body in a hundred 0.5 to 100. */
function writeBox(boxes: Float64Array, k: number, centre: readonly number[], random: Random): void {
  const maxHalf = random.next() < 0.01 ? 100 : 4;
  for (let axis = 0; axis < 3; axis++) {
    const half = random.between(0.5, maxHalf);
    boxes[k * 6 + axis] = Math.fround(centre[axis] - half);
    boxes[k * 6 + axis + 3] = Math.fround(centre[axis] + half);
  }
}

function randomPosition(random: Random): number[] {
  return [random.next() * WORLD, random.next() * WORLD, random.next() * WORLD];
}

export function uniformScene(count: number): Scene {
  const random = createRandom(1);
  const boxes = new Float64Array(count * 6);
  for (let k = 0; k < count; k++) writeBox(boxes, k, randomPosition(random), random);
  return { name: 'uniform', boxes, size: [WORLD, WORLD, WORLD], frames: [] };
}

/** 90 % of the bodies are in dense clusters, 10 % at random positions. */
export function clusteredScene(count: number): Scene {
  const random = createRandom(1);
  const boxes = new Float64Array(count * 6);
  const clusters = Array.from({ length: CLUSTERS }, () => randomPosition(random));
  for (let k = 0; k < count; k++) {
    const centre =
      random.next() < 0.1
        ? randomPosition(random)
        : random.pick(clusters).map((at) => at + SPREAD * (random.next() + random.next() + random.next() - 1.5));
    writeBox(boxes, k, centre, random);
  }
  return { name: 'clustered', boxes, size: [WORLD, WORLD, WORLD], frames: [] };
}
