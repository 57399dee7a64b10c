import { Frustum, Matrix4, OrthographicCamera, PerspectiveCamera } from 'three';
import { describe, expect, it } from 'vitest';
import {
  collectVisible,
  IndexList,
  intersectVisible,
  Octree,
  setOccluder,
  translate,
  type OrientedBoxLike,
  type VisibleOptions,
  type VisibleStats,
} from '../../../src/index.ts';
import { orientedBoxOf } from '../../support/occlusion-cities.ts';
import { octreeOf } from '../../support/octrees.ts';
import { createRandom } from '../../support/random.ts';
import { expectRejection } from '../../support/rejects.ts';
import { uniform } from '../../support/scenes.ts';
import { boxOf, cube, sphereOf, type Shape } from '../../support/shapes.ts';

/** A wall in front of a camera at the origin, a body behind it, and one beside it. */
const WALL: Shape = [-10, -10, -21, 10, 10, -20];
const BEHIND = cube(0, 0, -40);
const BESIDE = cube(15, 0, -30);
const WALL_INDEX = 0;
const BEHIND_INDEX = 1;

function camera(): PerspectiveCamera {
  const one = new PerspectiveCamera(90, 1, 0.1, 1000);
  one.updateMatrixWorld();
  return one;
}

function visible(octree: Octree<number>, options?: VisibleOptions<number>): number[] {
  const list = new IndexList();
  collectVisible(octree, camera(), list, { minRemoved: 0, ...options });
  return Array.from(list).sort((a, b) => a - b);
}

function wallScene(solid: boolean = true) {
  const scene = octreeOf([WALL, BEHIND, BESIDE]);
  if (solid) setOccluder(scene.octree, scene.bodies[WALL_INDEX], true);
  return scene;
}

function frustumOf(one: PerspectiveCamera): Frustum {
  return new Frustum().setFromProjectionMatrix(
    new Matrix4().multiplyMatrices(one.projectionMatrix, one.matrixWorldInverse),
  );
}

/** Whether a square hides a small body behind it. It is 20 away, where the image is 40 wide. */
function hidesWithEdge(edge: number): boolean {
  const { octree, bodies } = octreeOf([
    [-edge / 2, -edge / 2, -21, edge / 2, edge / 2, -20],
    [0, 0, -40, 0.05],
  ]);
  setOccluder(octree, bodies[WALL_INDEX], true);
  return !visible(octree).includes(BEHIND_INDEX);
}

describe('collectVisible', () => {
  it('leaves out what stands behind an occluder, and nothing without one', () => {
    expect(visible(wallScene(false).octree)).toEqual([0, 1, 2]);
    expect(visible(wallScene().octree)).toEqual([0, 2]);
  });

  it('finds without occluders what collectFrustum finds, in its order', () => {
    const random = createRandom(3);
    const { octree, bodies } = octreeOf(uniform(3000, 4));
    for (let k = 0; k < 30; k++) {
      const one = new PerspectiveCamera(random.between(10, 120), random.between(0.3, 3), 0.1, 500);
      one.position.set(random.between(-50, 50), random.between(-50, 50), random.between(-50, 50));
      one.rotation.set(random.between(-3, 3), random.between(-3, 3), random.between(-3, 3));
      one.updateMatrixWorld();
      const [expected, list] = [new IndexList(), new IndexList()];
      for (const exact of [false, true]) {
        octree.collectFrustum(frustumOf(one), expected, { exact });
        expect(collectVisible(octree, one, list, { exact, minRemoved: 0 })).toBe(expected.length);
        expect([...list]).toEqual([...expected]);
      }
    }
    // With an occluder that hides nothing, in any order: the walk is another one.
    bodies[0].setBox(boxOf(cube(0, 1e6, 0)));
    setOccluder(octree, bodies[0], true);
    const [expected, list] = [new IndexList(), new IndexList()];
    octree.collectFrustum(frustumOf(camera()), expected, { mask: 3 });
    collectVisible(octree, camera(), list, { mask: 3, minRemoved: 0 });
    expect(new Set(list)).toEqual(new Set(expected));
    expect(expected.length).toBeGreaterThan(10);
  });

  it('has records like those of intersectFrustum', () => {
    const { octree } = wallScene();
    const records = intersectVisible(octree, camera(), { minRemoved: 0 });
    const expected = octree.intersectFrustum(frustumOf(camera())).filter(({ body }) => body.index !== BEHIND_INDEX);
    const sketch = (list: typeof records) =>
      list
        .map(({ body, distance, inside, position }) => ({ index: body.index, distance, inside, x: position.x }))
        .sort((a, b) => a.index - b.index);
    expect(sketch(records)).toEqual(sketch(expected));
    expect(intersectVisible(octree, camera(), {}, records)).toBe(records);
  });

  it('lets no occluder hide anything that the mask, the filter or except leaves out', () => {
    const { octree, bodies } = wallScene();
    bodies[WALL_INDEX].setMask(2);
    expect(visible(octree)).toEqual([0, 2]);
    expect(visible(octree, { mask: 1 })).toEqual([1, 2]);
    expect(visible(octree, { filter: (body) => body.data !== 0 })).toEqual([1, 2]);
    expect(visible(octree, { except: bodies[WALL_INDEX] })).toEqual([1, 2]);
  });

  it('may query in the filter', () => {
    const { octree } = wallScene();
    const nested: number[][] = [];
    expect(visible(octree, { filter: () => nested.push(visible(octree)) > 0 })).toEqual([0, 2]);
    expect(nested).toEqual([
      [0, 2],
      [0, 2],
    ]);
  });

  it('ignores occluders below the least area', () => {
    const { octree } = wallScene();
    expect(visible(octree, { minOccluderArea: 0.2 })).toEqual([0, 2]);
    expect(visible(octree, { minOccluderArea: 0.35 })).toEqual([0, 1, 2]);
  });

  it('by default lets boxes hide that cover a two-thousandth of the image', () => {
    expect(hidesWithEdge(40 * Math.sqrt(0.0007))).toBe(true);
    expect(hidesWithEdge(40 * Math.sqrt(0.0004))).toBe(false);
  });

  it('reports its cost', () => {
    const stats = {} as VisibleStats;
    const { octree } = wallScene();
    visible(octree, { stats });
    expect(stats).toMatchObject({
      isPaused: false,
      bodiesReported: 2,
      bodiesHidden: 1,
      occludersTested: 1,
      occludersRasterised: 1,
    });
    expect(stats.bodiesTested).toBe(3);
    visible(wallScene(false).octree, { stats });
    expect(stats).toMatchObject({ isPaused: true, bodiesReported: 3, bodiesHidden: 0, occludersTested: 0 });
    const many = octreeOf([
      WALL,
      ...uniform(500, 5).map((shape) => [...shape].map((value, k) => value / 50 - (k % 3 === 2 ? 60 : 0))),
    ]);
    setOccluder(many.octree, many.bodies[0], true);
    expect(visible(many.octree, { stats })).toEqual([0]);
    expect(stats.nodesHidden).toBeGreaterThan(0);
    expect(stats.nodesTested).toBeGreaterThanOrEqual(stats.nodesHidden!);
  });

  it('switches itself off for a view while it removes too little, and on again', () => {
    const { octree, bodies } = wallScene();
    const [one, list, stats] = [camera(), new IndexList(), {} as VisibleStats];
    const frames = (count: number): number =>
      Array.from({ length: count }, () => {
        const found = collectVisible(octree, one, list, { stats, minRemoved: 0.5 });
        expect(found).toBe(stats.isPaused! ? 3 : 2);
        return Number(!stats.isPaused);
      }).reduce((sum, ran) => sum + ran, 0);
    // One of three is removed: too little. Frames that find this out are paused, too.
    expect(frames(600)).toBe(0);
    const extra = Array.from({ length: 5 }, (_, k) => octree.insert(boxOf(cube(0, k, -50 - k)), 9));
    let frame = 0;
    do frame++;
    while (collectVisible(octree, one, list, { stats, minRemoved: 0.5 }) !== 2);
    expect(frame).toBeLessThanOrEqual(257);
    for (let k = 0; k < 100; k++) expect(collectVisible(octree, one, list, { minRemoved: 0.5 })).toBe(2);
    for (const body of extra) body.remove();
    // Another view has not paused.
    expect(collectVisible(octree, camera(), list, { minRemoved: 0.3 })).toBe(2);
    expect(bodies.length).toBe(3);
  });

  it('gives up after 512 results, in trials after pauses of 64 to 256 frames', () => {
    const { octree, bodies } = octreeOf([
      cube(0, 0, -4),
      ...Array.from({ length: 2400 }, (_, k) => cube(3 * (k % 60) - 90, 3 * Math.floor(k / 60) - 60, -80)),
    ]);
    setOccluder(octree, bodies[0], true);
    const [one, list] = [camera(), new IndexList()];
    let calls = 0;
    const filter = (): boolean => ++calls > 0;
    const extra: number[][] = [];
    for (let frame = 0; frame < 1000; frame++) {
      calls = 0;
      const count = collectVisible(octree, one, list, { filter });
      expect(count).toBeGreaterThan(1000);
      if (calls > count) extra.push([frame, calls - count]);
    }
    const { length } = list;
    // The first frame counts too. From then on the frame before a trial has counted.
    expect(extra).toEqual([
      [0, length + 512],
      [65, 512],
      [194, 512],
      [451, 512],
      [708, 512],
      [965, 512],
    ]);
  });

  it('rejects views that it cannot use', () => {
    const { octree } = wallScene();
    const list = new IndexList();
    const rejects = (view: unknown, error: ErrorConstructor, sentence: RegExp): void => {
      expectRejection(octree, () => collectVisible(octree, view as PerspectiveCamera, list), error, sentence);
    };
    rejects(null, TypeError, /collectVisible: view must be an object, but is null; pass a camera/);
    rejects({}, TypeError, /view\.projectionMatrix\.elements must be an object, but is undefined/);
    rejects({ projectionMatrix: new Matrix4() }, TypeError, /view\.matrixWorldInverse\.elements must be an object/);
    rejects(new OrthographicCamera(), RangeError, /it is orthographic; use octree\.collectFrustum/);
    const broken = camera();
    broken.projectionMatrix.elements[5] = NaN;
    rejects(broken, RangeError, /view\.projectionMatrix\.elements\[5\] must be finite, but is NaN/);
    const flat = camera();
    flat.matrixWorldInverse.makeScale(1, 0, 1);
    rejects(flat, RangeError, /view must have matrices that can be inverted/);
    const odd = Object.assign(camera(), { coordinateSystem: 7 });
    rejects(odd, RangeError, /view\.coordinateSystem must be 2000 or 2001, but is 7/);
    const short = { projectionMatrix: { elements: [1] }, matrixWorldInverse: new Matrix4() };
    rejects(short, TypeError, /elements\[1\] must be a number, but is undefined/);
  });

  it('rejects options out of range', () => {
    const { octree } = wallScene();
    const rejects = (options: object, error: ErrorConstructor, sentence: RegExp): void => {
      expectRejection(octree, () => collectVisible(octree, camera(), new IndexList(), options), error, sentence);
    };
    rejects({ bufferWidth: 15 }, RangeError, /options\.bufferWidth must be an integer from 16 to 2048, but is 15/);
    rejects({ bufferWidth: '9' }, TypeError, /options\.bufferWidth must be a number/);
    rejects({ minOccluderArea: NaN }, RangeError, /options\.minOccluderArea must lie from 0 to 1/);
    rejects({ minRemoved: 2 }, RangeError, /options\.minRemoved must lie from 0 to 1, but is 2/);
    rejects({ candidates: true }, TypeError, /candidates/);
    rejects({ exact: 1 }, TypeError, /options\.exact must be true or false/);
  });
});

/** A cube in the middle of a sphere, turned about the z axis. */
function turned(half: number): OrientedBoxLike {
  return orientedBoxOf([0, 0, -20, half, half, half, 0.6, 0.8, 0, -0.8, 0.6, 0, 0, 0, 1]);
}

describe('setOccluder', () => {
  it('takes boxes inside the bounds, of which each hides on its own', () => {
    const { octree, bodies } = wallScene(false);
    const [left, right] = [boxOf([-10, -10, -21, -2, 10, -20]), boxOf([-3, -10, -21, 10, 10, -20])];
    setOccluder(octree, bodies[0], left);
    expect(visible(octree)).toEqual([0, 1, 2]);
    setOccluder(octree, bodies[0], [left, right]);
    expect(visible(octree)).toEqual([0, 2]);
    setOccluder(octree, bodies[0], null);
    expect(visible(octree)).toEqual([0, 1, 2]);
  });

  it('follows moves, and pauses while the bounds have another size', () => {
    const { octree, bodies } = wallScene(false);
    setOccluder(octree, bodies[0], boxOf(WALL));
    bodies[0].setBox(boxOf(WALL.map((value, k) => value + (k % 3 === 0 ? 30 : 0))));
    expect(visible(octree)).toEqual([0, 1, 2]);
    bodies[0].setCenter({ x: 0, y: 0, z: -25 });
    expect(visible(octree)).toEqual([0, 2]);
    bodies[0].setBox(boxOf([-10, -10, -21, 10, 11, -20]));
    expect(visible(octree)).toEqual([0, 1, 2]);
    bodies[0].setBox(boxOf(WALL));
    expect(visible(octree)).toEqual([0, 2]);
    translate(octree, { x: 0, y: 0, z: -100 });
    expect(visible(octree)).toEqual([0, 2]);
  });

  it('uses the bounds as they are now where all of them are solid', () => {
    const { octree, bodies } = wallScene();
    bodies[0].setBox(boxOf([-1, -1, -21, 1, 1, -20]));
    expect(visible(octree)).toEqual([0, 2]);
    bodies[0].setBox(boxOf([5, -1, -21, 6, 1, -20]));
    expect(visible(octree)).toEqual([0, 1, 2]);
  });

  it('takes of a sphere the cube inside it', () => {
    const around = [cube(9, 0, -40), cube(-9, 0, -40), cube(0, 9, -40), cube(0, -9, -40)];
    const { octree } = octreeOf([[0, 0, -20, 5], cube(0, 0, -40), ...around]);
    setOccluder(octree, octree.bodyAt(0), true);
    // The corner of the cube lies at 2.9 of 5: at the depth of the others it hides up to 6.7, on each side.
    expect(visible(octree)).toEqual([0, 2, 3, 4, 5]);
    setOccluder(octree, octree.bodyAt(0), boxOf([-2, -2, -22, 2, 2, -18]));
    expect(visible(octree)).toEqual([0, 2, 3, 4, 5]);
  });

  it('ends with its body, also when the index is used again', () => {
    const { octree, bodies } = wallScene();
    bodies[0].remove();
    octree.update();
    const other = octree.insert(boxOf(WALL), 7);
    expect(other.index).toBe(0);
    expect(visible(octree)).toEqual([0, 1, 2]);
    setOccluder(octree, other, true);
    octree.clear();
    octree.insert(boxOf(WALL), 0);
    octree.insert(boxOf(BEHIND), 1);
    expect(visible(octree)).toEqual([0, 1]);
  });

  it('takes oriented boxes, alone and beside others, which follow moves of the body', () => {
    const { octree, bodies } = wallScene(false);
    const diagonal = orientedBoxOf([
      0,
      0,
      -20.5,
      9,
      9,
      0.3,
      1,
      0,
      0,
      0,
      Math.SQRT1_2,
      Math.SQRT1_2,
      0,
      -Math.SQRT1_2,
      Math.SQRT1_2,
    ]);
    const set = (): void => setOccluder(octree, bodies[0], diagonal);
    expectRejection(octree, set, RangeError, /box must lie inside the bounds/);
    const upright = orientedBoxOf([0, 0, -20.5, 0.4, 9, 9, 0, 0, 1, 0, 1, 0, -1, 0, 0]);
    setOccluder(octree, bodies[0], upright);
    expect(visible(octree)).toEqual([0, 2]);
    setOccluder(octree, bodies[0], [boxOf([9, -9, -21, 10, 9, -20]), upright]);
    expect(visible(octree)).toEqual([0, 2]);
    bodies[0].setCenter({ x: 60, y: 0, z: -30 });
    expect(visible(octree)).toEqual([1, 2]);
    bodies[0].setCenter({ x: 0.5, y: 0, z: -30 });
    expect(visible(octree)).toEqual([0, 2]);
  });

  it('takes oriented boxes inside a sphere', () => {
    const { octree, bodies } = octreeOf([[0, 0, -20, 5], cube(0, 0, -40)]);
    expect(() => setOccluder(octree, bodies[0], turned(2.9))).toThrow(/must lie inside the bounds/);
    setOccluder(octree, bodies[0], turned(2.88));
    expect(visible(octree)).toEqual([0]);
    expect(() => setOccluder(octree, bodies[0], [{ ...turned(1), halfSize: { x: 1, y: -1, z: 1 } }])).toThrow(
      /setOccluder: boxes\[0\]: orientedBox\.halfSize\.y must be 0 or more, but is -1/,
    );
  });

  it('rejects what could hide too much, and what it does not know', () => {
    const { octree, bodies } = wallScene(false);
    const rejects = (boxes: unknown, error: ErrorConstructor, sentence: RegExp, body: unknown = bodies[0]): void => {
      expectRejection(octree, () => setOccluder(octree, body as never, boxes as never), error, sentence);
      expect(visible(octree)).toEqual([0, 1, 2]);
    };
    rejects(
      boxOf([-10, -10, -21, 10, 10.1, -20]),
      RangeError,
      /setOccluder: box must lie inside the bounds of the body/,
    );
    rejects([boxOf(WALL), boxOf([-11, 0, -21, 0, 0, -20])], RangeError, /boxes\[1\] must lie inside/);
    rejects(boxOf([NaN, -10, -21, 10, 10, -20]), RangeError, /setOccluder: box\.min\.x must be finite, but is NaN/);
    rejects(boxOf([5, -10, -21, 4, 10, -20]), RangeError, /the box is empty/);
    rejects([], RangeError, /boxes must have at least one box/);
    rejects('wall', TypeError, /boxes must be true, a box, an array of boxes or null/);
    rejects(false, TypeError, /boxes must be true, a box/);
    rejects(true, TypeError, /body must be a Body/, 3);
    const other = octreeOf([WALL]);
    rejects(true, RangeError, /belongs to another one/, other.bodies[0]);
    const sphere = octree.insert(sphereOf([0, 500, 0, 1]), 3);
    const outside = boxOf([-0.9, 499.1, -0.9, 0.9, 500.9, 0.9]);
    expect(() => setOccluder(octree, sphere, outside)).toThrow(/must lie inside the bounds of the body/);
  });
});
