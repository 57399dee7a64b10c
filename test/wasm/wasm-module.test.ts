import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Octree } from '../../src/index.ts';
import { queryRecords, type Query } from '../support/queries.ts';
import { uniform } from '../support/scenes.ts';
import { cube, planesOfBox, shapeOf, type Shape } from '../support/shapes.ts';
import { traversalOf } from '../support/wasm.ts';
import { validate } from '../../src/debug/index.ts';

const { Module, CompileError } = WebAssembly;

const QUERIES: readonly Query[] = [
  { kind: 'box', box: cube(0, 0, 0, 40) },
  { kind: 'sphere', sphere: [0, 0, 0, 50] },
  { kind: 'frustum', planes: planesOfBox(cube(10, 0, 0, 45)) },
  { kind: 'nearest', point: [1, 2, 3], count: 20 },
  { kind: 'sphereCast', sphere: [-200, 0, 0, 9], motion: [400, 1, 0] },
];

/**
 * The same bodies twice: in the first octree queries run in WebAssembly once they can, in the second one in JavaScript.
 */
type Pair = readonly [Octree<number>, Octree<number>];

/** Stubs WebAssembly as in browsers that refuse to compile modules of more than `limit` bytes on the main thread. */
function stubWebAssembly(limit: number, stubs: Partial<Record<keyof typeof WebAssembly, unknown>> = {}): void {
  const values = {
    // Not an arrow function, because it is called with `new`.
    Module: vi.fn(function (code: Uint8Array<ArrayBuffer>) {
      if (code.byteLength > limit) throw new RangeError('WebAssembly.Compile is disallowed on the main thread');
      return new Module(code);
    }),
    ...stubs,
  };
  vi.stubGlobal(
    'WebAssembly',
    Object.create(WebAssembly, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }]))),
  );
}

/** Of a copy of the library that has compiled nothing yet. */
async function pairOf(shapes: readonly Shape[]): Promise<Pair> {
  vi.resetModules();
  const { Octree } = await import('../../src/index.ts');
  const pair: Pair = [new Octree<number>({ simdFrom: 0 }), new Octree<number>({ simdFrom: Infinity })];
  insert(pair, shapes);
  return pair;
}

function insert(pair: Pair, shapes: readonly Shape[]): void {
  for (const octree of pair) {
    for (const shape of shapes) octree.insert(shapeOf(shape), octree.size);
    octree.update();
  }
}

function update(pair: Pair): void {
  for (const octree of pair) octree.update();
}

function expectSame(pair: Pair): void {
  for (const query of QUERIES) {
    const [found, expected] = pair.map((octree) => queryRecords(octree, query).map(({ body }) => body.data));
    expect(found.length).toBeGreaterThan(0);
    expect(found).toEqual(expected);
  }
  expect(validate(pair[0])).toEqual([]);
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

describe('WebAssembly', () => {
  it('is used at once, also in browsers that compile at most 4 kB on the main thread', async () => {
    stubWebAssembly(4096);
    const pair = await pairOf(uniform(500, 16));
    expect(traversalOf(pair[0])).not.toBe(null);
    expectSame(pair);
    // Arrays that grow need another instance.
    insert(pair, uniform(2000, 17));
    expect(traversalOf(pair[0])).not.toBe(null);
    expectSame(pair);
  });

  it('castRays answers in JavaScript if there is no memory for the instance of its walk; other errors are thrown', async () => {
    const pair = await pairOf(uniform(2000, 16));
    expect(traversalOf(pair[0])).not.toBe(null);
    let error: Error = new WebAssembly.LinkError('import object field is missing');
    const refused = vi.fn(function () {
      throw error;
    });
    stubWebAssembly(Infinity, { Instance: refused });
    const { castRays } = await import('../../src/index.ts');
    await (await import('../../src/features/ray-bundles/cast-rays.ts')).loadRayStreams();
    const rays = Float64Array.from({ length: 7 * 64 }, (_, k) => [k / 7 - 32, -200, 0, 0, 1, 0, Infinity][k % 7]);
    const cast = (octree: Octree<number>): number[] => {
      const hits = { indices: new Int32Array(64), distances: new Float64Array(64) };
      castRays(octree, rays, hits);
      return [...hits.indices, ...hits.distances];
    };
    expect(() => cast(pair[0])).toThrow(error);
    error = new RangeError('could not allocate memory');
    const [found, expected] = pair.map(cast);
    expect(refused).toHaveBeenCalledTimes(2);
    expect(found).toEqual(expected);
  });

  it('queries stay in JavaScript if there is no memory, which is asked for once', async () => {
    const refused = vi.fn(function () {
      throw new RangeError('could not allocate memory');
    });
    stubWebAssembly(Infinity, { Memory: refused });
    const pair = await pairOf(uniform(500, 16));
    for (let step = 0; step < 3; step++) update(pair);
    expect(traversalOf(pair[0])).toBe(null);
    expect(refused).toHaveBeenCalledOnce();
    expectSame(pair);
  });

  it.each([
    ['under a policy that forbids it', new CompileError('blocked by the policy')],
    ['where its module is too large', new RangeError('WebAssembly.Compile is disallowed on the main thread')],
  ])('is tried once %s, because browsers report each attempt', async (_, error) => {
    const blocked = vi.fn(function () {
      throw error;
    });
    stubWebAssembly(Infinity, { Module: blocked });
    const pair = await pairOf(uniform(500, 16));
    for (let step = 0; step < 5; step++) update(pair);
    expect(traversalOf(pair[0])).toBe(null);
    expect(blocked).toHaveBeenCalledOnce();
    expect(pair[0].internals.store.tree.accelerator?.overheadBytes).toBe(0);
    expectSame(pair);
  });
});
