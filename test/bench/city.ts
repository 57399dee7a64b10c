/** A generated city for benchmarks of occlusion culling: low houses, and towers in some blocks. */

import { createRandom } from '../support/random.ts';

/** Metres: the edge of a city of 400,000 buildings. */
const EDGE = 13_000;
const BUILDINGS = 400_000;

/** Blocks of different sizes between streets; low houses, and in some blocks towers. Six numbers each. */
export function cityBoxes(count: number): Float64Array {
  const random = createRandom(8);
  const boxes = new Float64Array(count * 6);
  const edge = EDGE * Math.sqrt(count / BUILDINGS);
  const put = (k: number, x: number, z: number, width: number, depth: number, height: number): void =>
    boxes.set([x, 0, z, x + width, height, z + depth].map(Math.fround), 6 * k);
  let next = 0;
  for (let z = 0; next < count;) {
    const blockDepth = random.between(24, 60);
    for (let x = 0; x < edge && next < count;) {
      const blockWidth = random.between(30, 110);
      const isHigh = random.next() < 0.25;
      const isOpen = random.next() < 0.04;
      const columns = Math.round(blockWidth / random.between(9, 16));
      const houses = isOpen ? 0 : Math.min(2 * columns, count - next);
      for (let k = 0; k < houses; k++) {
        const width = blockWidth / columns;
        const height = isHigh ? random.between(15, 60) : random.between(5, 14);
        const gap = random.pick([0, 0, 0.4, 1]);
        put(next++, x + (k >> 1) * width, z + ((k & 1) * blockDepth) / 2, width - gap, blockDepth / 2, height);
      }
      x += blockWidth + random.pick([6, 8, 14]);
    }
    z += blockDepth + random.pick([6, 8, 14]);
  }
  return boxes;
}
