import { describe, expect, it } from 'vitest';
import type { Body } from '../../../src/index.ts';
import { Octree } from '../../../src/index.ts';
import { expectPlacement } from '../../support/placement-rules.ts';
import { octreeOf, ownerOf, region, type Filled } from '../../support/octrees.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { boxOf, cube, shapeOf, type Shape } from '../../support/shapes.ts';
import type { TrackedBody } from '../../support/twin.ts';
import { validate } from '../../../src/debug/index.ts';

const EDGE = 256;
const LEAF_CAPACITY = 4;

/** An octree full of small bodies, so that large bodies are in inner nodes. */
function crowded(random: Random, looseness = 2, corner = 0): Filled {
  const within = (): number => corner + random.between(1, EDGE - 1);
  const shapes = Array.from({ length: 2000 }, () => cube(within(), within(), within(), 0.5));
  return octreeOf(shapes, { region: region(corner, EDGE), looseness, leafCapacity: LEAF_CAPACITY });
}

/** The same with a box of edge 80 that moves slowly. The lower corner of the region is at (corner, corner, corner). */
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
  it('moves a little without work in the tree, from its second move on', () => {
    const { octree, body } = flyer();
    expect(ownerOf(octree, body)).toMatchObject({ edge: 64, childCount: 8 });
    for (let step = 2; step < 120; step++) body.setBox(boxOf(cube(100 + step / 10, 100, 100, 40)));
    expect(octree.statistics.pending).toBe(0);
    for (let step = 120; step < 300; step++) body.setBox(boxOf(cube(100 + step / 10, 100, 100, 40)));
    expect(octree.statistics.pending).toBe(1);
    octree.update();
    expect(validate(octree)).toEqual([]);
  });

  it('sinks when it becomes small where it is', () => {
    const { octree, body } = flyer();
    body.setBox(boxOf(cube(100.1, 100, 100, 4)));
    octree.update();
    expect(ownerOf(octree, body).edge).toBe(32);
    expect(validate(octree)).toEqual([]);
  });

  it('can turn from a box into a sphere within its fat bounds', () => {
    const { octree, body } = flyer();
    body.setSphere({ center: { x: 100.2, y: 100, z: 100 }, radius: 40 });
    octree.update();
    expect(validate(octree)).toEqual([]);
    expect(octree.intersectPoint({ x: 60.3, y: 100, z: 100 }).some((record) => record.body === body)).toBe(true);
    expect(octree.intersectPoint({ x: 60.3, y: 60.3, z: 100 }).some((record) => record.body === body)).toBe(false);
  });

  it.each([
    [0.001, 0.3],
    [0.02, 2],
    [1, 9],
  ])('has no larger margin than its speed needs, so that a rod stays thin: %d per step', (speed, aside) => {
    const { octree, bodies } = crowded(createRandom(5));
    const rod = (step: number): Shape => [30 + step * speed, 100, 100, 170 + step * speed, 100.5, 100.5];
    const body = octree.insert(boxOf(rod(0)), bodies.length);
    octree.update();
    for (const step of [1e-4, 1]) {
      body.setBox(boxOf(rod(step)));
      octree.update();
    }
    for (let step = 2; step < 6; step++) body.setBox(boxOf(rod(step)));
    expect(octree.statistics.pending).toBe(0);
    const isCandidate = (y: number): boolean =>
      octree.intersectPoint({ x: 100, y, z: 100 }, { candidates: true }).some((record) => record.body === body);
    expect([isCandidate(100.5), isCandidate(100.5 + aside)]).toEqual([true, false]);
  });

  it('has no margin if it is static, however often it moves', () => {
    const { octree, bodies } = crowded(createRandom(6));
    const still = [boxOf(cube(100, 100, 100, 40)), boxOf(cube(30, 30, 30, 0.2))].map((box, k) =>
      octree.insert(box, bodies.length + k, { isStatic: true }),
    );
    for (let step = 0; step < 4; step++) {
      still[0].setBox(boxOf(cube(100 + step, 100, 100, 40)));
      still[1].setBox(boxOf(cube(30 + step, 30, 30, 0.2)));
      expect(octree.statistics.pending).toBe(step === 0 ? bodies.length + 2 : 2);
      octree.update();
    }
    expect(
      octree
        .intersectPoint({ x: 143.5, y: 100, z: 100 }, { candidates: true })
        .some((record) => record.body === still[0]),
    ).toBe(false);
    expect(
      octree.intersectPoint({ x: 33.5, y: 30, z: 30 }, { candidates: true }).some((record) => record.body === still[1]),
    ).toBe(false);
    expect(validate(octree)).toEqual([]);
  });

  it('has fat bounds within the allowed coordinates, as has a body that moves freely', () => {
    const limit = 2 ** 50;
    const octree = new Octree<number>({ region: region(limit / 2, limit) });
    const at = (x: number, half: number): Float64Array =>
      Float64Array.of(x - 2 * half, limit * 0.75, limit * 0.75, x, limit * 0.75 + half, limit * 0.75 + half);
    for (const half of [2 ** 37, 2 ** 47]) {
      const indices = octree.insertMany(at(limit - 2 ** 38, half), { kind: 'box' });
      octree.update();
      octree.moveMany(indices, at(limit - 2 ** 37, half));
      octree.update();
      expect(() => octree.moveMany(indices, at(limit + 2 ** 36, half))).toThrow(RangeError);
    }
  });

  it('has no margin where Float32 is too coarse for it', () => {
    const { octree, body } = flyer(2 ** 27);
    expect(octree.statistics.pending).toBe(0);
    expect(validate(octree)).toEqual([]);
    body.setBox(boxOf(cube(2 ** 27 + 100.2, 2 ** 27 + 100, 2 ** 27 + 100, 40)));
    expect(octree.statistics.pending).toBe(1);
    octree.update();
    expect(validate(octree)).toEqual([]);
  });

  it.each([1, 1.25, 2, 3])(
    'is in a node that accepts it after every tick, moved and resized by little and by much: looseness %d',
    (looseness) => {
      const random = createRandom(4);
      const { octree, bodies: still } = crowded(random, looseness);
      const shapes = Array.from({ length: 150 }, (_, k): Shape => {
        const at = [0, 1, 2].map(() => random.between(70, EDGE - 70));
        return k % 3 === 0
          ? [...at, random.between(2, 64)]
          : [
              ...at.map((centre) => centre - random.between(1, 64)),
              ...at.map((centre) => centre + random.between(1, 64)),
            ];
      });
      const steps = shapes.map(() => [0, 1, 2].map(() => random.between(-1, 1)));
      const bodies = shapes.map((shape, k) => octree.insert(shapeOf(shape), still.length + k));
      let waiting = 0;
      octree.update();
      for (let tick = 0; tick < 40; tick++) {
        for (const [k, body] of bodies.entries()) {
          shapes[k] = moved(shapes[k], steps[k], random);
          if (shapes[k].length === 6) body.setBox(boxOf(shapes[k]));
          else body.setSphere({ center: { x: shapes[k][0], y: shapes[k][1], z: shapes[k][2] }, radius: shapes[k][3] });
        }
        waiting += octree.statistics.pending;
        octree.update();
        expectPlacement(
          octree,
          [...still.map((body) => trackedBodyOf(body, false)), ...bodies.map((body) => trackedBodyOf(body, true))],
          { looseness, leafCapacity: LEAF_CAPACITY, minCellSize: 1 },
        );
        expect(validate(octree)).toEqual([]);
      }
      // Otherwise the bodies had no margin, and the test would show nothing.
      expect(waiting).toBeLessThan(0.6 * 40 * bodies.length);
    },
  );
});

function trackedBodyOf(body: Body<number>, hasMoved: boolean): TrackedBody {
  const { min, max } = body.getBox();
  return {
    body,
    index: body.index,
    serial: body.data,
    options: {},
    shape: [min.x, min.y, min.z, max.x, max.y, max.z],
    halfSize: [],
    isAlive: true,
    hasMoved,
  };
}

/**
 * A shape after one step. Sometimes one of its faces moves farther, or its direction turns; a shape near the border
 * turns back.
 */
function moved(shape: Shape, step: number[], random: Random): Shape {
  for (let axis = 0; axis < 3; axis++) {
    const centre = shape.length === 6 ? (shape[axis] + shape[axis + 3]) / 2 : shape[axis];
    if (centre < 70) step[axis] = Math.abs(step[axis]);
    if (centre > EDGE - 70) step[axis] = -Math.abs(step[axis]);
    if (random.below(100) === 0) step[axis] = -step[axis];
  }
  const swell = random.below(4) === 0 ? random.between(-6, 6) : 0;
  if (shape.length === 4)
    return [
      ...shape.slice(0, 3).map((centre, axis) => centre + step[axis]),
      Math.min(Math.max(shape[3] + swell, 0.1), 64),
    ];
  const face = random.below(6);
  const next = shape.map((at, k) => at + step[k % 3] + (k === face ? swell : 0));
  const other = (face + 3) % 6;
  if (Math.abs(next[face] - next[other]) > 128 || next[face] < next[other] !== face < 3) next[face] -= swell;
  return next;
}
