import { Frustum, Matrix4, PerspectiveCamera, Vector3, WebGPUCoordinateSystem } from 'three';
import { describe, expect, it } from 'vitest';
import { collectVisible, IndexList, Octree, setOccluder, type VisibleOptions } from '../../../src/index.ts';
import { visibleAmong, type Numbers } from '../../support/occlusion-truth.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { boxOf } from '../../support/shapes.ts';

interface City {
  readonly boxes: number[][];
  /** Whether each box is an occluder. */
  readonly isSolid: boolean[];
}

const WIDTH = 333;
const HEIGHT = 187;

/**
 * Houses along streets, some wall to wall, some a few millimetres apart; slivers, thin walls, and things in the
 * streets.
 */
function createCity(random: Random, origin: Numbers = [0, 0, 0]): City {
  const boxes: number[][] = [];
  const isSolid: boolean[] = [];
  const add = (box: number[], solid: boolean): void => {
    boxes.push(box.map((value, k) => value + origin[k % 3]));
    isSolid.push(solid);
  };
  for (let x = -4; x < 4; x++) {
    for (let z = -4; z < 4; z++) {
      const gap = random.pick([0, 0.001, 0.05, 2]);
      const height = random.between(4, 30);
      add([x * 20 + gap, 0, z * 20, x * 20 + 12, height, z * 20 + 20 - gap], true);
      if (random.next() < 0.4) add([x * 20 + 12, 0, z * 20, x * 20 + 12.001, height + 4, z * 20 + 15], true);
      if (random.next() < 0.3) add([x * 20, 0, z * 20, x * 20 + 12, 2, z * 20], true);
      for (let k = 0; k < 15; k++) {
        const [px, py, pz] = [x * 20 + random.between(0, 20), random.between(0, 12), z * 20 + random.between(0, 20)];
        const size = random.pick([0.1, 0.5, 1.5]);
        add([px, py, pz, px + size, py + size, pz + random.pick([0.01, size])], false);
      }
    }
  }
  return { boxes, isSolid };
}

function octreeOf({ boxes, isSolid }: City): Octree<number> {
  const octree = new Octree<number>();
  boxes.forEach((box, k) => {
    const body = octree.insert(boxOf(box), k);
    if (isSolid[k]) setOccluder(octree, body, true);
  });
  return octree;
}

/** Poses in streets, above roofs, millimetres from walls, on roofs, inside houses; rolled, wide and narrow. */
function setPose(camera: PerspectiveCamera, city: City, random: Random, origin: Numbers = [0, 0, 0]): void {
  const [x, y, z] = origin;
  const kind = random.below(6);
  const house = city.boxes[random.below(city.boxes.length)];
  if (kind < 2) camera.position.set(x + random.between(-80, 80), y + 1.7, z + random.between(-80, 80));
  else if (kind === 2)
    camera.position.set(x + random.between(-120, 120), y + random.between(10, 80), z + random.between(-120, 120));
  else if (kind === 3) {
    const gap = random.pick([0.001, 0.02, 0.3]);
    camera.position.set(house[3] + gap, y + random.between(0.5, 5), random.between(house[2], house[5]));
  } else if (kind === 4)
    camera.position.set(random.between(house[0], house[3]), house[4] + random.pick([0.02, 1]), house[2]);
  else camera.position.set((house[0] + house[3]) / 2, (house[1] + house[4]) / 2, (house[2] + house[5]) / 2);
  camera.fov = random.pick([5, 35, 60, 60, 100, 150]);
  camera.near = random.pick([0.01, 0.1, 1]);
  camera.far = random.pick([80, 300, 5000]);
  camera.aspect = WIDTH / HEIGHT;
  const target = new Vector3(x + random.between(-100, 100), y + random.between(-10, 30), z + random.between(-100, 100));
  camera.lookAt(target);
  if (random.next() < 0.4) camera.rotateZ(random.between(-3, 3));
  camera.updateProjectionMatrix();
  camera.updateMatrixWorld();
}

interface Outcome {
  /** Bodies that a ray sees, but the query does not report; and reported ones outside the frustum. */
  wrong: number;
  removed: number;
  inFrustum: number;
}

/** Compares the query with rays, from many poses in several cities. `shrink` and `near` plant faults. */
function run(
  seed: number,
  cities: number,
  poses: number,
  options: VisibleOptions<number>,
  alter: { origin?: Numbers; shrink?: number; near?: number; prepare?: (camera: PerspectiveCamera) => void } = {},
): Outcome {
  const random = createRandom(seed);
  const outcome: Outcome = { wrong: 0, removed: 0, inFrustum: 0 };
  const list = new IndexList();
  for (let k = 0; k < cities; k++) {
    const city = createCity(random, alter.origin);
    const octree = octreeOf(city);
    const drawn = city.boxes.map((box) => shrunk(box, alter.shrink ?? 0));
    const scene = { boxes: city.boxes, solids: drawn.filter((_, at) => city.isSolid[at]) };
    for (let pose = 0; pose < poses; pose++) {
      const camera = new PerspectiveCamera();
      setPose(camera, city, random, alter.origin);
      alter.prepare?.(camera);
      camera.updateMatrixWorld();
      octree.collectFrustum(frustumOf(camera), list);
      const removed = new Set(list);
      outcome.inFrustum += removed.size;
      collectVisible(octree, camera, list, { minRemoved: 0, ...options });
      for (const index of list) if (!removed.delete(index)) outcome.wrong++;
      if (alter.near !== undefined) camera.near = alter.near;
      outcome.wrong += visibleAmong(removed, scene, camera, WIDTH, HEIGHT).size;
      outcome.removed += removed.size;
    }
  }
  return outcome;
}

function shrunk(box: Numbers, part: number): number[] {
  return box.map((value, k) => value + ((k < 3 ? 1 : -1) * part * (box[(k % 3) + 3] - box[k % 3])) / 2);
}

describe('collectVisible', () => {
  it.each([
    [32, 0],
    [64, 0.0005],
    [256, 0.0005],
    [500, 0],
  ])('never leaves out what a ray sees, with %i cells in a row', (bufferWidth, minOccluderArea) => {
    const { wrong, removed, inFrustum } = run(bufferWidth, 3, 30, { bufferWidth, minOccluderArea });
    expect(wrong).toBe(0);
    expect(removed).toBeGreaterThan(inFrustum * 0.3);
  });

  it.each([1e4, 1e7, -1e9])('is as exact in a world %d away from 0', (distance) => {
    const origin = [distance, -distance / 7, distance / 3].map(Math.round);
    const { wrong, removed } = run(5, 2, 30, {}, { origin });
    expect(wrong).toBe(0);
    expect(removed).toBeGreaterThan(1000);
  });

  it('takes reversed depth, the depths of WebGPU, an infinite far distance and projections off the axis', () => {
    const kinds: ((camera: PerspectiveCamera) => void)[] = [
      (camera) => {
        camera.coordinateSystem = WebGPUCoordinateSystem;
      },
      (camera) => {
        Object.assign(camera, { _reversedDepth: true });
      },
      (camera) => {
        Object.assign(camera, { _reversedDepth: true, coordinateSystem: WebGPUCoordinateSystem });
      },
      (camera) => {
        camera.setViewOffset(400, 300, 250, 10, 100, 80);
      },
    ];
    for (const kind of kinds) {
      const { wrong, removed } = run(
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
    const infinite = run(
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

  describe('the comparison with rays notices', () => {
    it('occluders that are 2 % too large', () => {
      expect(run(8, 3, 30, { bufferWidth: 1024, minOccluderArea: 0 }, { shrink: 0.02 }).wrong).toBeGreaterThan(10);
    });

    it('a near plane that is farther away than in the matrices', () => {
      expect(run(9, 2, 30, {}, { near: 3 }).wrong).toBeGreaterThan(10);
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

function frustumOf(camera: PerspectiveCamera): Frustum {
  return new Frustum().setFromProjectionMatrix(
    new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse),
    camera.coordinateSystem,
    camera.reversedDepth,
  );
}
