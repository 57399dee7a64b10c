import { createRandom, type Random } from '../../support/random.ts';
import { WORLD, type Scene } from './scene.ts';

const CLUSTERS = 200;
/** Half the width of a cluster. */
const SPREAD = 60;

/** Half extents from 0.5 to 4, one in a hundred bodies up to 100. */
function write(boxes: Float64Array, k: number, centre: readonly number[], random: Random): void {
  const most = random.next() < 0.01 ? 100 : 4;
  for (let axis = 0; axis < 3; axis++) {
    const half = random.between(0.5, most);
    boxes[k * 6 + axis] = Math.fround(centre[axis] - half);
    boxes[k * 6 + axis + 3] = Math.fround(centre[axis] + half);
  }
}

function anywhere(random: Random): number[] {
  return [random.next() * WORLD, random.next() * WORLD, random.next() * WORLD];
}

export function uniformScene(count: number): Scene {
  const random = createRandom(1);
  const boxes = new Float64Array(count * 6);
  for (let k = 0; k < count; k++) write(boxes, k, anywhere(random), random);
  return { name: 'uniform', boxes, size: [WORLD, WORLD, WORLD], frames: [] };
}

/** Nine in ten bodies are in dense clusters, the tenth is anywhere. */
export function clusteredScene(count: number): Scene {
  const random = createRandom(1);
  const boxes = new Float64Array(count * 6);
  const clusters = Array.from({ length: CLUSTERS }, () => anywhere(random));
  for (let k = 0; k < count; k++) {
    const centre = random.next() < 0.1 ? anywhere(random) : random.pick(clusters).map((at) => at + SPREAD * (random.next() + random.next() + random.next() - 1.5));
    write(boxes, k, centre, random);
  }
  return { name: 'clustered', boxes, size: [WORLD, WORLD, WORLD], frames: [] };
}
