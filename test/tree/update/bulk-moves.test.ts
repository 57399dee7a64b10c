import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Octree, OctreeOptions } from '../../../src/index.ts';
import { region, sketch } from '../../support/octrees.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { uniform } from '../../support/scenes.ts';
import { boundsOf, shapeOf, type Shape } from '../../support/shapes.ts';
import { translate } from '../../../src/index.ts';
import { validate } from '../../../src/debug/index.ts';
import { loadMoves, movesOf, traversalOf, wasmReady } from '../../support/wasm.ts';

const COUNT = 500;

/**
 * A copy of the library for each test: the number of WebAssembly memories is limited, and octrees of other tests may
 * have taken all.
 */
let library: typeof import('../../../src/index.ts');
beforeEach(async () => {
  vi.resetModules();
  library = await import('../../../src/index.ts');
  await loadMoves(new library.Octree<number>({ simdFrom: 0 }));
});

function octreeOf(shapes: readonly Shape[], options: OctreeOptions): Octree<number> {
  const octree = new library.Octree<number>(options);
  for (const [k, shape] of shapes.entries()) octree.insert(shapeOf(shape), k);
  octree.update();
  return octree;
}

/**
 * The same boxes and spheres twice: in the first octree many moves run in WebAssembly, in the second one in JavaScript.
 */
function twins(options: OctreeOptions = {}): readonly [Octree<number>, Octree<number>] {
  const shapes = uniform(COUNT, 21);
  return [octreeOf(shapes, { ...options, simdFrom: 0 }), octreeOf(shapes, { ...options, simdFrom: Infinity })];
}

function isInWasm(octree: Octree<number>): boolean {
  return movesOf(octree) !== null;
}

/** The bounds of all bodies, living or not, and the bits of their flags. */
function bodiesOf(octree: Octree<number>): number[][] {
  const { bounds, flags, count } = octree.internals.store.tree.bodies;
  return [[...bounds.subarray(0, count * 6)], [...flags.subarray(0, count)]];
}

function expectSame([first, second]: readonly [Octree<number>, Octree<number>]): void {
  expect(bodiesOf(first)).toEqual(bodiesOf(second));
  for (const octree of [first, second]) octree.update();
  expect(bodiesOf(first)).toEqual(bodiesOf(second));
  expect(sketch(first)).toEqual(sketch(second));
  expect(validate(first)).toEqual([]);
}

/** The centre of a body, moved by up to `step` along each axis. */
function centerNear(octree: Octree<number>, index: number, step: number, random: Random): number[] {
  const { min, max } = octree.getBoxAt(index);
  return [(min.x + max.x) / 2, (min.y + max.y) / 2, (min.z + max.z) / 2].map(
    (value) => value + random.between(-step, step),
  );
}

/** The indices of all living bodies in ascending order, or as many random ones of them, some repeated. */
function someIndices(octree: Octree<number>, isOrdered: boolean, random: Random): number[] {
  const living = Array.from(octree, ({ index }) => index).sort((a, b) => a - b);
  return isOrdered ? living : living.map(() => random.pick(living));
}

/**
 * New bounds of a body near its old ones: six numbers, four, or three for its centre. Most of them have about the same
 * size, one in twenty another one.
 */
function boundsNear(octree: Octree<number>, index: number, stride: number, step: number, random: Random): number[] {
  const center = centerNear(octree, index, step, random);
  const { min, max } = octree.getBoxAt(index);
  const half = random.next() < 0.05 ? random.between(0, 3) : (max.x - min.x) / 2;
  if (stride === 6) return [...center.map((value) => value - half), ...center.map((value) => value + half)];
  return stride === 4 ? [...center, half] : center;
}

describe('bulk moves', () => {
  it.each([
    ['centres', 3, Float64Array],
    ['centres', 3, Float32Array],
    ['boxes', 6, Float64Array],
    ['boxes', 6, Float32Array],
    ['spheres', 4, Float64Array],
    ['spheres', 4, Float32Array],
  ] as const)(
    'are the same in WebAssembly and in JavaScript, with steps and jumps and repeated indices: %s, %i, %o',
    (_name, stride, FloatArray) => {
      const pair = twins();
      const random = createRandom(4);
      for (let tick = 0; tick < 40; tick++) {
        const indices = someIndices(pair[0], tick % 3 === 0, random);
        const bounds = FloatArray.from(
          indices.flatMap((index) => boundsNear(pair[0], index, stride, random.next() < 0.02 ? 40 : 0.3, random)),
        );
        for (const octree of pair) octree.moveMany(indices, bounds);
        expectSame(pair);
      }
      expect(pair.map(isInWasm)).toEqual([true, false]);
    },
  );

  it.each([
    ['boxes', 6],
    ['spheres', 4],
    ['centres, more of them than bodies', 3],
  ] as const)('are the same in batches of several chunks: %s', (_name, stride) => {
    const pair = twins();
    const random = createRandom(11);
    for (let tick = 0; tick < 4; tick++) {
      for (const isOrdered of [true, false]) {
        const indices = Array.from({ length: 10 }, () => someIndices(pair[0], isOrdered, random)).flat();
        const bounds = Float64Array.from(indices.flatMap((index) => boundsNear(pair[0], index, stride, 0.2, random)));
        for (const octree of pair) octree.moveMany(indices, bounds);
        expectSame(pair);
      }
    }
    expect(pair.map(isInWasm)).toEqual([true, false]);
  });

  it('throw before anything has changed if the last of several chunks is invalid', () => {
    const [octree] = twins();
    const random = createRandom(12);
    const indices = Array.from({ length: 10 }, () => someIndices(octree, true, random)).flat();
    const bounds = (): Float64Array =>
      Float64Array.from(indices.flatMap((index) => boundsNear(octree, index, 6, 0.1, random)));
    octree.moveMany(indices, bounds());
    octree.update();
    octree.moveMany(indices, bounds());
    octree.update();
    expect(isInWasm(octree)).toBe(true);
    const before = bodiesOf(octree);
    const wrong = bounds();
    wrong[wrong.length - 1] = NaN;
    expect(() => octree.moveMany(indices, wrong)).toThrow(`bounds[${wrong.length - 1}]`);
    expect(bodiesOf(octree)).toEqual(before);
  });

  it('stay in WebAssembly when bodies that were moved by boxes are moved by their centres, one and then many, and by boxes again', () => {
    const pair = twins();
    const random = createRandom(13);
    for (const [tick, stride] of [6, 6, 6, 6, 6, 3, 3, 3, 6, 6].entries()) {
      const indices = someIndices(pair[0], true, random);
      const bounds = Float64Array.from(indices.flatMap((index) => boundsNear(pair[0], index, stride, 0.2, random)));
      for (const octree of pair) {
        if (tick === 5) octree.bodyAt(7).setCenter({ x: 1, y: 2, z: 3 });
        octree.moveMany(indices, bounds);
      }
      expectSame(pair);
      if (tick >= 4) expect(pair.map(isInWasm)).toEqual([true, false]);
      if (tick === 4) expect(movesOf(pair[0])?.hasHalfSizes).toBe(false);
    }
    expect(movesOf(pair[0])?.hasHalfSizes).toBe(true);
  });

  it('are the same among other writes: new bounds of either kind, removed and new bodies, translations', () => {
    const pair = twins({ leafCapacity: 4 });
    const random = createRandom(5);
    for (let tick = 0; tick < 60; tick++) {
      const [shape, other] = uniform(2, tick);
      const [removed] = someIndices(pair[0], false, random);
      for (const octree of pair) {
        if (tick % 5 === 1)
          octree.insertMany(Float64Array.from(shape), { kind: shape.length === 6 ? 'box' : 'sphere', data: [tick] });
        if (tick % 5 === 2 && removed !== 0) octree.bodyAt(removed).remove();
        if (tick % 7 === 3) translate(octree, { x: 64, y: 0, z: -128 });
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
    // After some ticks of small moves nearly all bodies have fat bounds.
    for (let tick = 0; tick < 4; tick++) {
      octree.moveMany(all, Float64Array.from(all.flatMap((index) => near(index, 0.05))));
      octree.update();
    }
    expect(isInWasm(octree)).toBe(true);
    const half = all.slice(0, COUNT / 2);
    const [far, last] = [half.map((index) => near(index, 30)), half.map((index) => near(index, 0.01))];
    octree.moveMany([...half, ...half], Float64Array.from([...far, ...last].flat()));
    half.forEach((index, k) => {
      const { min, max } = octree.getBoxAt(index);
      [(min.x + max.x) / 2, (min.y + max.y) / 2, (min.z + max.z) / 2].forEach((value, axis) =>
        expect(value).toBeCloseTo(last[k][axis], 9),
      );
    });
    expect(validate(octree)).toEqual([]);
  });

  it.each([
    ['centres', 3, NaN],
    ['centres', 3, -Infinity],
    ['centres', 3, 2 ** 53],
    ['boxes', 6, NaN],
    ['boxes', 6, -Infinity],
    ['boxes', 6, 2 ** 53],
    ['spheres', 4, NaN],
    ['spheres', 4, -Infinity],
    ['spheres', 4, 2 ** 53],
  ] as const)('throw before anything has changed: %s, %i, %d', (_name, stride, value) => {
    const [octree] = twins();
    const random = createRandom(7);
    const all = someIndices(octree, true, random);
    const bounds = (): Float64Array =>
      Float64Array.from(all.flatMap((index) => boundsNear(octree, index, stride, 0.1, random)));
    for (let tick = 0; tick < 5; tick++) {
      octree.moveMany(all, bounds());
      octree.update();
    }
    expect(isInWasm(octree)).toBe(true);
    const before = bodiesOf(octree);
    const valid = bounds();
    for (const at of [0, stride * 63 + 1, stride * 64 + 2, valid.length - 1]) {
      const wrong = valid.slice();
      wrong[at] = value;
      expect(() => octree.moveMany(all, wrong)).toThrow('Octree.moveMany');
      expect(() =>
        octree.moveMany(
          all.map((_, k) => all[COUNT - 1 - k]),
          wrong,
        ),
      ).toThrow('Octree.moveMany');
    }
    for (const at of [0, 63, 64, COUNT - 1]) {
      for (const index of [COUNT, 2 ** 32 - 1])
        expect(() =>
          octree.moveMany(
            all.map((each, k) => (k === at ? index : each)),
            valid,
          ),
        ).toThrow('Octree.moveMany');
    }
    // The last 64 indices that there are.
    expect(() =>
      octree.moveMany(
        all.map((each, k) => (k >= 64 && k < 128 ? 2 ** 32 - 128 + k : each)),
        valid,
      ),
    ).toThrow('Octree.moveMany');
    octree.bodyAt(100).remove();
    expect(() => octree.moveMany(all, valid)).toThrow('Octree.moveMany');
    before[1][100] = bodiesOf(octree)[1][100];
    expect(bodiesOf(octree)).toEqual(before);
  });

  it('remove bodies that leave the region, without WebAssembly', () => {
    const pair = twins({ outside: 'remove', region: region(-128, 256) });
    const random = createRandom(8);
    for (let tick = 0; tick < 5; tick++) {
      const living = someIndices(pair[0], true, random);
      const centers = Float64Array.from(living.flatMap((index) => centerNear(pair[0], index, 20, random)));
      for (const octree of pair) octree.moveMany(living, centers);
      expectSame(pair);
    }
    expect(pair[0].size).toBeLessThan(COUNT);
    expect(pair.map(isInWasm)).toEqual([false, false]);
  });

  it('lose no box in queries, also after the arrays of the bodies have grown out of the memory of WebAssembly', () => {
    const [octree] = twins();
    const random = createRandom(9);
    const list = new library.IndexList();
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
      expect([...list.array.subarray(0, list.length)]).toEqual(
        expect.arrayContaining(inside.filter((index) => octree.bodyAt(index).kind === 'box')),
      );
    };
    for (let tick = 0; tick < 4; tick++) move();
    expect(isInWasm(octree)).toBe(true);
    expect(octree.statistics.bytes).toBeGreaterThan(bytes + 32 * COUNT);
    octree.insertMany(Float64Array.from(uniform(2000, 3).flatMap(boundsOf)), {
      kind: 'box',
      data: Array.from({ length: 2000 }, (_, k) => k),
    });
    octree.update();
    expect(isInWasm(octree)).toBe(false);
    for (let tick = 0; tick < 4; tick++) move();
    expect(isInWasm(octree)).toBe(true);
  });
});

/** An octree that has moved its bodies by their centres often enough to use WebAssembly. */
function movingOctree(): Octree<number> {
  const octree = octreeOf(uniform(100, 2), { simdFrom: 0 });
  for (let tick = 0; tick < 4; tick++)
    octree.moveMany(someIndices(octree, true, createRandom(1)), new Float64Array(300));
  return octree;
}

/** Moves all bodies of two octrees for some ticks, and compares them. */
function moveAll(pair: readonly [Octree<number>, Octree<number>], ticks: number, random: Random): void {
  for (let tick = 0; tick < ticks; tick++) {
    const indices = someIndices(pair[0], true, random);
    const centers = Float64Array.from(indices.flatMap((index) => centerNear(pair[0], index, 0.3, random)));
    for (const octree of pair) octree.moveMany(indices, centers);
    expectSame(pair);
  }
}

describe('the code of moves in WebAssembly', () => {
  /** A copy of the library that has not loaded it. */
  beforeEach(async () => {
    vi.resetModules();
    library = await import('../../../src/index.ts');
  });
  afterEach(() => {
    vi.doUnmock('../../../src/wasm/wasm-moves.ts');
  });

  it('is loaded with the first bulk move; until it is there, and for two moves per body, moves run in JavaScript', async () => {
    const pair = twins();
    moveAll(pair, 5, createRandom(1));
    expect(pair.map(isInWasm)).toEqual([false, false]);
    await wasmReady(pair[0]);
    moveAll(pair, 4, createRandom(2));
    expect(pair.map(isInWasm)).toEqual([true, false]);
    moveAll(pair, 5, createRandom(3));
    // For later octrees it is there.
    const later = twins();
    moveAll(later, 4, createRandom(4));
    expect(later.map(isInWasm)).toEqual([true, false]);
  });

  it('is tried to load once: if that fails, moves run in JavaScript', async () => {
    const load = vi.fn(() => {
      throw new Error('no network');
    });
    vi.doMock('../../../src/wasm/wasm-moves.ts', load);
    const pair = twins();
    for (let round = 0; round < 3; round++) {
      moveAll(pair, 4, createRandom(round));
      await wasmReady(pair[0]);
    }
    expect(load).toHaveBeenCalledOnce();
    expect(pair.map(isInWasm)).toEqual([false, false]);
  });
});

describe('the memory of moves in WebAssembly', () => {
  it('is not taken before two moves per body, or for less than 64 moves at a time', () => {
    const octree = octreeOf(uniform(100, 2), { simdFrom: 0 });
    const few = Array.from({ length: 63 }, (_, k) => k);
    for (let tick = 0; tick < 10; tick++) octree.moveMany(few, new Float64Array(189));
    expect(isInWasm(octree)).toBe(false);
    for (let tick = 0; tick < 3; tick++) octree.moveMany([...few, 63], new Float64Array(192));
    expect(isInWasm(octree)).toBe(false);
    for (let tick = 0; tick < 3; tick++) octree.moveMany([...few, 63], new Float64Array(192));
    expect(isInWasm(octree)).toBe(true);
    // A small part of many bodies.
    const large = octreeOf(uniform(4000, 2), { simdFrom: 0 });
    for (let tick = 0; tick < 200; tick++) large.moveMany([...few, 63], new Float64Array(192));
    expect(isInWasm(large)).toBe(false);
  });

  it('is free again when the octree is cleared', () => {
    for (let k = 0; k < 40; k++) {
      const octree = movingOctree();
      expect(isInWasm(octree)).toBe(true);
      octree.clear();
    }
  });

  it('leaves memories to queries', () => {
    const octrees = Array.from({ length: 20 }, movingOctree);
    const inWasm = octrees.map((octree) => traversalOf(octree) !== null);
    expect(inWasm).not.toContain(false);
    expect(octrees.map(isInWasm).lastIndexOf(true)).toBe(15);
  });
});
