/** Two copies of the library in one application: the values of one are arguments of the other. */

import { expect, it, vi } from 'vitest';
import * as library from '../../src/index.ts';
import { boxOf, cube, point, rayOf } from '../support/shapes.ts';

vi.resetModules();
const other = await import('../../src/index.ts');

const { octree, bodies } = fill();
const box = boxOf(cube(0, 0, 0, 3));
const ray = rayOf([-10, 0, 0], [1, 0, 0]);

function fill(): { octree: library.Octree<number>; bodies: library.Body<number>[] } {
  const filled = new library.Octree<number>();
  return { octree: filled, bodies: [0, 1, 2].map((k) => filled.insert(boxOf(cube(2 * k, 0, 0)), k)) };
}

function indicesOf(query: (list: library.IndexList) => unknown, list: library.IndexList): number[] {
  query(list);
  return [...list];
}

/** Calls with a value of the other copy; each equals the same call with a value of one copy. */
const CALLS: readonly (readonly [string, (copy: typeof library) => unknown])[] = [
  ['a list', (copy) => indicesOf((list) => octree.collectBox(box, list), new copy.IndexList())],
  [
    'a function and its list',
    (copy) => indicesOf((list) => copy.collectPairs(octree, list, { within: 2 }), new copy.IndexList()),
  ],
  [
    'a body to leave out',
    (copy) => copy.nearest(octree, point([0, 0, 0]), 2, { except: bodies[0] }).map(({ body }) => body.data),
  ],
  [
    'a volume',
    (copy) => library.intersect(octree, new copy.Segment({ start: point([-9, 0, 0]), end: point([9, 0, 0]) })).length,
  ],
  [
    'a convex volume',
    (copy) => library.intersect(octree, new copy.Convex([{ normal: point([1, 0, 0]), constant: -1 }])).length,
  ],
  [
    'the volume of a sensor',
    (copy) =>
      library.watch(octree, new copy.Capsule({ start: point([0, 0, 0]), end: point([9, 0, 0]), radius: 1 })) !== null,
  ],
  [
    'a part of a ray',
    (copy) => library.nearest(octree, new copy.RayRange(ray), 1).map(({ body, alongRay }) => [body.data, alongRay]),
  ],
  ['a record', (copy) => octree.firstHit(ray, {}, firstRecord(copy))?.body.data],
  [
    'a node',
    (copy) => {
      let count = 0;
      octree.visitNodes(() => void count++, new copy.OctreeNode());
      return count;
    },
  ],
  ['a body with a callback', (copy) => copy.onIntersection(octree, bodies[1], () => undefined)],
  ['an occluder', (copy) => copy.setOccluder(octree, bodies[1], true)],
  [
    'an octree',
    (copy) =>
      copy.castRays(octree, new Float64Array([-9, 0, 0, 1, 0, 0, 9]), {
        indices: new Int32Array(1),
        distances: new Float64Array(1),
      }),
  ],
  ['has', () => octree.has(bodies[0])],
];

function firstRecord(copy: typeof library): library.IntersectionRecord<number> {
  const filled = new copy.Octree<number>();
  filled.insert(box, 7);
  return filled.firstHit(ray)!;
}

it('are two', () => {
  expect(other.Octree).not.toBe(library.Octree);
});

it.each(CALLS)('%s of one is an argument of the other', (_name, call) => {
  expect(call(other)).toEqual(call(library));
});

it('the body of one is removed by the octree of its own, in which it is', () => {
  const twin = new other.Octree<number>();
  const body = twin.insert(box, 1);
  expect(() => octree.remove(body)).toThrow(/^Octree.remove: this body belongs to another octree/);
  expect(octree.has(body)).toBe(false);
  expect(twin.remove(body)).toBe(true);
});
