import { describe, expect, it } from 'vitest';
import type { QueryStats } from '../../src/index.ts';
import {
  IndexList,
  intersectPairs,
  Octree,
  trackContacts,
  watch,
  watchDistances,
  onIntersection,
} from '../../src/index.ts';
import { collected, dataOf, octreeOf } from '../support/octrees.ts';
import type { Query } from '../support/queries.ts';
import { queryRecords } from '../support/queries.ts';
import { uniform } from '../support/scenes.ts';
import { expectRejection } from '../support/rejects.ts';
import { boxOf, cube, planesOfBox, shapeOf } from '../support/shapes.ts';
import { validate } from '../../src/debug/index.ts';

const all = boxOf(cube(0, 0, 0, 1000));

/** Bodies with the mask that `maskOf` returns for their position in the list. */
function masked(maskOf: (i: number) => number): Octree<number> {
  const octree = new Octree<number>({ leafCapacity: 4 });
  for (const [i, shape] of uniform(600, 1).entries()) octree.insert(shapeOf(shape), i, { mask: maskOf(i) });
  return octree;
}

const queries: Query[] = [
  { kind: 'box', box: cube(0, 0, 0, 40) },
  { kind: 'sphere', sphere: [0, 0, 0, 50] },
  { kind: 'ray', origin: [-100, 0, 0], direction: [1, 0.01, 0] },
  { kind: 'nearest', point: [0, 0, 0], count: 600 },
  { kind: 'frustum', planes: planesOfBox(cube(0, 0, 0, 40)) },
];

describe('mask', () => {
  it.each(queries)('reports exactly the bodies whose mask shares a bit with it: $kind', (query) => {
    const octree = masked((i) => 1 << (i % 5));
    const unmasked = dataOf(queryRecords(octree, query));
    for (const mask of [1, 2, 16, 3, 31, 32]) {
      expect(dataOf(queryRecords(octree, query, { mask }))).toEqual(
        unmasked.filter((data) => ((1 << (data % 5)) & mask) !== 0),
      );
    }
  });

  it('is all ones by default, so a body with mask 0 is reported by no query', () => {
    const octree = masked((i) => (i % 2 === 0 ? 0 : 4));
    for (const query of queries) expect(dataOf(queryRecords(octree, query)).every((data) => data % 2 === 1)).toBe(true);
    expect(octree.intersectBox(all, { mask: -1 })).toHaveLength(300);
    expect(octree.size).toBe(600);
    expect(intersectPairs(octree).every(({ body, other }) => body.data % 2 === 1 && other!.data % 2 === 1)).toBe(true);
  });

  it('has 32 bits, including the highest', () => {
    const octree = masked((i) => (i === 7 ? 1 << 31 : 1));
    expect(dataOf(octree.intersectBox(all, { mask: 1 << 31 }))).toEqual([7]);
    expect(dataOf(octree.intersectBox(all, { mask: 0x80000000 }))).toEqual([7]);
  });

  it('0 in a query reports nothing', () => {
    expect(masked(() => -1).intersectBox(all, { mask: 0 })).toEqual([]);
  });

  it('skips subtrees: a rare category costs a fraction of the nodes', () => {
    const octree = masked((i) => (i === 7 ? 2 : 1));
    const cost = (mask: number): QueryStats => {
      const stats = { nodesVisited: 0, nodesContained: 0, bodiesTested: 0, bodiesReported: 0 };
      octree.collectSphere({ center: { x: 0, y: 0, z: 0 }, radius: 60 }, new IndexList(), { mask, stats });
      return stats;
    };
    expect(cost(2).nodesVisited).toBeLessThan(cost(1).nodesVisited / 4);
    expect(cost(2).bodiesTested).toBeLessThan(cost(1).bodiesTested / 4);
    expect(cost(4).bodiesTested).toBe(0);
  });

  it('follows insertions, moves and removals up the tree', () => {
    const octree = masked(() => 1);
    octree.update();
    const late = octree.insert(boxOf(cube(1, 1, 1)), 1000, { mask: 8 });
    expect(dataOf(octree.intersectBox(all, { mask: 8 }))).toEqual([1000]);
    late.setBox(boxOf(cube(-60, 60, -60)));
    expect(dataOf(octree.intersectBox(all, { mask: 8 }))).toEqual([1000]);
    late.remove();
    expect(octree.intersectBox(all, { mask: 8 })).toEqual([]);
    octree.update();
    expect(validate(octree)).toEqual([]);
  });
});

describe('body.setMask', () => {
  it.each(queries)('is seen by the next query, in every part of the tree: $kind', (query) => {
    const octree = masked(() => 1);
    octree.update();
    const found = dataOf(queryRecords(octree, query));
    const changed = found.filter((data) => data % 3 === 0);
    for (const data of changed) octree.bodyAt(data).setMask(2);
    expect(dataOf(queryRecords(octree, query, { mask: 2 }))).toEqual(changed);
    expect(dataOf(queryRecords(octree, query, { mask: 1 }))).toEqual(found.filter((data) => data % 3 !== 0));
    expect(validate(octree)).toEqual([]);
  });

  it('returns the body', () => {
    const { bodies } = octreeOf([cube(0, 0, 0)]);
    expect(bodies[0].setMask(4)).toBe(bodies[0]);
  });

  it.each([-1, 2 ** 32 - 1, 1 << 31, 2 ** 31, 5, 0])(
    '%d reads as it was set, also by insert and once removed',
    (mask) => {
      const { octree, bodies } = octreeOf([cube(0, 0, 0)]);
      const inserted = octree.insert(boxOf(cube(0, 0, 0)), 1, { mask });
      expect(inserted.mask).toBe(mask);
      bodies[0].setMask(mask);
      // A mask that is set in a callback is queued, but read at once.
      octree.intersectBox(all, { filter: () => (inserted.setMask(7).setMask(mask), true) });
      for (const body of [bodies[0], inserted]) {
        expect(body.mask).toBe(mask);
        expect(octree.intersectBox(all, { mask: -1 }).some((record) => record.body === body)).toBe(mask !== 0);
        body.remove();
        expect(body.mask).toBe(mask);
      }
    },
  );

  it('left out reads -1; masks set in bulk are signed', () => {
    const { octree, bodies } = octreeOf([cube(0, 0, 0)]);
    const [index, other] = octree.insertMany(new Float64Array(12), { kind: 'box', mask: [2 ** 32 - 1, 2 ** 31] });
    expect([bodies[0], octree.bodyAt(index), octree.bodyAt(other)].map(({ mask }) => mask)).toEqual([
      -1,
      -1,
      -(2 ** 31),
    ]);
    octree.setMaskMany([bodies[0].index], 2 ** 32 - 1);
    expect(bodies[0].mask).toBe(-1);
  });

  it('moves and rebuilds nothing, and hides and shows a body that has not been placed yet', () => {
    const octree = masked(() => 1);
    octree.update();
    const { nodesCreated, bodiesRelocated, pending } = octree.statistics;
    octree.setMaskMany(
      Array.from({ length: 600 }, (_, k) => k),
      4,
    );
    expect(octree.statistics).toMatchObject({ nodesCreated, bodiesRelocated, pending });
    const late = octree.insert(boxOf(cube(0, 0, 0)), 1000, { mask: 0 });
    expect(dataOf(octree.intersectBox(all, { mask: 1 }))).toEqual([]);
    late.setMask(1);
    expect(dataOf(octree.intersectBox(all, { mask: 1 }))).toEqual([1000]);
    late.setMask(0);
    expect(dataOf(octree.intersectBox(all))).toHaveLength(600);
  });

  it('lets queries skip subtrees again once the last body of a category has left them', () => {
    const octree = masked((i) => (i === 7 ? 2 : 1));
    octree.update();
    octree.bodyAt(7).setMask(1);
    for (let k = 0; k < 12; k++) octree.update();
    const stats = { nodesVisited: 0, nodesContained: 0, bodiesTested: 0, bodiesReported: 0 };
    octree.intersectBox(boxOf(cube(0, 0, 0, 40)), { mask: 2, stats });
    expect(stats).toMatchObject({ bodiesTested: 0, bodiesReported: 0 });
  });

  it('in a callback waits until the outermost query has ended; the handle tells the new mask at once', () => {
    const octree = masked(() => 1);
    const inner: number[] = [];
    const seen = octree.intersectBox(all, {
      filter: (body) => {
        if (body.data === 0) {
          for (const other of octree) other.setMask(2);
          octree.setMaskMany([5, 6], 8);
          octree.bodyAt(6).remove();
          inner.push(
            octree.intersectBox(all, { mask: 1 }).length,
            octree.intersectBox(all, { mask: 2 }).length,
            octree.bodyAt(5).mask,
          );
        }
        return true;
      },
    });
    expect(seen).toHaveLength(600);
    expect(inner).toEqual([600, 0, 8]);
    expect(octree.statistics.pending).toBe(600);
    expect([1, 2, 8].map((mask) => octree.intersectBox(all, { mask }).length)).toEqual([0, 598, 1]);
    expect(octree.statistics.pending).toBe(0);
    expect(validate(octree)).toEqual([]);
  });

  it('tells contacts, sensors and bands at the next update, as if the body had come or gone there', () => {
    const { octree, bodies } = octreeOf([cube(0, 0, 0), cube(1, 0, 0), cube(40, 0, 0)]);
    const contacts = trackContacts(octree, { mask: 1 });
    const sensors = [
      watch(octree, boxOf(cube(0, 0, 0, 5)), { mask: 1 }),
      watch(
        octree,
        { planes: planesOfBox(cube(0, 0, 0, 5)).map(([x, y, z, constant]) => ({ normal: { x, y, z }, constant })) },
        { mask: 1 },
      ),
    ];
    const bands = watchDistances(octree, { x: 0, y: 0, z: 0 }, [5], { mask: 1 });
    const changes = (): number[][] => {
      octree.update();
      return [
        contacts.began,
        contacts.ended,
        ...sensors.flatMap(({ entered, left }) => [entered, left]),
        bands.changed,
      ].map(({ array, length }) => [...array.subarray(0, length)]);
    };
    expect(changes()).toEqual([[0, 1], [], [0, 1], [], [0, 1], [], [0, 1, 0, 1, 1, 0]]);
    bodies[1].setMask(2);
    bodies[2].setMask(2);
    expect(contacts.ended.length).toBe(0);
    expect(changes()).toEqual([[], [0, 1], [], [1], [], [1], [1, 0, 1]]);
    bodies[1].setMask(3);
    expect(changes()).toEqual([[0, 1], [], [1], [], [1], [], [1, 1, 0]]);
    bodies[1].setMask(2).setMask(3);
    bodies[2].setMask(1);
    expect(changes()).toEqual([[], [], [], [], [], [], []]);
  });

  it('decides for which pairs onIntersection is called: mask 0 silences a body', () => {
    const octree = new Octree<number>();
    const calls: number[] = [];
    const listener = octree.insert(boxOf(cube(0, 0, 0)), 0);
    onIntersection(octree, listener, (record) => void calls.push(record.other!.data));
    const other = octree.insert(boxOf(cube(1, 0, 0)), 1);
    const tick = (): number => {
      calls.length = 0;
      octree.update();
      return calls.length;
    };
    // Enough updates without moves for the pairs to be tracked.
    for (let k = 0; k < 12; k++) expect(tick()).toBe(1);
    other.setMask(0);
    expect(tick()).toBe(0);
    other.setMask(4);
    expect(tick()).toBe(1);
    listener.setMask(0);
    expect(tick()).toBe(0);
  });

  it('takes one mask for many bodies, or one for each; the last one of a repeated index counts', () => {
    const octree = masked(() => 1);
    octree.setMaskMany(Uint32Array.of(3, 4, 3), [2, 4, 8]);
    octree.setMaskMany([10, 11], 16);
    octree.setMaskMany([], 16);
    expect(
      [2, 4, 8, 16].map((mask) => collected((list) => octree.collectBox(all, list, { mask })).sort((a, b) => a - b)),
    ).toEqual([[], [4], [3], [10, 11]]);
  });

  it('refuses what is no mask, and no living body, before anything changes', () => {
    const { octree, bodies } = octreeOf([cube(0, 0, 0), cube(1, 0, 0), cube(9, 0, 0)]);
    bodies[2].remove();
    octree.update();
    const wrong =
      (mask: unknown): (() => unknown) =>
      () =>
        bodies[0].setMask(mask as number);
    expectRejection(
      octree,
      wrong(undefined),
      TypeError,
      /^Body\.setMask: mask must be a number, but is undefined; pass -1 for all ones\.$/,
    );
    expectRejection(octree, wrong('1'), TypeError, /mask must be a number, but is the string "1"/);
    for (const mask of [NaN, 1.5, 2 ** 32, -(2 ** 31) - 1])
      expectRejection(octree, wrong(mask), RangeError, /^Body\.setMask: mask must be an integer of 32 bits, but is/);
    expectRejection(octree, () => bodies[2].setMask(1), RangeError, /^Body\.setMask: this body was removed/);
    const many =
      (indices: unknown, mask: unknown): (() => unknown) =>
      () =>
        octree.setMaskMany(indices as number[], mask as number);
    expectRejection(
      octree,
      many([0, 2], 1),
      RangeError,
      /^Octree\.setMaskMany: indices\[1\] must be the index of a living body, but is 2/,
    );
    expectRejection(
      octree,
      many([0, 1], [1]),
      RangeError,
      /^Octree\.setMaskMany: mask must have one element for each of 2 bodies, but has 1/,
    );
    expectRejection(
      octree,
      many([0, 1], [1, 0.5]),
      RangeError,
      /^Octree\.setMaskMany: mask\[1\] must be an integer of 32 bits, but is 0\.5; pass -1 for all ones\./,
    );
    expectRejection(octree, many([0], undefined), TypeError, /^Octree\.setMaskMany: mask must be a number/);
    expectRejection(octree, many(0, 1), TypeError, /^Octree\.setMaskMany: indices must be an array/);
  });
});
