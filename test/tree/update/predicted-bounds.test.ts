/**
 * Where bodies live that move: fast ones in larger cells than slow ones, and none of them higher than its motion needs.
 */
import { describe, expect, it } from 'vitest';
import { IndexList, Octree, type Body, type QueryStats } from '../../../src/index.ts';
import { octreeOf, ownerOf, region, sketch } from '../../support/octrees.ts';
import { createRandom } from '../../support/random.ts';
import { boxOf, cube, type Shape } from '../../support/shapes.ts';
import { validate } from '../../../src/debug/index.ts';

const EDGE = 256;
/**
 * Bodies of half extent 0.5 all over the region, in cells of edge 32. The next body has the longest margin: it grows
 * with the index.
 */
const CROWD = 2047;

function crowd(): { octree: Octree<number>; random: ReturnType<typeof createRandom> } {
  const random = createRandom(3);
  const within = (): number => random.between(1, EDGE - 1);
  const { octree } = octreeOf(
    Array.from({ length: CROWD }, () => cube(within(), within(), within())),
    { region: region(0, EDGE) },
  );
  octree.update();
  return { octree, random };
}

/** Where the k-th of a few small bodies in a corner starts. */
function startOf(k: number): Shape {
  return cube(8 + 2 * k, 8, 8, 0.25);
}

/**
 * Moves a body along x by `speed` per tick, and back and forth between 20 and 236. Returns its position and direction.
 */
function fly(
  octree: Octree<number>,
  body: Body<number>,
  ticks: number,
  speed: number,
  from = { x: 20, sign: 1 },
): { x: number; sign: number } {
  let { x, sign } = from;
  for (let tick = 0; tick < ticks; tick++) {
    if (x + sign * speed < 20 || x + sign * speed > 236) sign = -sign;
    x += sign * speed;
    body.setBox(boxOf(cube(x, 100, 100)));
    octree.update();
  }
  expect(validate(octree)).toEqual([]);
  return { x, sign };
}

describe('a body that moves', () => {
  it('slowly is in a cell as small as that of a still body', () => {
    const { octree } = crowd();
    const still = octree.insert(boxOf(cube(40, 100, 100)), CROWD);
    const { edge } = ownerOf(octree, still);
    const body = octree.insert(boxOf(cube(39, 100, 100)), CROWD + 1);
    fly(octree, body, 20, 0.05, { x: 39, sign: 1 });
    expect(ownerOf(octree, body).edge).toBe(edge);
  });

  it('fast is in a larger cell, and sinks again once it has slowed down and left its fat bounds', () => {
    const { octree } = crowd();
    const body = octree.insert(boxOf(cube(20, 100, 100)), CROWD);
    const { edge } = ownerOf(octree, body);
    const end = fly(octree, body, 30, edge / 10);
    expect(ownerOf(octree, body).edge).toBeGreaterThanOrEqual(2 * edge);
    fly(octree, body, 1000, edge / 200, end);
    expect(ownerOf(octree, body).edge).toBe(edge);
  });

  it('fast changes its node half as often as one that is placed by its bounds, which crosses a small cell in ten ticks', () => {
    const { octree } = crowd();
    const body = octree.insert(boxOf(cube(20, 100, 100)), CROWD);
    expect(ownerOf(octree, body).edge).toBe(32);
    fly(octree, body, 60, 3.2);
    expect(octree.statistics.bodiesRelocated).toBeLessThanOrEqual(3);
  });

  it('fast is no candidate of queries far behind it, far beside it, or more than the edge of its cell ahead of it', () => {
    const { octree } = crowd();
    const body = octree.insert(boxOf(cube(20, 100, 100)), CROWD);
    const { edge } = ownerOf(octree, body);
    const speed = edge / 10;
    const { x } = fly(octree, body, 30, speed);
    const cell = ownerOf(octree, body).edge;
    const isCandidate = (dx: number, dy: number): boolean =>
      octree
        .intersectPoint({ x: x + dx, y: 100 + dy, z: 100 }, { candidates: true })
        .some((record) => record.body === body);
    expect(isCandidate(0, 0)).toBe(true);
    expect([isCandidate(cell, 0), isCandidate(-cell, 0), isCandidate(0, cell / 8), isCandidate(0, -cell / 8)]).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  it('diagonally has the same number of steps ahead along each axis', () => {
    const octree = new Octree<number>({ region: region(0, 1024) });
    const body = octree.insert(boxOf(cube(300, 300, 300)), 0);
    octree.update();
    const move = (steps: number): void => void body.setBox(boxOf(cube(300 + 4 * steps, 300 + steps, 300)));
    move(1);
    octree.update();
    const reach = [0, 1].map((axis) => {
      const isCandidate = (far: number): boolean =>
        octree.intersectPoint(
          { x: 304 + (axis === 0 ? far : 0), y: 301 + (axis === 1 ? far : 0), z: 300 },
          { candidates: true },
        ).length > 0;
      let far = 0;
      while (isCandidate(far)) far++;
      return far;
    });
    // 1/16 of the edge to each side, and 0.5, the body itself.
    expect((reach[0] - 0.5) / (reach[1] - 0.5)).toBeGreaterThan(2.5);
    for (let step = 2; step * 4 < reach[0] - 8; step++) move(step);
    expect(octree.statistics.pending).toBe(0);
  });

  it('by a jump stays as deep as a still body', () => {
    const { octree, random } = crowd();
    const body = octree.insert(boxOf(cube(20, 100, 100)), CROWD);
    for (let jump = 0; jump < 20; jump++) {
      const at = [0, 1, 2].map(() => random.between(20, EDGE - 20));
      body.setBox(boxOf(cube(at[0], at[1], at[2])));
      octree.update();
      expect(ownerOf(octree, body).edge).toBeLessThanOrEqual(32);
    }
  });
});

describe('many bodies that move', () => {
  it('do not gather near the root, though some of them jump in each tick, and queries stay cheap where there are some in each tick', () => {
    const { octree, random } = crowd();
    const shapes = new Float64Array(CROWD * 6);
    const indices = Uint32Array.from({ length: CROWD }, (_, k) => k);
    for (const index of indices) shapes.set(octree.bodyAt(index).getBox().min.toArray(), index * 6);
    const steps = Float64Array.from({ length: CROWD * 3 }, () => random.between(-0.5, 0.5));
    const costOf = (): number => {
      const stats: QueryStats = { nodesVisited: 0, nodesContained: 0, bodiesTested: 0, bodiesReported: 0 };
      let tested = 0;
      for (let k = 0; k < 100; k++) {
        octree.collectBox(
          boxOf(cube(random.between(20, 236), random.between(20, 236), random.between(20, 236), 8)),
          new IndexList(),
          { stats },
        );
        tested += stats.bodiesTested;
      }
      return tested;
    };
    const before = costOf();
    for (let tick = 0; tick < 200; tick++) {
      for (let k = 0; k < CROWD; k++) {
        const jumps = random.below(1000) === 0;
        for (let axis = 0; axis < 3; axis++) {
          const at = k * 6 + axis;
          if (shapes[at] + steps[k * 3 + axis] < 1 || shapes[at] + steps[k * 3 + axis] > EDGE - 2)
            steps[k * 3 + axis] *= -1;
          shapes[at] = jumps ? random.between(1, EDGE - 2) : shapes[at] + steps[k * 3 + axis];
          shapes[at + 3] = shapes[at] + 1;
        }
      }
      octree.moveMany(indices, shapes);
      octree.update();
      for (let k = 0; k < 10; k++) octree.collectBox(boxOf(cube(100, 100, 20 * k, 8)), new IndexList());
    }
    expect(validate(octree)).toEqual([]);
    const high = sketch(octree).filter(({ edge }) => edge >= 64);
    expect(high.reduce((sum, { bodies }) => sum + bodies.length, 0)).toBeLessThan(CROWD / 50);
    expect(costOf()).toBeLessThan(8 * before);
  });

  it('get new fat bounds after their leaf has split, and keep them when leaves merge', () => {
    const { octree, bodies } = octreeOf(
      Array.from({ length: 4 }, (_, k) => startOf(k)),
      { region: region(0, 64), leafCapacity: 8, looseness: 2 },
    );
    let offset = 0;
    const move = (): void => {
      offset += 0.001;
      for (const body of bodies) body.setBox(boxOf(startOf(body.data).map((at) => at + offset)));
    };
    octree.update();
    move();
    octree.update();
    const guests = Array.from({ length: 12 }, (_, k) => octree.insert(boxOf(cube(40 + k, 40, 40, 0.25)), 100 + k));
    octree.update();
    expect(sketch(octree).length).toBeGreaterThan(1);
    move();
    expect(octree.statistics.pending).toBe(bodies.length);
    octree.update();
    for (const guest of guests) guest.remove();
    for (let tick = 0; tick < 80; tick++) {
      move();
      octree.update();
    }
    expect(sketch(octree).length).toBe(1);
    move();
    expect(octree.statistics.pending).toBe(0);
    expect(validate(octree)).toEqual([]);
  });
});
