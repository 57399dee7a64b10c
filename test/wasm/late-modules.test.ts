import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Octree } from '../../src/index.ts';
import { queryRecords, type Query } from '../support/queries.ts';
import { uniform } from '../support/scenes.ts';
import { cube, planesOfBox, shapeOf, type Shape } from '../support/shapes.ts';
import { traversalOf, wasmReady } from '../support/wasm.ts';
import { validate } from '../../src/debug/index.ts';

const { Module, Instance, compile, CompileError } = WebAssembly;

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

/**
 * Stubs WebAssembly as in browsers that compile modules of more than `limit` bytes only asynchronously on the main
 * thread, and refuse to instantiate these synchronously, too.
 */
function stubWebAssembly(limit: number, stubs: Partial<Record<keyof typeof WebAssembly, unknown>> = {}): void {
  const large = new WeakSet<WebAssembly.Module>();
  const values = {
    // Not arrow functions, because they are called with `new`.
    Module: vi.fn(function (code: Uint8Array<ArrayBuffer>) {
      if (code.byteLength > limit) throw new RangeError('WebAssembly.Compile is disallowed on the main thread');
      return new Module(code);
    }),
    Instance: vi.fn(function (compiled: WebAssembly.Module, imports: WebAssembly.Imports) {
      if (large.has(compiled)) throw new RangeError('WebAssembly.Instance is disallowed on the main thread');
      return new Instance(compiled, imports);
    }),
    compile: vi.fn(async (code: Uint8Array<ArrayBuffer>) => {
      const compiled = await compile(code);
      if (code.byteLength > limit) large.add(compiled);
      return compiled;
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

describe('where WebAssembly is not available at once', () => {
  it.each([
    ['modules and instances of any size are synchronous', Infinity, {}, [true, true, true]],
    ['large modules are compiled asynchronously', 100, { Instance }, [false, true, true]],
    ['large modules are compiled and instantiated asynchronously', 100, {}, [false, true, false]],
  ] as const)('queries run in JavaScript until it is: %s', async (_name, limit, stubs, isInWasm) => {
    stubWebAssembly(limit, stubs);
    const pair = await pairOf(uniform(500, 16));
    const [octree] = pair;
    expect(traversalOf(octree) !== null).toBe(isInWasm[0]);
    expectSame(pair);
    for (let step = 0; step < 2; step++) {
      await wasmReady(octree);
      update(pair);
    }
    expect(traversalOf(octree) !== null).toBe(isInWasm[1]);
    expectSame(pair);
    // Arrays that grow need another instance.
    insert(pair, uniform(2000, 17));
    expect(traversalOf(octree) !== null).toBe(isInWasm[2]);
    expectSame(pair);
    await wasmReady(octree);
    update(pair);
    expect(traversalOf(octree)).not.toBe(null);
    expectSame(pair);
  });

  it('a memory that has become too small while its instance was made is replaced', async () => {
    stubWebAssembly(100);
    const pair = await pairOf(uniform(500, 16));
    await wasmReady(pair[0]);
    for (const [seed, count] of [3000, 9000].entries()) {
      insert(pair, uniform(count, seed));
      expect(traversalOf(pair[0])).toBe(null);
      expectSame(pair);
    }
    await wasmReady(pair[0]);
    update(pair);
    expect(traversalOf(pair[0])).not.toBe(null);
    expectSame(pair);
  });

  it.each(['compile', 'instantiate'] as const)(
    'queries stay in JavaScript if %s fails, and it is not called again',
    async (failing) => {
      const fails = vi.fn(() => Promise.reject(new Error('no')));
      stubWebAssembly(100, { [failing]: fails });
      const pair = await pairOf(uniform(500, 16));
      for (let step = 0; step < 4; step++) {
        await wasmReady(pair[0]);
        update(pair);
        expect(traversalOf(pair[0])).toBe(null);
      }
      expect(fails).toHaveBeenCalledOnce();
      expect(pair[0].internals.store.tree.accelerator?.overheadBytes).toBe(0);
      expectSame(pair);
    },
  );

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

  it('the module is tried once under a policy that forbids WebAssembly, because browsers report each attempt', async () => {
    const blocked = vi.fn(function () {
      throw new CompileError('blocked by the policy');
    });
    const later = vi.fn();
    stubWebAssembly(100, { Module: blocked, compile: later });
    const pair = await pairOf(uniform(500, 16));
    for (let step = 0; step < 5; step++) {
      await wasmReady(pair[0]);
      update(pair);
    }
    expect(traversalOf(pair[0])).toBe(null);
    expect(blocked).toHaveBeenCalledOnce();
    expect(later).not.toHaveBeenCalled();
    expectSame(pair);
  });
});
