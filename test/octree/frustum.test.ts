import { Box3, Frustum, Matrix4, PerspectiveCamera, Plane, Vector3 } from 'three';
import { beforeAll, describe, expect, it } from 'vitest';
import { IndexList, Octree } from '../../src/index.ts';
import { BruteForce } from '../../src/debug/reference/brute-force.ts';
import { touchesVolume } from '../../src/debug/reference/frustum.ts';
import { collected, dataOf, octreeOf } from '../support/octrees.ts';
import type { Random } from '../support/random.ts';
import { createRandom } from '../support/random.ts';
import { uniform } from '../support/scenes.ts';
import type { Shape } from '../support/shapes.ts';
import { cube, planesOf, planesOfBox } from '../support/shapes.ts';
import { validate } from '../../src/debug/index.ts';
import { IS_LONG } from '../support/sampled.ts';
import { freeMemories } from '../support/wasm.ts';

beforeAll(freeMemories);

const view = planesOf(planesOfBox([-10, -10, -10, 10, 10, 10]));

function frustumOf(camera: PerspectiveCamera): Frustum {
  camera.updateMatrixWorld();
  return new Frustum().setFromProjectionMatrix(
    new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse),
  );
}

/** Data of the bodies in a frustum, and of those that it contains. */
function visible(
  octree: Octree<number>,
  frustum: Parameters<Octree<number>['intersectFrustum']>[0],
): { all: number[]; inside: number[] } {
  const records = octree.intersectFrustum(frustum);
  return { all: dataOf(records), inside: dataOf(records.filter(({ inside }) => inside)) };
}

describe('octree.intersectFrustum', () => {
  it('counts touching a plane from outside, and nothing one ulp beyond', () => {
    expect(
      visible(
        octreeOf([
          [10, 0, 0, 12, 1, 1],
          [10 + 2 ** -49, 0, 0, 12, 1, 1],
        ]).octree,
        view,
      ),
    ).toEqual({ all: [0], inside: [] });
  });

  it('reports inside if the body lies on the inner side of all planes, touching included', () => {
    const shapes = [[-10, -10, -10, 10, 10, 10], cube(9.5, 0, 0), cube(9.6, 0, 0), [0, 0, 0, 10], [0, 0, 0, 10.1]];
    expect(visible(octreeOf(shapes).octree, view)).toEqual({ all: [0, 1, 2, 3, 4], inside: [0, 1, 3] });
  });

  it('drops a sphere behind a slanted plane though its box crosses it', () => {
    const slanted = planesOf([[Math.SQRT1_2, Math.SQRT1_2, 0, 0]]);
    expect(
      visible(
        octreeOf([
          [-1, -1, 0, 1.4],
          [-1, -1, 0, 1.42],
        ]).octree,
        slanted,
      ),
    ).toEqual({ all: [1], inside: [] });
  });

  it('takes planes of any length, and any number of them', () => {
    const { octree } = octreeOf(uniform(300, 1));
    const unit = [
      [0.6, 0.8, 0, 3],
      [0, -0.6, 0.8, 2],
      [1, 0, 0, 20],
    ];
    const scaled = unit.map((plane, i) => plane.map((value) => value * [1000, 1e-3, 7][i]));
    expect(visible(octree, planesOf(scaled))).toEqual(visible(octree, planesOf(unit)));
    expect(visible(octree, planesOf([])).all).toHaveLength(300);
    expect(visible(octree, planesOf([...unit, ...unit, ...unit, ...unit]))).toEqual(visible(octree, planesOf(unit)));
    expect(octree.intersectFrustum(planesOf(unit))[0].distance).toBe(0);
  });

  it('reports the centre of the body and its distance from the near plane', () => {
    const camera = new PerspectiveCamera(60, 1, 2, 100);
    camera.position.set(5, 6, 7);
    const { octree } = octreeOf([cube(5, 6, -13), [5, 6, -23, 1]]);
    const records = octree.intersectFrustum(frustumOf(camera)).sort((a, b) => a.body.data - b.body.data);
    expect(records.map(({ position }) => position.toArray())).toEqual([
      [5, 6, -13],
      [5, 6, -23],
    ]);
    expect(records[0].distance).toBeCloseTo(18, 9);
    expect(records[1].distance).toBeCloseTo(28, 9);
    expect(records.every(({ normal, ray, other }) => normal.length() === 0 && ray === null && other === null)).toBe(
      true,
    );
  });

  it('ignores a far plane at infinity: NaN or zero normal with an infinite constant', () => {
    const { octree } = octreeOf(uniform(300, 1));
    const box = planesOfBox([-10, -10, -10, 10, 10, 10]);
    for (const lost of [
      [NaN, NaN, NaN, Infinity],
      [0, 0, 0, Infinity],
    ]) {
      const planes = box.map((plane, i) => (i === 4 ? lost : plane));
      expect(visible(octree, planesOf(planes))).toEqual(visible(octree, planesOf(box.filter((_, i) => i !== 4))));
      for (const { distance, position } of octree.intersectFrustum(planesOf(planes)))
        expect(distance).toBeCloseTo(10 - position.z, 9);
    }
  });

  it('rejects a plane at infinity whose normal is no number', () => {
    const planes = planesOf([...planesOfBox([-10, -10, -10, 10, 10, 10])]).planes.slice();
    planes[4] = { normal: { x: '0' as unknown as number, y: 0, z: 0 }, constant: Infinity };
    const { octree } = octreeOf([cube(0, 0, 0)]);
    expect(() => octree.intersectFrustum({ planes })).toThrow(/intersectFrustum.*planes\[4\]/);
  });

  it.each([0, Infinity])('takes planes of any length, up to 1e300: simdFrom %s', (simdFrom) => {
    const { octree } = octreeOf(uniform(300, 1), { simdFrom });
    const box = planesOfBox([-10, -10, -10, 10, 10, 10]);
    const expected = visible(octree, planesOf(box));
    for (const length of [1e-100, 2 ** 61, 1e100, 1e150])
      expect(visible(octree, planesOf(box.map((plane) => plane.map((value) => value * length))))).toEqual(expected);
    // Planes far away, of which all bodies lie inside, or outside.
    for (const constant of [2 ** 61, 1e100, 1e300]) {
      expect(visible(octree, planesOf([...box, [1, 0, 0, constant]]))).toEqual(expected);
      expect(visible(octree, planesOf([...box, [1, 0, 0, -constant]])).all).toEqual([]);
    }
  });

  it("takes three's Frustum and Plane", () => {
    const { octree } = octreeOf([cube(0, 0, 0), cube(100, 0, 0)]);
    const frustum = new Frustum(
      ...[1, -1].flatMap((sign) =>
        [
          [sign, 0, 0],
          [0, sign, 0],
          [0, 0, sign],
        ].map(([x, y, z]) => new Plane(new Vector3(x, y, z), 5)),
      ),
    );
    expect(dataOf(octree.intersectFrustum(frustum))).toEqual([0]);
  });

  it('tests the body of an octree with a single body like any other', () => {
    expect(octreeOf([cube(100, 0, 0)]).octree.intersectFrustum(view)).toEqual([]);
  });
});

describe('octree.collectFrustum', () => {
  it.each([1, 2, 3])('equals brute force for cameras anywhere: seed %d', (seed) => {
    const shapes = uniform(3000, seed, 200, 8);
    const { octree, bodies } = octreeOf(shapes);
    const bruteForce = new BruteForce();
    for (const [i, shape] of shapes.entries()) fill(bruteForce, bodies[i].index, shape);
    const random = createRandom(seed);
    let count = 0;
    for (let i = 0; i < 60; i++) {
      const frustum = frustumOf(anyCamera(random));
      const expected = bruteForce.frustum(planesIn(frustum)).map(({ index }) => index);
      const found = collected((list) => octree.collectFrustum(frustum, list));
      count += found.length;
      expect(found.sort((a, b) => a - b)).toEqual(expected);
    }
    expect(count).toBeGreaterThan(1000);
  });
});

describe('exact', () => {
  it('drops a large box near a corner of the frustum that lies outside no single plane', () => {
    const wedge = planesOf(
      [
        [1, 1, 0, 0],
        [-1, 1, 0, 0],
      ].map((plane) => plane.map((value) => value * Math.SQRT1_2)),
    );
    const { octree } = octreeOf([
      [-10, -4, 0, 10, -1, 1],
      [-10, -4, 0, 10, 0, 1],
    ]);
    expect(dataOf(octree.intersectFrustum(wedge))).toEqual([0, 1]);
    expect(dataOf(octree.intersectFrustum(wedge, { exact: true }))).toEqual([1]);
  });

  it.each([1, 2])('keeps every body that touches the volume and drops those clear of it: seed %d', (seed) => {
    const shapes = uniform(400, seed, 60, 40);
    const { octree, bodies } = octreeOf(shapes);
    const bruteForce = new BruteForce();
    for (const [i, shape] of shapes.entries()) fill(bruteForce, bodies[i].index, shape);
    const random = createRandom(seed);
    let dropped = 0;
    for (let i = 0; i < (IS_LONG ? 12 : 4); i++) {
      const frustum = frustumOf(anyCamera(random));
      const planes = planesIn(frustum);
      const candidates = collected((list) => octree.collectFrustum(frustum, list));
      const kept = new Set(collected((list) => octree.collectFrustum(frustum, list, { exact: true })));
      const records = dataOf(octree.intersectFrustum(frustum, { exact: true }));
      expect([...kept].sort((a, b) => a - b)).toEqual(records);
      for (const body of bruteForce.bodies()) {
        if (touchesVolume(body, planes, 0)) expect(kept).toContain(body.index);
        else if (kept.has(body.index)) expect(touchesVolume(body, planes, 1e-8)).toBe(true);
      }
      dropped += candidates.length - kept.size;
    }
    expect(dropped).toBeGreaterThan(0);
  });
});

/**
 * Whether `minSize` skips small nodes in a second walk. The octree has 64 leaves side by side with equal boxes, which
 * are large in the first `largeLeaves`.
 */
function skipsNodes(bodiesOfLeaf: number, largeLeaves: number): boolean {
  const octree = new Octree<number>({ region: { min: { x: 0, y: 0, z: 0 }, edge: 256 } });
  for (let k = 0; k < 64 * bodiesOfLeaf; k++) {
    const leaf = Math.floor(k / bodiesOfLeaf);
    const half = leaf < largeLeaves ? 2 : 0.5;
    const [x, y, z] = [leaf & 3, (leaf >> 2) & 3, leaf >> 4].map((cell) => 64 * cell + 32);
    octree.insert(
      { min: { x: x - half, y: y - half, z: z - half }, max: { x: x + half, y: y + half, z: z + half } },
      k,
    );
  }
  const stats = { nodesVisited: 0, nodesContained: 0, bodiesTested: 0, bodiesReported: 0 };
  octree.intersectFrustum(planesOf([]), { minSize: 3, stats });
  expect(stats.bodiesReported).toBe(bodiesOfLeaf * largeLeaves);
  return stats.nodesContained === 0;
}

describe('minSize', () => {
  const everywhere = planesOf([]);
  const eye = { x: 0, y: 0, z: 0 };

  it('drops bodies whose diameter is less than it, times the distance of their centre from the eye', () => {
    // A box of diagonal 3 at distance 12, a sphere of diameter 3 at distance 12.
    const { octree } = octreeOf([
      [11.5, -1, -1, 12.5, 1, 1],
      [0, 12, 0, 1.5],
    ]);
    expect(dataOf(octree.intersectFrustum(everywhere, { minSize: 0.25, eye }))).toEqual([0, 1]);
    expect(dataOf(octree.intersectFrustum(everywhere, { minSize: 0.2501, eye }))).toEqual([]);
    expect(dataOf(octree.intersectFrustum(everywhere, { minSize: 0.3, eye: { x: 4, y: 0, z: 0 } }))).toEqual([0]);
  });

  it('drops bodies whose diameter is less than it, if there is no eye', () => {
    const { octree } = octreeOf([
      [11.5, -1, -1, 12.5, 1, 1],
      [0, 1000, 0, 1.5],
    ]);
    expect(dataOf(octree.intersectFrustum(everywhere, { minSize: 3 }))).toEqual([0, 1]);
    expect(dataOf(octree.intersectFrustum(everywhere, { minSize: 3.0001 }))).toEqual([]);
  });

  it('keeps bodies around the eye, and drops points except at the eye', () => {
    const { octree } = octreeOf([
      [-10, -10, -10, 10, 10, 10],
      [3, 0, 0, 3, 0, 0],
      [0, 0, 0, 0, 0, 0],
      [3, 0, 0, 5],
    ]);
    expect(dataOf(octree.intersectFrustum(everywhere, { minSize: 1, eye }))).toEqual([0, 2, 3]);
    expect(dataOf(octree.intersectFrustum(everywhere, { minSize: 0, eye }))).toEqual([0, 1, 2, 3]);
  });

  it('leaves out whole branches without a large body, and sees a large one that is added, removed and moved', () => {
    const { octree, bodies } = octreeOf(uniform(3000, 1, 500, 1));
    const stats = { nodesVisited: 0, nodesContained: 0, bodiesTested: 0, bodiesReported: 0 };
    const query = (): number[] => dataOf(octree.intersectFrustum(everywhere, { minSize: 10, stats }));
    // A walk that does not skip small nodes takes the contained root without a test.
    const cost = (): number[] => [stats.nodesVisited, stats.nodesContained, stats.bodiesTested];
    expect(query()).toEqual([]);
    expect(cost()).toEqual([0, 0, 0]);
    const large = octree.insert({ min: { x: 0, y: 0, z: 0 }, max: { x: 20, y: 20, z: 20 } }, -1);
    expect(query()).toEqual([-1]);
    expect([stats.nodesVisited > 0, stats.nodesContained, stats.bodiesTested < 100]).toEqual([true, 0, true]);
    large.setBox({ min: { x: 300, y: 0, z: 0 }, max: { x: 302, y: 2, z: 2 } });
    expect(query()).toEqual([]);
    bodies[7].setSphere({ center: { x: -300, y: 300, z: 0 }, radius: 6 });
    expect(query()).toEqual([7]);
    bodies[7].remove();
    large.remove();
    expect(query()).toEqual([]);
    for (let update = 0; update < 200; update++) octree.update();
    query();
    expect([...cost(), validate(octree)]).toEqual([0, 0, 0, []]);
  });

  it('tests each body of a result of which many are large', () => {
    const shapes = uniform(3000, 1, 500, 40);
    const { octree } = octreeOf(shapes);
    const stats = { nodesVisited: 0, nodesContained: 0, bodiesTested: 0, bodiesReported: 0 };
    const large = dataOf(octree.intersectFrustum(everywhere)).filter((k) => diameterOf(shapes[k]) >= 20);
    expect(dataOf(octree.intersectFrustum(everywhere, { minSize: 20, stats }))).toEqual(large);
    expect([large.length > 1000, large.length < 2900, stats.nodesVisited, stats.nodesContained]).toEqual([
      true,
      true,
      0,
      1,
    ]);
  });

  it('skips small nodes in a second walk if 1,024 bodies are visible, and of 64 nodes at most 16 hold a large one', () => {
    expect([skipsNodes(16, 16), skipsNodes(16, 17), skipsNodes(15, 8)]).toEqual([true, false, false]);
  });

  it('drops a small body that has moved, across the middle of a node that was split later', () => {
    // It moves, so it gets a margin. When the leaf splits, it stays in the inner node without the margin.
    const octree = new Octree<number>({
      region: { min: { x: 0, y: 0, z: 0 }, edge: 64 },
      leafCapacity: 1,
      looseness: 1,
    });
    const moved = octree.insert(boxAt(31.5, 31.95, 31.95), 0);
    octree.update();
    moved.setBox(boxAt(31.95, 31.95, 31.95));
    octree.update();
    for (const [i, x] of [5, 45].entries()) octree.insert(boxAt(x, 5, 5), i + 1);
    octree.update();
    expect(octree.intersectFrustum(everywhere).find(({ body }) => body === moved)!.node.depth).toBe(0);
    expect(dataOf(octree.intersectFrustum(everywhere, { minSize: 0.2 }))).toEqual([]);
    expect(dataOf(octree.intersectFrustum(everywhere, { minSize: 0.15 }))).toEqual([0, 1, 2]);
  });

  it.each([
    [1, 2000],
    [2, 2000],
    [3, 8000],
  ])('equals brute force for cameras anywhere: seed %d, %d bodies', (seed, count) => {
    const shapes = uniform(count, seed, 200, 8);
    const { octree, bodies } = octreeOf(shapes);
    const bruteForce = new BruteForce();
    for (const [i, shape] of shapes.entries()) fill(bruteForce, bodies[i].index, shape);
    const random = createRandom(seed);
    const counts = [0, 0];
    for (let i = 0; i < 40; i++) {
      const camera = anyCamera(random);
      const frustum = frustumOf(camera);
      const { x, y, z } = camera.position;
      const minSize = random.pick([0.01, 0.02, 0.05, 0.2]);
      const expected = bruteForce.frustum(planesIn(frustum), { minSize, eye: [x, y, z] }).map(({ index }) => index);
      expect(
        collected((list) => octree.collectFrustum(frustum, list, { minSize, eye: camera.position })).sort(
          (a, b) => a - b,
        ),
      ).toEqual(expected);
      counts[0] += expected.length;
      counts[1] += octree.collectFrustum(frustum, new IndexList()) - expected.length;
    }
    expect(Math.min(...counts)).toBeGreaterThan(300);
  });
});

const diameterOf = ([minX, minY, minZ, maxX, maxY, maxZ]: Shape): number =>
  maxZ === undefined ? 2 * maxX : Math.hypot(maxX - minX, maxY - minY, maxZ - minZ);

const boxAt = (x: number, y: number, z: number): Box3 =>
  new Box3(new Vector3(x, y, z), new Vector3(x + 0.1, y + 0.1, z + 0.1));

function fill(bruteForce: BruteForce, index: number, shape: Shape): void {
  if (shape.length === 6) bruteForce.setBox(index, shape);
  else bruteForce.setSphere(index, shape);
}

function planesIn(frustum: Frustum): number[][] {
  return frustum.planes.map(({ normal, constant }) => [normal.x, normal.y, normal.z, constant]);
}

function anyCamera(random: Random): PerspectiveCamera {
  const camera = new PerspectiveCamera(
    random.between(5, 120),
    random.between(0.5, 2),
    random.pick([0.01, 1, 5]),
    random.pick([20, 100, 1e6]),
  );
  camera.position.set(random.between(-100, 100), random.between(-100, 100), random.between(-100, 100));
  camera.lookAt(random.between(-50, 50), random.between(-50, 50), random.between(-50, 50));
  return camera;
}
