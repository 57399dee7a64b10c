import { Box3, Sphere, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import {
  castRays,
  castSphere,
  collect,
  collectNearest,
  collectPairs,
  IndexList,
  intersectPairs,
  nearest,
  Octree,
  Segment,
  trackContacts,
  watch,
  watchDistances,
} from '../../src/index.ts';
import { octreeOf } from '../support/octrees.ts';
import { expectRejection } from '../support/rejects.ts';
import { boxOf, cube, sphereOf } from '../support/shapes.ts';

function box3(numbers: readonly number[]): Box3 {
  return new Box3(new Vector3(...numbers.slice(0, 3)), new Vector3(...numbers.slice(3)));
}

describe('octree.remove', () => {
  it('removes a body once, and refuses what is no body of this octree', () => {
    const { octree, bodies } = octreeOf([cube(0, 0, 0), cube(5, 0, 0)]);
    const other = octreeOf([cube(0, 0, 0)]);
    expect([octree.remove(bodies[0]), octree.remove(bodies[0]), octree.size, bodies[0].index]).toEqual([
      true,
      false,
      1,
      -1,
    ]);
    expectRejection(
      octree,
      () => octree.remove(1 as never),
      TypeError,
      /^Octree\.remove: body must be a Body, but is 1/,
    );
    expectRejection(octree, () => octree.remove(other.bodies[0]), RangeError, /another octree/);
    expect(other.octree.size).toBe(1);
  });
});

describe('octree.getBoxAt and getSphereAt', () => {
  it('give the bounds as last set, of boxes and spheres, and create no handle', () => {
    const octree = new Octree();
    const indices = octree.insertMany(Float64Array.of(0, 0, 0, 2, 4, 4), { kind: 'box' });
    const sphere = octree.insert(sphereOf([5, 0, 0, 2]), null);
    const target = octree.getBoxAt(indices[0]);
    expect(target).toEqual(box3([0, 0, 0, 2, 4, 4]));
    expect(octree.getBoxAt(sphere.index, target)).toBe(target);
    expect(target).toEqual(box3([3, -2, -2, 7, 2, 2]));
    expect(octree.getSphereAt(sphere.index)).toEqual(sphere.getSphere());
    expect(octree.getSphereAt(indices[0])).toEqual(new Sphere(new Vector3(1, 2, 2), 3));
    expect(octree.internals.store.handles[indices[0]]).toBeUndefined();
    octree.moveMany(indices, Float64Array.of(9, 9, 9, 10, 10, 10));
    expect(octree.getBoxAt(indices[0])).toEqual(box3([9, 9, 9, 10, 10, 10]));
  });

  it('throw for an unknown index and for a wrong target', () => {
    const { octree } = octreeOf([cube(0, 0, 0)]);
    expectRejection(octree, () => octree.getBoxAt(1), RangeError, /^Octree\.getBoxAt: index/);
    expectRejection(octree, () => octree.getSphereAt(-1), RangeError, /^Octree\.getSphereAt: index/);
    expectRejection(octree, () => octree.getBoxAt(0, {} as never), TypeError, /^Octree\.getBoxAt: target/);
    expectRejection(octree, () => octree.getSphereAt(0, {} as never), TypeError, /^Octree\.getSphereAt: target/);
  });
});

describe('iteration over an octree', () => {
  it('visits the living bodies by index, pending ones included, while bodies come and go', () => {
    const { octree, bodies } = octreeOf([cube(0, 0, 0), cube(5, 0, 0), cube(10, 0, 0)]);
    octree.insertMany(new Float64Array(6), { kind: 'box', data: [3] });
    bodies[1].remove();
    const visited: number[] = [];
    for (const { data } of octree) {
      visited.push(data);
      if (data === 0) bodies[2].remove();
    }
    expect(visited).toEqual([0, 3]);
    expect([...new Octree()]).toEqual([]);
  });

  it('ends with clear, also if other bodies follow: no handle of a removed body is created', () => {
    const octree = new Octree<number>();
    octree.insertMany(new Float64Array([0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5]), { kind: 'box' });
    const seen: number[] = [];
    for (const body of octree) {
      seen.push(body.index);
      octree.clear();
      octree.insert(boxOf(cube(0, 0, 0)), 1);
      octree.insert(boxOf(cube(1, 0, 0)), 2);
    }
    expect(seen).toEqual([0]);
    expect(octree.size).toBe(2);
  });
});

describe('a field of a body', () => {
  it.each(['index', 'data', 'mask', 'isStatic', 'kind'])(
    '%s cannot be assigned: a TypeError, and nothing has changed',
    (field) => {
      const { bodies } = octreeOf([cube(0, 0, 0)]);
      expect(() => ((bodies[0] as unknown as Record<string, unknown>)[field] = 0)).toThrow(TypeError);
      expect([bodies[0].index, bodies[0].data, bodies[0].mask, bodies[0].isStatic, bodies[0].kind]).toEqual([
        0,
        0,
        -1,
        false,
        'box',
      ]);
    },
  );
});

describe('an unknown option', () => {
  const { octree } = octreeOf([cube(0, 0, 0)]);
  const box = boxOf(cube(0, 0, 0));
  it.each([
    ['Octree', (options: never) => new Octree(options), 'leafCapcity', 'leafCapacity'],
    ['Octree.insert', (options: never) => octree.insert(box, 1, options), 'static', 'isStatic'],
    [
      'Octree.insertMany',
      (options: never) => octree.insertMany(new Float64Array(6), Object.assign(options, { kind: 'box' })),
      'masks',
      'mask',
    ],
    ['trackContacts', (options: never) => trackContacts(octree, options), 'filters', 'filter'],
    ['watch', (options: never) => watch(octree, box, options), 'onenter', 'onEnter'],
    [
      'watchDistances',
      (options: never) => watchDistances(octree, { x: 0, y: 0, z: 0 }, [1], options),
      'onChanged',
      'onChange',
    ],
    ['Octree.collectBox', (options: never) => octree.collectBox(box, new IndexList(), options), 'masks', 'mask'],
    ['intersectPairs', (options: never) => intersectPairs(octree, options), 'witin', 'within'],
  ])('of %s is an error that names it and the known ones', (where, call, name, suggestion) => {
    expectRejection(
      octree,
      () => call({ [name]: 1 } as never),
      TypeError,
      new RegExp(`^${where}: unknown option ${name}, which is 1; use (.*, )?${suggestion}(, .*)?\\.$`),
    );
  });

  it('that is like none of them is answered with all names; undefined counts too', () => {
    expectRejection(
      octree,
      () => trackContacts(octree, { colour: undefined } as never),
      TypeError,
      /unknown option colour, which is undefined; use mask, filter, within, otherMask, hysteresis\.$/,
    );
  });

  const at = { x: 0, y: 0, z: 0 };
  const along = { origin: { x: -5, y: 0, z: 0 }, direction: { x: 1, y: 0, z: 0 } };
  const list = new IndexList();
  const hits = { indices: new Int32Array(1), distances: new Float64Array(1) };
  const OF_ALL = 'mask, filter, except, stats, candidates';
  /** Each query with a maximum distance, and the name that it has for it. */
  const DISTANCES: [string, (options: never) => unknown, string][] = [
    ['Octree.firstHit', (options) => octree.firstHit(along, options), 'far'],
    ['Octree.hasHit', (options) => octree.hasHit(along, options), 'far'],
    ['Octree.collectRay', (options) => octree.collectRay(along, list, options), 'far'],
    ['nearest', (options) => nearest(octree, at, 1, options), 'maxDistance'],
    ['collectNearest', (options) => collectNearest(octree, at, 1, list, options), 'maxDistance'],
    ['intersectPairs', (options) => intersectPairs(octree, options), 'within'],
    ['collectPairs', (options) => collectPairs(octree, list, options), 'within'],
  ];
  /** Each query without one, and the names of its options. */
  const OTHERS: [string, (options: never) => unknown, string][] = [
    ['Octree.intersectBox', (options) => octree.intersectBox(box, options), OF_ALL],
    ['Octree.intersectSphere', (options) => octree.intersectSphere({ center: at, radius: 1 }, options), OF_ALL],
    ['Octree.collectPoint', (options) => octree.collectPoint(at, list, options), OF_ALL],
    ['castSphere', (options) => castSphere(octree, { center: at, radius: 1 }, at, options), OF_ALL],
    ['collect', (options) => collect(octree, new Segment({ start: at, end: at }), list, options), OF_ALL],
    [
      'Octree.collectFrustum',
      (options) => octree.collectFrustum({ planes: [] }, list, options),
      `${OF_ALL}, exact, minSize, eye`,
    ],
    ['castRays', (options) => castRays(octree, new Float64Array(7), hits, options), `${OF_ALL}, near, count`],
  ];

  it.each(DISTANCES)('of another query is answered by %s with its own name of it', (where, call, own) => {
    for (const name of ['far', 'maxDistance', 'within', 'distance', 'radius'])
      if (name !== own)
        expectRejection(
          octree,
          () => call({ [name]: 5 } as never),
          TypeError,
          new RegExp(`^${where}: unknown option ${name}, which is 5; use (.*, )?${own}(, .*)?\\.$`),
        );
    expect(() => call({ [own]: 5 } as never)).not.toThrow();
  });

  it.each(OTHERS)('of another query is answered by %s with its own options', (where, call, names) => {
    for (const name of ['far', 'maxDistance', 'within', 'distance', 'radius'])
      expectRejection(
        octree,
        () => call({ [name]: 5 } as never),
        TypeError,
        new RegExp(`^${where}: unknown option ${name}, which is 5; use ${names}\\.$`),
      );
  });
});
