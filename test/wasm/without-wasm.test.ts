import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Octree } from '../../src/index.ts';
import { octreeOf } from '../support/octrees.ts';
import { uniform } from '../support/scenes.ts';
import { boxOf, cube, shapeOf } from '../support/shapes.ts';
import { traversalOf as wasmOf } from '../support/wasm.ts';

/** An octree in an environment in which a part of WebAssembly throws. */
async function octreeWithout(name: 'Module' | 'Memory', error: Error): Promise<Octree<number>> {
  // Not an arrow function, because it is called with `new`.
  const missing = vi.fn(function () {
    throw error;
  });
  vi.stubGlobal('WebAssembly', Object.create(WebAssembly, { [name]: { value: missing } }));
  vi.resetModules();
  const library = await import('../../src/index.ts');
  const octree = new library.Octree<number>({ simdFrom: 0 });
  for (const [k, shape] of uniform(500, 16).entries()) octree.insert(shapeOf(shape), k);
  octree.update();
  octree.bodyAt(0)?.setBox(boxOf(cube(0, 0, 0, 1)));
  octree.update();
  // One attempt only: each one costs more than any walk.
  expect(missing).toHaveBeenCalledOnce();
  return octree;
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

describe('without WebAssembly', () => {
  it.each([
    ['no WebAssembly, or a policy that forbids it', 'Module', new EvalError('blocked')],
    ['no memory', 'Memory', new RangeError('could not allocate memory')],
  ] as const)('queries run in JavaScript: %s', async (_name, missing, error) => {
    const octree = await octreeWithout(missing, error);
    expect(wasmOf(octree)).toBe(null);
    const plain = octreeOf(uniform(500, 16), { simdFrom: Infinity }).octree;
    plain.update();
    plain.bodyAt(0)?.setBox(boxOf(cube(0, 0, 0, 1)));
    const found = [octree, plain].map((each) =>
      each.intersectBox(boxOf(cube(0, 0, 0, 40))).map(({ body }) => body.data),
    );
    expect(found[0]).toEqual(found[1]);
    expect(found[0].length).toBeGreaterThan(10);
  });
});
