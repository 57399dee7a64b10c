import { Box3, Plane, Vector3 } from 'three';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PlaneLike, QueryStats } from '../../../src/index.ts';
import { collect, Convex, IndexList, intersect } from '../../../src/index.ts';
import { BruteForce } from '../../../src/debug/reference/brute-force.ts';
import { touchesVolume } from '../../../src/debug/reference/frustum.ts';
import { collected, dataOf, octreeOf } from '../../support/octrees.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { expectRejection } from '../../support/rejects.ts';
import { uniform } from '../../support/scenes.ts';
import { cube, planesOf, planesOfBox, shapeOf, type Shape } from '../../support/shapes.ts';
import { freeMemories } from '../../support/wasm.ts';

beforeAll(freeMemories);

function planes(...numbers: readonly (readonly number[])[]): readonly PlaneLike[] {
  return planesOf(numbers).planes;
}

function found(shapes: readonly Shape[], volume: readonly PlaneLike[]): number[] {
  const { octree } = octreeOf(shapes);
  const data = dataOf(intersect(octree, new Convex(volume)));
  expect(collected((list) => collect(octree, new Convex(volume), list)).sort((a, b) => a - b)).toEqual(data);
  return data;
}

/** x, y, z >= 0 and x + y + z <= 6. */
const tetrahedron = [
  [1, 0, 0, 0],
  [0, 1, 0, 0],
  [0, 0, 1, 0],
  [-1, -1, -1, 6],
] as const;

describe('intersect with a Convex', () => {
  it('drops what touches the inner side of every plane, but not the volume', () => {
    const wedge = planes([1, 1, 0, 0], [-1, 1, 0, 0]);
    const shapes = [
      [-10, -4, 0, 10, -1, 1],
      [-10, -4, 0, 10, 0, 1],
      [0, -3, 0, 2.5],
      [0, -3, 0, 3],
    ];
    expect(dataOf(octreeOf(shapes).octree.intersectFrustum({ planes: wedge }))).toEqual([0, 1, 2, 3]);
    expect(found(shapes, wedge)).toEqual([1, 3]);
  });

  it('counts touching: a box at a face, an edge and a corner, a sphere at each of them', () => {
    const volume = planes(...tetrahedron);
    expect(
      found(
        [
          [-2, 1, 1, 0, 2, 2],
          [-2, -2, 1, 0, 0, 2],
          [-1, -1, -1, 0, 0, 0],
          [6, -1, -1, 7, 0, 0],
        ],
        volume,
      ),
    ).toEqual([0, 1, 2, 3]);
    expect(
      found(
        [
          [-2, 1, 1, -0.001, 2, 2],
          [-2, -2, 1, -0.001, 0, 2],
          [-1, -1, -1, 0, 0, -0.001],
          [6.001, -1, -1, 7, 0, 0],
        ],
        volume,
      ),
    ).toEqual([]);
    // 5 from an edge, 7 from a corner, and 3 from a face.
    expect(
      found(
        [
          [-3, -4, 1, 5],
          [-2, -3, -6, 7],
          [1, -3, 1, 3],
        ],
        volume,
      ),
    ).toEqual([0, 1, 2]);
    expect(
      found(
        [
          [-3, -4, 1, 4.999],
          [-2, -3, -6, 6.999],
          [1, -3, 1, 2.999],
        ],
        volume,
      ),
    ).toEqual([]);
    // Two edges that cross: no face of either separates them.
    expect(found([[3.1, 3.1, -2, 5, 5, 2]], volume)).toEqual([]);
    expect(found([[3, 3, -2, 5, 5, 2]], volume)).toEqual([0]);
  });

  it('takes planes that do not close, none at all, and normals of any length', () => {
    const shapes = [cube(5, 0, 0), cube(-5, 0, 0), cube(0, 900, 0)];
    expect(found(shapes, planes())).toEqual([0, 1, 2]);
    expect(found(shapes, planes([7, 0, 0, 0]))).toEqual([0, 2]);
    expect(found(shapes, planes([1e-9, 0, 0, 0], [0, -3, 0, 3]))).toEqual([0]);
    // A slab, a line along z, and the plane x = 5.
    expect(found(shapes, planes([1, 0, 0, 6], [-1, 0, 0, -4]))).toEqual([1]);
    expect(found(shapes, planes([1, 0, 0, -5.5], [-1, 0, 0, 5.5], [0, 1, 0, 0], [0, -1, 0, 0]))).toEqual([0]);
    expect(found(shapes, planes([1, 0, 0, -5], [-1, 0, 0, 5]))).toEqual([0]);
    expect(found(shapes, [...planes([1, 0, 0, 0]), { normal: { x: 0, y: 0, z: 0 }, constant: Infinity }])).toEqual([
      0, 2,
    ]);
  });

  it('finds nothing in an empty volume, even where a body touches every plane', () => {
    expect(found([cube(0, 0, 0, 50)], planes([1, 0, 0, -1], [-1, 0, 0, -1]))).toEqual([]);
    // No two of them exclude each other.
    const shaft = [0, 120, 240].map((degrees) => [
      Math.cos((degrees * Math.PI) / 180),
      Math.sin((degrees * Math.PI) / 180),
      0,
      -1,
    ]);
    expect(found([cube(0, 0, 0, 50), [0, 0, 0, 60]], planes(...shaft))).toEqual([]);
    expect(dataOf(octreeOf([cube(0, 0, 0, 50)]).octree.intersectFrustum({ planes: planes(...shaft) }))).toEqual([0]);
  });

  it('does not mind planes twice, and planes that do not matter', () => {
    const more = [
      ...tetrahedron,
      ...tetrahedron,
      [2, 0, 0, 0],
      [1, 0, 0, 500],
      ...planesOfBox([-90, -90, -90, 90, 90, 90]),
    ];
    const shapes = [...uniform(300, 12, 8, 2), cube(0, 0, 0, 70)];
    expect(found(shapes, planes(...more))).toEqual(found(shapes, planes(...tetrahedron)));
  });

  it.each([1, 2, 3])(
    'keeps what touches the volume of random planes, and drops what is clear of it: seed %d',
    (seed) => {
      const random = createRandom(seed);
      const shapes = uniform(120, seed, 30, 8);
      const { octree } = octreeOf(shapes, { simdFrom: seed === 1 ? 0 : Infinity });
      const bruteForce = new BruteForce();
      for (const [index, shape] of shapes.entries()) {
        if (shape.length === 6) bruteForce.setBox(index, shape);
        else bruteForce.setSphere(index, [shape[0], shape[1], shape[2], shape[3]]);
      }
      let [kept, dropped] = [0, 0];
      for (let k = 0; k < 5; k++) {
        const volume = randomPlanes(random, 2 + k);
        const results = new Set(collected((list) => collect(octree, new Convex(planes(...volume)), list)));
        dropped += collected((list) => octree.collectFrustum(planesOf(volume), list)).length - results.size;
        kept += results.size;
        for (const body of bruteForce.bodies()) {
          if (touchesVolume(body, volume, 0)) expect(results).toContain(body.index);
          else if (results.has(body.index)) expect(touchesVolume(body, volume, 1e-8)).toBe(true);
        }
      }
      expect(Math.min(kept, dropped)).toBeGreaterThan(3);
    },
  );

  it('a plane far from a body does not raise the tolerance, on both sides', () => {
    // The sphere touches z = 0 at the origin, and x = 1 at z = 0.008; the last plane contains everything.
    const volume = [
      [0, 0, -1, 0],
      [1, 0, 0, -1],
      [1, 0, 0, 2 ** 49],
    ];
    const bruteForce = new BruteForce();
    bruteForce.setSphere(0, [0, 0, 64, 64]);
    expect(bruteForce.convex(volume)).toEqual([]);
    expect(found([[0, 0, 64, 64]], planes(...volume))).toEqual([]);
  });

  it('takes more than 30 planes', () => {
    // The planes that touch a sphere of radius 10 along a spiral.
    const round = Array.from({ length: 40 }, (_, k) => {
      const [z, angle] = [1 - (2 * k + 1) / 40, k * 2.4];
      const across = Math.sqrt(1 - z * z);
      return [across * Math.cos(angle), across * Math.sin(angle), z, 10];
    });
    const shapes = uniform(200, 4, 20, 2);
    const { octree } = octreeOf(shapes);
    const inside = shapes
      .map((shape, index) =>
        shape.length === 4 && Math.hypot(shape[0], shape[1], shape[2]) - shape[3] <= 10 ? index : -1,
      )
      .filter((index) => index >= 0);
    const results = collected((list) => collect(octree, new Convex(planes(...round)), list));
    expect(inside.length).toBeGreaterThan(3);
    for (const index of inside) expect(results).toContain(index);
    expect(results.length).toBeLessThan(200);
  });

  it('writes records as a frustum without a near plane, and obeys mask, filter, except, stats and candidates', () => {
    const { octree, bodies } = octreeOf([[1, 1, 1, 2, 2, 2], [0, 0, 0, 1], cube(-50, 0, 0)]);
    const volume = planes(...tetrahedron);
    const records = intersect(octree, new Convex(volume)).sort((a, b) => a.body.index - b.body.index);
    expect(records.map(({ inside, distance, position }) => [inside, distance, position.toArray()])).toEqual([
      [true, 0, [1.5, 1.5, 1.5]],
      [false, 0, [0, 0, 0]],
    ]);
    expect(intersect(octree, new Convex(volume), { mask: 0 })).toEqual([]);
    expect(dataOf(intersect(octree, new Convex(volume), { except: bodies[0] }))).toEqual([1]);
    expect(dataOf(intersect(octree, new Convex(volume), { filter: ({ data }) => data === 0 }))).toEqual([0]);
    const stats: QueryStats = { nodesVisited: 0, nodesContained: 0, bodiesTested: 0, bodiesReported: 0 };
    collect(octree, new Convex(volume), new IndexList(), { stats, candidates: true });
    expect(stats.bodiesReported).toBeGreaterThanOrEqual(2);
  });

  it("takes three's planes", () => {
    const { octree } = octreeOf([cube(3, 0, 0), cube(9, 0, 0)]);
    const room = new Box3(new Vector3(0, -1, -1), new Vector3(5, 1, 1));
    const walls = [new Plane(new Vector3(1, 0, 0), -room.min.x), new Plane(new Vector3(-1, 0, 0), room.max.x)];
    expect(dataOf(intersect(octree, new Convex(walls)))).toEqual([0]);
  });

  it('rejects bad planes with a sentence', () => {
    const { octree } = octreeOf([cube(0, 0, 0)]);
    expectRejection(
      octree,
      () => intersect(octree, new Convex(null as never)),
      TypeError,
      /Convex: planes must be an array, but is null; pass an array of Plane/,
    );
    expectRejection(
      octree,
      () => intersect(octree, new Convex({ planes: 5 } as never)),
      TypeError,
      /planes must be an array/,
    );
    expectRejection(
      octree,
      () => intersect(octree, new Convex([...planes([1, 0, 0, 1]), null as never])),
      TypeError,
      /planes\[1\] must be an object/,
    );
    expectRejection(
      octree,
      () => intersect(octree, new Convex([{ constant: 1 } as never])),
      TypeError,
      /planes\[0\]\.normal must be an object, but is undefined/,
    );
    expectRejection(
      octree,
      () => intersect(octree, new Convex(planes([0, 0, 0, 1]))),
      RangeError,
      /planes\[0\]\.normal must have a length/,
    );
    expectRejection(
      octree,
      () => intersect(octree, new Convex(planes([1, 0, 0, 1], [0, NaN, 0, 1]))),
      RangeError,
      /planes\[1\]\.normal\.y/,
    );
    expectRejection(
      octree,
      () => collect(octree, new Convex(planes([1, 0, 0, Infinity])), new IndexList()),
      RangeError,
      /planes\[0\]\.constant/,
    );
  });
});

const ANGLES = [2, 0.5, 0.1, 1e-2, 1e-3, 1e-4];
const PLACES = [0, 1, 1e3, 1e6, 1e9];
const RADII = [0, 1e-3, 1, 100];

describe('a wedge and bodies before its edge', () => {
  const cases = ANGLES.flatMap((angle) => PLACES.map((place) => ({ angle, place })));

  it.each(cases)(
    'touch up to a gap of 1e-9 of their largest coordinate, whatever else is in the scene: angle $angle, place $place',
    ({ angle, place }) => {
      const random = createRandom(Math.round(place + 1 / angle));
      const wrong: unknown[] = [];
      for (const others of ['none', 'moving', 'far'] as const) {
        for (let k = 0; k < 6; k++) {
          // A random orthonormal frame: along the edge, from the edge into the wedge, and across it.
          const along = unit([0, 1, 2].map(() => random.between(-1, 1)));
          const inward = unit(cross(along, unit([0, 1, 2].map(() => random.between(-1, 1)))));
          const across = cross(along, inward);
          const edge = [0, 1, 2].map(() => place * random.between(-1, 1));
          const volume = [1, -1].map((side) => {
            const normal = [0, 1, 2].map(
              (axis) => Math.sin(angle / 2) * inward[axis] + side * Math.cos(angle / 2) * across[axis],
            );
            return [...normal, -dotOf(normal, edge)];
          });
          // From the edge to the nearest point of a body: any direction from which the edge is nearest.
          const turn = random.between(-0.9, 0.9) * (Math.PI / 2 - angle / 2);
          const out = [0, 1, 2].map((axis) => -Math.cos(turn) * inward[axis] + Math.sin(turn) * across[axis]);
          for (const radius of RADII) {
            for (const isBox of [false, true]) {
              const size = (isBox ? 2 : 1) * radius;
              const largest = Math.max(...edge.map(Math.abs), radius) + radius;
              const sharpness = Math.max(1, 1e-3 / angle);
              const gap = 1.1e-9 * sharpness * Math.max(largest, 1e-3);
              const inside = 1e-11 * sharpness * Math.max(largest, 1e-3);
              const shapes = [0, 1].map((k) => {
                const point = edge.map((value, axis) => value + (k === 0 ? gap * out[axis] : inside * inward[axis]));
                if (!isBox) return [...point.map((value, axis) => value + out[axis] * radius), radius];
                const ends = point.map((value, axis) => value + Math.sign(out[axis]) * size);
                return [
                  ...point.map((v, axis) => Math.min(v, ends[axis])),
                  ...point.map((v, axis) => Math.max(v, ends[axis])),
                ];
              });
              const { octree, bodies } = octreeOf(shapes);
              if (others === 'far') octree.insert(shapeOf(cube(0, -1e12, 0)), 2);
              if (others === 'moving') {
                const ball = octree.insert(shapeOf([place, place, 40 + place, 1]), 2);
                for (let tick = 0; tick < 4; tick++) {
                  ball.setCenter({ x: place, y: place, z: 40 + 9 * tick + place });
                  octree.update();
                }
              }
              const results = dataOf(
                intersect(octree, new Convex(planes(...volume)), { filter: ({ data }) => data < 2 }),
              );
              if (results.join() !== '1') wrong.push({ others, isBox, radius, results, bodies: bodies.length });
            }
          }
        }
      }
      expect(wrong).toEqual([]);
    },
  );
});

function dotOf(a: readonly number[], b: readonly number[]): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function cross(a: readonly number[], b: readonly number[]): number[] {
  return [0, 1, 2].map((k) => a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3]);
}

function unit(vector: readonly number[]): number[] {
  return vector.map((value) => value / Math.hypot(...vector));
}

/** Half spaces that contain the origin, or nearly. */
function randomPlanes(random: Random, count: number): number[][] {
  return Array.from({ length: count }, () => {
    const normal = [0, 1, 2].map(() => random.between(-1, 1));
    return [...normal, random.between(-1, 8) * Math.hypot(...normal)];
  });
}
