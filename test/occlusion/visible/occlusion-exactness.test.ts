import { PerspectiveCamera } from 'three';
import { beforeAll, describe, expect, it } from 'vitest';
import { collectVisible, IndexList, Octree, setOccluder, type VisibleStats } from '../../../src/index.ts';
import {
  compareWithRays,
  frustumOf,
  HEIGHT,
  orientedBoxOf,
  shrunk,
  turnedBox,
  WIDTH,
} from '../../support/occlusion-cities.ts';
import { CAMERA_KINDS, cornersOf, visibleAmong } from '../../support/occlusion-truth.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { boxOf } from '../../support/shapes.ts';
import { freeMemories } from '../../support/wasm.ts';

beforeAll(freeMemories);

describe('collectVisible', () => {
  // Few cells in a row: a fault of one cell is many pixels wide.
  it.each([
    [32, 0, 'JavaScript'],
    [64, 0.0005, 'JavaScript'],
    [32, 0, 'WebAssembly'],
    [500, 0.0005, 'WebAssembly'],
  ])(
    'never leaves out what a ray sees, with %i cells in a row, occluders from an area of %d on, a tree in memory of %s',
    (bufferWidth, minOccluderArea, language) => {
      const octree = { simdFrom: language === 'JavaScript' ? Infinity : 0 };
      const { wrong, removed, inFrustum } = compareWithRays(
        bufferWidth,
        3,
        15,
        { bufferWidth, minOccluderArea },
        { octree },
      );
      expect(wrong).toBe(0);
      expect(removed).toBeGreaterThan(inFrustum * 0.3);
    },
  );

  it.each([
    ['in memory of JavaScript', Infinity],
    ['in memory of WebAssembly', 0],
  ])('is exact with oriented boxes as occluders, %s', (_name, simdFrom) => {
    for (const origin of [
      [0, 0, 0],
      [1e7, 0, -3e6],
    ]) {
      const { wrong, removed } = compareWithRays(
        21,
        2,
        10,
        { minOccluderArea: 0 },
        { turned: 0.7, origin, octree: { simdFrom } },
      );
      expect(wrong).toBe(0);
      expect(removed).toBeGreaterThan(300);
    }
  });

  it.each([
    [1e4, 0],
    [1e7, Infinity],
    [-1e9, Infinity],
  ])('is as exact in a world %d away from 0, with memory of WebAssembly from %d bodies on', (distance, simdFrom) => {
    const origin = [distance, -distance / 7, distance / 3].map(Math.round);
    const { wrong, removed } = compareWithRays(5, 2, 15, {}, { origin, octree: { simdFrom } });
    expect(wrong).toBe(0);
    expect(removed).toBeGreaterThan(1000);
  });

  it('takes reversed depth, the depths of WebGPU, an infinite far distance and projections off the axis', () => {
    for (const kind of CAMERA_KINDS.slice(1)) {
      const { wrong, removed } = compareWithRays(
        6,
        1,
        15,
        {},
        {
          prepare(camera) {
            kind(camera);
            camera.updateProjectionMatrix();
          },
        },
      );
      expect(wrong).toBe(0);
      expect(removed).toBeGreaterThan(30);
    }
    const infinite = compareWithRays(
      7,
      1,
      15,
      {},
      {
        prepare(camera) {
          const { elements } = camera.projectionMatrix;
          camera.far = Infinity;
          elements[10] = -1;
          elements[14] = -2 * camera.near;
        },
      },
    );
    expect(infinite.wrong).toBe(0);
    expect(infinite.removed).toBeGreaterThan(30);
  });

  it('keeps a body behind a gap of one pixel, and leaves it out once the gap is closed', () => {
    const camera = new PerspectiveCamera(60, WIDTH / HEIGHT, 0.1, 1000);
    camera.updateMatrixWorld();
    const pixel = (2 * 20 * Math.tan(Math.PI / 6)) / HEIGHT;
    const list = new IndexList();
    for (let k = -30; k < 30; k++) {
      const octree = new Octree<number>();
      const place = (k * 0.37 + 0.1) * pixel;
      const left = octree.insert(boxOf([-50, -50, -21, place, 50, -20]), 0);
      const right = octree.insert(boxOf([place + pixel, -50, -21, 50, 50, -20]), 1);
      const behind = octree.insert(boxOf([-5, -5, -40, 5, 5, -39]), 2);
      for (const body of [left, right]) setOccluder(octree, body, true);
      collectVisible(octree, camera, list, { minRemoved: 0, bufferWidth: 64 });
      expect([...list]).toContain(behind.index);
      right.setBox(boxOf([place - 8 * pixel, -50, -21, 50, 50, -20]));
      collectVisible(octree, camera, list, { minRemoved: 0, bufferWidth: 512 });
      expect([...list]).not.toContain(behind.index);
    }
  });

  it.each([
    ['in memory of JavaScript', Infinity],
    ['in memory of WebAssembly', 0],
  ])('draws no occluder by bounds that Float32 has made larger, %s', (_name, simdFrom) => {
    // Along x the edge is half a unit inside the slot bounds. Seen at a sharp angle, that is 190 units at the body.
    const x = 1e7;
    const octree = new Octree<string>({ simdFrom });
    const wall = octree.insert(boxOf([x + 0.5, -2000, 0, x + 3000.5, 2000, 3000]), 'wall');
    octree.insert(boxOf([x - 19900, -50, 4000, x - 19850, 50, 4001]), 'beside');
    octree.insert(boxOf([x - 18000, -50, 4000, x - 17900, 50, 4001]), 'behind');
    octree.update();
    setOccluder(octree, wall, true);
    const camera = new PerspectiveCamera(5, 1, 0.1, 1e5);
    camera.position.set(x + 50, 0, -10);
    camera.lookAt(x + 50 - 19900, 0, 4000);
    camera.updateMatrixWorld();
    const list = new IndexList();
    const stats = {} as VisibleStats;
    collectVisible(octree, camera, list, { minRemoved: 0, stats });
    expect([...list].map((index) => octree.dataAt(index)).sort()).toEqual(['beside', 'wall']);
    expect(stats.occludersRasterised).toBe(1);
  });

  it('follows occluders that move, wherever they are', () => {
    const random = createRandom(12);
    const octree = new Octree<number>();
    const camera = new PerspectiveCamera(70, WIDTH / HEIGHT, 0.1, 500);
    camera.updateMatrixWorld();
    const boxes = Array.from({ length: 150 }, () => randomBox(random));
    const bodies = boxes.map((box, k) => octree.insert(boxOf(box), k));
    for (let k = 0; k < 40; k++) setOccluder(octree, bodies[k], boxOf(shrunk(boxes[k], 0.1)));
    const list = new IndexList();
    let removed = 0;
    for (let tick = 0; tick < 40; tick++) {
      boxes.forEach((box, k) => {
        if (random.next() < 0.5) return;
        const step = [random.between(-2, 2), random.between(-2, 2), random.between(-2, 2)];
        boxes[k] = box.map((value, at) => value + step[at % 3]);
        bodies[k].setBox(boxOf(boxes[k]));
      });
      collectVisible(octree, camera, list, { minRemoved: 0 });
      const shown = new Set(list);
      octree.collectFrustum(frustumOf(camera), list);
      const hidden = [...list].filter((index) => !shown.has(index));
      const scene = { boxes, solids: boxes.slice(0, 40).map((box) => shrunk(box, 0.1)) };
      expect([...visibleAmong(hidden, scene, camera, WIDTH, HEIGHT)]).toEqual([]);
      removed += hidden.length;
      octree.update();
    }
    expect(removed).toBeGreaterThan(100);
  });

  it('follows oriented boxes of bodies that move', () => {
    const random = createRandom(14);
    const octree = new Octree<number>();
    const camera = new PerspectiveCamera(70, WIDTH / HEIGHT, 0.1, 500);
    camera.updateMatrixWorld();
    const solids = Array.from({ length: 12 }, () =>
      turnedBox(random, [random.between(-20, 20), 0, random.between(-60, -20)]),
    );
    const boxes = solids.map((solid) => {
      const corners = cornersOf(solid);
      return [Math.min, Math.max].flatMap((extreme) =>
        [0, 1, 2].map((axis) => extreme(...corners.map((one) => one[axis]))),
      );
    });
    for (let k = 0; k < 150; k++) boxes.push(randomBox(random));
    const bodies = boxes.map((box, k) => octree.insert(boxOf(box), k));
    solids.forEach((solid, k) => setOccluder(octree, bodies[k], orientedBoxOf(solid)));
    const list = new IndexList();
    let removed = 0;
    for (let tick = 0; tick < 40; tick++) {
      solids.forEach((solid, k) => {
        for (let axis = 0; axis < 3; axis++) {
          const step = random.between(-1, 1);
          solid[axis] += step;
          boxes[k][axis] += step;
          boxes[k][axis + 3] += step;
        }
        const [x, y, z] = [0, 1, 2].map((axis) => (boxes[k][axis] + boxes[k][axis + 3]) / 2);
        bodies[k].setCenter({ x, y, z });
      });
      collectVisible(octree, camera, list, { minRemoved: 0 });
      const shown = new Set(list);
      octree.collectFrustum(frustumOf(camera), list);
      const hidden = [...list].filter((index) => !shown.has(index));
      const scene = { boxes, solids: solids.map((solid) => shrunk(solid, -1e-9)) };
      expect([...visibleAmong(hidden, scene, camera, WIDTH, HEIGHT)]).toEqual([]);
      removed += hidden.length;
    }
    expect(removed).toBeGreaterThan(100);
  });

  describe('the comparison with rays notices', () => {
    it('oriented boxes that are 4 % too large', () => {
      const options = { bufferWidth: 1024, minOccluderArea: 0 };
      expect(compareWithRays(22, 3, 15, options, { turned: 0.8, shrink: 0.04 }).wrong).toBeGreaterThan(10);
    });

    it('occluders that are 2 % too large', () => {
      expect(
        compareWithRays(8, 3, 20, { bufferWidth: 1024, minOccluderArea: 0 }, { shrink: 0.02 }).wrong,
      ).toBeGreaterThan(3);
    });

    it('a near plane that is farther away than in the matrices', () => {
      expect(compareWithRays(9, 2, 12, {}, { near: 3 }).wrong).toBeGreaterThan(10);
    });
  });
});

/** A box in front of a camera at the origin. */
function randomBox(random: Random): number[] {
  const z = random.between(-100, -3);
  const [x, y] = [random.between(z / 2, -z / 2), random.between(z / 3, -z / 3)];
  const size = (): number => random.between(0.2, 12);
  return [x, y, z, x + size(), y + size(), z + size()];
}
