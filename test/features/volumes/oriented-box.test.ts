import { Box3, Matrix3, Matrix4, Sphere, Vector3 } from 'three';
import { OBB } from 'three/addons/math/OBB.js';
import { beforeAll, describe, expect, it } from 'vitest';
import type { IntersectionRecord, OrientedBoxLike, QueryStats } from '../../../src/index.ts';
import { collect, IndexList, intersect, Octree, OrientedBox } from '../../../src/index.ts';
import { collected, dataOf, octreeOf } from '../../support/octrees.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { expectRejection } from '../../support/rejects.ts';
import { uniform } from '../../support/scenes.ts';
import { boxOf, point, sphereOf, type Shape } from '../../support/shapes.ts';
import { freeMemories } from '../../support/wasm.ts';

beforeAll(freeMemories);

const unit = [0, 0, 0, 2, 2, 2];
const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1];
const ROOT_HALF = Math.SQRT1_2;
/** Turned about z by 45 degrees. */
const DIAGONAL = [ROOT_HALF, ROOT_HALF, 0, -ROOT_HALF, ROOT_HALF, 0, 0, 0, 1];

function oriented(
  center: readonly number[],
  halfSize: readonly number[],
  elements: readonly number[] = IDENTITY,
): OrientedBoxLike {
  return { center: point(center), halfSize: point(halfSize), rotation: { elements } };
}

function touches(body: Shape, query: OrientedBoxLike): boolean {
  return intersect(octreeOf([body]).octree, new OrientedBox(query)).length === 1;
}

function contact(body: Shape, query: OrientedBoxLike): IntersectionRecord<number> {
  return intersect(octreeOf([body]).octree, new OrientedBox(query))[0];
}

function turned(random: Random): number[] {
  const matrix = new Matrix4().makeRotationAxis(
    new Vector3(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)).normalize(),
    random.between(-3, 3),
  );
  return new Matrix3().setFromMatrix4(matrix).elements;
}

function randomBox(random: Random, extent = 60, size = 12): OrientedBoxLike {
  const triple = (from: number, to: number): number[] => [0, 1, 2].map(() => random.between(from, to));
  return oriented(triple(-extent, extent), triple(0, size), turned(random));
}

describe('intersect with an OrientedBox', () => {
  it('not turned gives the results of intersectBox, touching included', () => {
    const { octree } = octreeOf(uniform(400, 3, 60));
    const random = createRandom(2);
    for (let k = 0; k < 60; k++) {
      const center = [0, 1, 2].map(() => Math.round(random.between(-30, 30)));
      const half = [0, 1, 2].map(() => random.below(12));
      const box = boxOf([...center.map((c, axis) => c - half[axis]), ...center.map((c, axis) => c + half[axis])]);
      expect(dataOf(intersect(octree, new OrientedBox(oriented(center, half))))).toEqual(
        dataOf(octree.intersectBox(box)),
      );
    }
    expect(touches(unit, oriented([3, 1, 1], [1, 1, 1]))).toBe(true);
    expect(touches(unit, oriented([3, 3, 3], [1, 1, 1]))).toBe(true);
    expect(touches(unit, oriented([3, 1, 1], [1 - 2 ** -50, 1, 1]))).toBe(false);
    expect(touches([4, 0, 0, 1], oriented([1, 0, 0], [2, 0, 0]))).toBe(true);
    expect(touches([4, 0, 0, 1 - 2 ** -50], oriented([1, 0, 0], [2, 0, 0]))).toBe(false);
  });

  it('turned by 45 degrees reaches as far as its edge, and leaves out what only its surroundings touch', () => {
    const reach = Math.SQRT2;
    expect(touches([0, -1, -1, 2, 1, 1], oriented([2 + reach - 1e-12, 0, 0], [1, 1, 1], DIAGONAL))).toBe(true);
    expect(touches([0, -1, -1, 2, 1, 1], oriented([2 + reach + 1e-12, 0, 0], [1, 1, 1], DIAGONAL))).toBe(false);
    expect(touches([1.2, 1.2, 0, 2, 2, 1], oriented([0, 0, 0], [1, 1, 1], DIAGONAL))).toBe(false);
    expect(touches([1.2, 1.2, 0, 0.9], oriented([0, 0, 0], [1, 1, 1], DIAGONAL))).toBe(true);
  });

  it('is separated by the cross product of two edges', () => {
    // Turned about z, then about x: edges of the two boxes pass each other, and no face of either separates them.
    const elements = new Matrix3().setFromMatrix4(
      new Matrix4().makeRotationX(Math.PI / 4).multiply(new Matrix4().makeRotationZ(Math.PI / 4)),
    ).elements;
    const at = (distance: number): boolean =>
      touches([-1, -1, -1, 1, 1, 1], oriented([distance, distance, 0], [1, 1, 1], elements));
    let [near, far] = [0, 10];
    for (let k = 0; k < 60; k++)
      [near, far] = at((near + far) / 2) ? [(near + far) / 2, far] : [near, (near + far) / 2];
    expect(at(near - 1e-9)).toBe(true);
    expect(at(far + 1e-9)).toBe(false);
    expect(
      new OBB(new Vector3(near, near, 0), new Vector3(1, 1, 1), new Matrix3().fromArray(elements)).intersectsOBB(
        new OBB(new Vector3(), new Vector3(1.000001, 1.000001, 1.000001)),
      ),
    ).toBe(true);
    expect(
      new OBB(new Vector3(far, far, 0), new Vector3(1, 1, 1), new Matrix3().fromArray(elements)).intersectsOBB(
        new OBB(new Vector3(), new Vector3(0.999999, 0.999999, 0.999999)),
      ),
    ).toBe(false);
  });

  it('agrees with the OBB of three, wherever rounding cannot decide, in JavaScript and in WebAssembly', () => {
    const shapes = uniform(300, 5, 100, 16);
    const random = createRandom(7);
    const octrees = [0, Infinity].map((simdFrom) => octreeOf(shapes, { simdFrom }).octree);
    const counts = { found: 0, outside: 0 };
    for (let k = 0; k < 40; k++) {
      const query = randomBox(random, 50, 20);
      const obb = (extra: number): OBB =>
        new OBB(
          new Vector3().copy(query.center),
          new Vector3().copy(query.halfSize).addScalar(extra),
          new Matrix3().fromArray([...(query.rotation.elements as number[])]),
        );
      const hits = (extra: number): number[] =>
        shapes.flatMap((shape, index) => {
          const isHit =
            shape.length === 6
              ? obb(extra).intersectsBox3(new Box3(new Vector3(...shape.slice(0, 3)), new Vector3(...shape.slice(3))))
              : obb(extra).intersectsSphere(new Sphere(new Vector3(...shape.slice(0, 3)), shape[3]));
          return isHit ? [index] : [];
        });
      const [inner, outer] = [hits(-1e-6), hits(1e-6)];
      for (const octree of octrees) {
        const found = dataOf(intersect(octree, new OrientedBox(query)));
        expect(found.filter((index) => !outer.includes(index))).toEqual([]);
        expect(inner.filter((index) => !found.includes(index))).toEqual([]);
        expect(collected((list) => collect(octree, new OrientedBox(query), list)).length).toBe(found.length);
        counts.found += found.length;
        counts.outside += shapes.length - found.length;
      }
    }
    expect(counts.found).toBeGreaterThan(500);
    expect(counts.outside).toBeGreaterThan(500);
  });

  it('reports the contact with the least depth: faces, edges, spheres outside and inside', () => {
    const face = contact(unit, oriented([3.5, 1, 1], [2, 1, 1]));
    expect(face).toMatchObject({ position: point([2, 1, 1]), normal: point([1, 0, 0]), distance: -0.5, inside: false });
    // An edge of the turned box looks into the face x = 2.
    const edge = contact([0, -3, -3, 2, 3, 3], oriented([3, 0, 0], [1, 1, 1], DIAGONAL));
    expect(edge.distance).toBeCloseTo(1 - Math.SQRT2, 12);
    expect(edge.position.toArray()).toEqual([2, 0, 0]);
    expect(edge.normal.toArray()).toEqual([1, 0, 0]);
    // A corner of the body looks into a face of the turned box.
    const corner = contact([0, 0, -1, 2, 2, 1], oriented([3, 3, 0], [2, 9, 9], DIAGONAL));
    expect(corner.normal.x).toBeCloseTo(ROOT_HALF, 12);
    expect(corner.normal.y).toBeCloseTo(ROOT_HALF, 12);
    expect(corner.distance).toBeCloseTo(Math.SQRT2 - 2, 12);
    expect(corner.position.toArray().slice(0, 2)).toEqual([2, 2]);
    const sphere = contact([4, 0, 0, 3], oriented([0, 0, 0], [1, 1, 1], DIAGONAL));
    expect(sphere.distance).toBeCloseTo(4 - Math.SQRT2 - 3, 12);
    expect(sphere.normal.x).toBeCloseTo(-1, 12);
    const inner = contact([0.5, 0, 0, 0.25], oriented([0, 0, 0], [1, 2, 3]));
    expect(inner).toMatchObject({
      distance: -0.75,
      normal: point([-1, 0, 0]),
      position: point([0.25, 0, 0]),
      inside: true,
    });
  });

  it('is separated from every body when it moves by the depth along the normal', () => {
    const random = createRandom(11);
    const { octree, bodies } = octreeOf(uniform(250, 12, 60, 10));
    let count = 0;
    for (let k = 0; k < 30; k++) {
      const query = randomBox(random, 30, 10);
      for (const { body, normal, distance } of intersect(octree, new OrientedBox(query))) {
        count++;
        expect(normal.length()).toBeCloseTo(1, 9);
        const moved = (depth: number): OrientedBoxLike => ({
          ...query,
          center: new Vector3().copy(query.center).addScaledVector(normal, depth),
        });
        const isHit = (depth: number): boolean =>
          intersect(octree, new OrientedBox(moved(depth)), { filter: (other) => other === bodies[body.data] })
            .length === 1;
        expect([isHit(1e-9 - distance), isHit(-1e-9 - distance)]).toEqual([false, true]);
      }
    }
    expect(count).toBeGreaterThan(100);
  });

  it('takes boxes without thickness, enormous boxes, and rotations with small errors', () => {
    expect(touches(unit, oriented([1, 1, 1], [0, 0, 0], DIAGONAL))).toBe(true);
    expect(touches([1, 1, 1, 1, 1, 1], oriented([1, 1, 1], [0, 5, 5], DIAGONAL))).toBe(true);
    const { octree } = octreeOf([unit, [2 ** 50, 2 ** 50, 2 ** 50, 2 ** 50, 2 ** 50, 2 ** 50]]);
    for (const half of [2 ** 53, 1e200, Number.MAX_VALUE]) {
      const records = intersect(octree, new OrientedBox(oriented([0, 0, 0], [half, half, half], DIAGONAL)));
      expect(records.map(({ inside, distance }) => [inside, Number.isFinite(distance)])).toEqual([
        [true, true],
        [true, true],
      ]);
    }
    const slightlyWrong = DIAGONAL.map((value, k) => value + (k % 2 === 0 ? 1e-8 : -1e-8));
    expect(touches(unit, oriented([1, 1, 1], [1, 1, 1], slightlyWrong))).toBe(true);
    expect(
      touches(
        unit,
        oriented(
          [1, 1, 1],
          [1, 1, 1],
          DIAGONAL.map((value, k) => (k > 5 ? -value : value)),
        ),
      ),
    ).toBe(true);
  });

  it('applies mask and filter, reuses a target, and reports candidates and costs', () => {
    const octree = new Octree<number>();
    for (const [k, x] of [0, 4, 8].entries()) octree.insert(sphereOf([x, 0, 0, 1]), k, { mask: k === 0 ? 1 : 2 });
    const row = oriented(
      [4, 0, 0],
      [5, 0.1, 0.1],
      DIAGONAL.map((_, k) => IDENTITY[k]),
    );
    const target = intersect(octree, new OrientedBox(row));
    const [first] = target;
    expect(dataOf(target)).toEqual([0, 1, 2]);
    expect(
      dataOf(intersect(octree, new OrientedBox(row), { mask: 2, filter: ({ data }) => data !== 1 }, target)),
    ).toEqual([2]);
    expect(target[0]).toBe(first);
    // Passes the corners of all boxes and misses the spheres.
    const corner = oriented([4, 0.9, 0.9], [5, 0.05, 0.05]);
    const stats = {} as QueryStats;
    expect(intersect(octree, new OrientedBox(corner))).toEqual([]);
    expect(dataOf(intersect(octree, new OrientedBox(corner), { candidates: true, stats }))).toEqual([0, 1, 2]);
    expect(stats).toMatchObject({ bodiesReported: 3 });
  });

  it('names field, value and remedy of a wrong argument', () => {
    const { octree } = octreeOf([unit]);
    const list = new IndexList();
    const reject = (query: unknown, errorClass: ErrorConstructor, sentence: RegExp): void =>
      expectRejection(octree, () => collect(octree, new OrientedBox(query as never), list), errorClass, sentence);
    const valid = oriented([0, 0, 0], [1, 1, 1]);
    reject(
      null,
      TypeError,
      /^OrientedBox: orientedBox must be an object, but is null; pass an OBB or \{center, halfSize, rotation\}\.$/,
    );
    reject({ ...valid, center: point([0, NaN, 0]) }, RangeError, /orientedBox\.center\.y must be finite, but is NaN/);
    reject({ ...valid, halfSize: 3 }, TypeError, /orientedBox\.halfSize must be an object, but is 3; pass a Vector3/);
    reject(
      { ...valid, halfSize: point([1, -1, 1]) },
      RangeError,
      /orientedBox\.halfSize\.y must be 0 or more, but is -1;/,
    );
    reject(
      { ...valid, halfSize: point([1, 1, Infinity]) },
      RangeError,
      /orientedBox\.halfSize\.z must be finite, but is Infinity; use a large number\.$/,
    );
    reject(
      { ...valid, rotation: null },
      TypeError,
      /orientedBox\.rotation must be an object, but is null; pass a Matrix3\.$/,
    );
    reject(
      { ...valid, rotation: new Matrix4() },
      RangeError,
      /orientedBox\.rotation\.elements must have nine numbers, but has 16; pass a Matrix3\.$/,
    );
    reject(
      { ...valid, rotation: new Matrix3().makeScale(2, 1) },
      RangeError,
      /orientedBox\.rotation must have perpendicular columns of length 1, but is \(2, 0, 0,/,
    );
    reject(
      { ...valid, rotation: { elements: [1, 0, 0, NaN, 1, 0, 0, 0, 1] } },
      RangeError,
      /orientedBox\.rotation\.elements\[3\] must be finite, but is NaN;/,
    );
  });
});
