import { describe, expect, it } from 'vitest';
import type { Body, IntersectionRecord } from '../../src/index.ts';
import { Octree, onIntersection } from '../../src/index.ts';
import { dataOf, octreeOf } from '../support/octrees.ts';
import { boxOf, cube } from '../support/shapes.ts';
import { validate } from '../../src/debug/index.ts';

const all = boxOf(cube(0, 0, 0, 1000));

describe('octree.update', () => {
  it('calls update(deltaSeconds) of every living body once, 0 by default', () => {
    const octree = new Octree<number>();
    const calls: string[] = [];
    const insert = (i: number): Body<number> =>
      octree.insert(boxOf(cube(i, 0, 0)), i, { update: (delta) => void calls.push(`${i}:${delta}`) });
    const bodies = [insert(0), insert(1), insert(2)];
    bodies[1].remove();
    octree.update(0.25);
    octree.update();
    expect(calls.sort()).toEqual(['0:0', '0:0.25', '2:0', '2:0.25']);
  });

  it('has the body as `this` in both callbacks', () => {
    const octree = new Octree<number>();
    const seen: unknown[] = [];
    function record(this: Body<number>): void {
      seen.push(this);
    }
    const bodies = [0, 1].map((i) => octree.insert(boxOf(cube(0, 0, 0)), i, { update: record }));
    octree.update();
    expect(seen).toEqual(bodies);
    expect(seen[0]).toBe(bodies[0]);
  });

  it.each([[true], [undefined]])(
    'applies the bounds that a body has set in its update, which returned %s',
    (returned) => {
      const octree = new Octree<number>();
      let x = 0;
      const body: Body<number> = octree.insert(boxOf(cube(0, 0, 0)), 0, {
        update: (delta) => {
          x += delta;
          body.setBox(boxOf(cube(x, 0, 0)));
          return returned;
        },
      });
      for (let i = 1; i <= 100; i++) {
        octree.update(1);
        expect(octree.intersectPoint({ x: i, y: 0, z: 0 })).toHaveLength(1);
        expect(octree.intersectPoint({ x: i - 1, y: 0, z: 0 })).toHaveLength(0);
      }
      expect(validate(octree)).toEqual([]);
    },
  );

  it('accepts false and true from a body that has not moved', () => {
    const octree = new Octree<number>();
    octree.insert(boxOf(cube(0, 0, 0)), 0, { update: () => false });
    octree.insert(boxOf(cube(9, 0, 0)), 1, { update: () => true });
    octree.update(1);
    expect(dataOf(octree.intersectBox(all))).toEqual([0, 1]);
  });

  it('lets a body remove itself in its update, and calls no body that was removed earlier in the tick', () => {
    const octree = new Octree<number>();
    const calls: number[] = [];
    const bodies: Body<number>[] = [];
    for (let i = 0; i < 4; i++) {
      bodies.push(
        octree.insert(boxOf(cube(i * 5, 0, 0)), i, {
          update: () => {
            calls.push(i);
            if (i === 1) for (const body of bodies.slice(1)) body.remove();
          },
        }),
      );
    }
    const tick = octree.update(1);
    expect(calls).toEqual([0, 1]);
    expect(tick).toMatchObject({ bodies: 1, bodiesRemoved: 3 });
    expect(dataOf(octree.intersectBox(all))).toEqual([0]);
    octree.update(1);
    expect(calls).toEqual([0, 1, 0]);
    expect(validate(octree)).toEqual([]);
  });

  it('first calls a body that was inserted in this tick in the next one', () => {
    const octree = new Octree<string>();
    const calls: string[] = [];
    octree.insert(boxOf(cube(0, 0, 0)), 'parent', {
      update: () => {
        calls.push('parent');
        if (calls.length === 1)
          octree.insert(boxOf(cube(5, 0, 0)), 'child', { update: () => void calls.push('child') });
      },
    });
    octree.update();
    expect(calls).toEqual(['parent']);
    expect(octree.intersectBox(all)).toHaveLength(2);
    octree.update();
    expect(calls.slice(1).sort()).toEqual(['child', 'parent']);
  });

  it('throws if called from one of its callbacks', () => {
    const octree = new Octree<number>();
    let caught = '';
    octree.insert(boxOf(cube(0, 0, 0)), 0, {
      update: () => {
        try {
          octree.update();
        } catch (error) {
          caught = (error as Error).message;
        }
      },
    });
    octree.update();
    expect(caught).toMatch(/update/);
    expect(() => octree.update()).not.toThrow();
  });

  it('passes on the error of an update and leaves a valid octree', () => {
    const octree = new Octree<number>();
    let mustThrow = true;
    octree.insert(boxOf(cube(0, 0, 0)), 0, {
      update: () => {
        if (mustThrow) throw new Error('no');
      },
    });
    const mover: Body<number> = octree.insert(boxOf(cube(5, 0, 0)), 1, {
      update: () => void mover.setBox(boxOf(cube(6, 0, 0))),
    });
    expect(() => octree.update()).toThrow('no');
    expect(validate(octree)).toEqual([]);
    mustThrow = false;
    octree.update();
    expect(dataOf(octree.intersectPoint({ x: 6, y: 0, z: 0 }))).toEqual([1]);
    expect(validate(octree)).toEqual([]);
  });

  it.each(['reads', 'reports'])('lets all change readers read and report where one throws while it %s', (failing) => {
    const octree = new Octree<number>();
    const calls: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      const call = (does: string): void => {
        calls.push(`${name} ${does}`);
        if (name === 'b' && does === failing) throw new Error('no memory');
      };
      octree.internals.readers.add({
        restart: () => undefined,
        readChanges: () => call('reads'),
        report: () => call('reports'),
      });
    }
    octree.insert(boxOf(cube(0, 0, 0)), 1);
    expect(() => octree.update()).toThrow('no memory');
    expect(calls).toEqual(['a reads', 'b reads', 'c reads', 'a reports', 'b reports', 'c reports']);
    expect(dataOf(octree.intersectPoint({ x: 0, y: 0, z: 0 }))).toEqual([1]);
  });
});

function stage(): {
  octree: Octree<string>;
  calls: string[];
  listen: (name: string, x: number, react?: (record: IntersectionRecord<string>) => void) => Body<string>;
} {
  const octree = new Octree<string>();
  const calls: string[] = [];
  const listen = (name: string, x: number, react?: (record: IntersectionRecord<string>) => void): Body<string> => {
    const body = octree.insert(boxOf(cube(x, 0, 0)), name);
    onIntersection(octree, body, (record) => {
      calls.push(`${record.body.data}>${record.other!.data}`);
      react?.(record);
    });
    return body;
  };
  return { octree, calls, listen };
}

describe('onIntersection', () => {
  it('is called for each overlap at the end of update, both bodies in turn, each as record.body, in index order', () => {
    const { octree, calls, listen } = stage();
    listen('a', 0);
    listen('b', 0.5);
    listen('c', 1);
    listen('far', 50);
    octree.update();
    expect(calls).toEqual(['a>b', 'b>a', 'a>c', 'c>a', 'b>c', 'c>b']);
  });

  it('is called only for the body of a pair that has it', () => {
    const { octree, calls, listen } = stage();
    octree.insert(boxOf(cube(0, 0, 0)), 'silent');
    listen('a', 0.5);
    octree.update();
    expect(calls).toEqual(['a>silent']);
  });

  it('gets the contact with the normal from its body to the other', () => {
    const { octree, listen } = stage();
    const normals: number[] = [];
    const react = ({ normal, distance }: IntersectionRecord<string>): void => void normals.push(normal.x, distance);
    listen('a', 0, react);
    listen('b', 0.75, react);
    octree.update();
    expect(normals).toEqual([1, -0.25, -1, -0.25]);
  });

  it('sees the pairs after all moves of the tick, not those of half-moved bodies', () => {
    const octree = new Octree<number>();
    const calls: number[] = [];
    const bodies = [0, 10].map((x, i) => {
      const body: Body<number> = octree.insert(boxOf(cube(x, 0, 0)), i, {
        update: () => void body.setBox(boxOf(cube(10 - x, 0, 0))),
      });
      onIntersection(octree, body, () => void calls.push(i));
      return body;
    });
    octree.update();
    octree.update();
    expect(calls).toEqual([]);
    bodies[0].setBox(boxOf(cube(10, 0, 0)));
    expect(octree.size).toBe(2);
  });

  it('is skipped for a pair if one of its bodies was removed before; if the first of its two calls removes one, the second call still follows', () => {
    const { octree, calls, listen } = stage();
    listen('a', 0, ({ body }) => void body.remove());
    listen('b', 0.25);
    listen('c', 0.5);
    const { bodiesRemoved } = octree.update();
    expect(calls).toEqual(['a>b', 'b>a', 'b>c', 'c>b']);
    expect(octree.size).toBe(2);
    expect(bodiesRemoved + octree.update().bodiesRemoved).toBe(1);
  });

  it('is not called between two static bodies', () => {
    const octree = new Octree<number>();
    let calls = 0;
    for (let i = 0; i < 2; i++)
      onIntersection(octree, octree.insert(boxOf(cube(0, 0, 0)), i, { isStatic: true }), () => void calls++);
    octree.update();
    expect(calls).toBe(0);
  });

  it('may query, insert, move and remove; one that throws leaves a valid octree', () => {
    const { octree, calls, listen } = stage();
    let mustThrow = false;
    listen('a', 0, ({ body, other }) => {
      expect(octree.intersectBox(all).length).toBeGreaterThanOrEqual(2);
      octree.insert(boxOf(cube(100, 0, 0)), 'spark');
      other!.setBox(boxOf(cube(0.5, 0, 0)));
      if (mustThrow) throw new Error('no');
      expect(octree.has(body)).toBe(true);
    });
    listen('b', 0.25);
    octree.update();
    mustThrow = true;
    expect(() => octree.update()).toThrow('no');
    mustThrow = false;
    expect(validate(octree)).toEqual([]);
    octree.update();
    expect(calls.filter((call) => call === 'a>b')).toHaveLength(3);
    expect(octree.intersectPoint({ x: 100, y: 0, z: 0 })).toHaveLength(3);
  });
});

function fail(): never {
  throw new Error('mine');
}

describe('a write to the tree that throws', () => {
  it('keeps the region, and the next one places all bodies again', () => {
    const { octree, bodies } = octreeOf([cube(0, 0, 0), cube(9, 0, 0), cube(0, 40, 0)], { outside: 'throw' });
    octree.update();
    const { region } = octree;
    bodies[0].remove();
    bodies[1].setCenter({ x: 8, y: 1, z: 0 });
    octree.insert(boxOf(cube(20, 20, 20)), 3);
    expect(() => octree.internals.store.writeTree(fail)).toThrow('mine');
    expect(octree.region).toEqual(region);
    expect(dataOf(octree.intersectBox(all))).toEqual([1, 2, 3]);
    expect(dataOf(octree.intersectPoint({ x: 8, y: 1, z: 0 }))).toEqual([1]);
    expect(octree.region).toEqual(region);
    expect(validate(octree)).toEqual([]);
  });
});
