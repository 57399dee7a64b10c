import { describe, expect, it } from 'vitest';
import { Octree, translate, type OctreeOptions } from '../../../src/index.ts';
import { validate } from '../../../src/debug/index.ts';
import { region, sketch } from '../../support/octrees.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { uniform } from '../../support/scenes.ts';
import { shapeOf } from '../../support/shapes.ts';
import { BODY_MUST_KEEP_SIZE } from '../../../src/tree/layout.ts';

const COUNT = 500;

/**
 * The same boxes and spheres twice: the bodies of the first octree are moved together, those of the second one by one.
 */
function twins(options: OctreeOptions = {}): readonly [Octree<number>, Octree<number>] {
  const of = (): Octree<number> => {
    const octree = new Octree<number>(options);
    for (const [k, shape] of uniform(COUNT, 21).entries()) octree.insert(shapeOf(shape), k);
    octree.update();
    return octree;
  };
  return [of(), of()];
}

function moveBoth(
  pair: readonly [Octree<number>, Octree<number>],
  indices: readonly number[],
  bounds: Float32Array | Float64Array,
): void {
  const stride = bounds.length / indices.length;
  pair[0].moveMany(indices, bounds);
  for (const [k, index] of indices.entries()) pair[1].moveMany([index], bounds.slice(k * stride, (k + 1) * stride));
}

/** The bounds of all bodies, living or not, and the bits of their flags. */
function bodiesOf(octree: Octree<number>): number[][] {
  const { bounds, flags, count } = octree.internals.store.tree.bodies;
  return [[...bounds.subarray(0, count * 6)], [...flags.subarray(0, count)]];
}

function expectSame([first, second]: readonly [Octree<number>, Octree<number>]): void {
  expect(bodiesOf(first)).toEqual(bodiesOf(second));
  for (const octree of [first, second]) octree.update();
  expect(bodiesOf(first)).toEqual(bodiesOf(second));
  expect(sketch(first)).toEqual(sketch(second));
  expect(validate(first)).toEqual([]);
}

/** The centre of a body, moved by up to `step` along each axis. */
function centerNear(octree: Octree<number>, index: number, step: number, random: Random): number[] {
  const { min, max } = octree.getBoxAt(index);
  return [(min.x + max.x) / 2, (min.y + max.y) / 2, (min.z + max.z) / 2].map(
    (value) => value + random.between(-step, step),
  );
}

/** The indices of all living bodies in ascending order, or as many random ones of them, some repeated. */
function someIndices(octree: Octree<number>, isOrdered: boolean, random: Random): number[] {
  const living = Array.from(octree, ({ index }) => index).sort((a, b) => a - b);
  return isOrdered ? living : living.map(() => random.pick(living));
}

/**
 * New bounds of a body near its old ones: six numbers, four, or three for its centre. Most of them have about the same
 * size, one in twenty another one.
 */
function boundsNear(octree: Octree<number>, index: number, stride: number, step: number, random: Random): number[] {
  const center = centerNear(octree, index, step, random);
  const { min, max } = octree.getBoxAt(index);
  const half = random.next() < 0.05 ? random.between(0, 3) : (max.x - min.x) / 2;
  if (stride === 6) return [...center.map((value) => value - half), ...center.map((value) => value + half)];
  return stride === 4 ? [...center, half] : center;
}

describe('moves of many bodies', () => {
  it.each([
    ['centres', 3, Float64Array],
    ['centres', 3, Float32Array],
    ['boxes', 6, Float64Array],
    ['boxes', 6, Float32Array],
    ['spheres', 4, Float64Array],
    ['spheres', 4, Float32Array],
  ] as const)(
    'are the same together and one by one, with steps and jumps, centres of repeated indices too: %s, %i, %o',
    (_name, stride, FloatArray) => {
      const pair = twins();
      const random = createRandom(4);
      for (let tick = 0; tick < 40; tick++) {
        const picked = someIndices(pair[0], tick % 3 === 0, random);
        // The step of a box or a sphere is that of the whole call, so each is moved once.
        const indices = stride === 3 ? picked : [...new Set(picked)];
        const bounds = FloatArray.from(
          indices.flatMap((index) => boundsNear(pair[0], index, stride, random.next() < 0.02 ? 40 : 0.3, random)),
        );
        moveBoth(pair, indices, bounds);
        expectSame(pair);
      }
    },
  );

  it('are the same among other writes: new bounds of either kind, removed and new bodies, translations', () => {
    const pair = twins({ leafCapacity: 4 });
    const random = createRandom(5);
    for (let tick = 0; tick < 60; tick++) {
      const [shape, other] = uniform(2, tick);
      const [removed] = someIndices(pair[0], false, random);
      for (const octree of pair) {
        if (tick % 5 === 1)
          octree.insertMany(Float64Array.from(shape), { kind: shape.length === 6 ? 'box' : 'sphere', data: [tick] });
        if (tick % 5 === 2 && removed !== 0) octree.bodyAt(removed).remove();
        if (tick % 7 === 3) translate(octree, { x: 64, y: 0, z: -128 });
        if (tick % 3 === 1 && removed !== 0) octree.moveMany([0], Float64Array.from(other));
      }
      // Before the removal is applied in some ticks, after it in others.
      if (tick % 2 === 0) expectSame(pair);
      const indices = someIndices(pair[0], tick % 4 === 0, random);
      const centers = Float64Array.from(indices.flatMap((index) => centerNear(pair[0], index, 0.5, random)));
      moveBoth(pair, indices, centers);
      expectSame(pair);
    }
  });

  it('take the last centre of a repeated index, whether it escapes first or stays first', () => {
    const [octree] = twins();
    const random = createRandom(6);
    const all = someIndices(octree, true, random);
    const near = (index: number, step: number): number[] => centerNear(octree, index, step, random);
    // After some ticks of small moves nearly all bodies have fat bounds.
    for (let tick = 0; tick < 4; tick++) {
      octree.moveMany(all, Float64Array.from(all.flatMap((index) => near(index, 0.05))));
      octree.update();
    }
    const half = all.slice(0, COUNT / 2);
    const [far, last] = [half.map((index) => near(index, 30)), half.map((index) => near(index, 0.01))];
    octree.moveMany([...half, ...half], Float64Array.from([...far, ...last].flat()));
    half.forEach((index, k) => {
      const { min, max } = octree.getBoxAt(index);
      [(min.x + max.x) / 2, (min.y + max.y) / 2, (min.z + max.z) / 2].forEach((value, axis) =>
        expect(value).toBeCloseTo(last[k][axis], 9),
      );
    });
    expect(validate(octree)).toEqual([]);
  });

  it.each([
    ['centres', 3, NaN],
    ['centres', 3, -Infinity],
    ['centres', 3, 2 ** 53],
    ['boxes', 6, NaN],
    ['boxes', 6, -Infinity],
    ['boxes', 6, 2 ** 53],
    ['spheres', 4, NaN],
    ['spheres', 4, -Infinity],
    ['spheres', 4, 2 ** 53],
  ] as const)('throw before anything has changed: %s, %i, %d', (_name, stride, value) => {
    const [octree] = twins();
    const random = createRandom(7);
    const all = someIndices(octree, true, random);
    const bounds = (): Float64Array =>
      Float64Array.from(all.flatMap((index) => boundsNear(octree, index, stride, 0.1, random)));
    for (let tick = 0; tick < 5; tick++) {
      octree.moveMany(all, bounds());
      octree.update();
    }
    const before = bodiesOf(octree);
    const valid = bounds();
    for (const at of [0, stride * 63 + 1, stride * 64 + 2, valid.length - 1]) {
      const wrong = valid.slice();
      wrong[at] = value;
      expect(() => octree.moveMany(all, wrong)).toThrow('Octree.moveMany');
      expect(() =>
        octree.moveMany(
          all.map((_, k) => all[COUNT - 1 - k]),
          wrong,
        ),
      ).toThrow('Octree.moveMany');
    }
    for (const at of [0, 63, 64, COUNT - 1]) {
      for (const index of [COUNT, 2 ** 32 - 1])
        expect(() =>
          octree.moveMany(
            all.map((each, k) => (k === at ? index : each)),
            valid,
          ),
        ).toThrow('Octree.moveMany');
    }
    // The last 64 indices that there are.
    expect(() =>
      octree.moveMany(
        all.map((each, k) => (k >= 64 && k < 128 ? 2 ** 32 - 128 + k : each)),
        valid,
      ),
    ).toThrow('Octree.moveMany');
    octree.bodyAt(100).remove();
    expect(() => octree.moveMany(all, valid)).toThrow('Octree.moveMany');
    before[1][100] = bodiesOf(octree)[1][100];
    expect(bodiesOf(octree)).toEqual(before);
  });

  it('remove bodies that leave the region', () => {
    const pair = twins({ outside: 'remove', region: region(-128, 256) });
    const random = createRandom(8);
    for (let tick = 0; tick < 5; tick++) {
      const living = someIndices(pair[0], true, random);
      const centers = Float64Array.from(living.flatMap((index) => centerNear(pair[0], index, 20, random)));
      moveBoth(pair, living, centers);
      expectSame(pair);
    }
    expect(pair[0].size).toBeLessThan(COUNT);
  });
});

/** A box that moves along x, so that it has fat bounds, and a sphere. */
function moving(): Octree<number> {
  const octree = new Octree<number>({ region: region(-64, 128) });
  octree.insert(shapeOf([3, 3, 3, 7, 7, 7]), 0);
  octree.insert(shapeOf([20, 20, 20, 2]), 1);
  for (let step = 1; step <= 3; step++) {
    octree.moveMany([0], Float64Array.of(3 + step / 64, 3, 3, 7 + step / 64, 7, 7));
    octree.moveMany([1], Float64Array.of(20 + step / 64, 20, 20, 2));
    octree.update();
  }
  const { bodies } = octree.internals.store.tree;
  expect([bodies.hasMargin(0), bodies.hasMargin(1)]).toEqual([true, true]);
  return octree;
}

describe('moveMany inside fat bounds', () => {
  it.each([0, 1, 2])('rejects a box whose min is above its max on axis %d, and changes nothing', (axis) => {
    const octree = moving();
    const box = [3 + 3 / 64, 3, 3, 7 + 3 / 64, 7, 7];
    [box[axis], box[axis + 3]] = [box[axis + 3], box[axis]];
    const before = bodiesOf(octree);
    expect(() => octree.moveMany([0], Float64Array.from(box))).toThrow(RangeError);
    expect(bodiesOf(octree)).toEqual(before);
  });

  it('rejects a negative radius, and changes nothing', () => {
    const octree = moving();
    const before = bodiesOf(octree);
    expect(() => octree.moveMany([1], Float64Array.of(20 + 3 / 64, 20, 20, -0.001))).toThrow(RangeError);
    expect(bodiesOf(octree)).toEqual(before);
  });
});

/** As `moving`, with bodies so large that they cross the middle of the root, which has children. */
function movingLarge(): Octree<number> {
  const octree = new Octree<number>({ region: region(-64, 128), leafCapacity: 1, looseness: 1 });
  octree.insert(shapeOf([-8, -8, -8, 8, 8, 8]), 0);
  octree.insert(shapeOf([0, 0, 0, 8]), 1);
  for (const at of [-40, 40]) octree.insert(shapeOf([at, at, at, 1]), 2);
  for (let step = 1; step <= 3; step++) {
    octree.moveMany([0], Float64Array.of(-8 + step / 64, -8, -8, 8 + step / 64, 8, 8));
    octree.moveMany([1], Float64Array.of(step / 64, 0, 0, 8));
    octree.update();
  }
  const { flags } = octree.internals.store.tree.bodies;
  for (const index of [0, 1]) expect(flags[index] & BODY_MUST_KEEP_SIZE).not.toBe(0);
  return octree;
}

describe('moveMany of a body that must keep its size', () => {
  it.each([0, 1, 2])('rejects a box whose min is above its max on axis %d, and changes nothing', (axis) => {
    const octree = movingLarge();
    const box = [-8, -8, -8, 8, 8, 8];
    box[axis] = 1;
    box[axis + 3] = -1;
    const before = bodiesOf(octree);
    expect(() => octree.moveMany([0], Float64Array.from(box))).toThrow(RangeError);
    expect(bodiesOf(octree)).toEqual(before);
  });

  it('needs no work in the tree while it keeps it, and does once it is much smaller', () => {
    for (const [index, bounds, pending] of [
      [0, [-8, -8, -8, 8, 8, 8], 0],
      [0, [-1, -1, -1, 1, 1, 1], 1],
      [1, [0, 0, 0, 8], 0],
      [1, [0, 0, 0, 1], 1],
      // Beyond one face of the fat bounds.
      ...[0, 1, 2].flatMap((axis) =>
        [-12, 12].flatMap((by) => {
          const at = (low: number): number[] => [0, 1, 2].map((other) => low + (other === axis ? by : 0));
          return [
            [0, [...at(-8), ...at(8)], 1],
            [1, [...at(0), 8], 1],
          ] as [number, number[], number][];
        }),
      ),
    ] as [number, number[], number][]) {
      const octree = movingLarge();
      octree.moveMany([index], Float64Array.from(bounds));
      expect(octree.statistics.pending).toBe(pending);
    }
  });
});

describe('moveMany of bodies at rest', () => {
  const COUNT_AT_REST = 40;

  function atRest(): { octree: Octree<number>; boxes: number[]; spheres: number[] } {
    const octree = new Octree<number>({ leafCapacity: 4 });
    const boxes: number[] = [];
    const spheres: number[] = [];
    for (let k = 0; k < COUNT_AT_REST; k++) {
      const at = (k * 37) % 101;
      boxes.push(at, 0.25, 0, at + 1, 0.75, 1);
      spheres.push(at, 5, 1 / 3, 0.5);
    }
    octree.insertMany(Float64Array.from(boxes), { kind: 'box' });
    octree.insertMany(Float64Array.from(spheres), { kind: 'sphere' });
    octree.update();
    return { octree, boxes, spheres };
  }
  const boxIndices = Array.from({ length: COUNT_AT_REST }, (_, k) => k);
  const sphereIndices = boxIndices.map((k) => COUNT_AT_REST + k);

  it('needs no work in the tree for equal bounds, and does for others', () => {
    const { octree, boxes, spheres } = atRest();
    octree.moveMany(boxIndices, Float64Array.from(boxes));
    octree.moveMany(sphereIndices, Float64Array.from(spheres));
    expect(octree.statistics.pending).toBe(0);
    boxes[4] += 0.25;
    spheres[3] += 0.25;
    octree.moveMany(boxIndices, Float64Array.from(boxes));
    octree.moveMany(sphereIndices, Float64Array.from(spheres));
    expect(octree.statistics.pending).toBe(2);
    expect(validate(octree)).toEqual([]);
  });

  it('needs none for equal centres', () => {
    const { octree, boxes, spheres } = atRest();
    const centers = Float64Array.from(boxIndices.flatMap((k) => [boxes[6 * k] + 0.5, 0.5, 0.5]));
    const sphereCenters = Float64Array.from(boxIndices.flatMap((k) => spheres.slice(4 * k, 4 * k + 3)));
    for (const pending of [0, 0, 2]) {
      if (pending > 0) centers[3] = sphereCenters[6] = 50.125;
      octree.moveMany(boxIndices, centers);
      octree.moveMany(sphereIndices, sphereCenters);
      expect(octree.statistics.pending).toBe(pending);
      octree.update();
      expect(validate(octree)).toEqual([]);
    }
  });

  it('needs work for equal numbers of the other shape', () => {
    const { octree, spheres } = atRest();
    octree.moveMany(boxIndices.slice(0, 1), Float64Array.from(spheres.slice(0, 4)));
    expect(octree.statistics.pending).toBe(1);
  });

  it('takes the last bounds of a repeated index', () => {
    const { octree, boxes } = atRest();
    const other = [50, 0, 0, 51, 1, 1];
    octree.moveMany([0, 0], Float64Array.from([...other, ...boxes.slice(0, 6)]));
    octree.moveMany([1, 1], Float64Array.from([...boxes.slice(6, 12), ...other]));
    octree.update();
    expect(octree.getBoxAt(0).min.x).toBe(boxes[0]);
    expect(octree.getBoxAt(1).min.x).toBe(50);
    expect(validate(octree)).toEqual([]);
  });
});

describe('a move to a face of the fat bounds', () => {
  it.each([0, 1, 2])('of a box that is flat on axis %d needs no work in the tree', (axis) => {
    const octree = moving();
    const box = [3 + 3 / 64, 3, 3, 7 + 3 / 64, 7, 7];
    box[axis] = box[axis + 3] = 5;
    octree.moveMany([0], Float64Array.from(box));
    expect(octree.statistics.pending).toBe(0);
  });

  const KINDS = {
    'new box': { body: 0, boundsAt: (low: number[]) => [...low, ...low.map((min) => min + 4)] },
    'new sphere': { body: 1, boundsAt: (low: number[]) => [...low.map((min) => min + 2), 2] },
    'box around a centre': { body: 0, boundsAt: (low: number[]) => low.map((min) => min + 2) },
    'sphere around a centre': { body: 1, boundsAt: (low: number[]) => low.map((min) => min + 2) },
  };
  const FACES = [0, 1, 2, 3, 4, 5];
  const cases = Object.keys(KINDS).flatMap((kind) => FACES.map((face) => ({ kind, face }))) as {
    kind: keyof typeof KINDS;
    face: number;
  }[];

  it.each(cases)('from inside needs no work in the tree, and beyond it does: $kind, face $face', ({ kind, face }) => {
    const { body, boundsAt } = KINDS[kind];
    for (const beyond of [0, 2 ** -20]) {
      const octree = moving();
      // The first move by the centre stores the half size.
      if (kind === 'box around a centre') {
        octree.moveMany([0], Float64Array.of(5 + 4 / 64, 5, 5));
        octree.update();
      }
      const { fatBounds } = octree.internals.store.tree.bodies;
      const low = [...octree.bodyAt(body).getBox().min];
      const axis = face % 3;
      low[axis] = fatBounds[6 * body + face] + (face < 3 ? -beyond : beyond - 4);
      octree.moveMany([body], Float64Array.from(boundsAt(low)));
      expect(octree.statistics.pending).toBe(beyond === 0 ? 0 : 1);
      expect(
        octree.intersectPoint({ x: low[0] + 2, y: low[1] + 2, z: low[2] + 2 }).map((hit) => hit.body.data),
      ).toEqual([body]);
    }
  });
});

describe('moveMany by centres', () => {
  it('rejects a centre around which a huge body is beyond the limit of coordinates, and changes nothing', () => {
    const octree = new Octree<number>({ region: region(-(2 ** 50), 2 ** 51) });
    const half = 0.75 * 2 ** 50;
    octree.insert(shapeOf([-half, -1, -1, half, 1, 1]), 0);
    octree.update();
    octree.moveMany([0], Float64Array.of(2 ** 40, 0, 0));
    octree.update();
    expect(octree.internals.store.tree.bodies.hasMargin(0)).toBe(true);
    const before = bodiesOf(octree);
    expect(() => octree.moveMany([0], Float64Array.of(2 ** 49, 0, 0))).toThrow(RangeError);
    expect(bodiesOf(octree)).toEqual(before);
  });
});
