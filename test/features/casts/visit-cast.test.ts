import { Ray, Sphere, Vector3 } from 'three';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Body, QueryStats } from '../../../src/index.ts';
import { castSphereAll, Octree, visitCast, visitRay } from '../../../src/index.ts';
import { validate } from '../../../src/debug/index.ts';
import { octreeOf } from '../../support/octrees.ts';
import { createRandom } from '../../support/random.ts';
import { errorOf, expectRejection } from '../../support/rejects.ts';
import { uniform } from '../../support/scenes.ts';
import { boxOf, cube, point, rayOf, shapeOf, sphereOf } from '../../support/shapes.ts';
import { freeMemories } from '../../support/wasm.ts';

beforeAll(freeMemories);

/** From x = k + 1 to k + 2 each, for k from 0. */
const row = Array.from({ length: 10 }, (_, k) => cube(k + 1.5, 0, 0));
const along = rayOf([0, 0, 0], [2, 0, 0]);
const ball = sphereOf([0, 0, 0, 0.5]);
const motion = point([16, 0, 0]);

type Answer = (data: number, distance: number) => number | false | void;

/** What `visitRay` visits, in order. */
function rayVisits(octree: Octree<number>, answer: Answer, options?: object): number[] {
  const visits: number[] = [];
  const count = visitRay(octree, along, ({ data }, distance) => (visits.push(data), answer(data, distance)), options);
  expect(count).toBe(visits.length);
  return visits;
}

/** A thing in each body: a sphere in the middle of its box, of 0.8 times its extent, or nothing. */
interface Thing {
  readonly center: Vector3;
  readonly radius: number;
}

describe('visitCast and visitRay', () => {
  it.each([0, Infinity])(
    'visit what the casts and the ray hit, with the same times, from %s bodies on in SIMD',
    (simdFrom) => {
      const { octree } = octreeOf(uniform(3000, 8, 200, 12), { simdFrom });
      const times = new Map<Body<number>, number>();
      const motion = point([180, 10, -20]);
      for (const { body, time } of castSphereAll(octree, sphereOf([-90, 0, 0, 9]), motion)) times.set(body, time);
      expect(times.size).toBeGreaterThan(20);
      visitCast(octree, sphereOf([-90, 0, 0, 9]), motion, (body, time) => {
        expect(time).toBe(times.get(body));
        times.delete(body);
      });
      expect(times.size).toBe(0);
    },
  );

  it('stop at the maximum that is returned, which itself still counts', () => {
    const { octree } = octreeOf(row);
    expect(rayVisits(octree, () => 3)).toEqual([0, 1, 2]);
    expect(rayVisits(octree, () => 2.999)).toEqual([0, 1]);
    expect(rayVisits(octree, (data) => (data === 1 ? false : undefined))).toEqual([0, 1]);
    const times: number[] = [];
    visitCast(octree, ball, motion, (_, time) => (times.push(time), 2.5 / 16));
    expect(times).toEqual([0.5 / 16, 1.5 / 16, 2.5 / 16]);
  });

  it('never let the maximum grow', () => {
    const { octree } = octreeOf(row);
    expect(rayVisits(octree, (data) => (data === 0 ? 3 : Infinity))).toEqual([0, 1, 2]);
    expect(rayVisits(octree, () => 1e9, { near: 2, far: 4 })).toEqual([1, 2, 3]);
  });

  it('find the first thing in the bodies as a loop does, in a few visits', () => {
    const random = createRandom(5);
    for (const simdFrom of [0, Infinity]) {
      const octree = new Octree<Thing | null>({ simdFrom });
      const things: Thing[] = [];
      for (let k = 0; k < 3000; k++) {
        const center = new Vector3(random.between(0, 100), random.between(0, 20), random.between(0, 100));
        const extent = 0.5 + 4 * random.next() ** 3;
        const thing = k % 10 === 0 ? null : { center, radius: 0.8 * extent };
        if (thing !== null) things.push(thing);
        octree.insert(boxOf(cube(center.x, center.y, center.z, extent)), thing);
      }
      let visits = 0;
      for (let k = 0; k < 100; k++) {
        const [x, y, z] = [random.between(0, 100), random.between(0, 20), random.between(0, 100)];
        const ray = new Ray(new Vector3(x, y, z), new Vector3().randomDirection());
        const distanceTo = ({ center, radius }: Thing): number =>
          ray.intersectSphere(new Sphere(center, radius), new Vector3())?.distanceTo(ray.origin) ?? Infinity;
        let first = 60;
        visits += visitRay(
          octree,
          ray,
          ({ data }) => (first = Math.min(first, data === null ? Infinity : distanceTo(data))),
          { far: 60 },
        );
        expect(first).toBe(Math.min(60, ...things.map(distanceTo)));
      }
      expect(visits / 100).toBeLessThan(8);
    }
  });

  it('obey mask, filter, except and stats, in an empty octree too', () => {
    const { octree, bodies } = octreeOf(row);
    const stats = {} as QueryStats;
    const options = { filter: ({ data }: Body<number>) => data !== 2, except: bodies[4], stats };
    expect(rayVisits(octree, () => 6, options)).toEqual([0, 1, 3, 5]);
    expect(stats.bodiesReported).toBe(4);
    expect(rayVisits(octree, () => undefined, { mask: 0 })).toEqual([]);
    expect(visitCast(octree, boxOf(cube(0, 0, 0)), motion, () => undefined, { except: bodies[0] })).toBe(9);
    expect(visitCast(new Octree<number>(), ball, motion, () => undefined)).toBe(0);
  });

  it('let the visitor search, insert, move and remove: the search itself sees the octree as it was', () => {
    const { octree, bodies } = octreeOf(row, { simdFrom: 0 });
    const visits = rayVisits(octree, (data) => {
      let inner = 0;
      visitCast(octree, ball, motion, () => (++inner < 3 ? undefined : false));
      expect(inner).toBe(3);
      octree.insert(shapeOf(cube(0, 0, 0)), 100 + data);
      if (bodies[data].index >= 0) bodies[data].setBox(boxOf(cube(500, 0, 0)));
      if (data === 0) bodies[5].remove();
    });
    expect(visits).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(octree.size).toBe(19);
    expect(validate(octree)).toEqual([]);
  });

  it('stay sound when the visitor throws', () => {
    const { octree } = octreeOf(row, { simdFrom: 0 });
    const error = new Error('thrown by a visitor');
    const thrower = (): never => {
      throw error;
    };
    expect(errorOf(() => visitRay(octree, along, thrower))).toBe(error);
    expect(errorOf(() => visitCast(octree, ball, motion, thrower))).toBe(error);
    octree.insert(shapeOf(cube(0, 0, 0)), 10);
    expect(rayVisits(octree, () => 0)).toEqual([10]);
  });

  it('reject what a visitor must not return, and what is no visitor and no shape', () => {
    const { octree } = octreeOf(row);
    expectRejection(
      octree,
      () => visitRay(octree, along, (async () => 1) as never),
      TypeError,
      /^visitRay: the visitor must return a distance, false or nothing, but returned a Promise; use a visitor that is not async\.$/,
    );
    expectRejection(
      octree,
      () => visitCast(octree, ball, motion, () => NaN),
      RangeError,
      /^visitCast: the visitor must return a time from 0, but returned NaN; return false to end the search\.$/,
    );
    expectRejection(
      octree,
      () => visitCast(octree, ball, motion, 4 as never),
      TypeError,
      /^visitCast: visitor must be a function, but is 4; pass \(body, time\) => \{\}\.$/,
    );
    expectRejection(
      octree,
      () => visitCast(octree, null as never, motion, () => undefined),
      TypeError,
      /^visitCast: shape must be an object, but is null; pass a Sphere or a Box3\.$/,
    );
    expectRejection(
      octree,
      () => visitCast(octree, along as never, motion, () => undefined),
      TypeError,
      /^visitCast: sphere must have center and radius, but is an object; pass a Sphere or \{center, radius\}\.$/,
    );
  });
});
