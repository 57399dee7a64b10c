import { describe, expect, it } from 'vitest';
import type { Body, Octree } from '../../src/index.ts';
import { expectPlacement } from '../support/node-rules.ts';
import { octreeOf, ownerOf, region, type Filled } from '../support/octrees.ts';
import { createRandom, type Random } from '../support/random.ts';
import { boxOf, cube, shapeOf, type Shape } from '../support/shapes.ts';
import type { Resident } from '../support/twin.ts';

const EDGE = 256;
const LEAF_CAPACITY = 4;

/** An octree full of small bodies, so that large ones lie in inner nodes. */
function crowded(random: Random, looseness = 2, corner = 0): Filled {
  const within = (): number => corner + random.between(1, EDGE - 1);
  const shapes = Array.from({ length: 2000 }, () => cube(within(), within(), within(), 0.5));
  return octreeOf(shapes, { region: region(corner, EDGE), looseness, leafCapacity: LEAF_CAPACITY });
}

/** A body of 80 units among them, flying slowly, with the region's corner at a point. */
function flyer(corner = 0): { octree: Octree<number>; body: Body<number> } {
  const { octree, bodies } = crowded(createRandom(1), 2, corner);
  const at = corner + 100;
  const body = octree.insert(boxOf(cube(at, at, at, 40)), bodies.length);
  octree.update();
  body.setBox(boxOf(cube(at + 0.1, at, at, 40)));
  octree.update();
  return { octree, body };
}

describe('a large body among small ones', () => {
  it('moves a little without a word to the tree, once it has moved', () => {
    const { octree, body } = flyer();
    expect(ownerOf(octree, body)).toMatchObject({ edge: 64, childCount: 8 });
    for (let step = 2; step < 30; step++) body.setBox(boxOf(cube(100 + step / 10, 100, 100, 40)));
    expect(octree.statistics.pending).toBe(0);
    for (let step = 30; step < 100; step++) body.setBox(boxOf(cube(100 + step / 10, 100, 100, 40)));
    expect(octree.statistics.pending).toBe(1);
    octree.update();
    expect(octree.validate()).toEqual([]);
  });

  it('sinks when it becomes small where it is', () => {
    const { octree, body } = flyer();
    body.setBox(boxOf(cube(100.1, 100, 100, 4)));
    octree.update();
    expect(ownerOf(octree, body).edge).toBe(32);
    expect(octree.validate()).toEqual([]);
  });

  it('can turn from a box into a sphere within its play', () => {
    const { octree, body } = flyer();
    body.setSphere({ center: { x: 100.2, y: 100, z: 100 }, radius: 40 });
    octree.update();
    expect(octree.validate()).toEqual([]);
    expect(octree.intersectPoint({ x: 60.3, y: 100, z: 100 }).some((record) => record.body === body)).toBe(true);
    expect(octree.intersectPoint({ x: 60.3, y: 60.3, z: 100 }).some((record) => record.body === body)).toBe(false);
  });

  it('has none where Float32 has no numbers between its bounds and the end of it', () => {
    const { octree, body } = flyer(2 ** 27);
    expect(octree.statistics.pending).toBe(0);
    expect(octree.validate()).toEqual([]);
    body.setBox(boxOf(cube(2 ** 27 + 100.2, 2 ** 27 + 100, 2 ** 27 + 100, 40)));
    expect(octree.statistics.pending).toBe(1);
    octree.update();
    expect(octree.validate()).toEqual([]);
  });

  it.each([1, 1.25, 2, 3])('lies where the rule says after every tick, moved and resized by little and by much: looseness %d', (looseness) => {
    const random = createRandom(4);
    const { octree, bodies: still } = crowded(random, looseness);
    const shapes = Array.from({ length: 150 }, (_, k): Shape => {
      const at = [0, 1, 2].map(() => random.between(70, EDGE - 70));
      return k % 3 === 0 ? [...at, random.between(2, 64)] : [...at.map((centre) => centre - random.between(1, 64)), ...at.map((centre) => centre + random.between(1, 64))];
    });
    const steps = shapes.map(() => [0, 1, 2].map(() => random.between(-1, 1)));
    const bodies = shapes.map((shape, k) => octree.insert(shapeOf(shape), still.length + k));
    let waiting = 0;
    octree.update();
    for (let tick = 0; tick < 120; tick++) {
      for (const [k, body] of bodies.entries()) {
        shapes[k] = moved(shapes[k], steps[k], random);
        if (shapes[k].length === 6) body.setBox(boxOf(shapes[k]));
        else body.setSphere({ center: { x: shapes[k][0], y: shapes[k][1], z: shapes[k][2] }, radius: shapes[k][3] });
      }
      waiting += octree.statistics.pending;
      octree.update();
      expectPlacement(octree, [...still, ...bodies].map(residentOf), { looseness, leafCapacity: LEAF_CAPACITY, minCellSize: 1 });
      expect(octree.validate()).toEqual([]);
    }
    // Else they had no play, and the test shows nothing.
    expect(waiting).toBeLessThan(0.6 * 120 * bodies.length);
  });
});

function residentOf(body: Body<number>): Resident {
  const { min, max } = body.getBox();
  return { body, index: body.index, serial: body.data, options: {}, shape: [min.x, min.y, min.z, max.x, max.y, max.z], isAlive: true };
}

/** A shape one step on; on the way one of its faces may move by itself, one in a hundred turns, and shapes near the border come back. */
function moved(shape: Shape, step: number[], random: Random): Shape {
  for (let axis = 0; axis < 3; axis++) {
    const centre = shape.length === 6 ? (shape[axis] + shape[axis + 3]) / 2 : shape[axis];
    if (centre < 70) step[axis] = Math.abs(step[axis]);
    if (centre > EDGE - 70) step[axis] = -Math.abs(step[axis]);
    if (random.below(100) === 0) step[axis] = -step[axis];
  }
  const swell = random.below(4) === 0 ? random.between(-6, 6) : 0;
  if (shape.length === 4) return [...shape.slice(0, 3).map((centre, axis) => centre + step[axis]), Math.min(Math.max(shape[3] + swell, 0.1), 64)];
  const face = random.below(6);
  const next = shape.map((at, lane) => at + step[lane % 3] + (lane === face ? swell : 0));
  const other = (face + 3) % 6;
  if (Math.abs(next[face] - next[other]) > 128 || next[face] < next[other] !== face < 3) next[face] -= swell;
  return next;
}
