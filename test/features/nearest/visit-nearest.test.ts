import { Vector3 } from 'three';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Body, QueryStats } from '../../../src/index.ts';
import { nearest, Octree, RayRange, visitNearest } from '../../../src/index.ts';
import { octreeOf } from '../../support/octrees.ts';
import { createRandom } from '../../support/random.ts';
import { errorOf, expectRejection } from '../../support/rejects.ts';
import { uniform } from '../../support/scenes.ts';
import { boxOf, cube, rayOf, shapeOf } from '../../support/shapes.ts';
import { validate } from '../../../src/debug/index.ts';
import { freeMemories } from '../../support/wasm.ts';

beforeAll(freeMemories);

const origin = new Vector3();
/** At distances 0.5, 1.5, 2.5, ... from the origin. */
const row = Array.from({ length: 10 }, (_, k) => cube(k + 1, 0, 0));

function visitsOf(octree: Octree<number>, answer: (data: number, distance: number) => number | false | void): number[] {
  const visits: number[] = [];
  const count = visitNearest(octree, origin, ({ data }, distance) => {
    visits.push(data);
    return answer(data, distance);
  });
  expect(count).toBe(visits.length);
  return visits;
}

describe('visitNearest', () => {
  it('visits all bodies by distance, then index, as long as nothing is returned', () => {
    const { octree } = octreeOf([...uniform(700, 8), cube(2, 0, 0), cube(-2, 0, 0), cube(0, 2, 0)], { simdFrom: 0 });
    const expected = nearest(octree, origin, octree.size).map(({ body, distance }) => ({ body, distance }));
    const visits: { body: Body<number>; distance: number }[] = [];
    expect(visitNearest(octree, origin, (body, distance) => void visits.push({ body, distance }))).toBe(703);
    expect(visits).toEqual(expected);
  });

  it('stops at the distance that is returned, which itself still counts', () => {
    expect(visitsOf(octreeOf(row).octree, () => 2.5)).toEqual([0, 1, 2]);
    expect(visitsOf(octreeOf(row).octree, () => 2.499)).toEqual([0, 1]);
    expect(visitsOf(octreeOf([cube(0, 0, 0), cube(0, 0, 0), cube(3, 0, 0)]).octree, () => 0)).toEqual([0, 1]);
  });

  it('never lets the distance grow, and ends at false', () => {
    expect(visitsOf(octreeOf(row).octree, (data) => (data === 0 ? 3.5 : Infinity))).toEqual([0, 1, 2, 3]);
    expect(visitsOf(octreeOf(row).octree, (data) => (data === 1 ? false : undefined))).toEqual([0, 1]);
    const visits: number[] = [];
    visitNearest(octreeOf(row).octree, origin, ({ data }) => (visits.push(data), 1e9), { maxDistance: 1.5 });
    expect(visits).toEqual([0, 1]);
  });

  it('finds the nearest point of clouds as a loop does, with few visits', () => {
    const random = createRandom(9);
    const octree = new Octree<Vector3[]>();
    const clouds = Array.from({ length: 400 }, () => {
      const [x, y, z] = [0, 1, 2].map(() => random.between(-100, 100));
      return Array.from(
        { length: 5 },
        () => new Vector3(x + random.between(-8, 8), y + random.between(-8, 8), z + random.between(-8, 8)),
      );
    });
    for (const cloud of clouds) {
      const along = (axis: 'x' | 'y' | 'z'): number[] => cloud.map((point) => point[axis]);
      const [min, max] = [Math.min, Math.max].map(
        (of) => new Vector3(of(...along('x')), of(...along('y')), of(...along('z'))),
      );
      octree.insert({ min, max }, cloud);
    }
    let visits = 0;
    for (let k = 0; k < 50; k++) {
      const place = new Vector3(random.between(-120, 120), random.between(-120, 120), random.between(-120, 120));
      let best = Infinity;
      visits += visitNearest(
        octree,
        place,
        ({ data }) => (best = Math.min(best, ...data.map((point) => point.distanceTo(place)))),
      );
      expect(best).toBe(Math.min(...clouds.flat().map((point) => point.distanceTo(place))));
    }
    expect(visits / 50).toBeLessThan(15);
  });

  it('searches for 8 bodies, then for four times as many each time', () => {
    const { octree } = octreeOf(
      Array.from({ length: 200 }, (_, k) => cube(2 * k, 0, 0)),
      { leafCapacity: 1000, simdFrom: Infinity },
    );
    const stats: QueryStats = { nodesVisited: 0, nodesContained: 0, bodiesTested: 0, bodiesReported: 0 };
    const searchesFor = (count: number): number => {
      let left = count;
      visitNearest(octree, origin, () => (--left > 0 ? undefined : false), { stats });
      // There is one node.
      return stats.nodesVisited;
    };
    expect([8, 9, 32, 33, 128, 129, 200].map(searchesFor)).toEqual([1, 2, 2, 3, 3, 4, 4]);
  });

  it('starts from a box or a ray, and obeys mask, filter, except and stats', () => {
    const { octree, bodies } = octreeOf(row);
    const stats: QueryStats = { nodesVisited: 0, nodesContained: 0, bodiesTested: 0, bodiesReported: 0 };
    const visits: [number, number][] = [];
    const visitor = ({ data }: Body<number>, distance: number): void => void visits.push([data, distance]);
    visitNearest(octree, new RayRange(rayOf([11, 1, 0], [-1, 0, 0]), 0, 2), visitor, {
      maxDistance: 1,
      filter: ({ data }) => data !== 9,
      except: bodies[7],
      stats,
    });
    expect(visits).toEqual([[8, 0.5]]);
    expect(stats.bodiesReported).toBe(1);
    visits.length = 0;
    visitNearest(octree, { min: { x: 12, y: 0, z: 0 }, max: { x: 13, y: 1, z: 1 } }, visitor, { maxDistance: 2 });
    expect(visits).toEqual([[9, 1.5]]);
    expect(visitNearest(octree, origin, visitor, { mask: 0 })).toBe(0);
    expect(visitNearest(octree, new RayRange(rayOf([0, 0, 0], [1, 0, 0]), 2, 1), visitor)).toBe(0);
    expect(visitNearest(new Octree(), origin, () => undefined)).toBe(0);
  });

  it('lets the visitor search, insert, move and remove: the search itself sees the octree as it was', () => {
    const { octree, bodies } = octreeOf(row);
    const visits = visitsOf(octree, (data) => {
      const inner: number[] = [];
      visitNearest(
        octree,
        { x: 11, y: 0, z: 0 },
        (body) => (inner.push(body.data), inner.length < 2 ? undefined : false),
      );
      expect(inner).toEqual([9, 8]);
      octree.insert(shapeOf(cube(0, 0, 0)), 100 + data);
      if (bodies[data].index >= 0) bodies[data].setBox(boxOf(cube(500, 0, 0)));
      if (data === 0) bodies[5].remove();
    });
    expect(visits).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(octree.size).toBe(19);
    expect(nearest(octree, origin, 1)[0].body.data).toBe(100);
    expect(validate(octree)).toEqual([]);
  });

  it('stays sound when the visitor throws', () => {
    const { octree } = octreeOf(row);
    const error = new Error('thrown by a visitor');
    const thrower = (): never => {
      throw error;
    };
    expect(errorOf(() => visitNearest(octree, origin, thrower))).toBe(error);
    octree.insert(shapeOf(cube(0, 0, 0)), 10);
    expect(visitsOf(octree, () => 0.5)).toEqual([10, 0]);
    expect(validate(octree)).toEqual([]);
  });

  it('rejects what a visitor must not return, and what is no visitor', () => {
    const { octree } = octreeOf(row);
    expectRejection(
      octree,
      () => visitNearest(octree, origin, () => NaN),
      RangeError,
      /visitNearest: the visitor must return a distance from 0, but returned NaN; return false/,
    );
    expectRejection(octree, () => visitNearest(octree, origin, () => -1), RangeError, /returned -1/);
    expectRejection(
      octree,
      () => visitNearest(octree, origin, (async () => undefined) as never),
      TypeError,
      /the visitor must return a distance, false or nothing, but returned/,
    );
    expectRejection(octree, () => visitNearest(octree, origin, (() => true) as never), TypeError, /returned true/);
    expectRejection(
      octree,
      () => visitNearest(octree, origin, null as never),
      TypeError,
      /visitNearest: visitor must be a function, but is null/,
    );
    expectRejection(
      octree,
      () => visitNearest(octree, origin, () => undefined, { maxDistance: -1 }),
      RangeError,
      /options\.maxDistance/,
    );
  });
});
