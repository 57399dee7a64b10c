/** The largest values of options, and the numbers of bodies and results from which WebAssembly and block copies run. */
import { beforeAll, expect, it } from 'vitest';
import { IndexList, Octree, type OctreeOptions, OrientedBox } from '../../src/index.ts';
import { freeMemories, traversalOf } from '../support/wasm.ts';

beforeAll(freeMemories);

const LARGEST: readonly [keyof OctreeOptions, number][] = [
  ['looseness', 8],
  ['leafCapacity', 4096],
  ['lookAhead', 1000],
];

it.each(LARGEST)('the option %s may be %s, but no more', (name, largest) => {
  expect(() => new Octree({ [name]: largest })).not.toThrow();
  expect(() => new Octree({ [name]: largest + 1 })).toThrow(RangeError);
});

/** A box whose rotation has an error. */
function turned(error: number): OrientedBox {
  return new OrientedBox({
    center: { x: 0, y: 0, z: 0 },
    halfSize: { x: 1, y: 1, z: 1 },
    rotation: { elements: [1 + error, 0, 0, 0, 1, 0, 0, 0, 1] },
  });
}

it('the columns of a rotation may have an error of a millionth', () => {
  expect(() => turned(0.3e-6)).not.toThrow();
  expect(() => turned(0.7e-6)).toThrow(/perpendicular columns of length 1/);
});

/** Boxes side by side in a row. */
function row(count: number): Float64Array {
  return Float64Array.from({ length: 6 * count }, (_, k) => {
    const at = k % 3 === 0 ? 2 * Math.floor(k / 6) : 0;
    return k % 6 < 3 ? at : at + 1;
  });
}

it('an octree of 1,000 bodies has a WebAssembly traversal, one of 999 has none', () => {
  for (const [count, has] of [
    [999, false],
    [1000, true],
  ] as const) {
    const octree = new Octree<number>();
    octree.insertMany(row(count), { kind: 'box' });
    octree.update();
    expect(traversalOf(octree) !== null).toBe(has);
  }
});

it('at most 64 octrees of a page have a WebAssembly memory each', () => {
  const octrees = Array.from({ length: 66 }, () => {
    const octree = new Octree<number>({ simdFrom: 0 });
    octree.insertMany(row(1), { kind: 'box' });
    octree.update();
    return octree;
  });
  // Octrees of other files may not be collected yet.
  const taken = octrees.filter((octree) => traversalOf(octree) !== null).length;
  expect(taken).toBeGreaterThan(32);
  expect(taken).toBeLessThanOrEqual(64);
  for (const octree of octrees) octree.internals.store.tree.accelerator!.release();
});

it('a list gets room for a whole batch of results only if more than 200 of them are copied at once', () => {
  const octree = new Octree({ simdFrom: 0 });
  octree.insertMany(row(2000), { kind: 'box' });
  octree.update();
  const capacityAfter = (count: number): number => {
    const list = new IndexList();
    const box = { min: { x: 0, y: 0, z: 0 }, max: { x: 2 * count - 1, y: 1, z: 1 } };
    expect(octree.collectBox(box, list)).toBe(count);
    return list.array.length;
  };
  expect(capacityAfter(200)).toBeLessThan(1000);
  expect(capacityAfter(210)).toBeGreaterThan(1000);
});
