import { Box3 } from 'three';
import { describe, expect, it } from 'vitest';
import { Octree } from '../../src/index.ts';
import { dataOf, octreeOf, region } from '../support/octrees.ts';
import { boxOf, cube } from '../support/shapes.ts';
import { uniform } from '../support/scenes.ts';

const wide = boxOf(cube(0, 0, 0, 1000));
const three = new Float64Array([...cube(0, 0, 0), ...cube(10, 0, 0), ...cube(20, 0, 0)]);

describe('octree.insertMany', () => {
  it('takes six numbers per box and returns the indices in order', () => {
    const octree = new Octree<string>();
    const indices = octree.insertMany(three, { kind: 'box', data: ['a', 'b', 'c'] });
    expect(indices).toBeInstanceOf(Uint32Array);
    expect([...indices].map((index) => octree.dataAt(index))).toEqual(['a', 'b', 'c']);
    expect(octree.intersectPoint({ x: 10, y: 0, z: 0 })[0].body.data).toBe('b');
    expect(octree.bodyAt(indices[2]).kind).toBe('box');
  });

  it('takes four numbers per sphere, and a Float32Array too', () => {
    const octree = new Octree<number>();
    const indices = octree.insertMany(new Float32Array([0, 0, 0, 1, 10, 0, 0, 2]), { kind: 'sphere', data: [1, 2] });
    expect(indices).toHaveLength(2);
    expect(dataOf(octree.intersectPoint({ x: 12, y: 0, z: 0 }))).toEqual([2]);
    expect(dataOf(octree.intersectPoint({ x: 0.9, y: 0.9, z: 0 }))).toEqual([]);
  });

  it('copies the array and leaves it as it was', () => {
    const bounds = three.slice();
    const octree = new Octree();
    octree.insertMany(bounds, { kind: 'box' });
    octree.update();
    expect(bounds).toEqual(three);
    bounds.fill(500);
    expect(octree.intersectBox(wide)).toHaveLength(3);
    expect(octree.intersectPoint({ x: 20, y: 0, z: 0 })).toHaveLength(1);
  });

  it('takes one mask for all bodies, or one per body', () => {
    const octree = new Octree<number>();
    octree.insertMany(three, { kind: 'box', data: [0, 1, 2], mask: 2 });
    octree.insertMany(three, { kind: 'box', data: [3, 4, 5], mask: [1, 2, 4] });
    expect(dataOf(octree.intersectBox(wide, { mask: 2 }))).toEqual([0, 1, 2, 4]);
    expect(dataOf(octree.intersectBox(wide, { mask: 5 }))).toEqual([3, 5]);
  });

  it.each(['box', 'sphere'] as const)('reuses free indices before it takes new ones: %ss with data and a mask each', (kind) => {
    const octree = new Octree<number>();
    const first = octree.insertMany(three, { kind: 'box', data: [0, 1, 2] });
    octree.update();
    octree.removeMany([first[0], first[2]]);
    octree.update();
    const at = (k: number): readonly number[] => (kind === 'box' ? cube(100 * k, 0, 0) : [100 * k, 0, 0, 1]);
    const indices = octree.insertMany(new Float64Array([5, 6, 7, 8].flatMap(at)), { kind, data: [5, 6, 7, 8], mask: [1, 2, 0, 3] });
    expect([...indices]).toEqual([2, 0, 3, 4]);
    for (const k of [5, 6, 7, 8]) expect(dataOf(octree.intersectPoint({ x: 100 * k, y: 0, z: 0 }))).toEqual(k === 7 ? [] : [k]);
    expect(dataOf(octree.intersectBox(wide, { mask: 2 }))).toEqual([1, 6, 8]);
    expect([octree.size, octree.dataAt(3), octree.bodyAt(4).kind]).toEqual([5, 7, kind]);
    expect(octree.validate()).toEqual([]);
  });

  it('of an empty array inserts nothing', () => {
    const octree = new Octree();
    expect(octree.insertMany(new Float64Array(0), { kind: 'box' })).toHaveLength(0);
    expect(octree.size).toBe(0);
    octree.update();
    expect(octree.validate()).toEqual([]);
  });

  it('inserts static bodies, which do not pair with each other', () => {
    const octree = new Octree();
    octree.insertMany(new Float64Array([...cube(0, 0, 0), ...cube(0, 0, 0)]), { kind: 'box', isStatic: true });
    expect(octree.intersectPairs()).toEqual([]);
    octree.insertMany(new Float64Array(cube(0, 0, 0)), { kind: 'box' });
    expect(octree.intersectPairs()).toHaveLength(2);
  });
});

describe('octree.moveMany', () => {
  it('moves each body to a box of six numbers or to a sphere of four', () => {
    const { octree, bodies } = octreeOf(uniform(30, 1));
    octree.update();
    const indices = bodies.slice(0, 3).map(({ index }) => index);
    octree.moveMany(indices, three);
    expect(dataOf(octree.intersectPoint({ x: 10, y: 0, z: 0 }))).toContain(1);
    octree.moveMany(new Uint32Array(indices), new Float32Array([100, 0, 0, 1, 200, 0, 0, 1, 300, 0, 0, 1]));
    expect(dataOf(octree.intersectPoint({ x: 200, y: 1, z: 0 }))).toEqual([1]);
    expect(bodies.slice(0, 4).map(({ kind }) => kind)).toEqual(['sphere', 'sphere', 'sphere', bodies[3].kind]);
    expect(octree.validate()).toEqual([]);
  });

  it('uses the last bounds of a repeated index', () => {
    const { octree, bodies } = octreeOf([cube(50, 0, 0)]);
    octree.update();
    octree.moveMany([bodies[0].index, bodies[0].index, bodies[0].index], three);
    expect(octree.intersectPoint({ x: 20, y: 0, z: 0 })).toHaveLength(1);
    expect(octree.intersectBox(wide)).toHaveLength(1);
  });

  it('grows the region as a single move does', () => {
    const { octree, bodies } = octreeOf([cube(1, 1, 1)], { region: region(0, 8) });
    octree.update();
    octree.moveMany([bodies[0].index], new Float64Array(cube(-100, 0, 0)));
    expect(octree.intersectPoint({ x: -100, y: 0, z: 0 })).toHaveLength(1);
    expect(octree.validate()).toEqual([]);
  });
});

describe('octree.removeMany', () => {
  it('returns the number of bodies removed; a repeated index counts once', () => {
    const { octree, bodies } = octreeOf(uniform(10, 1));
    octree.update();
    expect(octree.removeMany([1, 3, 3, 5, 1].map((i) => bodies[i].index))).toBe(3);
    expect(dataOf(octree.intersectBox(wide))).toEqual([0, 2, 4, 6, 7, 8, 9]);
    expect(bodies.filter(({ index }) => index === -1)).toHaveLength(3);
    expect(octree.removeMany([])).toBe(0);
    expect(octree.validate()).toEqual([]);
  });

  it('takes the array that insertMany returned', () => {
    const octree = new Octree();
    const indices = octree.insertMany(three, { kind: 'box' });
    expect(octree.removeMany(indices)).toBe(3);
    expect(octree.size).toBe(0);
    expect(octree.intersectBox(wide)).toEqual([]);
  });
});

const twoAt = (x: number): Float64Array => new Float64Array([...cube(x, 20, 20), ...cube(x, 40, 40)]);

/** Two moving boxes: their last step has given them a margin to the right, so the next step needs no work in the tree. */
function movers(): { octree: Octree; indices: Uint32Array } {
  const octree = new Octree({ region: region(0, 64) });
  const indices = octree.insertMany(twoAt(10), { kind: 'box' });
  for (const x of [10, 10.125, 10.25]) {
    octree.moveMany(indices, twoAt(x));
    octree.update();
  }
  octree.moveMany(indices, twoAt(10.375));
  expect(octree.statistics.pending).toBe(0);
  return { octree, indices };
}

describe('octree.moveMany of bodies that have a margin', () => {
  it.each([
    ['inverted', (bounds: Float64Array) => bounds.fill(10.25, 6, 7).fill(10.1875, 9, 10)],
    ['NaN', (bounds: Float64Array) => bounds.fill(NaN, 8, 9)],
    ['infinite', (bounds: Float64Array) => bounds.fill(Infinity, 11, 12)],
  ])('refuses %s bounds and changes nothing', (_, spoil) => {
    const { octree, indices } = movers();
    expect(() => octree.moveMany(indices, spoil(twoAt(10.5)))).toThrow(/Octree.moveMany: .*bounds\[1\]/);
    expect(octree.bodyAt(indices[0]).getBox(new Box3()).min.x).toBe(9.875);
    expect(octree.validate()).toEqual([]);
  });

  it('refuses the index of a removed body and changes nothing', () => {
    const { octree, indices } = movers();
    octree.bodyAt(indices[1]).remove();
    expect(() => octree.moveMany(indices, twoAt(10.5))).toThrow(/Octree.moveMany: indices\[1\] must be the index of a living body/);
    octree.update();
    expect(() => octree.moveMany(indices, twoAt(10.5))).toThrow(/Octree.moveMany: indices\[1\]/);
    expect(octree.bodyAt(indices[0]).getBox(new Box3()).min.x).toBe(9.875);
  });

  it('does not affect results: they go by the exact bounds', () => {
    const { octree, indices } = movers();
    for (let x = 10.375; x < 60; x += 0.125) {
      octree.moveMany(indices, twoAt(x));
      expect(octree.intersectPoint({ x: x - 0.5, y: 20, z: 20 })).toHaveLength(1);
      expect(octree.intersectPoint({ x: x - 0.625, y: 20, z: 20 })).toHaveLength(0);
      expect(octree.intersectPoint({ x: x + 0.625, y: 40, z: 40 })).toHaveLength(0);
    }
    expect(octree.validate()).toEqual([]);
  });
});
