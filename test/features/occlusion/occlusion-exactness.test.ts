import { Frustum, Matrix4, PerspectiveCamera, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { collectVisible, IndexList, Octree, setOccluder, type VisibleOptions } from '../../../src/index.ts';
import { visibleAmong, type Numbers } from '../../support/occlusion-truth.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { boxOf } from '../../support/shapes.ts';

/** A wall of a house, as a part of which the drawn box is smaller: 0 is true. */
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
      for (let k = 0; k < 3; k++) {
        const [px, py, pz] = [x * 20 + random.between(0, 20), random.between(0, 8), z * 20 + random.between(0, 20)];
        const size = random.pick([0.02, 0.5, 3]);
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
  wrong: number;
  removed: number;
  inFrustum: number;
}

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
      const frustum = new Frustum().setFromProjectionMatrix(
        new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse),
        camera.coordinateSystem,
        camera.reversedDepth,
      );
      octree.collectFrustum(frustum, list);
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
    const { wrong, removed, inFrustum } = run(bufferWidth, 4, 25, { bufferWidth, minOccluderArea });
    expect(wrong).toBe(0);
    expect(removed).toBeGreaterThan(inFrustum * 0.3);
  });
});
