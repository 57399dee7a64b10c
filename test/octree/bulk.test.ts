import { Box3, Sphere, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import {
  assignBands,
  type Body,
  castRays,
  idsOf,
  IndexList,
  intersectPairs,
  moveManyById,
  Octree,
  OrientedBox,
  type RayHits,
  setMaskManyById,
  watchDistances,
} from '../../src/index.ts';
import { dataOf, octreeOf, region } from '../support/octrees.ts';
import { boxOf, cube, type Shape } from '../support/shapes.ts';
import { createRandom } from '../support/random.ts';
import { uniform } from '../support/scenes.ts';
import { validate } from '../../src/debug/index.ts';

const wide = boxOf(cube(0, 0, 0, 1000));
const three = new Float64Array([...cube(0, 0, 0), ...cube(10, 0, 0), ...cube(20, 0, 0)]);

function numbersOf(body: Body<number>): number[] {
  const { min, max } = body.getBox();
  return [...min.toArray(), ...max.toArray()];
}

describe('octree.insertMany', () => {
  it('takes six numbers per box and returns the indices in order', () => {
    const octree = new Octree<string>();
    const indices = octree.insertMany(three, { kind: 'box', data: ['a', 'b', 'c'] });
    expect(indices).toBeInstanceOf(Uint32Array);
    expect([...indices].map((index) => octree.dataAt(index))).toEqual(['a', 'b', 'c']);
    expect(octree.intersectPoint({ x: 10, y: 0, z: 0 })[0].body.data).toBe('b');
    expect(octree.bodyAt(indices[2]).kind).toBe('box');
  });

  it('takes four numbers per sphere, and a Float32Array too', () => {
    const octree = new Octree<number>();
    const indices = octree.insertMany(new Float32Array([0, 0, 0, 1, 10, 0, 0, 2]), { kind: 'sphere', data: [1, 2] });
    expect(indices).toHaveLength(2);
    expect(dataOf(octree.intersectPoint({ x: 12, y: 0, z: 0 }))).toEqual([2]);
    expect(dataOf(octree.intersectPoint({ x: 0.9, y: 0.9, z: 0 }))).toEqual([]);
  });

  it('copies the array and leaves it as it was', () => {
    const bounds = three.slice();
    const octree = new Octree();
    octree.insertMany(bounds, { kind: 'box' });
    octree.update();
    expect(bounds).toEqual(three);
    bounds.fill(500);
    expect(octree.intersectBox(wide)).toHaveLength(3);
    expect(octree.intersectPoint({ x: 20, y: 0, z: 0 })).toHaveLength(1);
  });

  it('takes one mask for all bodies, or one per body', () => {
    const octree = new Octree<number>();
    octree.insertMany(three, { kind: 'box', data: [0, 1, 2], mask: 2 });
    octree.insertMany(three, { kind: 'box', data: [3, 4, 5], mask: [1, 2, 4] });
    expect(dataOf(octree.intersectBox(wide, { mask: 2 }))).toEqual([0, 1, 2, 4]);
    expect(dataOf(octree.intersectBox(wide, { mask: 5 }))).toEqual([3, 5]);
  });

  it.each(['box', 'sphere'] as const)(
    'reuses free indices before it takes new ones: %ss with data and a mask each',
    (kind) => {
      const octree = new Octree<number>();
      const first = octree.insertMany(three, { kind: 'box', data: [0, 1, 2] });
      octree.update();
      octree.removeMany([first[0], first[2]]);
      octree.update();
      const at = (k: number): readonly number[] => (kind === 'box' ? cube(100 * k, 0, 0) : [100 * k, 0, 0, 1]);
      const indices = octree.insertMany(new Float64Array([5, 6, 7, 8].flatMap(at)), {
        kind,
        data: [5, 6, 7, 8],
        mask: [1, 2, 0, 3],
      });
      expect([...indices]).toEqual([2, 0, 3, 4]);
      for (const k of [5, 6, 7, 8])
        expect(dataOf(octree.intersectPoint({ x: 100 * k, y: 0, z: 0 }))).toEqual(k === 7 ? [] : [k]);
      expect(dataOf(octree.intersectBox(wide, { mask: 2 }))).toEqual([1, 6, 8]);
      expect([octree.size, octree.dataAt(3), octree.bodyAt(4).kind]).toEqual([5, 7, kind]);
      expect(validate(octree)).toEqual([]);
    },
  );

  it('of an empty array inserts nothing', () => {
    const octree = new Octree();
    expect(octree.insertMany(new Float64Array(0), { kind: 'box' })).toHaveLength(0);
    expect(octree.size).toBe(0);
    octree.update();
    expect(validate(octree)).toEqual([]);
  });

  it('inserts static bodies, which do not pair with each other', () => {
    const octree = new Octree();
    octree.insertMany(new Float64Array([...cube(0, 0, 0), ...cube(0, 0, 0)]), { kind: 'box', isStatic: true });
    expect(intersectPairs(octree)).toEqual([]);
    octree.insertMany(new Float64Array(cube(0, 0, 0)), { kind: 'box' });
    expect(intersectPairs(octree)).toHaveLength(2);
  });
});

describe('octree.moveMany', () => {
  it('moves each body to a box of six numbers or to a sphere of four', () => {
    const { octree, bodies } = octreeOf(uniform(30, 1));
    octree.update();
    const indices = bodies.slice(0, 3).map(({ index }) => index);
    octree.moveMany(indices, three);
    expect(dataOf(octree.intersectPoint({ x: 10, y: 0, z: 0 }))).toContain(1);
    octree.moveMany(new Uint32Array(indices), new Float32Array([100, 0, 0, 1, 200, 0, 0, 1, 300, 0, 0, 1]));
    expect(dataOf(octree.intersectPoint({ x: 200, y: 1, z: 0 }))).toEqual([1]);
    expect(bodies.slice(0, 4).map(({ kind }) => kind)).toEqual(['sphere', 'sphere', 'sphere', bodies[3].kind]);
    expect(validate(octree)).toEqual([]);
  });

  it('uses the last bounds of a repeated index', () => {
    const { octree, bodies } = octreeOf([cube(50, 0, 0)]);
    octree.update();
    octree.moveMany([bodies[0].index, bodies[0].index, bodies[0].index], three);
    expect(octree.intersectPoint({ x: 20, y: 0, z: 0 })).toHaveLength(1);
    expect(octree.intersectBox(wide)).toHaveLength(1);
  });

  it('grows the region as a single move does', () => {
    const { octree, bodies } = octreeOf([cube(1, 1, 1)], { region: region(0, 8) });
    octree.update();
    octree.moveMany([bodies[0].index], new Float64Array(cube(-100, 0, 0)));
    expect(octree.intersectPoint({ x: -100, y: 0, z: 0 })).toHaveLength(1);
    expect(validate(octree)).toEqual([]);
  });
});

describe('octree.moveMany by centres', () => {
  const mixed: Shape[] = [[0, 0, 0, 2, 4, 6], [50, 0, 0, 3], cube(100, 0, 0)];
  const centers = new Float64Array([10, 20, 30, -5, 0, 5, 100, 100, 100]);

  it('keeps the kind and the size of each body, boxes and spheres in one call', () => {
    const { octree, bodies } = octreeOf(mixed);
    octree.update();
    octree.moveMany(
      bodies.map(({ index }) => index),
      centers,
    );
    expect(bodies.map(({ kind }) => kind)).toEqual(['box', 'sphere', 'box']);
    expect(numbersOf(bodies[0])).toEqual([9, 18, 27, 11, 22, 33]);
    expect(bodies[1].getSphere()).toEqual(new Sphere(new Vector3(-5, 0, 5), 3));
    expect(dataOf(octree.intersectPoint({ x: 9, y: 18, z: 27 }))).toEqual([0]);
    expect(validate(octree)).toEqual([]);
  });

  it.each(['setCenter', 'moveMany'] as const)(
    'does not change the size of a box by rounding, after 10,000 moves: %s',
    (form) => {
      const { octree, bodies } = octreeOf([[0.1, 0.1, 0.1, 0.4, 0.7, 1.1], ...uniform(30, 1)]);
      octree.update();
      for (let step = 1; step <= 10_000; step++) {
        const x = (step % 997) * 1234.567;
        if (form === 'setCenter') bodies[0].setCenter({ x, y: x, z: x });
        else octree.moveMany([0], new Float64Array([x, x, x]));
        if (step % 100 === 0) octree.update();
      }
      bodies[0].setCenter({ x: 0, y: 0, z: 0 });
      const { max } = bodies[0].getBox();
      expect([max.x, max.y, max.z]).toEqual([(0.4 - 0.1) / 2, (0.7 - 0.1) / 2, (1.1 - 0.1) / 2]);
    },
  );

  it('uses a new size once the body has got one', () => {
    const { octree, bodies } = octreeOf(mixed);
    bodies[0].setCenter({ x: 0, y: 0, z: 0 });
    bodies[0].setBox(boxOf(cube(0, 0, 0, 8)));
    bodies[0].setCenter({ x: 1, y: 1, z: 1 });
    expect(numbersOf(bodies[0])).toEqual(cube(1, 1, 1, 8));
    bodies[0].remove();
    octree.update();
    const next = octree.insert(boxOf(cube(0, 0, 0, 2)), 9);
    expect(next.index).toBe(0);
    expect(numbersOf(next.setCenter({ x: 5, y: 5, z: 5 }))).toEqual(cube(5, 5, 5, 2));
  });

  it('inside a callback waits for the end of the query, and later moves see the new centre', () => {
    const { octree, bodies } = octreeOf(mixed);
    octree.update();
    octree.intersectBox(wide, {
      filter: (body) => {
        if (body.data !== 0) return true;
        body.setCenter({ x: 10, y: 10, z: 10 });
        body.setCenter({ x: 20, y: 20, z: 20 });
        return true;
      },
    });
    expect(numbersOf(bodies[0])).toEqual([19, 18, 17, 21, 22, 23]);
    expect(validate(octree)).toEqual([]);
  });

  it('inside a callback keeps the size to the last bit, also where the bounds are rounded', () => {
    const { octree, bodies } = octreeOf([[0, 0, 0, 0.1, 0.2, 0.3]]);
    octree.intersectBox(wide, {
      filter: (body) => {
        body.setCenter({ x: 1e9, y: 1e9, z: 1e9 });
        return true;
      },
    });
    octree.update();
    bodies[0].setCenter({ x: 0.5, y: 0.5, z: 0.5 });
    const half = [0.1, 0.2, 0.3].map((size) => size * 0.5);
    expect(numbersOf(bodies[0])).toEqual([...half.map((one) => 0.5 - one), ...half.map((one) => 0.5 + one)]);
  });

  it('inside a callback keeps the size of its own body, whatever its index, and that of a setBox before it', () => {
    const { octree, bodies } = octreeOf([
      [0, 0, 0, 2, 4, 6],
      [5, 5, 5, 7, 11, 25],
      [1, 1, 1, 2, 2, 2],
    ]);
    octree.update();
    octree.intersectBox(wide, {
      filter: (body) => {
        if (body.data === 1) body.setCenter({ x: 30, y: 30, z: 30 });
        if (body.data === 2) body.setBox(boxOf([0, 0, 0, 4, 8, 12])).setCenter({ x: 40, y: 40, z: 40 });
        return true;
      },
    });
    expect(numbersOf(bodies[1])).toEqual([29, 27, 20, 31, 33, 40]);
    expect(numbersOf(bodies[2])).toEqual([38, 36, 34, 42, 44, 46]);
    octree.update();
    expect(numbersOf(bodies[1])).toEqual([29, 27, 20, 31, 33, 40]);
    expect(numbersOf(bodies[2])).toEqual([38, 36, 34, 42, 44, 46]);
  });

  it.each([
    [
      'a NaN',
      [10, 20, 30, NaN, 0, 5, 1, 1, 1],
      RangeError,
      /moveMany: bounds\[3\], the x of centre 1, must be finite, but is NaN/,
    ],
    [
      'a centre that brings the bounds beyond the limit',
      [10, 20, 30, 2 ** 50, 0, 5, 1, 1, 1],
      RangeError,
      /moveMany: bounds\[3\] to bounds\[5\] must keep the bounds of the body within/,
    ],
    [
      'too few numbers',
      [10, 20, 30, 1, 1, 1, 1],
      RangeError,
      /moveMany: bounds must hold 6 numbers \(boxes\), 4 \(spheres\) or 3 \(centres\)/,
    ],
  ])('refuses %s, and changes nothing', (_name, numbers, type, sentence) => {
    const { octree, bodies } = octreeOf(mixed);
    octree.update();
    const move = (): unknown =>
      octree.moveMany(
        bodies.map(({ index }) => index),
        new Float64Array(numbers),
      );
    expect(move).toThrow(type);
    expect(move).toThrow(sentence);
    expect(numbersOf(bodies[0])).toEqual([0, 0, 0, 2, 4, 6]);
    expect(octree.statistics.pending).toBe(0);
  });

  it.each([NaN, Infinity, -(2 ** 50), 1e300])(
    'refuses the centre %d after those of bodies that stay within their fat bounds, and changes nothing',
    (value) => {
      const { octree, bodies } = octreeOf(mixed);
      const indices = bodies.map(({ index }) => index);
      const centers = new Float64Array(3 * indices.length).fill(50);
      for (let step = 0; step < 4; step++) {
        for (let k = 0; k < centers.length; k++) centers[k] += 0.01;
        octree.update();
        octree.moveMany(indices, centers);
      }
      octree.update();
      const before = bodies.map(numbersOf);
      // Moves of this size change no node.
      for (let k = 0; k < centers.length; k++) centers[k] += 0.01;
      const { length } = centers;
      centers[length - 1] = value;
      expect(() => octree.moveMany(indices, centers)).toThrow(RangeError);
      expect([bodies.map(numbersOf), octree.statistics.pending]).toEqual([before, 0]);
      centers[length - 1] = 50;
      const removed = [...indices.slice(0, -1), 7];
      expect(() => octree.moveMany(removed, centers)).toThrow(
        /moveMany: indices\[\d\] must be the index of a living body/,
      );
      expect(bodies.map(numbersOf)).toEqual(before);
      octree.moveMany(indices, centers);
      expect(bodies.map(numbersOf)).not.toEqual(before);
    },
  );

  it.each(['remove', 'throw'] as const)('obeys outside: %s', (outside) => {
    const { octree, bodies } = octreeOf([cube(8, 8, 8), [30, 30, 30, 2]], { region: region(0, 64), outside });
    octree.update();
    const move = (): unknown => octree.moveMany([0, 1], new Float64Array([9, 9, 9, 63, 30, 30]));
    if (outside === 'throw') {
      expect(move).toThrow(RangeError);
      expect(numbersOf(bodies[0])).toEqual(cube(8, 8, 8));
      return;
    }
    move();
    expect(bodies.map(({ index }) => index)).toEqual([0, -1]);
    expect(numbersOf(bodies[0])).toEqual(cube(9, 9, 9));
  });
});

describe('octree.insertMany with a region', () => {
  it('leaves out what lies outside, with outside: remove', () => {
    const octree = new Octree<string>({ region: region(0, 64), outside: 'remove' });
    const bounds = new Float64Array([...cube(8, 8, 8), ...cube(99, 8, 8), ...cube(9, 9, 9)]);
    const masks = [1, 2, 4];
    const indices = octree.insertMany(bounds, { kind: 'box', data: ['a', 'b', 'c'], mask: masks, isStatic: true });
    expect([...indices]).toEqual([0, 2 ** 32 - 1, 1]);
    expect([0, 1].map((index) => octree.dataAt(index))).toEqual(['a', 'c']);
    expect([0, 1].map((index) => octree.bodyAt(index).mask)).toEqual([1, 4]);
    expect(octree.size).toBe(2);
    expect(octree.intersectBox(wide)).toHaveLength(2);
    expect(validate(octree)).toEqual([]);
  });
});

describe('octree.removeMany', () => {
  it('returns the number of bodies removed; a repeated index counts once', () => {
    const { octree, bodies } = octreeOf(uniform(10, 1));
    octree.update();
    expect(octree.removeMany([1, 3, 3, 5, 1].map((i) => bodies[i].index))).toBe(3);
    expect(dataOf(octree.intersectBox(wide))).toEqual([0, 2, 4, 6, 7, 8, 9]);
    expect(bodies.filter(({ index }) => index === -1)).toHaveLength(3);
    expect(octree.removeMany([])).toBe(0);
    expect(validate(octree)).toEqual([]);
  });

  it('takes the array that insertMany returned', () => {
    const octree = new Octree();
    const indices = octree.insertMany(three, { kind: 'box' });
    expect(octree.removeMany(indices)).toBe(3);
    expect(octree.size).toBe(0);
    expect(octree.intersectBox(wide)).toEqual([]);
  });
});

function ascending(indices: Iterable<number>): number[] {
  return [...indices].sort((a, b) => a - b);
}

describe('a removal before the insert is applied', () => {
  it.each([1, 2, 3, 4, 5, 6])('takes the body out of the queue, and keeps the others in it (seed %i)', (seed) => {
    const random = createRandom(seed);
    const octree = new Octree<number>();
    const placed: number[] = [];
    const queued: number[] = [];
    let removals = 0;
    for (let step = 0; step < 200; step++) {
      const at = (): Shape => cube(random.below(100), random.below(100), 0);
      const choice = random.below(20);
      if (choice < 4) queued.push(octree.insert(boxOf(at()), step).index);
      else if (choice < 8)
        queued.push(...octree.insertMany(new Float64Array([...at(), ...at(), ...at()]), { kind: 'box' }));
      else if (choice < 16 && queued.length > 0) octree.removeMany(queued.splice(random.below(queued.length), 1));
      else if (choice < 18 && placed.length > 0)
        removals += octree.removeMany(placed.splice(random.below(placed.length), 1));
      else if (choice === 18 && queued.length > 0) octree.moveMany([random.pick(queued)], Float64Array.from(at()));
      else if (choice === 19) {
        octree.update();
        placed.push(...queued.splice(0));
        removals = 0;
      }
      expect(octree.statistics.pending).toBe(queued.length + removals);
    }
    const list = new IndexList();
    octree.collectBox(wide, list);
    expect(ascending(list)).toEqual(ascending([...placed, ...queued]));
    expect(validate(octree)).toEqual([]);
  });
});

const twoAt = (x: number): Float64Array => new Float64Array([...cube(x, 20, 20), ...cube(x, 40, 40)]);

/**
 * Two moving boxes: their last step has given them a margin to the right, so the next step needs no work in the tree.
 */
function movers(): { octree: Octree; indices: Uint32Array } {
  const octree = new Octree({ region: region(0, 64) });
  const indices = octree.insertMany(twoAt(10), { kind: 'box' });
  for (const x of [10, 10.125, 10.25]) {
    octree.moveMany(indices, twoAt(x));
    octree.update();
  }
  octree.moveMany(indices, twoAt(10.375));
  expect(octree.statistics.pending).toBe(0);
  return { octree, indices };
}

const hits = (count: number): RayHits => ({ indices: new Int32Array(count), distances: new Float64Array(count) });
const floats = (length: number): Float64Array => new Float64Array(length);

describe('an array of a wrong length', () => {
  const { octree, bodies } = octreeOf([cube(0, 0, 0), cube(5, 0, 0)]);
  const point = { x: 0, y: 0, z: 0 };
  const list = new IndexList();
  list.push(1);
  const ids = idsOf(octree, [0, 1]);
  it.each<[string, () => unknown]>([
    ['insertMany, bounds', () => octree.insertMany(floats(7), { kind: 'box' })],
    ['insertMany, data', () => octree.insertMany(floats(6), { kind: 'box', data: [1, 2] })],
    ['insertMany, mask', () => octree.insertMany(floats(6), { kind: 'box', mask: [] })],
    ['moveMany, bounds', () => octree.moveMany([0, 1], floats(7))],
    ['setMaskMany, mask', () => octree.setMaskMany([0, 1], [1])],
    ['moveManyById, bounds', () => moveManyById(octree, ids, floats(5))],
    ['setMaskManyById, mask', () => setMaskManyById(octree, ids, [1, 2, 3])],
    ['idsOf, target', () => idsOf(octree, [0, 1], floats(1))],
    ['castRays, rays', () => castRays(octree, floats(8), hits(2))],
    ['castRays, hits', () => castRays(octree, Float64Array.of(0, 0, 0, 1, 0, 0, 1), hits(0))],
    ['assignBands, bands', () => assignBands(octree, list, point, [1], new Uint8Array(1))],
    ['watchDistances, distances', () => watchDistances(octree, point, [])],
    [
      'OrientedBox, rotation.elements',
      () => new OrientedBox({ center: point, halfSize: point, rotation: { elements: [1] } }),
    ],
  ])('of %s is a RangeError, and changes nothing', (_, call) => {
    expect(call).toThrow(RangeError);
    expect([octree.size, octree.statistics.pending > 2, bodies[0].mask]).toEqual([2, false, -1]);
  });
});

describe('octree.insertMany with a wrong number in the array', () => {
  it('throws if a getter of the data transfers the bounds, and inserts nothing', () => {
    const octree = new Octree<number>();
    const bounds = new Float64Array([0, 0, 0, 1, 1, 1]);
    const data = {
      length: 1,
      get 0(): number {
        structuredClone(bounds.buffer, { transfer: [bounds.buffer] });
        return 1;
      },
    };
    expect(() => octree.insertMany(bounds, { kind: 'box', data })).toThrow('bounds must have memory');
    expect(octree.size).toBe(0);
  });

  it.each([
    ['a centre', [0, 0, 0, 1, 0, NaN, 0, 1], 'sphere 1 (bounds[4] to bounds[7]).center.y must be finite, but is NaN;'],
    ['a radius', [0, 0, 0, 1, 0, 0, 0, -1], 'sphere 1 (bounds[4] to bounds[7]).radius must be 0 or more, but is -1;'],
    [
      'an extent',
      [0, 0, 0, 1, 2 ** 50, 0, 0, 5],
      `sphere 1 (bounds[4] to bounds[7]) must lie within +-2^50, but its centre is (${2 ** 50}, 0, 0) and its radius 5;`,
    ],
  ])('names the place of %s and its meaning, and changes nothing', (_, numbers, sentence) => {
    const octree = new Octree();
    expect(() => octree.insertMany(Float64Array.from(numbers), { kind: 'sphere' })).toThrow(
      `Octree.insertMany: ${sentence}`,
    );
    expect(octree.size).toBe(0);
  });
});

describe('octree.moveMany of bodies that have a margin', () => {
  it.each([
    [
      'inverted',
      (bounds: Float64Array) => bounds.fill(10.25, 6, 7).fill(10.1875, 9, 10),
      'the box 1 (bounds[6] to bounds[11]) is empty, because min.x, 10.25, is above max.x, 10.1875;',
    ],
    [
      'NaN',
      (bounds: Float64Array) => bounds.fill(NaN, 8, 9),
      'box 1 (bounds[6] to bounds[11]).min.z must be finite, but is NaN;',
    ],
    [
      'infinite',
      (bounds: Float64Array) => bounds.fill(Infinity, 11, 12),
      'box 1 (bounds[6] to bounds[11]).max.z must be finite, but is Infinity;',
    ],
  ])('refuses %s bounds and changes nothing', (_, spoil, sentence) => {
    const { octree, indices } = movers();
    expect(() => octree.moveMany(indices, spoil(twoAt(10.5)))).toThrow(`Octree.moveMany: ${sentence}`);
    expect(octree.bodyAt(indices[0]).getBox(new Box3()).min.x).toBe(9.875);
    expect(validate(octree)).toEqual([]);
  });

  it('refuses the index of a removed body and changes nothing', () => {
    const { octree, indices } = movers();
    octree.bodyAt(indices[1]).remove();
    expect(() => octree.moveMany(indices, twoAt(10.5))).toThrow(
      /Octree.moveMany: indices\[1\] must be the index of a living body/,
    );
    octree.update();
    expect(() => octree.moveMany(indices, twoAt(10.5))).toThrow(/Octree.moveMany: indices\[1\]/);
    expect(octree.bodyAt(indices[0]).getBox(new Box3()).min.x).toBe(9.875);
  });

  it('does not affect results: they go by the exact bounds', () => {
    const { octree, indices } = movers();
    for (let x = 10.375; x < 60; x += 0.125) {
      octree.moveMany(indices, twoAt(x));
      expect(octree.intersectPoint({ x: x - 0.5, y: 20, z: 20 })).toHaveLength(1);
      expect(octree.intersectPoint({ x: x - 0.625, y: 20, z: 20 })).toHaveLength(0);
      expect(octree.intersectPoint({ x: x + 0.625, y: 40, z: 40 })).toHaveLength(0);
    }
    expect(validate(octree)).toEqual([]);
  });
});
