import { describe, expect, it } from 'vitest';
import { Octree } from '../../../src/index.ts';
import { dataOf, octreeOf, ownerOf, region, sketch } from '../../support/octrees.ts';
import { boxOf, cube } from '../../support/shapes.ts';
import { validate } from '../../../src/debug/index.ts';
import { ROOT } from '../../../src/tree/layout.ts';

const everything = boxOf([-(2 ** 50), -(2 ** 50), -(2 ** 50), 2 ** 50, 2 ** 50, 2 ** 50]);

describe('octree.region', () => {
  it('is null until the first batch is built', () => {
    const { octree } = octreeOf([cube(1, 1, 1)]);
    expect(octree.region).toBeNull();
    octree.update();
    expect(octree.region).not.toBeNull();
  });

  it('is the option from the start if it is given', () => {
    const octree = new Octree({ region: region(-8, 16) });
    expect(octree.region).toEqual({ min: { x: -8, y: -8, z: -8 }, edge: 16 });
  });

  it('without an option is a cube around the first batch with integer corners and a power-of-two edge', () => {
    for (const shapes of [
      [[0.25, 0.25, 0.25, 0.75, 0.75, 0.75]],
      [cube(100.3, -7.7, 2), cube(-3, 9, 50)],
      [[5, 5, 5, 3]],
      [[0, 0, 0, 64, 64, 64]],
    ]) {
      const { octree } = octreeOf(shapes);
      octree.update();
      const { min, edge } = octree.region!;
      expect(Math.log2(edge) % 1).toBe(0);
      for (const low of [min.x, min.y, min.z]) expect(Number.isInteger(low)).toBe(true);
      expect(octree.size).toBe(shapes.length);
      expect(sketch(octree)[0].edge).toBe(edge);
    }
  });

  it('is the smallest such cube: edge 1 for a body within one unit cell, edge 64 for a box of 64', () => {
    const small = octreeOf([[0.25, 0.25, 0.25, 0.75, 0.75, 0.75]]).octree;
    small.update();
    expect(small.region).toEqual({ min: { x: 0, y: 0, z: 0 }, edge: 1 });
    const exact = octreeOf([[-32, -32, -32, 32, 32, 32]]).octree;
    exact.update();
    expect(exact.region!.edge).toBe(64);
  });

  it('is never smaller than minCellSize', () => {
    const { octree } = octreeOf([cube(0.5, 0.5, 0.5, 0.25)], { minCellSize: 16 });
    octree.update();
    expect(octree.region!.edge).toBe(16);
  });

  it('is the same after clear() as at construction', () => {
    const automatic = octreeOf([cube(1, 1, 1)]).octree;
    automatic.update();
    automatic.clear();
    expect(automatic.region).toBeNull();
    const given = octreeOf([cube(100, 100, 100)], { region: region(0, 16) }).octree;
    given.update();
    expect(given.region!.edge).toBeGreaterThan(16);
    given.clear();
    expect(given.region!.edge).toBe(16);
  });

  it('is split at integers only, down to cells of edge 1', () => {
    const { octree } = octreeOf([cube(0.5, 0.5, 0.5, 0.1), cube(2.5, 0.5, 0.5, 0.1), cube(7.5, 7.5, 7.5, 0.1)], {
      leafCapacity: 1,
      looseness: 1,
    });
    for (const { min, edge } of sketch(octree)) {
      expect(min.every(Number.isInteger) && Number.isInteger(edge)).toBe(true);
      expect(edge).toBeGreaterThanOrEqual(1);
    }
  });
});

describe("outside: 'grow'", () => {
  it('doubles the root until it contains the body, and loses no body', () => {
    const { octree } = octreeOf([cube(1, 1, 1), cube(3, 3, 3)], { region: region(0, 4) });
    octree.update();
    octree.insert(boxOf(cube(-1000, 5, 5)), 2);
    expect(dataOf(octree.intersectBox(everything))).toEqual([0, 1, 2]);
    expect(octree.region!.edge).toBe(1024);
    expect(validate(octree)).toEqual([]);
  });

  it('grows in each of the eight directions; the old root becomes an octant of the new one', () => {
    for (let octant = 0; octant < 8; octant++) {
      const [x, y, z] = [0, 1, 2].map((axis) => ((octant >> axis) & 1 ? 13 : -5));
      const { octree } = octreeOf([cube(1, 1, 1)], { region: region(0, 8) });
      octree.update();
      octree.insert(boxOf(cube(x, y, z)), 1);
      expect(dataOf(octree.intersectBox(boxOf(cube(x, y, z))))).toEqual([1]);
      expect(octree.region!.edge).toBe(16);
      // The root is its own parent.
      expect(octree.internals.store.tree.nodes.parent(ROOT)).toBe(ROOT);
      expect(validate(octree)).toEqual([]);
    }
  });

  it('merges nodes that have lost bodies before the root grew', () => {
    const corners = [1, 7].flatMap((at) => [cube(at, 1, 1), cube(at, 1, 1), cube(at, 1, 1)]);
    const { octree, bodies } = octreeOf(corners, { region: region(0, 8), leafCapacity: 4 });
    expect(octree.update().nodes).toBe(3);
    for (const k of [0, 1, 3, 4]) bodies[k].remove();
    octree.insert(boxOf(cube(12, 12, 12)), 6);
    // The root, the old root as a leaf, and the leaf of the new body.
    expect(octree.update().nodes).toBe(3);
    expect(ownerOf(octree, bodies[2])).toMatchObject({ edge: 8, bodies: [2, 5] });
  });

  it('reaches the largest allowed coordinate, 2^50, in a bounded number of steps', () => {
    const { octree, bodies } = octreeOf([cube(0.5, 0.5, 0.5, 0.25)]);
    octree.update();
    octree.insert(boxOf([2 ** 50, 2 ** 50, 2 ** 50, 2 ** 50, 2 ** 50, 2 ** 50]), 1);
    octree.insert(boxOf([-(2 ** 50), -(2 ** 50), -(2 ** 50), -(2 ** 50), -(2 ** 50), -(2 ** 50)]), 2);
    expect(dataOf(octree.intersectBox(everything))).toEqual([0, 1, 2]);
    expect(ownerOf(octree, bodies[0]).depth).toBeLessThanOrEqual(53);
    expect(octree.statistics.depth).toBeLessThanOrEqual(53);
  });
});

describe("outside: 'remove'", () => {
  it('removes a body that is inserted outside, and update() reports it', () => {
    const octree = new Octree<number>({ region: region(0, 8), outside: 'remove' });
    const body = octree.insert(boxOf(cube(20, 4, 4)), 0);
    expect(body.index).toBe(-1);
    expect(octree.size).toBe(0);
    expect(octree.update()).toMatchObject({ bodiesOutside: 1, outside: [body] });
    expect(octree.update()).toMatchObject({ bodiesOutside: 0, outside: [] });
  });

  it('removes a body that moves out, and keeps one that touches a face of the region', () => {
    const { octree, bodies } = octreeOf([cube(4, 4, 4), cube(2, 2, 2)], { region: region(0, 8), outside: 'remove' });
    octree.update();
    bodies[0].setBox(boxOf([7, 7, 7, 8, 8, 8]));
    bodies[1].setBox(boxOf([7, 7, 7, 8 + 2 ** -49, 8, 8]));
    expect(bodies.map(({ index }) => index >= 0)).toEqual([true, false]);
    expect(octree.update()).toMatchObject({ bodiesOutside: 1, bodies: 1 });
    expect(dataOf(octree.intersectBox(everything))).toEqual([0]);
  });

  it('removes bodies of moveMany one by one', () => {
    const { octree, bodies } = octreeOf([cube(4, 4, 4), cube(2, 2, 2), cube(6, 6, 6)], {
      region: region(0, 8),
      outside: 'remove',
    });
    octree.update();
    octree.moveMany(
      bodies.map(({ index }) => index),
      new Float64Array([...cube(1, 1, 1), ...cube(9, 9, 9), ...cube(3, 3, 3)]),
    );
    expect(bodies.map((body) => octree.has(body))).toEqual([true, false, true]);
    expect(octree.update().outside).toEqual([bodies[1]]);
    expect(validate(octree)).toEqual([]);
  });

  it('lists in update() what has left since the last one, by every way, with its data', () => {
    const octree = new Octree<string>({ region: region(0, 8), outside: 'remove' });
    const inside = boxOf(cube(4, 4, 4));
    const [moved, centered, removed] = ['moved', 'centred', 'removed'].map((name) => octree.insert(inside, name));
    const many = octree.insertMany(new Float64Array([...cube(4, 4, 4), ...cube(9, 9, 9), ...cube(2, 2, 2)]), {
      kind: 'box',
      data: ['many', 'never in', 'many, by centre'],
    });
    moved.setBox(boxOf(cube(20, 4, 4)));
    const refused = octree.insert(boxOf(cube(30, 4, 4)), 'refused', { isStatic: true });
    removed.remove();
    octree.moveMany([many[0]], new Float64Array(cube(-9, 0, 0)));
    octree.moveMany([many[2]], new Float64Array([50, 0, 0]));
    // In a callback of a query, too.
    octree.intersectBox(everything, {
      filter: () => centered.index < 0 || centered.setCenter({ x: 99, y: 0, z: 0 }) === null,
    });
    const { outside, bodiesOutside, bodiesRemoved } = octree.update();
    expect(outside.map(({ data }) => data)).toEqual([
      'never in',
      'moved',
      'refused',
      'many',
      'many, by centre',
      'centred',
    ]);
    expect([outside[1], outside[2], bodiesOutside, bodiesRemoved, octree.size]).toEqual([moved, refused, 6, 7, 0]);
    expect(outside.every(({ index }) => index < 0)).toBe(true);
    // The list is the caller's: the next update begins another one.
    octree.insert(boxOf(cube(30, 4, 4)), 'later');
    expect([outside.length, octree.update().outside.length, octree.update().outside]).toEqual([6, 1, []]);
  });

  it('keeps the last 65,536 at least, and counts all, if no update comes', () => {
    const octree = new Octree<number>({ region: region(0, 8), outside: 'remove' });
    const count = 2 ** 17 + 5;
    for (let k = 0; k < count; k++) octree.insert(boxOf(cube(20, 4, 4)), k);
    const { outside, bodiesOutside } = octree.update();
    expect([bodiesOutside, outside.length, outside[0].data]).toEqual([count, 2 ** 16 + 5, 2 ** 16]);
    expect(octree.update().bodiesOutside).toBe(0);
  });
});

describe("outside: 'throw'", () => {
  it('rejects a body outside at the call and changes nothing', () => {
    const { octree, bodies } = octreeOf([cube(4, 4, 4)], { region: region(0, 8), outside: 'throw' });
    expect(() => octree.insert(boxOf(cube(20, 4, 4)), 1)).toThrow(RangeError);
    expect(() => bodies[0].setBox(boxOf(cube(8, 8, 8)))).toThrow(RangeError);
    expect(() => octree.insertMany(new Float64Array([...cube(1, 1, 1), ...cube(9, 9, 9)]), { kind: 'box' })).toThrow(
      RangeError,
    );
    expect(octree.size).toBe(1);
    expect(dataOf(octree.intersectBox(boxOf(cube(4, 4, 4))))).toEqual([0]);
    expect(octree.intersectBox(boxOf(cube(1, 1, 1)))).toEqual([]);
  });

  it('accepts a body that touches the faces of the region from inside', () => {
    const octree = new Octree<number>({ region: region(0, 8), outside: 'throw' });
    octree.insert(boxOf([0, 0, 0, 8, 8, 8]), 0);
    octree.insert(boxOf([8, 8, 8, 8, 8, 8]), 1);
    expect(dataOf(octree.intersectBox(everything))).toEqual([0, 1]);
  });
});
