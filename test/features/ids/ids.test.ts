import { describe, expect, it } from 'vitest';
import {
  idOf,
  idsOf,
  indexOfId,
  Octree,
  trackContacts,
  watch,
  moveManyById,
  removeManyById,
  setMaskManyById,
} from '../../../src/index.ts';
import { MAX_GENERATION } from '../../../src/features/ids/body-ids.ts';
import { octreeOf } from '../../support/octrees.ts';
import { createRandom } from '../../support/random.ts';
import { expectRejection } from '../../support/rejects.ts';
import type { Shape } from '../../support/shapes.ts';
import { boxOf, cube, sphereOf } from '../../support/shapes.ts';
import { validate } from '../../../src/debug/index.ts';
import { BodyIds } from '../../../src/features/ids/body-ids.ts';

const NEW = 2 ** 32;
const row = (count: number): Shape[] => Array.from({ length: count }, (_, k) => cube(3 * k, 0, 0));

describe('idOf and indexOfId', () => {
  it('name a body as long as it lives, and no body afterwards, also when its index is used again', () => {
    const { octree, bodies } = octreeOf(row(3));
    const id = idOf(octree, 1);
    expect(id).toBe(1 + NEW);
    expect(indexOfId(octree, id)).toBe(1);
    bodies[1].remove();
    expect(indexOfId(octree, id)).toBe(-1);
    octree.update();
    const next = octree.insert(boxOf(cube(9, 9, 9)), 7);
    expect(next.index).toBe(1);
    expect(indexOfId(octree, id)).toBe(-1);
    expect(idOf(octree, 1)).toBe(1 + 2 * NEW);
    expect(indexOfId(octree, idOf(octree, 1))).toBe(1);
  });

  it('stay stale when the removed body was never placed, and in the query in which it was removed', () => {
    const { octree, bodies } = octreeOf(row(2));
    const ids = idsOf(octree, [0, 1]);
    bodies[1].remove();
    expect([octree.insert(boxOf(cube(0, 0, 0)), 5).index, indexOfId(octree, ids[1])]).toEqual([1, -1]);
    octree.intersectBox(boxOf(cube(0, 0, 0, 9)), {
      filter: ({ index }) => {
        if (index !== 0) return false;
        bodies[0].remove();
        expect(indexOfId(octree, ids[0])).toBe(-1);
        return false;
      },
    });
    expect(indexOfId(octree, ids[0])).toBe(-1);
  });

  it('tell the id of a body that sensors and contacts report as gone, until its index is free', () => {
    const { octree, bodies } = octreeOf([cube(0, 0, 0), cube(1, 0, 0)]);
    const sensor = watch(octree, sphereOf([0, 0, 0, 5]));
    const contacts = trackContacts(octree);
    octree.update();
    const ids = idsOf(octree, [0, 1]);
    bodies[1].remove();
    octree.update();
    expect([sensor.left.array[0], contacts.ended.array[1]]).toEqual([1, 1]);
    expect(idOf(octree, sensor.left.array[0])).toBe(ids[1]);
    expect(idsOf(octree, [0, 1])).toEqual(ids);
    expect(indexOfId(octree, ids[1])).toBe(-1);
    octree.update();
    expect(() => idOf(octree, 1)).toThrow(/^idOf: index must be the index of a living body, but is 1/);
  });

  it('are stale after clear, also of indices that were free', () => {
    const octree = new Octree<number>();
    const seen = new Set<number>();
    for (let round = 0; round < 4; round++) {
      const bodies = row(3).map((shape, k) => octree.insert(boxOf(shape), k));
      octree.update();
      bodies[2].remove();
      octree.update();
      octree.insert(boxOf(cube(0, 0, 0)), 3);
      for (const id of idsOf(octree, [0, 1, 2])) {
        expect(seen.has(id)).toBe(false);
        seen.add(id);
      }
      octree.clear();
      for (const id of seen) expect(indexOfId(octree, id)).toBe(-1);
    }
  });

  it('equal a map in a random history of insertions and removals, one by one and in bulk', () => {
    const random = createRandom(5);
    const octree = new Octree<number>();
    const living = new Map<number, number>();
    const all = new Set<number>();
    let serial = 0;
    for (let step = 0; step < 400; step++) {
      if (random.next() < 0.5) {
        const data = Array.from({ length: 1 + random.below(4) }, () => serial++);
        const indices = octree.insertMany(Float64Array.from(data.flatMap(() => cube(random.next() * 50, 0, 0))), {
          kind: 'box',
          data,
        });
        for (const [k, id] of idsOf(octree, indices).entries()) {
          if (all.has(id)) expect.fail(`id ${id} was given twice`);
          all.add(id);
          living.set(id, data[k]);
        }
      } else {
        // Stale ids among living ones; some twice.
        const chosen = Array.from({ length: 4 }, () => random.pick([...all, NEW * 9]));
        const expected = new Set(chosen.filter((id) => living.has(id)));
        expect(removeManyById(octree, chosen)).toBe(expected.size);
        for (const id of expected) living.delete(id);
      }
      if (step % 7 === 0) octree.update();
      for (const id of all) {
        const index = indexOfId(octree, id);
        // 60,000 times: an assertion would take longer than the look-up.
        const data = index < 0 ? undefined : octree.dataAt(index);
        if (data !== living.get(id)) expect({ step, id, data }).toEqual({ step, id, data: living.get(id) });
      }
    }
    expect(octree.size).toBe(living.size);
  });

  it('never repeat: an index is given up after its last generation, and clear takes it into use again', () => {
    const { octree, bodies } = octreeOf(row(2));
    idOf(octree, 0);
    octree.internals.stateOf(BodyIds).release(0);
    octree.internals.stateOf(BodyIds).generations[0] = MAX_GENERATION - 1;
    const last = idOf(octree, 0);
    expect(last).toBe(0 + MAX_GENERATION * NEW);
    expect(Number.isSafeInteger(last + NEW - 1)).toBe(true);
    bodies[0].remove();
    octree.update();
    expect(octree.insert(boxOf(cube(0, 0, 0)), 3).index).toBe(2);
    expect([indexOfId(octree, last), octree.size, validate(octree).length]).toEqual([-1, 2, 0]);
    octree.clear();
    expect(octree.insert(boxOf(cube(0, 0, 0)), 3).index).toBe(0);
    expect([idOf(octree, 0), indexOfId(octree, last)]).toEqual([NEW, -1]);
  });

  it('cost nothing before the first id: no array is kept', () => {
    const { octree, bodies } = octreeOf(row(3));
    bodies[1].remove();
    octree.update();
    expect(octree.internals.stateOf(BodyIds).generations).toHaveLength(0);
    expect(indexOfId(octree, 1 + NEW)).toBe(-1);
    expect(indexOfId(octree, 2 + NEW)).toBe(2);
    expect(octree.internals.stateOf(BodyIds).generations).toHaveLength(0);
  });

  it('refuse what is no id and no index', () => {
    const { octree } = octreeOf(row(2));
    const bad =
      (id: unknown): (() => unknown) =>
      () =>
        indexOfId(octree, id as number);
    for (const index of [0, 1])
      expectRejection(
        octree,
        bad(index),
        RangeError,
        /^indexOfId: id must be an id, but is [01], which may be an index; pass what idOf or idsOf has returned\.$/,
      );
    for (const id of [NaN, -NEW, NEW + 0.5, 2 ** 53, Infinity])
      expectRejection(octree, bad(id), RangeError, /^indexOfId: id must be an id, but is [^,]*;/);
    for (const id of ['1', null, undefined, 1n])
      expectRejection(octree, bad(id), TypeError, /^indexOfId: id must be a number/);
    expectRejection(
      octree,
      () => idOf(octree, 2),
      RangeError,
      /^idOf: index must be the index of a living body, but is 2/,
    );
    expectRejection(octree, () => idOf(octree, '0' as never), TypeError, /^idOf: index must be a number/);
    expectRejection(octree, () => idOf(octree, idOf(octree, 0)), RangeError, /^idOf: index must be/);
  });
});

describe('idsOf', () => {
  it('fills and returns the target, from the beginning', () => {
    const { octree } = octreeOf(row(3));
    const target = new Float64Array(4).fill(-5);
    expect(idsOf(octree, Uint32Array.of(2, 0), target)).toBe(target);
    expect([...target]).toEqual([2 + NEW, NEW, -5, -5]);
    expect(idsOf(octree, [])).toEqual(new Float64Array(0));
  });

  it('refuses unknown indices and wrong targets, and writes nothing', () => {
    const { octree } = octreeOf(row(3));
    const target = new Float64Array(2);
    expectRejection(
      octree,
      () => idsOf(octree, [0, 7], target),
      RangeError,
      /^idsOf: indices\[1\] must be the index of a living body, but is 7/,
    );
    expect(target[0]).toBe(0);
    expectRejection(
      octree,
      () => idsOf(octree, [0, 1, 2], target),
      RangeError,
      /^idsOf: target must have room for 3 ids, but has 2 elements/,
    );
    expectRejection(
      octree,
      () => idsOf(octree, [0], [] as never),
      TypeError,
      /^idsOf: target must be a Float64Array, but is an array/,
    );
    expectRejection(octree, () => idsOf(octree, 5 as never), TypeError, /^idsOf: indices must be an array/);
  });
});

const far = (count: number): number[] => Array.from({ length: 3 * count }, () => 70);

/** Four bodies with ids, of which the second was removed; another body has its index. */
function half(): { octree: Octree<number>; ids: Float64Array } {
  const { octree, bodies } = octreeOf(row(4));
  const ids = idsOf(octree, [0, 1, 2, 3]);
  bodies[1].remove();
  octree.update();
  octree.insert(boxOf(cube(50, 0, 0)), 9);
  expect(octree.dataAt(1)).toBe(9);
  return { octree, ids };
}

describe('bulk calls by id', () => {
  it.each([
    ['boxes', (k: number) => cube(100 + k, 0, 0)],
    ['spheres', (k: number) => [100 + k, 0, 0, 1]],
    ['centres', (k: number) => [100 + k, 0, 0]],
  ])('move bodies to %s, skip those of stale ids with their bounds, and move no stranger', (_name, at) => {
    const { octree, ids } = half();
    const bounds = Float64Array.from([0, 1, 2, 3].flatMap((k) => (k === 1 ? at(k).map(() => NaN) : at(k))));
    const before = bounds.slice();
    expect(moveManyById(octree, ids, bounds)).toBe(3);
    expect(bounds).toEqual(before);
    expect([0, 1, 2, 3].map((index) => octree.getSphereAt(index).center.x)).toEqual([100, 50, 102, 103]);
    expect(moveManyById(octree, ids.subarray(1, 2), Float64Array.from(at(8)))).toBe(0);
    octree.moveMany([0, 1], new Float64Array(6));
    expect(validate(octree)).toEqual([]);
  });

  it('change masks and remove, and skip stale ids', () => {
    const { octree, ids } = half();
    setMaskManyById(octree, ids, [1, 2, 4, 8]);
    expect([0, 1, 2, 3].map((index) => octree.bodyAt(index).mask)).toEqual([1, -1, 4, 8]);
    expect(removeManyById(octree, ids.subarray(0, 2))).toBe(1);
    expect(removeManyById(octree, [...ids])).toBe(2);
    expect([octree.size, octree.dataAt(1)]).toEqual([1, 9]);
  });

  it('refuse a batch with a wrong id, wrong bounds of a living body, or a wrong option, and change nothing', () => {
    const { octree, ids } = half();
    const move =
      (list: ArrayLike<number>, bounds: readonly number[]): (() => unknown) =>
      () =>
        moveManyById(octree, list, Float64Array.from(bounds));
    expectRejection(
      octree,
      move([ids[0], 3], far(2)),
      RangeError,
      /^moveManyById: ids\[1\] must be an id, but is 3, which may be an index/,
    );
    expectRejection(
      octree,
      move([ids[0], '4' as never], far(2)),
      TypeError,
      /^moveManyById: ids\[1\] must be a number/,
    );
    expectRejection(
      octree,
      move(ids, [...far(3), NaN, 0, 0]),
      RangeError,
      /^moveManyById: bounds\[9\], the x of centre 3, must be finite, but is NaN/,
    );
    expectRejection(
      octree,
      move(ids, far(2)),
      RangeError,
      /^moveManyById: bounds must hold .* for each of 4 indices, but has 6 numbers/,
    );
    expectRejection(
      octree,
      () => removeManyById(octree, [ids[0], NaN]),
      RangeError,
      /^removeManyById: ids\[1\] must be an id, but is NaN/,
    );
    expectRejection(
      octree,
      () => setMaskManyById(octree, [ids[0], 0], 1),
      RangeError,
      /^setMaskManyById: ids\[1\] must be an id/,
    );
    expectRejection(
      octree,
      () => setMaskManyById(octree, ids, [1, 2]),
      RangeError,
      /^setMaskManyById: mask must have one element for each of 4 bodies/,
    );
    expectRejection(
      octree,
      () => octree.removeMany(ids),
      RangeError,
      /^Octree\.removeMany: indices\[0\] must be the index of a living body/,
    );
  });
});
