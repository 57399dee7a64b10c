import { describe, expect, it } from 'vitest';
import { BOX_STRIDE, KeptBoxes } from '../../src/math/box.ts';
import { FLOAT32_MAX } from '../../src/math/float32.ts';
import { FrustumPlanes, TolerantPlanes } from '../../src/math/frustum-planes.ts';
import { createRandom, type Random } from '../support/random.ts';

const BOXES = 400;

/** Boxes on a coarse grid, so that many touch planes exactly. The first box contains all others. */
function gridBoxes(random: Random, unit: number): Float64Array {
  const boxes = new Float64Array(BOXES * BOX_STRIDE);
  boxes.set([-8, -8, -8, 12, 12, 12].map((value) => value * unit));
  for (let at = BOX_STRIDE; at < boxes.length; at += BOX_STRIDE) {
    for (let axis = 0; axis < 3; axis++) {
      boxes[at + axis] = (random.below(16) - 8) * unit;
      boxes[at + axis + 3] = boxes[at + axis] + random.below(4) * unit;
    }
  }
  return boxes;
}

function gridPlanes(random: Random, count: number, unit: number, scale: number): FrustumPlanes {
  const planes = new FrustumPlanes();
  for (let plane = 0; plane < count; plane++) {
    const normal = [random.below(7) - 3, random.below(7) - 3, 1 + random.below(3)];
    planes.push(
      Float64Array.of(normal[0] * scale, normal[1] * scale, normal[2] * scale, (random.below(40) - 8) * unit * scale),
      0,
    );
  }
  return planes;
}

function filtered(planes: FrustumPlanes, boxes: Float64Array): Map<number, number> {
  const tolerant = new TolerantPlanes();
  tolerant.set(planes);
  const kept = new KeptBoxes(BOXES);
  tolerant.filterBoxes(boxes, 0, BOXES, kept, planes.mask);
  return new Map(Array.from(kept.numbers.subarray(0, kept.length), (box, k) => [box, kept.overlaps[k]]));
}

describe('TolerantPlanes', () => {
  const random = createRandom(3);

  it.each([
    { planes: 6, unit: 1, scale: 1 },
    { planes: 6, unit: 0.1, scale: 1 / 3 },
    { planes: 2, unit: 2 ** 40, scale: 2 ** -30 },
    { planes: 40, unit: 0.7, scale: 1 },
    { planes: 3, unit: 1, scale: 1e300 },
    { planes: 3, unit: 2 ** 45, scale: 1e290 },
    { planes: 3, unit: 1, scale: 1e-310 },
  ])(
    'keeps every box that touches $planes planes, and reports contained only for contained boxes: unit $unit, normals scaled by $scale',
    ({ planes: count, unit, scale }) => {
      let rejected = 0;
      let contained = 0;
      const wrong: number[] = [];
      for (let round = 0; round < 50; round++) {
        const boxes = gridBoxes(random, unit);
        const planes = gridPlanes(random, count, unit, scale);
        const kept = filtered(planes, boxes);
        for (let box = 0; box < BOXES; box++) {
          const at = box * BOX_STRIDE;
          const overlap = kept.get(box);
          if (overlap === undefined) {
            rejected++;
            if (planes.intersectsBox(boxes, at, planes.mask)) wrong.push(box);
          } else {
            if (overlap === 0) contained++;
            // A plane whose bit is not set has the box on its inner side. So it also accepts each corner, as a box of
            // size 0.
            for (let corner = 0; corner < 8; corner++) {
              const [x, y, z] = [0, 1, 2].map((axis) => boxes[at + axis + ((corner >> axis) & 1) * 3]);
              if (!planes.intersectsBox(Float64Array.of(x, y, z, x, y, z), 0, planes.mask & ~overlap)) wrong.push(box);
            }
          }
        }
      }
      expect(wrong).toEqual([]);
      // The filter must also reject boxes, and report contained ones, except at the limits of Float64.
      if (scale > 1e-300) expect(rejected).toBeGreaterThan(1000);
      if (scale > 1e-300 && count <= 30) expect(contained).toBeGreaterThan(100);
    },
  );

  it('rejects empty boxes', () => {
    const planes = gridPlanes(random, 6, 1, 1);
    const boxes = new Float64Array(BOXES * BOX_STRIDE);
    for (let at = 0; at < boxes.length; at += BOX_STRIDE)
      boxes.fill(FLOAT32_MAX, at, at + 3).fill(-FLOAT32_MAX, at + 3, at + 6);
    boxes.set([0, 0, 0, 1, 1, 1]);
    expect([...filtered(planes, boxes).keys()].every((box) => box === 0)).toBe(true);
  });
});
