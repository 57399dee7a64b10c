import { describe, expect, it } from 'vitest';
import type { DistanceBands, Octree } from '../../../src/index.ts';
import { BruteForce } from '../../../src/debug/reference/brute-force.ts';
import { octreeOf } from '../../support/octrees.ts';
import { createRandom } from '../../support/random.ts';
import { expectRejection } from '../../support/rejects.ts';
import { boxOf, cube, point, sphereOf } from '../../support/shapes.ts';
import { translate, watchDistances } from '../../../src/index.ts';
import { indicesOf } from '../../support/lists.ts';

/** The changes as `index:from>to`. */
function changesOf({ changed }: DistanceBands<number>): string {
  const numbers = indicesOf(changed);
  return Array.from(
    { length: numbers.length / 3 },
    (_, k) => `${numbers[3 * k]}:${numbers[3 * k + 1]}>${numbers[3 * k + 2]}`,
  ).join(' ');
}

const origin = point([0, 0, 0]);

/** The bands of a point that moves along x, with the distances 20 and 50. */
function bandsAlong(path: readonly number[], hysteresis?: number): number[] {
  const { octree, bodies } = octreeOf([[1000, 0, 0, 0]]);
  const bands = watchDistances(octree, origin, [20, 50], hysteresis === undefined ? {} : { hysteresis });
  return path.map((x) => {
    bodies[0].setSphere(sphereOf([x, 0, 0, 0]));
    octree.update();
    return bands.bandOf(0);
  });
}

describe('watchDistances', () => {
  it('reports bodies whose band has changed: index, band before, band now', () => {
    const { octree, bodies } = octreeOf([cube(10, 0, 0), cube(30, 0, 0), cube(80, 0, 0), cube(500, 0, 0)]);
    const bands = watchDistances(octree, origin, [20, 50, 100]);
    expect([changesOf(bands), bands.bandOf(0)]).toEqual(['', 3]);
    octree.update();
    expect(changesOf(bands)).toBe('0:3>0 1:3>1 2:3>2');
    expect([indicesOf(bands.inside), bodies.map(({ index }) => bands.bandOf(index))]).toEqual([
      [0, 1, 2],
      [0, 1, 2, 3],
    ]);
    bodies[0].setBox(boxOf(cube(90, 0, 0)));
    bodies[3].setBox(boxOf(cube(0, 0, 0)));
    octree.update();
    expect(changesOf(bands)).toBe('0:0>2 3:3>0');
    octree.update();
    expect(changesOf(bands)).toBe('');
  });

  it('fills lists that were taken before the update', () => {
    const { octree, bodies } = octreeOf([cube(10, 0, 0), cube(80, 0, 0)]);
    const { changed, inside } = watchDistances(octree, origin, [20, 50]);
    octree.update();
    expect([changed, inside].map(indicesOf)).toEqual([[0, 2, 0], [0]]);
    for (const [k, x] of [60, 30].entries()) bodies[k].setBox(boxOf(cube(x, 0, 0)));
    octree.update();
    expect([changed, inside].map(indicesOf)).toEqual([[0, 0, 2, 1, 2, 1], [1]]);
  });

  it('follows the point, from the next update on', () => {
    const { octree } = octreeOf([cube(10, 0, 0), cube(30, 0, 0), cube(80, 0, 0)]);
    const bands = watchDistances(octree, origin, [20, 50]);
    octree.update();
    expect(bands.moveTo(point([80, 0, 0]))).toBe(bands);
    expect(bands.bandOf(2)).toBe(2);
    octree.update();
    expect(changesOf(bands)).toBe('0:0>2 2:2>0');
  });

  it('measures to the surface, the distance itself included', () => {
    const { octree } = octreeOf([
      [3, 0, 0, 9, 1, 1],
      [0, 7, 0, 2],
      [3 + 2 ** -51, 0, 0, 9, 1, 1],
    ]);
    const bands = watchDistances(octree, origin, [3, 5]);
    octree.update();
    expect(changesOf(bands)).toBe('0:2>0 1:2>1 2:2>1');
  });

  it('moves a removed body to the last band, and gives its dead handle to the callback', () => {
    const { octree, bodies } = octreeOf([cube(0, 0, 0), cube(10, 0, 0)]);
    const calls: string[] = [];
    const bands = watchDistances(octree, origin, [5, 20], {
      onChange: (body, from, to, self) => void calls.push(`${body.data} ${body.index} ${from}>${to} ${self === bands}`),
    });
    octree.update();
    bodies[0].remove();
    octree.update();
    expect(calls).toEqual(['0 0 2>0 true', '1 1 2>1 true', '0 -1 0>2 true']);
    expect(bands.bodyAt(0).data).toBe(0);
  });

  it('obeys mask and filter, which is called when a body comes nearer than the last distance', () => {
    const { octree, bodies } = octreeOf([cube(1, 0, 0), cube(2, 0, 0), cube(3, 0, 0)]);
    const calls: number[] = [];
    const filtered = watchDistances(octree, origin, [5, 20], {
      filter: ({ data }) => {
        calls.push(data);
        return data !== 1;
      },
    });
    const masked = watchDistances(octree, origin, [5, 20], { mask: 0 });
    octree.update();
    for (const body of bodies) body.setBox(boxOf(cube(10, 0, 0)));
    octree.update();
    expect([calls, changesOf(filtered), indicesOf(filtered.inside), filtered.bandOf(1), masked.inside.length]).toEqual([
      [0, 1, 2],
      '0:0>1 2:0>1',
      [0, 2],
      2,
      0,
    ]);
  });

  it('equals one sphere query per distance, while bodies and the point move and rest', () => {
    const random = createRandom(4);
    const distances = [4, 9, 10, 18];
    const place = (spread: number): number[] => [0, 1, 2].map(() => random.between(-spread, spread));
    const shapes = Array.from({ length: 200 }, (_, i) =>
      i % 2 === 0 ? [...place(15), 1] : cube(place(15)[0], place(15)[1], 0, 1),
    );
    const { octree, bodies } = octreeOf(shapes, { leafCapacity: 4 });
    const reference = new BruteForce();
    let center = [0, 0, 0];
    const bands = watchDistances(octree, point(center), distances);
    const bandOf = new Map<number, number>();
    for (let tick = 0; tick < 40; tick++) {
      for (const [i, shape] of shapes.entries()) {
        if (i % 3 === 0)
          shapes[i] = shape.map((value, k) =>
            shape.length === 4 && k === 3 ? value : value + [0.4, -0.3, 0.2][k % 3] * (tick % 16 < 8 ? 1 : -1),
          );
        if (shapes[i].length === 4) {
          reference.setSphere(i, shapes[i]);
          bodies[i].setSphere(sphereOf(shapes[i]));
        } else {
          reference.setBox(i, shapes[i]);
          bodies[i].setBox(boxOf(shapes[i]));
        }
      }
      if (tick % 20 > 10) center = center.map((value) => value + random.between(-1, 1));
      bands.moveTo(point(center));
      octree.update();
      const expected: string[] = [];
      const nested = distances.map((distance) => new Set(reference.sphere(center, distance).map(({ index }) => index)));
      for (const i of shapes.keys()) {
        const found = nested.findIndex((inside) => inside.has(i));
        const now = found < 0 ? distances.length : found;
        const before = bandOf.get(i) ?? distances.length;
        if (before !== now) expected.push(`${i}:${before}>${now}`);
        bandOf.set(i, now);
        expect(bands.bandOf(i)).toBe(now);
      }
      expect(changesOf(bands)).toBe(expected.join(' '));
    }
  });

  it('with hysteresis lets a body go at a distance, and come back within a part of it', () => {
    const path = [50, 45, 44, 50, 51, 46, 20, 10, 15, 21, 19, 51, 16, 15];
    expect(bandsAlong(path)).toEqual([1, 1, 1, 1, 2, 1, 0, 0, 0, 1, 0, 2, 0, 0]);
    expect(bandsAlong(path, 0.25)).toEqual([2, 2, 2, 2, 2, 2, 1, 0, 0, 1, 1, 2, 1, 0]);
  });

  it.each([
    ['while the point rests', (): void => {}],
    [
      'while the point moves, and after it has come to rest',
      (octree: Octree<number>, bands: DistanceBands<number>): void => {
        for (let k = 0; k < 20; k++) {
          bands.moveTo(point([0, k === 0 ? 1e-9 : 0, 0]));
          octree.update();
        }
        for (let k = 0; k < 20; k++) octree.update();
      },
    ],
    ['when the world is moved', (octree: Octree<number>): void => translate(octree, point([4096, -(2 ** 20), 7]))],
  ] as const)('with hysteresis keeps the bands of bodies in between %s', (_when, happens) => {
    const { octree, bodies } = octreeOf([
      [60, 0, 0, 0],
      [40, 0, 0, 0],
      [10, 0, 0, 0],
      [60, 0, 0, 0],
    ]);
    const bands = watchDistances(octree, origin, [20, 50], { hysteresis: 0.5, filter: ({ data }) => data !== 2 });
    octree.update();
    expect([0, 1, 2, 3].map((index) => bands.bandOf(index))).toEqual([2, 2, 2, 2]);
    for (const body of bodies) body.setSphere(sphereOf([5, 0, 0, 0]));
    octree.update();
    for (const [k, x] of [45, 15, 45, 60].entries()) bodies[k].setSphere(sphereOf([x, 0, 0, 0]));
    octree.update();
    const before = bodies.map(({ index }) => bands.bandOf(index));
    expect(before).toEqual([1, 0, 2, 2]);
    bodies[3].setSphere(sphereOf([45, 0, 0, 0]));
    octree.update();
    happens(octree, bands);
    for (const body of bodies) body.setCenter(body.getSphere().center);
    octree.update();
    expect([changesOf(bands), bodies.map(({ index }) => bands.bandOf(index))]).toEqual(['', before]);
  });

  it('stops, and survives octree.clear', () => {
    const { octree } = octreeOf([cube(1, 0, 0)]);
    const bands = watchDistances(octree, origin, [5]);
    octree.update();
    octree.clear();
    expect([changesOf(bands), bands.inside.length]).toEqual(['', 0]);
    octree.insert(boxOf(cube(2, 0, 0)), 0);
    octree.update();
    expect(changesOf(bands)).toBe('0:1>0');
    bands.stop();
    bands.stop();
    octree.update();
    expect([changesOf(bands), bands.isStopped, bands.inside.length, bands.bandOf(0)]).toEqual(['', true, 0, 1]);
    expect(() => bands.moveTo(origin)).toThrow(
      'DistanceBands.moveTo: stop was called before; call watchDistances again.',
    );
  });

  it('copies the distances', () => {
    const { octree } = octreeOf([cube(10, 0, 0)]);
    const distances = Float32Array.of(5, 20);
    const bands = watchDistances(octree, origin, distances);
    distances.fill(1);
    octree.update();
    expect([bands.distances, changesOf(bands)]).toEqual([[5, 20], '0:2>1']);
  });

  it('rejects invalid arguments with a sentence', () => {
    const { octree } = octreeOf([cube(0, 0, 0)]);
    const bands = watchDistances(octree, origin, [1]);
    for (const [distances, errorClass, sentence] of [
      [undefined, TypeError, /distances must be an array/],
      [{ length: 1, 0: 5 }, TypeError, /distances must be an array/],
      [[], RangeError, /distances must be 1 to 100 numbers, but has 0/],
      [[5, 5], RangeError, /distances must ascend, but 5 follows 5 at distances\[1\]/],
      [[5, NaN], RangeError, /distances\[1\] .*NaN/],
      [[-1], RangeError, /distances\[0\] .*-1/],
      [[5, Infinity], RangeError, /distances\[1\] must be finite/],
      [['5'], TypeError, /distances\[0\] must be a number/],
    ] as const) {
      expectRejection(octree, () => watchDistances(octree, origin, distances as never), errorClass, sentence);
    }
    expectRejection(
      octree,
      () => watchDistances(octree, { x: 0, y: NaN, z: 0 }, [5]),
      RangeError,
      /^watchDistances: point\.y/,
    );
    expectRejection(
      octree,
      () => watchDistances(octree, origin, [5], { onChange: 3 as never }),
      TypeError,
      /options\.onChange/,
    );
    for (const hysteresis of [-0.1, 1, NaN])
      expectRejection(
        octree,
        () => watchDistances(octree, origin, [5], { hysteresis }),
        RangeError,
        /^watchDistances: options\.hysteresis must/,
      );
    expectRejection(
      octree,
      () => watchDistances(octree, origin, [5], { hysteresis: '0.1' as never }),
      TypeError,
      /options\.hysteresis must be a number/,
    );
    expectRejection(octree, () => bands.moveTo(null as never), TypeError, /^DistanceBands\.moveTo: point/);
    expectRejection(octree, () => bands.bandOf(99), RangeError, /^DistanceBands\.bandOf: index/);
  });
});
