import { beforeAll, describe, expect, it } from 'vitest';
import { IndexList, Octree } from '../../src/index.ts';
import { BodySet } from '../../src/save/index.ts';
import { collected, octreeOf } from '../support/octrees.ts';
import { EXAMPLES, queryAny, queryBatch, queryFirst, queryIndices, queryRecords } from '../support/queries.ts';
import { createRandom } from '../support/random.ts';
import { errorOf, GAP } from '../support/rejects.ts';
import { uniform } from '../support/scenes.ts';
import { cube } from '../support/shapes.ts';
import { freeMemories } from '../support/wasm.ts';

beforeAll(freeMemories);

const origin = { x: 0, y: 0, z: 0 };
const shapes = [...uniform(150, 3), cube(0, 0, 0, 20), [0, 0, -10, 12], cube(-16, 3, 8, 5), [12, 5, 10, 8]];

describe('a set of indices as filter', () => {
  for (const [way, simdFrom] of [
    ['in JavaScript', Infinity],
    ['in WebAssembly', 0],
  ] as const) {
    it.each(EXAMPLES)(`gives what a function gives, in all forms, ${way}: $kind`, (query) => {
      const { octree } = octreeOf(shapes, { leafCapacity: 4, simdFrom });
      const all = collected((list) => queryIndices(octree, query, list));
      const random = createRandom(9);
      for (const indices of [[], all, all.filter(() => random.next() < 0.5), [1, 5, 200, 4000]]) {
        const members = new Set(indices);
        const filter = ({ index }: { index: number }): boolean => members.has(index);
        const answers = (options: { filter: typeof filter | Set<number> | BodySet }): unknown => [
          collected((list) => queryIndices(octree, query, list, options)),
          queryRecords(octree, query, options).map((record) => [record.body.index, record.distance, record.position]),
          queryFirst(octree, query, options)?.body.index,
          queryBatch(octree, query, options),
          queryAny(octree, query, options),
        ];
        const expected = answers({ filter });
        for (const set of [members, new BodySet(members)]) expect(answers({ filter: set })).toEqual(expected);
      }
    });
  }

  it('creates no handles', () => {
    const octree = new Octree();
    octree.insertMany(new Float32Array(400), { kind: 'sphere' });
    const list = new IndexList();
    expect(octree.collectPoint(origin, list, { filter: new BodySet([5, 7]) })).toBe(2);
    expect(octree.internals.store.handles.filter((handle) => handle !== undefined)).toEqual([]);
  });

  it.each([1, null, 'all', [1], {}, { has: 1 }])('is nothing else: %j', (filter) => {
    expect(errorOf(() => new Octree().intersectPoint(origin, { filter: filter as never }))).toBeInstanceOf(TypeError);
  });
});

describe('BodySet', () => {
  it('equals a Set, in a random history', () => {
    const random = createRandom(5);
    const set = new BodySet();
    const truth = new Set<number>();
    for (let step = 0; step < 3000; step++) {
      const index = random.below(random.pick([4, 33, 300]));
      if (random.next() < 0.5) {
        expect(set.add(index)).toBe(set);
        truth.add(index);
      } else expect(set.delete(index)).toBe(truth.delete(index));
      expect([set.size, set.has(index)]).toEqual([truth.size, truth.has(index)]);
      if (random.next() < 0.01) {
        expect([...set]).toEqual([...truth].sort((a, b) => a - b));
        expect([...new BodySet(set)]).toEqual([...set]);
      }
      if (random.next() < 0.002) {
        set.clear();
        truth.clear();
      }
    }
  });

  it('takes an IndexList, and indices up to 2^30', () => {
    const list = new IndexList();
    list.push(3);
    list.push(31);
    expect([...new BodySet(list)]).toEqual([3, 31]);
    expect(new BodySet([2 ** 20]).has(2 ** 20)).toBe(true);
    for (const index of [-1, 0.5, NaN, Infinity, 2 ** 30 + 1])
      expect([index, String(errorOf(() => new BodySet([index])))]).toEqual([
        index,
        expect.stringMatching(/BodySet\.add: index must be an integer from 0 to 2\^30, .*; pass body\.index\.$/),
      ]);
    expect(errorOf(() => new BodySet(['1'] as never))).toBeInstanceOf(TypeError);
    for (const indices of [5, null, {}, 'text']) {
      const error = String(errorOf(() => new BodySet(indices as never)));
      expect(error).toContain('BodySet: indices must be iterable');
      expect(error).not.toMatch(GAP);
    }
    for (const index of ['1', null, [1], 1n]) expect(new BodySet([0, 1]).has(index as never)).toBe(false);
    for (const index of [-1, 0.5, 1.5, NaN, Infinity, 2 ** 31, 2 ** 32, 2 ** 32 + 1, 2 ** 40])
      expect([index, new BodySet([0, 1]).has(index)]).toEqual([index, false]);
    const moved = new Uint32Array([1]);
    structuredClone(moved.buffer, { transfer: [moved.buffer] });
    expect(String(errorOf(() => new BodySet(moved)))).toContain('BodySet: indices must');
  });
});
