import { Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { assignBands, IndexList, nearest, Octree, sortByDistance } from '../../../src/index.ts';
import { octreeOf } from '../../support/octrees.ts';
import { createRandom } from '../../support/random.ts';
import { expectRejection } from '../../support/rejects.ts';
import { uniform } from '../../support/scenes.ts';
import { boxOf, cube, type Shape } from '../../support/shapes.ts';

const origin = new Vector3();

function listOf(...indices: number[]): IndexList {
  const list = new IndexList();
  for (const index of indices) list.push(index);
  return list;
}

function numbersOf(list: IndexList): number[] {
  return Array.from(list.array.subarray(0, list.length));
}

/** The bands of one sphere of radius 1 as it moves away from the origin and back, by the distance of its surface. */
function bandsAlong(distances: readonly number[], path: readonly number[], hysteresis?: number): number[] {
  const { octree, bodies } = octreeOf([[0, 0, 0, 1]]);
  const bands = new Uint8Array(1);
  return path.map((distance) => {
    bodies[0].setSphere({ center: { x: distance + 1, y: 0, z: 0 }, radius: 1 });
    assignBands(octree, listOf(0), origin, distances, bands, hysteresis);
    return bands[0];
  });
}

describe('sortByDistance', () => {
  it('sorts by the distance of the surface, then by index', () => {
    const { octree } = octreeOf([
      cube(5, 0, 0),
      [9, 0, 0, 7],
      cube(0, 5, 0),
      cube(0, 0, 0),
      [0, 0, 0, 3],
      cube(-5, 0, 0),
    ]);
    const list = listOf(5, 4, 3, 2, 1, 0);
    expect(sortByDistance(octree, list, origin)).toBe(list);
    expect(numbersOf(list)).toEqual([3, 4, 1, 0, 2, 5]);
  });

  it('equals nearest for all, with distances that Float32 cannot tell apart', () => {
    const random = createRandom(11);
    const close: Shape[] = Array.from({ length: 300 }, () => [1e6 + random.below(3) * 1e-4, random.below(3), 0, 0.5]);
    const { octree } = octreeOf([...uniform(700, 10), ...close, ...close]);
    const list = new IndexList();
    octree.collectBox(boxOf(cube(0, 0, 0, 1e7)), list);
    expect(list.length).toBe(1300);
    for (const place of [origin, new Vector3(3, 900, -5), new Vector3(1e6, 0, 0)]) {
      expect(numbersOf(sortByDistance(octree, list, place))).toEqual(
        nearest(octree, place, 1300).map(({ body }) => body.index),
      );
    }
  });

  it('takes what a frustum query has found, an empty list, and moves that are still queued', () => {
    const { octree, bodies } = octreeOf([cube(3, 0, 0), cube(6, 0, 0)]);
    const list = listOf(0, 1);
    octree.update();
    bodies[0].setBox(boxOf(cube(20, 0, 0)));
    expect(numbersOf(sortByDistance(octree, list, origin))).toEqual([1, 0]);
    expect(sortByDistance(octree, new IndexList(), origin).length).toBe(0);
    expect(sortByDistance(new Octree(), new IndexList(), origin).length).toBe(0);
  });

  it('sorts among the bodies that a running query sees', () => {
    const { octree, bodies } = octreeOf([cube(3, 0, 0), cube(6, 0, 0)]);
    octree.intersectBox(boxOf(cube(0, 0, 0, 10)), {
      filter: () => {
        bodies[0].remove();
        expect(numbersOf(sortByDistance(octree, listOf(1, 0), origin))).toEqual([0, 1]);
        return true;
      },
    });
    expectRejection(
      octree,
      () => sortByDistance(octree, listOf(1, 0), origin),
      RangeError,
      /sortByDistance: list must hold bodies of this octree, but has index 0 at 1/,
    );
  });
});

describe('assignBands', () => {
  it('gives band k up to distance k, which is included, and the last band beyond', () => {
    expect(bandsAlong([0, 10, 20], [0, 1, 10, 10.5, 20, 20.5, 5000, 3, 0])).toEqual([0, 1, 1, 2, 2, 3, 3, 1, 0]);
  });

  it('comes back only within the distance less the hysteresis, and goes away at the distance itself', () => {
    expect(bandsAlong([10, 20], [9, 10.1, 9.5, 9, 8.9, 10, 10.1, 20, 20.1, 18.5, 18, 9.5, 8], 0.1)).toEqual([
      0, 1, 1, 0, 0, 0, 1, 1, 2, 2, 1, 1, 0,
    ]);
    // From one end to the other and back in one step.
    expect(bandsAlong([10, 20], [0, 1000, 0], 0.5)).toEqual([0, 2, 0]);
  });

  it('changes only the bands of the bodies in the list, and returns how many have changed', () => {
    const { octree } = octreeOf([cube(5, 0, 0), cube(50, 0, 0), cube(60, 0, 0), cube(70, 0, 0)]);
    const bands = Uint8Array.of(7, 1, 9, 9, 9);
    expect(assignBands(octree, listOf(0, 1, 2), origin, [10, 52], bands)).toBe(2);
    expect([...bands]).toEqual([0, 1, 2, 9, 9]);
    expect(assignBands(octree, listOf(0, 1, 2), origin, Float32Array.of(10, 52), bands)).toBe(0);
    expect(assignBands(octree, new IndexList(), origin, [10], new Uint8Array(0))).toBe(0);
  });

  it('rejects bad input, and then writes nothing', () => {
    const { octree } = octreeOf([cube(5, 0, 0), cube(50, 0, 0)]);
    const bands = Uint8Array.of(9, 9);
    const list = listOf(0, 1);
    expectRejection(
      octree,
      () => assignBands(octree, list, origin, [10, 10], bands),
      RangeError,
      /assignBands: distances must ascend, but 10 follows 10/,
    );
    expectRejection(
      octree,
      () => assignBands(octree, list, origin, [], bands),
      RangeError,
      /distances must be 1 to 100 numbers/,
    );
    expectRejection(octree, () => assignBands(octree, list, origin, [NaN], bands), RangeError, /distances\[0\]/);
    expectRejection(
      octree,
      () => assignBands(octree, list, origin, [Infinity], bands),
      RangeError,
      /distances\[0\] must be finite/,
    );
    expectRejection(
      octree,
      () => assignBands(octree, list, origin, [10], [0, 0] as never),
      TypeError,
      /bands must be a Uint8Array/,
    );
    expectRejection(
      octree,
      () => assignBands(octree, list, origin, [10], new Uint8Array(1)),
      RangeError,
      /bands must be longer than index 1, but its length is 1;/,
    );
    for (const hysteresis of [-0.1, 1, NaN])
      expectRejection(
        octree,
        () => assignBands(octree, list, origin, [10], bands, hysteresis),
        RangeError,
        /hysteresis must/,
      );
    expectRejection(
      octree,
      () => assignBands(octree, listOf(0, 7), origin, [10], bands),
      RangeError,
      /list must hold bodies of this octree, but has index 7 at 1/,
    );
    expectRejection(
      octree,
      () => assignBands(octree, list, new Vector3(NaN, 0, 0), [10], bands),
      RangeError,
      /from\.x/,
    );
    expectRejection(
      octree,
      () => assignBands(octree, [0] as never, origin, [10], bands),
      TypeError,
      /list must be an IndexList/,
    );
    expect([...bands]).toEqual([9, 9]);
  });
});
