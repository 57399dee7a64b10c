import { describe, expect, it } from 'vitest';
import type { Body } from '../../src/index.ts';
import { nearest, Octree, onIntersection } from '../../src/index.ts';
import { dataOf, octreeOf } from '../support/octrees.ts';
import { errorOf, stateOf } from '../support/rejects.ts';
import { uniform } from '../support/scenes.ts';
import { boxOf, cube, shapeOf } from '../support/shapes.ts';
import { validate } from '../../src/debug/index.ts';

const all = boxOf(cube(0, 0, 0, 1e6));

describe('nasty C: callbacks, exceptions, ownership', () => {
  it('C1 a filter may remove the reported body and another one; the result of the running query stays the same', () => {
    const { octree, bodies } = octreeOf(uniform(100, 1));
    const found = octree.intersectBox(all, {
      filter: (body) => {
        body.remove();
        bodies[(body.data + 1) % 100].remove();
        return true;
      },
    });
    expect(dataOf(found)).toEqual(bodies.map(({ data }) => data));
    expect(octree.size).toBe(0);
    expect(octree.intersectBox(all)).toEqual([]);
    expect(validate(octree)).toEqual([]);
  });

  it('C2 insertions and moves in a filter are applied after the query; 1,000 insertions do not extend it', () => {
    const { octree, bodies } = octreeOf(uniform(100, 1));
    let calls = 0;
    const found = octree.intersectBox(all, {
      filter: (body) => {
        for (let i = 0; i < 10; i++) octree.insert(boxOf(cube(0, 0, 0)), 1000 + calls++);
        body.setBox(boxOf(cube(5000, 0, 0)));
        return true;
      },
    });
    expect([found.length, calls, octree.size]).toEqual([100, 1000, 1100]);
    expect(octree.intersectPoint({ x: 5000, y: 0, z: 0 })).toHaveLength(100);
    expect(bodies.every((body) => octree.has(body))).toBe(true);
    expect(validate(octree)).toEqual([]);
  });

  it('C2 a body that is inserted, moved and removed in a filter leaves nothing to the next with its index', () => {
    const { octree } = octreeOf([cube(0, 0, 0)]);
    octree.intersectBox(all, {
      filter: () => {
        const first = octree.insert(boxOf(cube(5, 0, 0)), 1);
        first.setBox(boxOf(cube(500, 0, 0)));
        first.setMask(2);
        const { index } = first;
        first.remove();
        expect(octree.insert(boxOf(cube(9, 0, 0)), 2).index).toBe(index);
        return true;
      },
    });
    expect(dataOf(octree.intersectBox(boxOf(cube(9, 0, 0)), { mask: 4 }))).toEqual([2]);
  });

  it('C3 nearest() works inside the filter of nearest(), three levels deep', () => {
    const { octree } = octreeOf(Array.from({ length: 100 }, (_, i) => cube(i * 2, 0, 0)));
    const near = (x: number): number[] => nearest(octree, { x: x * 2, y: 0, z: 0 }, 3).map(({ body }) => body.data);
    const found = nearest(octree, { x: 100, y: 0, z: 0 }, 5, {
      filter: (body) => {
        const inner = nearest(octree, { x: body.data * 2, y: 0, z: 0 }, 3, {
          filter: ({ data }) => {
            expect(near(data)[0]).toBe(data);
            return true;
          },
        });
        expect(inner[0].body).toBe(body);
        return true;
      },
    });
    expect(found.map(({ body }) => body.data)).toEqual([50, 49, 51, 48, 52]);
  });

  it('C4 after an update callback throws, for every n-th call, the other callbacks run and the octree is valid and usable', () => {
    const shapes = uniform(60, 1);
    for (let at = 0; at < 60; at++) {
      const octree = new Octree<number>();
      let calls = 0;
      const fail = (): void => {
        if (calls++ === at) throw new Error('n-th');
      };
      for (const [i, shape] of shapes.entries()) octree.insert(shapeOf(shape), i, { update: fail });
      expect(errorOf(() => octree.update())).toMatchObject({ message: 'n-th' });
      expect(validate(octree)).toEqual([]);
      expect(octree.intersectBox(all)).toHaveLength(60);
      octree.insert(boxOf(cube(0, 0, 0)), 60);
      octree.update();
      expect(calls).toBe(60 + 60);
      expect(octree.intersectBox(all)).toHaveLength(61);
    }
  });

  it('C4 an error in onIntersection ends the tick, and the octree stays usable', () => {
    const octree = new Octree<number>();
    let mustThrow = true;
    const throwOnce = (): void => {
      if (mustThrow) throw new Error('contact');
    };
    for (let i = 0; i < 5; i++) onIntersection(octree, octree.insert(boxOf(cube(i * 0.5, 0, 0)), i), throwOnce);
    expect(() => octree.update()).toThrow('contact');
    mustThrow = false;
    const before = stateOf(octree);
    octree.update();
    expect(stateOf(octree)).toEqual(before);
  });

  it('C4 after a visitor throws, the octree is valid and usable', () => {
    const { octree } = octreeOf(uniform(200, 1));
    expect(() =>
      octree.walk(() => {
        throw new Error('visit');
      }),
    ).toThrow('visit');
    expect(() =>
      octree.visitNodes(() => {
        throw new Error('visit');
      }),
    ).toThrow('visit');
    octree.insert(boxOf(cube(0, 0, 0)), 200);
    expect(octree.update().bodies).toBe(201);
    expect(validate(octree)).toEqual([]);
  });

  it('C5 a filter that returns a promise throws at its first call; NaN counts as false', async () => {
    const { octree } = octreeOf(uniform(20, 1));
    let calls = 0;
    const filter = (): Promise<boolean> => {
      calls++;
      return Promise.resolve(true);
    };
    expect(() => octree.intersectBox(all, { filter: filter as never })).toThrow(/intersectBox.*filter.*[Pp]romise/);
    expect(calls).toBe(1);
    await Promise.resolve();
    expect(octree.intersectBox(all, { filter: () => NaN as never })).toEqual([]);
  });

  it('C6 a record keeps its values after later queries, moves and removals', () => {
    const { octree, bodies } = octreeOf(uniform(100, 1));
    const kept =
      octree.firstHit({ origin: { x: -500, y: 0, z: 0 }, direction: { x: 1, y: 0.001, z: 0.001 } }) ??
      nearest(octree, { x: 0, y: 0, z: 0 }, 1)[0];
    const copy = {
      body: kept.body,
      distance: kept.distance,
      position: kept.position.toArray(),
      normal: kept.normal.toArray(),
    };
    for (const body of bodies.slice(50)) body.remove();
    for (const body of bodies.slice(0, 50)) body.setBox(boxOf(cube(1, 1, 1)));
    for (let i = 0; i < 20; i++) octree.intersectBox(all);
    octree.update();
    expect({
      body: kept.body,
      distance: kept.distance,
      position: kept.position.toArray(),
      normal: kept.normal.toArray(),
    }).toEqual(copy);
  });

  it('C7 moveMany, insertMany and removeMany change nothing if one of 1,000 entries is invalid', () => {
    const { octree, bodies } = octreeOf(uniform(1000, 1));
    const indices = bodies.map(({ index }) => index);
    for (const [k, value] of [
      [3000, NaN],
      [3001, Infinity],
      [5999, -1e300],
      [0, NaN],
    ]) {
      const bounds = new Float64Array(bodies.flatMap((_, i) => cube(i, i, i)));
      bounds[k] = value;
      const before = stateOf(octree);
      expect(() => octree.moveMany(indices, bounds)).toThrow(RangeError);
      expect(() => octree.insertMany(bounds, { kind: 'box' })).toThrow(RangeError);
      expect(stateOf(octree)).toEqual(before);
    }
    const before = stateOf(octree);
    expect(() => octree.removeMany([...indices, 5000])).toThrow(RangeError);
    expect(stateOf(octree)).toEqual(before);
  });

  it('C8 a visitor that removes all bodies visits each body once, and the octree is empty afterwards', () => {
    const { octree } = octreeOf(uniform(200, 1), { leafCapacity: 2 });
    const seen: number[] = [];
    octree.visitNodes((node) => {
      for (const body of node.bodies()) {
        seen.push(body.data);
        body.remove();
      }
    });
    expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, i) => i));
    expect(octree.size).toBe(0);
    octree.update();
    expect(validate(octree)).toEqual([]);
  });

  it('C9 a query uses its options as they were at its start, even if its filter changes them', () => {
    const octree = new Octree<number>();
    const bodies: Body<number>[] = Array.from({ length: 40 }, (_, i) =>
      octree.insert(boxOf(cube(i, 0, 0)), i, { mask: 1 + (i % 2) }),
    );
    const options = {
      mask: 1,
      filter: (_body: Body<number>): boolean => {
        options.mask = 2;
        options.filter = () => false;
        return true;
      },
    };
    expect(dataOf(octree.intersectBox(all, options))).toEqual(
      bodies.filter(({ mask }) => mask === 1).map(({ data }) => data),
    );
  });
});
