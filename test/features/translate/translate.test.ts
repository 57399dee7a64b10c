import { Vector3 } from 'three';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Body } from '../../../src/index.ts';
import {
  idOf,
  indexOfId,
  nearest,
  Octree,
  trackContacts,
  translate,
  watch,
  watchDistances,
  onIntersection,
} from '../../../src/index.ts';
import { BruteForce } from '../../../src/debug/reference/brute-force.ts';
import { collected, dataOf, octreeOf, ownerOf, region, sketch } from '../../support/octrees.ts';
import { createRandom } from '../../support/random.ts';
import { expectRejection } from '../../support/rejects.ts';
import { uniform } from '../../support/scenes.ts';
import { boxOf, cube, planesOf, planesOfBox, shapeOf, sphereOf } from '../../support/shapes.ts';
import type { Shape } from '../../support/shapes.ts';
import { validate } from '../../../src/debug/index.ts';
import { freeMemories } from '../../support/wasm.ts';

beforeAll(freeMemories);

const vector = (x: number, y: number, z: number): { x: number; y: number; z: number } => ({ x, y, z });
const all = boxOf(cube(0, 0, 0, 2 ** 49));

function shifted(shape: Shape, by: readonly number[]): Shape {
  return shape.map((value, k) => (shape.length === 4 && k === 3 ? value : value + by[k % 3]));
}

/** Exact bounds of all bodies, as stored. */
function boundsOf(octree: Octree<number>): number[] {
  return [...octree].flatMap((body) => {
    const { min, max } = body.getBox();
    return [...min.toArray(), ...max.toArray()];
  });
}

describe('translate', () => {
  it.each([0, Infinity])(
    'moves bodies, cells and the region; no node and no body changes its place in the tree (simdFrom %s)',
    (simdFrom) => {
      const by = [4096, -64, 7];
      const shapes = uniform(300, 3);
      const octree = new Octree<number>({ leafCapacity: 4, simdFrom });
      const bodies = shapes.map((shape, k) => octree.insert(shapeOf(shape), k, { mask: 1 + (k % 2) }));
      octree.update();
      const before = sketch(octree);
      const { min, edge } = octree.region!;
      const { nodesCreated, nodesMerged, bodiesRelocated } = octree.statistics;
      const [index, id] = [bodies[5].index, idOf(octree, bodies[5].index)];
      translate(octree, vector(4096, -64, 7));
      expect(sketch(octree)).toEqual(
        before.map((node) => ({ ...node, min: node.min.map((value, axis) => value + by[axis]) })),
      );
      expect(octree.region).toEqual({ min: vector(min.x + 4096, min.y - 64, min.z + 7), edge });
      expect(octree.statistics).toMatchObject({ nodesCreated, nodesMerged, bodiesRelocated, pending: 0 });
      expect([bodies[5].index, indexOfId(octree, id), validate(octree)]).toEqual([index, index, []]);
      const moved = octreeOf(shapes.map((shape) => shifted(shape, by))).octree;
      expect(boundsOf(octree)).toEqual(boundsOf(moved));
      for (const center of [
        [4096, -64, 7],
        [4136, -94, 30],
      ]) {
        const sphere = sphereOf([...center, 30]);
        expect(dataOf(octree.intersectSphere(sphere))).toEqual(dataOf(moved.intersectSphere(sphere)));
        expect(nearest(octree, sphere.center, 9).map(({ body, distance }) => [body.data, distance])).toEqual(
          nearest(moved, sphere.center, 9).map(({ body, distance }) => [body.data, distance]),
        );
      }
      expect(dataOf(octree.intersectBox(all, { mask: 2 }))).toHaveLength(150);
      expect(octree.intersectBox(boxOf(cube(0, 0, 0, 200)))).toEqual([]);
    },
  );

  it('there and back gives the same bits, for numbers with enough of them; -0 stays -0', () => {
    const octree = new Octree<number>();
    for (const [k, shape] of uniform(100, 4).entries())
      octree.insert(shapeOf(shape.map((value) => Math.round(value * 1024) / 1024)), k);
    octree.update();
    const before = boundsOf(octree);
    for (const by of [
      [1024, 0, -0],
      [-(2 ** 31), 1, 3],
      [0, 2 ** 40, -(2 ** 40)],
    ]) {
      translate(octree, vector(by[0], by[1], by[2]));
      expect(validate(octree)).toEqual([]);
      translate(octree, vector(-by[0], -by[1], -by[2]));
    }
    expect(boundsOf(octree).every((value, k) => value === before[k])).toBe(true);
    const { octree: zeros } = octreeOf([[-0, -0, 0, -0, 1, 1]]);
    translate(zeros, vector(0, -0, 8));
    const { min } = zeros.getBoxAt(0);
    expect([min.x, min.y, min.z]).toEqual([-0, -0, 8]);
  });

  it('out and back keeps the box around a sphere that is smaller than a step of its coordinates far out', () => {
    for (const simdFrom of [0, Infinity]) {
      const { octree, bodies } = octreeOf(
        [
          [0, 0, 0, 1e-9],
          [3, 0, 0, 1e-9],
          [40, 40, 40, 1],
        ],
        { simdFrom },
      );
      octree.update();
      translate(octree, { x: 0, y: -(2 ** 31), z: 0 });
      expect(validate(octree)).toEqual([]);
      translate(octree, { x: 0, y: 2 ** 31, z: 0 });
      expect(validate(octree)).toEqual([]);
      expect(octree.intersectPoint({ x: 0, y: 1e-9, z: 0 }).map(({ body }) => body)).toEqual([bodies[0]]);
      expect(octree.firstHit({ origin: { x: 3, y: 1e-9, z: -5 }, direction: { x: 0, y: 0, z: 1 } })?.body).toBe(
        bodies[1],
      );
    }
  });

  it('is exact towards 0, and rounds to the nearest double away from it; queries go by the rounded bounds', () => {
    const { octree, bodies } = octreeOf([
      [1000.1, 0, 0, 1000.7, 1, 1],
      [0.1, 0.1, 0.1, 0.2, 0.2, 0.2],
      [0.3, 0.3, 0.3, 0.1],
    ]);
    translate(octree, vector(-1000, 0, 0));
    expect(bodies[0].getBox().min.x).toBe(1000.1 - 1000);
    translate(octree, vector(1000, 2 ** 44, 0));
    expect(bodies[0].getBox().min.x).toBe(1000.1);
    expect(bodies[1].getBox().min.y).toBe(0.1 + 2 ** 44);
    expect(dataOf(octree.intersectPoint(vector(1000.1, 2 ** 44, 0)))).toEqual([0]);
    expect(validate(octree)).toEqual([]);
    translate(octree, vector(0, -(2 ** 44), 0));
    // A box that lost bits keeps its size when it is moved by its centre.
    bodies[1].setCenter(vector(0, 0, 0));
    expect(bodies[1].getBox().max.y).toBe((0.2 - 0.1) / 2);
  });

  it('relocates bodies whose centre is rounded to the other side of a cell border, although their bounds are not', () => {
    for (let distance = 1; distance <= 66; distance++) {
      const octree = new Octree<number>({ leafCapacity: 1 });
      for (let k = 0; k < 2; k++) octree.insert(shapeOf([127.99999999999999, 0, 0, 130, 0, 0]), k);
      octree.update();
      for (const x of [-1, -distance, distance, 1]) {
        translate(octree, vector(x, 0, 0));
        expect(validate(octree), `by ${x}`).toEqual([]);
      }
      octree.update();
      expect([validate(octree), dataOf(octree.intersectBox(all))]).toEqual([[], [0, 1]]);
    }
  });

  it('grows the region around a body of the root that is rounded out of it, unless the region is fixed', () => {
    // Its box was rounded to the region, and sticks out by 1/16 where coordinates have a bit more.
    const far = sphereOf([0, 0, -(2 ** 49), 0.03125205675822197]);
    const free = new Octree<number>({ looseness: 1 });
    const fixed = new Octree<number>({ looseness: 1, region: region(-(2 ** 49), 2 ** 50), outside: 'throw' });
    for (const octree of [free, fixed]) {
      octree.insert(far, 0);
      octree.insert(sphereOf([0, 0, 0, 0]), 1);
      octree.update();
      translate(octree, vector(0, 0, 1));
      expect(dataOf(octree.intersectPoint(vector(0, 0, -(2 ** 49) + 1)))).toEqual([0]);
      expect(validate(octree)).toEqual([]);
    }
    expect(free.region!.min.z).toBeLessThan(-(2 ** 49) + 1);
    expect(fixed.region).toEqual({ min: vector(-(2 ** 49), -(2 ** 49), -(2 ** 49) + 1), edge: 2 ** 50 });
  });

  it('records bodies that it places again as renewed, from which contacts learn of larger slot bounds', () => {
    const octree = new Octree<number>({ leafCapacity: 1 });
    const contacts = trackContacts(octree);
    for (let k = 0; k < 2; k++) octree.insert(shapeOf([127.99999999999999, 0, 0, 130, 0, 0]), k);
    octree.update();
    translate(octree, vector(-1, 0, 0));
    octree.update();
    const { changes } = octree.internals.store;
    expect(changes.renewed.length).toBe(0);
    translate(octree, vector(-64, 0, 0));
    expect([...changes.renewed.array.subarray(0, changes.renewed.length)].sort((a, b) => a - b)).toEqual([0, 1]);
    octree.update();
    expect([validate(octree), contacts.stayed.length]).toEqual([[], 2]);
  });

  it('applies first what is queued: inserts, moves, removals, and writes that a callback has left', () => {
    const { octree, bodies } = octreeOf([cube(0, 0, 0), cube(10, 0, 0), cube(20, 0, 0)]);
    octree.intersectBox(all, {
      filter: () => {
        bodies[0].setBox(boxOf(cube(5, 5, 5))).setMask(4);
        return false;
      },
    });
    bodies[1].setBox(boxOf(cube(50, 0, 0)));
    bodies[2].remove();
    octree.insert(boxOf(cube(7, 7, 7)), 3);
    translate(octree, vector(100, 0, 0));
    expect(octree.statistics.pending).toBe(0);
    expect([...octree].map((body) => [body.data, body.getBox().min.x])).toEqual([
      [0, 104.5],
      [1, 149.5],
      [3, 106.5],
    ]);
    expect(dataOf(octree.intersectBox(all, { mask: 4 }))).toEqual([0, 1, 3]);
  });

  it('keeps the margins of moving bodies, and the lifespans of empty leaves', () => {
    const octree = new Octree<number>({ leafCapacity: 1, region: region(-64, 128) });
    const bodies = [0, 1, 2, 3].map((k) => octree.insert(boxOf(cube(8 * k, 0, 0)), k));
    for (let step = 0; step < 8; step++) {
      for (const body of bodies) body.setCenter(vector(8 * body.data + step / 64, 0, 0));
      octree.update();
    }
    bodies[3].remove();
    octree.update();
    const { fatBounds } = octree.internals.store.tree.bodies;
    const before = [...fatBounds.subarray(0, 18)];
    const countdowns = sketch(octree).map(({ countdown, lifespan }) => [countdown, lifespan]);
    translate(octree, vector(1024, 0, 2));
    // Rounded inward to Float32.
    for (let k = 0; k < 18; k++)
      expect(Math.abs(fatBounds[k] - before[k] - [1024, 0, 2][k % 3])).toBeLessThan(2 ** -12);
    expect(sketch(octree).map(({ countdown, lifespan }) => [countdown, lifespan])).toEqual(countdowns);
    for (const body of bodies.slice(0, 3)) body.setCenter(vector(1024 + 8 * body.data + 8 / 64, 0, 2));
    // Inside their fat bounds.
    expect(octree.statistics.pending).toBe(0);
    expect(validate(octree)).toEqual([]);
  });

  it('moves the region of the option, its rule included; clear puts it back', () => {
    const octree = new Octree<number>({ region: region(0, 64), outside: 'throw' });
    translate(octree, vector(1000, 0, -64));
    expect(octree.region).toEqual({ min: vector(1000, 0, -64), edge: 64 });
    octree.insert(boxOf(cube(1032, 32, -32)), 0);
    expect(() => octree.insert(boxOf(cube(32, 32, 32)), 1)).toThrow(/^Octree\.insert: the bounds leave the region/);
    octree.clear();
    expect(octree.region).toEqual(region(0, 64));
    const empty = new Octree<number>();
    translate(empty, vector(8, 8, 8));
    expect(empty.region).toBeNull();
  });
});

interface WithReaders {
  readonly octree: Octree<number>;
  readonly bodies: Body<number>[];
  /** What the next update reports: contacts begun and ended, then entered and left of each sensor, then bands. */
  readonly changes: () => number[][];
}

function octreeWithReaders(shapes: readonly Shape[]): WithReaders {
  const { octree, bodies } = octreeOf(shapes);
  const contacts = trackContacts(octree);
  const sensors = [
    watch(octree, boxOf(cube(0, 0, 0, 5))),
    watch(octree, sphereOf([0, 0, 0, 5])),
    watch(octree, planesOf(planesOfBox(cube(0, 0, 0, 5)))),
  ];
  const bands = watchDistances(octree, vector(0, 0, 0), [5, 25]);
  const changes = (): number[][] => {
    octree.update();
    return [
      contacts.began,
      contacts.ended,
      ...sensors.flatMap(({ entered, left }) => [entered, left]),
      bands.changed,
    ].map(({ array, length }) => [...array.subarray(0, length)]);
  };
  return { octree, bodies, changes };
}

describe('translate with contacts, sensors and bands', () => {
  const nothing = [[], [], [], [], [], [], [], [], []];

  it.each([1, 12])(
    'reports nothing that has not happened, and then what happens: sensors and bands have moved along (after %s updates)',
    (updates) => {
      const { octree, bodies, changes } = octreeWithReaders([
        cube(0, 0, 0),
        cube(1, 0, 0),
        cube(20, 0, 0),
        [3, 0, 0, 0.5],
      ]);
      for (let k = 0; k < updates; k++) changes();
      for (const by of [
        [4096, 0, 0],
        [-7, 2 ** 30, 1],
        [1, 1, 1],
      ]) {
        translate(octree, vector(by[0], by[1], by[2]));
        expect(changes()).toEqual(nothing);
      }
      translate(octree, vector(0, -(2 ** 30), 0));
      bodies[0].setBox(boxOf(cube(4090 + 20, 1, 2)));
      expect(changes()).toEqual([[0, 2], [0, 1], [], [0], [], [0], [], [0], [0, 0, 1]]);
      expect(changes()).toEqual(nothing);
    },
  );

  it('reports a move before the translation, and one after it, in the same update', () => {
    const { octree, bodies, changes } = octreeWithReaders([cube(0, 0, 0), cube(20, 0, 0), cube(-20, 0, 0)]);
    changes();
    bodies[1].setBox(boxOf(cube(1, 0, 0)));
    translate(octree, vector(512, 0, 0));
    bodies[2].setBox(boxOf(cube(511, 0, 0)));
    expect(changes()).toEqual([[0, 1, 0, 2], [], [1, 2], [], [1, 2], [], [1, 2], [], [1, 1, 0, 2, 1, 0]]);
  });

  it('forgets how far bodies may move before their next test: contacts and tracked callbacks miss nothing', () => {
    const octree = new Octree<number>({ region: region(-256, 512) });
    const contacts = trackContacts(octree);
    let calls = 0;
    // They come nearer, so that their fat bounds overlap long before they touch.
    const left = octree.insert(boxOf(cube(0, 0, 0)), 0);
    onIntersection(octree, left, () => calls++);
    const right = octree.insert(boxOf(cube(60, 0, 0)), 1);
    octree.update();
    const tick = (x: number): number[] => {
      left.setCenter(vector(x, 0, 0));
      calls = 0;
      octree.update();
      return [contacts.began.length, contacts.ended.length, calls];
    };
    for (let k = 1; k <= 12; k++) {
      right.setCenter(vector(60 - k / 2, 0, 0));
      expect(tick(k / 2)).toEqual([0, 0, 0]);
    }
    translate(octree, vector(1024, 0, 0));
    expect(tick(1024 + 20)).toEqual([0, 0, 0]);
    expect(tick(1024 + 53.5)).toEqual([2, 0, 1]);
    expect(tick(1024 + 22)).toEqual([0, 2, 0]);
  });

  it('goes on with onIntersection', () => {
    const octree = new Octree<number>();
    let calls = 0;
    onIntersection(octree, octree.insert(boxOf(cube(0, 0, 0)), 0), () => calls++);
    const other = octree.insert(boxOf(cube(1, 0, 0)), 1);
    for (let k = 1; k <= 20; k++) {
      if (k % 3 === 0) translate(octree, vector(1000, 1, 0));
      octree.update();
      expect(calls).toBe(k);
    }
    other.setBox(boxOf(cube(1, 0, 0)));
    octree.update();
    expect(calls).toBe(20);
  });
});

describe('translate, bad input', () => {
  it('refuses vectors that are not integers, before anything changes', () => {
    const { octree } = octreeOf([cube(0, 0, 0), [5, 0, 0, 2]]);
    const by =
      (x: unknown): (() => unknown) =>
      () =>
        translate(octree, vector(8, x as number, 8));
    for (const x of [0.5, 5e-324, 2 ** 51 + 1, -(2 ** 60), NaN, Infinity, -Infinity])
      expectRejection(
        octree,
        by(x),
        RangeError,
        /^translate: vector\.y must be an integer within \+-2\^51, but is .*; round it to an integer\.$/,
      );
    for (const x of ['1', undefined, null])
      expectRejection(octree, by(x), TypeError, /^translate: vector\.y must be a number/);
    expectRejection(
      octree,
      () => translate(octree, 7 as never),
      TypeError,
      /^translate: vector must be an object, but is 7; pass a Vector3 or \{x, y, z\}\.$/,
    );
    expectRejection(
      octree,
      () => translate(octree, undefined as never),
      TypeError,
      /^translate: vector must be an object/,
    );
  });

  it('refuses to move bodies, the region or sensors too far out, and changes nothing', () => {
    const far = 2 ** 50;
    const box = octreeOf([cube(0, 0, 0), [far - 8, 0, 0, far - 4, 1, 1]]).octree;
    expectRejection(
      box,
      () => translate(box, vector(8, 0, 0)),
      RangeError,
      /^translate: vector would move body 1 beyond \+-2\^50, but is \(8, 0, 0\); pass a shorter one, or remove the body first\.$/,
    );
    translate(box, vector(4, 0, 0));
    expect([box.getBoxAt(1).max.x, validate(box)]).toEqual([far, []]);
    translate(box, vector(-far, 0, 0));
    expect([box.getBoxAt(1).max.x, box.getBoxAt(0).min.x, validate(box)]).toEqual([0, 3.5 - far, []]);
    // Half sizes of boxes that would be rounded are not stored then.
    const rounded = octreeOf([cube(0.1, 0.1, 0.1), [far - 8, 0, 0, far - 4, 1, 1]]).octree;
    expectRejection(rounded, () => translate(rounded, vector(8, 0, 0)), RangeError, /move body 1 beyond/);
    expect(rounded.internals.store.tree.bodies.halfSizes.length).toBe(0);
    const sphere = octreeOf([[0, 0, 16 - far, 16]]).octree;
    expectRejection(sphere, () => translate(sphere, vector(0, 0, -1)), RangeError, /move body 0 beyond/);
    const wide = new Octree<number>({ region: region(-(2 ** 50), 2 ** 51) });
    expectRejection(
      wide,
      () => translate(wide, vector(0, far + 1, 0)),
      RangeError,
      /^translate: vector would move the region beyond \+-2\^51, but is \(0, 1125899906842625, 0\); pass a shorter one\.$/,
    );
    // Up to the limit.
    translate(wide, vector(0, far, 0));
    expect(wide.region!.min.y + wide.region!.edge).toBe(2 ** 51);
    translate(wide, vector(0, -far, 0));
    const watching = octreeOf([cube(0, 0, 0)]).octree;
    const sensor = watch(watching, boxOf(cube(0, far - 5, 0, 5)));
    expectRejection(watching, () => translate(watching, vector(0, far + 1, 0)), RangeError, /move body 0 beyond/);
    watching.clear();
    expectRejection(
      watching,
      () => translate(watching, vector(0, far + 1, 0)),
      RangeError,
      /^translate: vector would move a sensor beyond \+-2\^51, but is \(0, 1125899906842625, 0\); pass a shorter one, or stop the sensor first\.$/,
    );
    sensor.stop();
    translate(watching, vector(0, far + 1, 0));
  });

  it('refuses to run in callbacks', () => {
    const { octree } = octreeOf([cube(0, 0, 0)]);
    const sentence = 'translate: must not be called from a callback of a query or of update; call it afterwards.';
    const attempt = (): boolean => {
      translate(octree, vector(1, 0, 0));
      return true;
    };
    expect(() => octree.intersectBox(all, { filter: attempt })).toThrow(sentence);
    expect(() => octree.visitNodes(attempt)).toThrow(sentence);
    octree.insert(boxOf(cube(9, 0, 0)), 1, { update: attempt });
    expect(() => octree.update()).toThrow(sentence);
    expect(collected((list) => octree.collectPoint(vector(0, 0, 0), list))).toEqual([0]);
  });

  it('does nothing for a vector of length 0: not even the queue is applied', () => {
    const { octree } = octreeOf([cube(0, 0, 0)]);
    translate(octree, vector(0, -0, 0));
    expect(octree.statistics.pending).toBe(1);
    expect(ownerOf(octree, octree.bodyAt(0)).bodies).toEqual([0]);
  });
});

describe('translate with a looseness whose cells are rounded', () => {
  it.each([1.3, 2])('stays valid, and equals a loop over all bodies, far out and back: looseness %s', (looseness) => {
    const random = createRandom(7);
    const octree = new Octree<number>({ looseness, leafCapacity: 2 });
    const bruteForce = new BruteForce();
    const bodies = uniform(200, 9).map((shape, k) => octree.insert(shapeOf(shape), k));
    const contacts = trackContacts(octree);
    for (let step = 0; step < 12; step++) {
      for (const body of bodies)
        if (body.data % 3 === 0)
          body.setCenter(body.getBox().getCenter(new Vector3()).addScalar(random.between(-0.3, 0.3)));
      octree.update();
      const far = step % 2 === 0 ? 1 : -1;
      translate(octree, vector(far * 2 ** (20 + 2 * step), far * (3 * step + 1), 0));
      expect(validate(octree)).toEqual([]);
      octree.update();
      for (const body of bodies) {
        const { center, radius } = body.getSphere();
        const { min, max } = body.getBox();
        if (body.kind === 'sphere') bruteForce.setSphere(body.index, [...center.toArray(), radius]);
        else bruteForce.setBox(body.index, [...min.toArray(), ...max.toArray()]);
      }
      expect(contacts.count).toBe(bruteForce.pairs().length);
      octree.update();
      expect([contacts.began.length, contacts.ended.length]).toEqual([0, 0]);
    }
  });
});
