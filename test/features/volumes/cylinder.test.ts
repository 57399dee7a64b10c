/**
 * A volume that the library does not have, in one file: an upright cylinder, by the three callbacks of a
 * `CustomVolume`.
 */
import { Box3, Sphere, Vector3 } from 'three';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  collect,
  CustomVolume,
  IndexList,
  intersect,
  Octree,
  VolumeOverlap,
  type OctreeOptions,
  type QueryStats,
  type VolumeTest,
} from '../../../src/index.ts';
import * as core from '../../../src/core.ts';
import type { ThreeMath } from '../../../src/index.ts';
import { collected, dataOf, octreeOf } from '../../support/octrees.ts';
import { createRandom } from '../../support/random.ts';
import { expectRejection } from '../../support/rejects.ts';
import { boxOf, cube, sphereOf, type Shape } from '../../support/shapes.ts';
import { freeMemories } from '../../support/wasm.ts';

beforeAll(freeMemories);

/**
 * All points between two heights that are at most a radius away from an upright axis. All comparisons are of squares of
 * integers, halves or quarters: no rounding.
 */
class Cylinder implements VolumeTest<ThreeMath> {
  readonly x: number;
  readonly z: number;
  readonly radius: number;
  readonly bottom: number;
  readonly top: number;
  readonly volume = new CustomVolume(this);

  constructor(x: number, z: number, radius: number, bottom: number, top: number) {
    this.x = x;
    this.z = z;
    this.radius = radius;
    this.bottom = bottom;
    this.top = top;
  }

  overlap({ min, max }: Box3): VolumeOverlap {
    if (max.y < this.bottom || min.y > this.top || this.nearestSq(min, max) > this.radius ** 2)
      return VolumeOverlap.Outside;
    const farX = Math.max(Math.abs(min.x - this.x), Math.abs(max.x - this.x));
    const farZ = Math.max(Math.abs(min.z - this.z), Math.abs(max.z - this.z));
    const isInside = min.y >= this.bottom && max.y <= this.top && farX * farX + farZ * farZ <= this.radius ** 2;
    return isInside ? VolumeOverlap.Contained : VolumeOverlap.Intersecting;
  }

  touchesBox(box: Box3): boolean {
    return this.overlap(box) !== VolumeOverlap.Outside;
  }

  touchesSphere({ center, radius }: Sphere): boolean {
    const above = Math.max(this.bottom - center.y, center.y - this.top, 0);
    const beside = Math.max(Math.hypot(center.x - this.x, center.z - this.z) - this.radius, 0);
    return above * above + beside * beside <= radius * radius;
  }

  private nearestSq(min: Vector3, max: Vector3): number {
    const dx = Math.max(min.x - this.x, this.x - max.x, 0);
    const dz = Math.max(min.z - this.z, this.z - max.z, 0);
    return dx * dx + dz * dz;
  }
}

/** A cylinder by sampling its axis: shares no formula with the class. */
function touchesCylinder(body: Shape, { x, z, radius, bottom, top }: Cylinder): boolean {
  const isSphere = body.length === 4;
  const [low, high] = isSphere ? [body[1] - body[3], body[1] + body[3]] : [body[1], body[4]];
  if (high < bottom || low > top) return false;
  if (!isSphere)
    return (
      new Box3(new Vector3(body[0], 0, body[2]), new Vector3(body[3], 0, body[5])).distanceToPoint(
        new Vector3(x, 0, z),
      ) <= radius
    );
  // The nearest point of the disc at the nearest height.
  const center = new Vector3(body[0], body[1], body[2]);
  const nearest = new Vector3(center.x - x, 0, center.z - z)
    .clampLength(0, radius)
    .add(new Vector3(x, Math.min(Math.max(center.y, bottom), top), z));
  return nearest.distanceTo(center) <= body[3];
}

function randomBodies(count: number, seed: number): Shape[] {
  const random = createRandom(seed);
  const quarter = (limit: number): number => Math.round(random.between(-limit, limit) * 4) / 4;
  return Array.from({ length: count }, (_, k) => {
    const center = [quarter(40), quarter(40), quarter(40)];
    const size = Math.abs(quarter(3)) + 0.25;
    return k % 2 === 0
      ? [...center, size]
      : [...center.map((value) => value - size), ...center.map((value) => value + size)];
  });
}

describe('a volume of the user', () => {
  it.each<[string, OctreeOptions]>([
    ['in JavaScript', { simdFrom: Infinity }],
    ['in a tree that WebAssembly walks', { simdFrom: 0 }],
    ['strict', { looseness: 1, leafCapacity: 1 }],
  ])('gives what a loop over all bodies gives, %s', (_name, options) => {
    const shapes = randomBodies(3000, 1);
    const { octree, bodies } = octreeOf(shapes, options);
    const random = createRandom(2);
    let found = 0;
    for (let k = 0; k < 60; k++) {
      const cylinder = new Cylinder(
        Math.round(random.between(-30, 30)),
        Math.round(random.between(-30, 30)),
        random.below(20),
        -random.below(30),
        random.below(30),
      );
      const expected = shapes.flatMap((shape, index) => (touchesCylinder(shape, cylinder) ? [index] : []));
      expect(collected((list) => collect(octree, cylinder.volume, list)).sort((a, b) => a - b)).toEqual(expected);
      expect(dataOf(intersect(octree, cylinder.volume))).toEqual(expected);
      found += expected.length;
      // Some bodies move, so that their slot bounds become fat.
      for (let j = 0; j < 40; j++) {
        const index = random.below(shapes.length);
        shapes[index] = shapes[index].map((value, at) => value + (shapes[index].length === 4 && at === 3 ? 0 : 0.25));
        if (shapes[index].length === 4) bodies[index].setSphere(sphereOf(shapes[index]));
        else bodies[index].setBox(boxOf(shapes[index]));
      }
      if (k % 3 === 0) octree.update();
    }
    expect(found).toBeGreaterThan(2000);
  });

  it('counts a touch, and visits no more than it must: contained nodes are taken without a test', () => {
    const { octree } = octreeOf([cube(5, 0, 0, 1), cube(0, 6, 0, 1), [0, 0, 7, 2], [0, 0, 7.25, 2]]);
    expect(dataOf(intersect(octree, new Cylinder(0, 0, 4, -5, 5).volume))).toEqual([0, 1]);
    expect(dataOf(intersect(octree, new Cylinder(0, 0, 5, -5, 5).volume))).toEqual([0, 1, 2]);
    const { octree: many } = octreeOf(randomBodies(3000, 3));
    const stats: QueryStats = { nodesVisited: 0, nodesContained: 0, bodiesTested: 0, bodiesReported: 0 };
    collect(many, new Cylinder(0, 0, 200, -200, 200).volume, new IndexList(), { stats });
    expect(stats).toEqual({ nodesVisited: 0, nodesContained: 1, bodiesTested: 0, bodiesReported: 3000 });
    collect(many, new Cylinder(20, 20, 2, -2, 2).volume, new IndexList(), { stats });
    expect(stats.bodiesTested).toBeLessThan(600);
  });

  it('writes records with the centre of the body, and obeys all options', () => {
    const { octree, bodies } = octreeOf([cube(0, 0, 0, 1), cube(4, 0, 0, 1), [0, 2, 0, 1]]);
    const cylinder = new Cylinder(0, 0, 3, -9, 9);
    const records = intersect(octree, cylinder.volume).map(({ body, position, normal, distance, inside }) => [
      body.data,
      position.toArray(),
      normal.toArray(),
      distance,
      inside,
    ]);
    expect(records.sort(([a], [b]) => Number(a) - Number(b))).toEqual([
      [0, [0, 0, 0], [0, 0, 0], 0, true],
      [1, [4, 0, 0], [0, 0, 0], 0, false],
      [2, [0, 2, 0], [0, 0, 0], 0, true],
    ]);
    expect(dataOf(intersect(octree, cylinder.volume, { except: bodies[0], filter: ({ data }) => data !== 1 }))).toEqual(
      [2],
    );
    expect(intersect(octree, cylinder.volume, { mask: 0 })).toEqual([]);
  });

  it('may query in its callbacks, on the same octree', () => {
    const { octree } = octreeOf(randomBodies(500, 5), { simdFrom: 0 });
    const cylinder = new Cylinder(0, 0, 12, -20, 20);
    const expected = dataOf(intersect(octree, cylinder.volume));
    const list = new IndexList();
    const nested = new CustomVolume({
      overlap: (box) => (octree.collectBox(box, list), collect(octree, cylinder.volume, list), cylinder.overlap(box)),
      touchesBox: (box) => cylinder.touchesBox(box),
      touchesSphere: (sphere) => cylinder.touchesSphere(sphere),
    });
    expect(dataOf(intersect(octree, nested))).toEqual(expected);
  });

  it('gets plain objects from scene-octree/core', () => {
    const octree = new core.Octree<number>();
    octree.insert(sphereOf([1, 2, 3, 4]), 7);
    const prototypes: unknown[] = [];
    const everything = new core.CustomVolume({
      overlap: (box) => (prototypes.push(Object.getPrototypeOf(box)), VolumeOverlap.Intersecting),
      touchesBox: () => true,
      touchesSphere: ({ center, radius }) => center.x === 1 && center.y === 2 && center.z === 3 && radius === 4,
    });
    expect(core.intersect(octree, everything).map(({ body }) => body.data)).toEqual([7]);
    expect(new Set(prototypes)).toEqual(new Set([Object.prototype]));
  });

  it('that is none, or returns something else, is refused with a sentence', () => {
    const { octree } = octreeOf([cube(0, 0, 0), [5, 0, 0, 1]]);
    const valid = { overlap: () => VolumeOverlap.Intersecting, touchesBox: () => true, touchesSphere: () => true };
    const call =
      (volume: unknown): (() => unknown) =>
      () =>
        intersect(octree, volume as never);
    const calling = (callbacks: object): (() => unknown) => call(new CustomVolume({ ...valid, ...callbacks }));
    for (const [volume, text] of [
      [null, 'null'],
      [{ start: 1, end: 2, radius: 3 }, 'an object'],
      [valid, 'an object'],
    ] as const)
      expectRejection(
        octree,
        call(volume),
        TypeError,
        new RegExp(
          `^intersect: volume must be a volume, but is ${text}; pass a Capsule, Segment, OrientedBox, Convex or CustomVolume; for a Box3 use intersectBox\\.$`,
        ),
      );
    expect(() => new CustomVolume(null as never)).toThrow(/^CustomVolume: callbacks must be an object, but is null/);
    expect(() => new CustomVolume({ ...valid, touchesBox: 5 as never })).toThrow(
      /^CustomVolume: touchesBox must be a function, but is 5; pass \{overlap, touchesBox, touchesSphere\}\.$/,
    );
    expectRejection(
      octree,
      calling({ overlap: () => 3 }),
      TypeError,
      /^CustomVolume: overlap must return VolumeOverlap\.Outside, Intersecting or Contained, but returned 3; return one in every case\.$/,
    );
    expectRejection(
      octree,
      calling({ touchesBox: () => 1 }),
      TypeError,
      /^CustomVolume: touchesBox must return true or false, but returned 1/,
    );
    expectRejection(
      octree,
      calling({ touchesSphere: () => undefined }),
      TypeError,
      /^CustomVolume: touchesSphere must return true or false, but returned undefined/,
    );
    expect(() => intersect({} as Octree, new Cylinder(0, 0, 1, 0, 1).volume)).toThrow(
      /^intersect: octree must be an Octree, but is an object; pass one first, such as group\.octree\.$/,
    );
  });
});
