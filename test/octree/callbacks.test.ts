import { Box3, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import type { Body } from '../../src/index.ts';
import { IndexList, Octree, onIntersection } from '../../src/index.ts';
import type { Query } from '../support/queries.ts';
import { queryIndices, queryRecords } from '../support/queries.ts';
import { collected, dataOf, octreeOf } from '../support/octrees.ts';
import { uniform } from '../support/scenes.ts';
import { boxOf, cube, planesOfBox } from '../support/shapes.ts';
import { validate } from '../../src/debug/index.ts';

const all = boxOf(cube(0, 0, 0, 1000));
const queries: Query[] = [
  { kind: 'box', box: cube(0, 0, 0, 40) },
  { kind: 'sphere', sphere: [0, 0, 0, 50] },
  { kind: 'point', point: [0, 0, 0] },
  { kind: 'ray', origin: [-100, 0, 0], direction: [1, 0, 0] },
  { kind: 'nearest', point: [0, 0, 0], count: 20 },
  { kind: 'frustum', planes: planesOfBox(cube(0, 0, 0, 40)) },
  { kind: 'pairs' },
];
const shapes = [...uniform(300, 1), cube(0, 0, 0), cube(0.1, 0, 0)];

describe('a query inside a filter', () => {
  const nested = queries.flatMap((outer) =>
    queries.map((inner) => ({ outer, inner, name: `${inner.kind} in ${outer.kind}` })),
  );

  it.each(nested)('returns the right results, and so does the outer one: $name', ({ outer, inner }) => {
    const { octree } = octreeOf(shapes, { leafCapacity: 4 });
    const expectedOuter = collected((list) => queryIndices(octree, outer, list));
    const expectedInner = collected((list) => queryIndices(octree, inner, list));
    let calls = 0;
    const filter = (): boolean => {
      if (calls++ < 30) expect(collected((list) => queryIndices(octree, inner, list))).toEqual(expectedInner);
      return true;
    };
    expect(collected((list) => queryIndices(octree, outer, list, { filter }))).toEqual(expectedOuter);
    expect(calls).toBeGreaterThan(0);
  });
});

describe('writes inside a filter', () => {
  it('show in no query until the outermost one has ended, nested ones included', () => {
    const { octree, bodies } = octreeOf(shapes);
    const before = dataOf(octree.intersectBox(all));
    let isFirst = true;
    const found = octree.intersectBox(all, {
      filter: () => {
        if (isFirst) {
          isFirst = false;
          for (const body of bodies.slice(0, 50)) body.remove();
          bodies[60].setBox(boxOf(cube(900, 0, 0)));
          octree.insert(boxOf(cube(0, 0, 0)), 999);
        }
        expect(dataOf(octree.intersectBox(all, { filter: () => true }))).toEqual(before);
        return true;
      },
    });
    expect(dataOf(found)).toEqual(before);
    expect(dataOf(octree.intersectBox(all))).toEqual([...before.filter((data) => data >= 50), 999]);
    expect(dataOf(octree.intersectPoint({ x: 900, y: 0, z: 0 }))).toEqual([60]);
    expect(validate(octree)).toEqual([]);
  });

  it.each<[string, (body: Body<number>, octree: Octree<number>, x: number) => unknown]>([
    ['setBox', (body, _octree, x) => body.setBox(boxOf(cube(x, 0, 0)))],
    ['setSphere', (body, _octree, x) => body.setSphere({ center: { x, y: 0, z: 0 }, radius: 1 })],
    ['setCenter', (body, _octree, x) => body.setCenter({ x, y: 0, z: 0 })],
    ['moveMany', (body, octree, x) => octree.moveMany([body.index], new Float64Array(cube(x, 0, 0)))],
    ['moveMany by centres', (body, octree, x) => octree.moveMany([body.index], new Float64Array([x, 0, 0]))],
  ])('are followed by later writes, without a query between: %s', (_name, move) => {
    for (const [first, second] of [
      [move, move],
      [(body: Body<number>, _octree: unknown, x: number) => body.setBox(boxOf(cube(x, 5, 0, 3))), move],
    ]) {
      const {
        octree,
        bodies: [body, other],
      } = octreeOf([cube(0, 0, 0), cube(10, 0, 0)]);
      octree.intersectBox(all, { filter: () => (first(body, octree, 100), first(other, octree, 300), true) });
      second(body, octree, 200);
      expect(body.getBox(new Box3()).getCenter(new Vector3()).toArray()).toEqual([200, 0, 0]);
      expect([100, 200].map((x) => dataOf(octree.intersectBox(boxOf(cube(x, 0, 0, 8)))))).toEqual([[], [0]]);
      expect(dataOf(octree.intersectBox(boxOf(cube(300, 0, 0, 8))))).toEqual([1]);
      expect(validate(octree)).toEqual([]);
    }
  });

  it('are followed by later masks, without a query between', () => {
    const {
      octree,
      bodies: [body, other],
    } = octreeOf([cube(0, 0, 0), cube(10, 0, 0)]);
    octree.intersectBox(all, { filter: () => (body.setMask(2), other.setMask(4), true) });
    body.setMask(1);
    octree.setMaskMany([other.index], 8);
    expect([body.mask, other.mask]).toEqual([1, 8]);
    expect([1, 2, 4, 8].map((mask) => dataOf(octree.intersectBox(all, { mask })))).toEqual([[0], [], [], [1]]);
  });

  it('of onIntersection are followed by those of the next update', () => {
    const octree = new Octree<number>();
    const wall = boxOf(cube(0, 0, 0));
    octree.insert(wall, 0);
    let tick = 0;
    const body: Body<number> = octree.insert(wall, 1, {
      // At the start of the second tick the body goes elsewhere.
      update: () => void (tick++ === 1 && body.setBox(boxOf(cube(50, 0, 0)))),
    });
    onIntersection(octree, body, ({ body: self }) => void self.setBox(boxOf(cube(-50, 0, 0))));
    octree.update();
    octree.update();
    expect(body.getBox(new Box3()).getCenter(new Vector3()).x).toBe(50);
    expect(dataOf(octree.intersectBox(boxOf(cube(50, 0, 0))))).toEqual([1]);
  });

  it('show in size, has, index and getBox at once', () => {
    const { octree, bodies } = octreeOf(shapes);
    let isDone = false;
    octree.intersectBox(all, {
      filter: () => {
        if (isDone) return true;
        isDone = true;
        bodies[5].remove();
        bodies[6].setBox(boxOf([1, 2, 3, 4, 5, 6]));
        expect([octree.size, octree.has(bodies[5]), bodies[5].index]).toEqual([shapes.length - 1, false, -1]);
        expect(bodies[6].getBox(new Box3()).min.toArray()).toEqual([1, 2, 3]);
        return true;
      },
    });
    expect(isDone).toBe(true);
  });

  it('leave no living handle of a body that was removed before its handle existed', () => {
    const octree = new Octree<number>();
    const bounds = new Float64Array(6 * 3);
    octree.insertMany(bounds, { kind: 'box', data: [0, 1, 2] });
    octree.update();
    const seen: Body<number>[] = [];
    octree.intersectPoint(
      { x: 0, y: 0, z: 0 },
      {
        filter: (body) => {
          if (seen.length === 0) octree.removeMany([0, 1, 2]);
          seen.push(body);
          return true;
        },
      },
    );
    octree.update();
    octree.insertMany(bounds, { kind: 'box', data: [10, 11, 12] });
    expect(seen.map((body) => [body.data, body.index, octree.has(body), body.remove()])).toEqual(
      [0, 1, 2].map((data) => [data, -1, false, false]),
    );
    expect(octree.size).toBe(3);
  });

  it.each(queries)('that remove each reported body end in an octree without them: $kind', (query) => {
    const { octree } = octreeOf(shapes);
    const expected = queryRecords(octree, query).length;
    const seen = new Set<number>();
    const records = queryRecords(octree, query, {
      filter: (body) => {
        seen.add(body.data);
        body.remove();
        return true;
      },
    });
    expect(records).toHaveLength(expected);
    expect(octree.size).toBe(shapes.length - seen.size);
    expect(queryRecords(octree, query).some(({ body }) => seen.has(body.data))).toBe(false);
    expect(validate(octree)).toEqual([]);
  });
});

describe('a filter that throws', () => {
  it.each(queries)('passes its error on and leaves a valid octree: $kind', (query) => {
    const { octree } = octreeOf(shapes);
    const expected = collected((list) => queryIndices(octree, query, list));
    for (let at = 0; at < 40; at++) {
      let calls = 0;
      const filter = (): boolean => {
        if (calls++ === at) throw new Error(`call ${at}`);
        return true;
      };
      let thrown = '';
      try {
        queryIndices(octree, query, new IndexList(), { filter });
      } catch (error) {
        thrown = (error as Error).message;
      }
      expect(thrown).toBe(calls > at ? `call ${at}` : '');
      expect(validate(octree)).toEqual([]);
    }
    expect(collected((list) => queryIndices(octree, query, list))).toEqual(expected);
    octree.insert(boxOf(cube(0, 0, 0)), 999);
    octree.update();
    expect(dataOf(octree.intersectPoint({ x: 0, y: 0, z: 0 }))).toContain(999);
  });

  it('in a nested query ends that query only, if the outer filter catches the error', () => {
    const { octree } = octreeOf(shapes);
    const expected = octree.intersectBox(all).length;
    const records = octree.intersectBox(all, {
      filter: () => {
        expect(() =>
          octree.intersectBox(all, {
            filter: () => {
              throw new Error('inner');
            },
          }),
        ).toThrow('inner');
        return true;
      },
    });
    expect(records).toHaveLength(expected);
  });
});

describe('update() and clear() inside a callback', () => {
  it('throw and change nothing', () => {
    const { octree } = octreeOf(shapes);
    let calls = 0;
    octree.intersectPoint(
      { x: 0, y: 0, z: 0 },
      {
        filter: () => {
          calls++;
          expect(() => octree.update()).toThrow(/update/);
          expect(() => octree.clear()).toThrow(/clear/);
          return true;
        },
      },
    );
    expect(calls).toBeGreaterThan(0);
    expect(octree.size).toBe(shapes.length);
    octree.update();
  });
});

describe('the value that a filter returns', () => {
  it('counts as true or false like any value in JavaScript', () => {
    const { octree } = octreeOf(shapes);
    for (const [value, count] of [
      [undefined, 0],
      [null, 0],
      [NaN, 0],
      [0, 0],
      ['', 0],
      [1, 1],
      ['no', 1],
      [{}, 1],
    ] as const) {
      expect(octree.intersectBox(all, { filter: () => value as never })).toHaveLength(count * shapes.length);
    }
  });

  it('must not be a promise', () => {
    const { octree } = octreeOf(shapes);
    expect(() => octree.intersectBox(all, { filter: (async () => true) as never })).toThrow(TypeError);
    expect(validate(octree)).toEqual([]);
    expect(octree.intersectBox(all)).toHaveLength(shapes.length);
  });
});
