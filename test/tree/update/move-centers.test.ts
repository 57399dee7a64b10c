import { afterEach, describe, expect, it } from 'vitest';
import { IndexList, type Octree, type OctreeOptions } from '../../../src/index.ts';
import { octreeOf, region, sketch } from '../../support/octrees.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { uniform } from '../../support/scenes.ts';
import { boundsOf } from '../../support/shapes.ts';

const COUNT = 500;

/** Octrees to clear after each test: the number of WebAssembly memories is limited. */
const filled: Octree<number>[] = [];
afterEach(() => {
  for (const octree of filled.splice(0)) octree.clear();
});

/** The same boxes and spheres twice: in the first octree many moves run in WebAssembly, in the second one in JavaScript. */
function twins(options: OctreeOptions = {}): readonly [Octree<number>, Octree<number>] {
  const shapes = uniform(COUNT, 21);
  const pair = [octreeOf(shapes, { ...options, simdFrom: 0 }).octree, octreeOf(shapes, { ...options, simdFrom: Infinity }).octree] as const;
  for (const octree of pair) octree.update();
  filled.push(...pair);
  return pair;
}

function isInWasm(octree: Octree<number>): boolean {
  return octree['store'].tree.bodies.wasm !== null;
}

/** The bounds of all bodies, living or not, and the bits of their flags. */
function bodiesOf(octree: Octree<number>): number[][] {
  const { bounds, flags, count } = octree['store'].tree.bodies;
  return [[...bounds.subarray(0, count * 6)], [...flags.subarray(0, count)]];
}

function expectSame([first, second]: readonly [Octree<number>, Octree<number>]): void {
  expect(bodiesOf(first)).toEqual(bodiesOf(second));
  for (const octree of [first, second]) octree.update();
  expect(bodiesOf(first)).toEqual(bodiesOf(second));
  expect(sketch(first)).toEqual(sketch(second));
  expect(first.validate()).toEqual([]);
}

/** The centre of a body, moved by up to `step` along each axis. */
function centerNear(octree: Octree<number>, index: number, step: number, random: Random): number[] {
  const { min, max } = octree.getBoxAt(index);
  return [(min.x + max.x) / 2, (min.y + max.y) / 2, (min.z + max.z) / 2].map((value) => value + random.between(-step, step));
}

/** The indices of all living bodies in ascending order, or as many random ones of them, some repeated. */
function someIndices(octree: Octree<number>, isOrdered: boolean, random: Random): number[] {
  const living = Array.from(octree, ({ index }) => index).sort((a, b) => a - b);
  return isOrdered ? living : living.map(() => random.pick(living));
}

describe('moves by the centre', () => {
  it.each([Float64Array, Float32Array])('are the same in WebAssembly and in JavaScript: boxes and spheres, steps and jumps, repeated indices, %o', (FloatArray) => {
    const pair = twins();
    const random = createRandom(4);
    for (let tick = 0; tick < 40; tick++) {
      const indices = someIndices(pair[0], tick % 3 === 0, random);
      const centers = FloatArray.from(indices.flatMap((index) => centerNear(pair[0], index, random.next() < 0.02 ? 40 : 0.3, random)));
      for (const octree of pair) octree.moveMany(indices, centers);
      expectSame(pair);
    }
    expect(pair.map(isInWasm)).toEqual([true, false]);
  });

  it('are the same among other writes: new bounds of either kind, removed and new bodies, translations', () => {
    const pair = twins({ leafCapacity: 4 });
    const random = createRandom(5);
    for (let tick = 0; tick < 60; tick++) {
      const [shape, other] = uniform(2, tick);
      const [removed] = someIndices(pair[0], false, random);
      for (const octree of pair) {
        if (tick % 5 === 1) octree.insertMany(Float64Array.from(shape), { kind: shape.length === 6 ? 'box' : 'sphere', data: [tick] });
        if (tick % 5 === 2 && removed !== 0) octree.bodyAt(removed).remove();
        if (tick % 7 === 3) octree.translate({ x: 64, y: 0, z: -128 });
        if (tick % 3 === 1 && removed !== 0) octree.moveMany([0], Float64Array.from(other));
      }
      // Before the removal is applied in some ticks, after it in others.
      if (tick % 2 === 0) expectSame(pair);
      const indices = someIndices(pair[0], tick % 4 === 0, random);
      const centers = Float64Array.from(indices.flatMap((index) => centerNear(pair[0], index, 0.5, random)));
      for (const octree of pair) octree.moveMany(indices, centers);
      expectSame(pair);
    }
    expect(pair.map(isInWasm)).toEqual([true, false]);
  });

  it('take the last centre of a repeated index, whether it escapes first or stays first', () => {
    const [octree] = twins();
    const random = createRandom(6);
    const all = someIndices(octree, true, random);
    const near = (index: number, step: number): number[] => centerNear(octree, index, step, random);
    // Two ticks of small moves: nearly all bodies have fat bounds then.
    for (let tick = 0; tick < 2; tick++) {
      octree.moveMany(all, Float64Array.from(all.flatMap((index) => near(index, 0.05))));
      octree.update();
    }
    const half = all.slice(0, COUNT / 2);
    const [far, last] = [half.map((index) => near(index, 30)), half.map((index) => near(index, 0.01))];
    octree.moveMany([...half, ...half], Float64Array.from([...far, ...last].flat()));
    half.forEach((index, k) => {
      const { min, max } = octree.getBoxAt(index);
      [(min.x + max.x) / 2, (min.y + max.y) / 2, (min.z + max.z) / 2].forEach((value, axis) => expect(value).toBeCloseTo(last[k][axis], 9));
    });
    expect(octree.validate()).toEqual([]);
  });

  it.each([
    ['NaN', NaN],
    ['infinity', -Infinity],
    ['a coordinate above the limit', 2 ** 53],
  ])('throw before anything has changed: %s', (_name, value) => {
    const [octree] = twins();
    const random = createRandom(7);
    const all = someIndices(octree, true, random);
    for (let tick = 0; tick < 3; tick++) {
      octree.moveMany(all, Float64Array.from(all.flatMap((index) => centerNear(octree, index, 0.1, random))));
      octree.update();
    }
    const before = bodiesOf(octree);
    const centers = Float64Array.from(all.flatMap((index) => centerNear(octree, index, 0.1, random)));
    for (const at of [0, 3 * 63 + 1, 3 * 64 + 2, centers.length - 1]) {
      const wrong = centers.slice();
      wrong[at] = value;
      expect(() => octree.moveMany(all, wrong)).toThrow('Octree.moveMany');
      expect(() => octree.moveMany(all.map((_, k) => all[COUNT - 1 - k]), wrong)).toThrow('Octree.moveMany');
    }
    for (const at of [0, 63, 64, COUNT - 1]) {
      for (const index of [COUNT, 2 ** 32 - 1]) expect(() => octree.moveMany(all.map((each, k) => (k === at ? index : each)), centers)).toThrow('Octree.moveMany');
    }
    octree.bodyAt(100).remove();
    expect(() => octree.moveMany(all, centers)).toThrow('Octree.moveMany');
    before[1][100] = bodiesOf(octree)[1][100];
    expect(bodiesOf(octree)).toEqual(before);
  });

  it('keep a body in its region that must not leave it', () => {
    const pair = twins({ outside: 'remove', region: region(-128, 256) });
    const random = createRandom(8);
    for (let tick = 0; tick < 5; tick++) {
      const living = someIndices(pair[0], true, random);
      const centers = Float64Array.from(living.flatMap((index) => centerNear(pair[0], index, 20, random)));
      for (const octree of pair) octree.moveMany(living, centers);
      expectSame(pair);
    }
    expect(pair[0].size).toBeLessThan(COUNT);
  });

  it('leave queries exact, also after the arrays of the bodies have grown out of the memory of WebAssembly, and when the octree is cleared', () => {
    const [octree] = twins();
    const random = createRandom(9);
    const list = new IndexList();
    const { bytes } = octree.statistics;
    const move = (): void => {
      const all = someIndices(octree, true, random);
      octree.moveMany(all, Float64Array.from(all.flatMap((index) => centerNear(octree, index, 0.2, random))));
      octree.update();
      const inside = all.filter((index) => {
        const { min, max } = octree.getBoxAt(index);
        return min.x <= 20 && max.x >= -20 && min.y <= 20 && max.y >= -20 && min.z <= 20 && max.z >= -20;
      });
      octree.collectBox({ min: { x: -20, y: -20, z: -20 }, max: { x: 20, y: 20, z: 20 } }, list, { candidates: true });
      expect([...list.array.subarray(0, list.length)]).toEqual(expect.arrayContaining(inside.filter((index) => octree.bodyAt(index).kind === 'box')));
    };
    move();
    expect(isInWasm(octree)).toBe(false);
    move();
    expect(isInWasm(octree)).toBe(true);
    expect(octree.statistics.bytes).toBeGreaterThan(bytes + 32 * COUNT);
    octree.insertMany(Float64Array.from(uniform(2000, 3).flatMap(boundsOf)), { kind: 'box', data: Array.from({ length: 2000 }, (_, k) => k) });
    octree.update();
    expect(isInWasm(octree)).toBe(false);
    move();
    expect(isInWasm(octree)).toBe(true);
    octree.clear();
    expect(isInWasm(octree)).toBe(false);
  });

  it('stay in JavaScript where few of many bodies move, so that no memory is copied', () => {
    const { octree } = octreeOf(uniform(4000, 5), { simdFrom: 0 });
    filled.push(octree);
    octree.update();
    const few = Array.from({ length: 100 }, (_, k) => k);
    octree.moveMany(few, new Float64Array(300));
    octree.moveMany(few, new Float64Array(300));
    expect(isInWasm(octree)).toBe(false);
  });
});
