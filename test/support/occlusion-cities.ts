/** Generated cities and poses in them, for tests of occlusion culling, and the comparison with rays. */

import { Euler, Frustum, Matrix3, Matrix4, PerspectiveCamera, Vector3 } from 'three';
import {
  collectVisible,
  IndexList,
  Octree,
  setOccluder,
  type OctreeOptions,
  type OrientedBoxLike,
  type VisibleOptions,
} from '../../src/index.ts';
import { cornersOf, visibleAmong, type Numbers } from './occlusion-truth.ts';
import { createRandom, type Random } from './random.ts';
import { boxOf } from './shapes.ts';

export interface City {
  readonly boxes: number[][];
  /** Whether each box is an occluder. */
  readonly isSolid: boolean[];
  /** By box: the oriented boxes that are solid, if the bounds are not. */
  readonly turned: (number[][] | undefined)[];
}

export const WIDTH = 333;
export const HEIGHT = 187;

/**
 * Houses along streets, some wall to wall, some a few millimetres apart; slivers, thin walls, and things in the
 * streets.
 */
export function createCity(random: Random, origin: Numbers = [0, 0, 0], turnedShare: number = 0): City {
  const boxes: number[][] = [];
  const isSolid: boolean[] = [];
  const turned: (number[][] | undefined)[] = [];
  const add = (box: number[], solid: boolean): void => {
    boxes.push(box.map((value, k) => value + origin[k % 3]));
    isSolid.push(solid);
  };
  /** A body with one or two oriented boxes, which are all that is drawn of it. */
  const addTurned = (x: number, z: number): void => {
    const solids = Array.from({ length: random.pick([1, 2]) }, () => turnedBox(random, [x, 4, z], origin));
    turned[boxes.length] = solids;
    const corners = solids.flatMap(cornersOf);
    const bounds = [Math.min, Math.max].flatMap((extreme) =>
      [0, 1, 2].map((axis) => extreme(...corners.map((one) => one[axis]))),
    );
    boxes.push(bounds);
    isSolid.push(true);
  };
  for (let x = -4; x < 4; x++) {
    for (let z = -4; z < 4; z++) {
      const gap = random.pick([0, 0.001, 0.05, 2]);
      const height = random.between(4, 30);
      if (random.next() < turnedShare) addTurned(x * 20 + 6, z * 20 + 10);
      else add([x * 20 + gap, 0, z * 20, x * 20 + 12, height, z * 20 + 20 - gap], true);
      if (random.next() < 0.4) add([x * 20 + 12, 0, z * 20, x * 20 + 12.001, height + 4, z * 20 + 15], true);
      if (random.next() < 0.3) add([x * 20, 0, z * 20, x * 20 + 12, 2, z * 20], true);
      for (let k = 0; k < 15; k++) {
        const [px, py, pz] = [x * 20 + random.between(0, 20), random.between(0, 12), z * 20 + random.between(0, 20)];
        const size = random.pick([0.1, 0.5, 1.5]);
        add([px, py, pz, px + size, py + size, pz + random.pick([0.01, size])], false);
      }
    }
  }
  return { boxes, isSolid, turned };
}

/** An oriented box of the size of a house, a wall or a sliver, at any rotation, around a place. */
export function turnedBox(random: Random, place: Numbers, origin: Numbers = [0, 0, 0]): number[] {
  const rotation = new Matrix4().makeRotationFromEuler(
    new Euler(
      ...(random
        .pick([
          [0, 1, 0],
          [0.1, 1, 0.1],
          [3, 3, 3],
        ])
        .map((most) => random.between(-most, most)) as [number, number, number]),
    ),
  );
  const half = random.pick([
    [6, 9, 9],
    [8, 12, 0.1],
    [5, 6, 0.0005],
  ]);
  const { elements } = rotation;
  return [
    ...place.map((value, axis) => value + random.between(-3, 3) + origin[axis]),
    ...half,
    ...[0, 1, 2, 4, 5, 6, 8, 9, 10].map((at) => elements[at]),
  ];
}

/** An oriented box as `setOccluder` takes it. */
export function orientedBoxOf(box: Numbers): OrientedBoxLike {
  return {
    center: new Vector3(...box.slice(0, 3)),
    halfSize: new Vector3(...box.slice(3, 6)),
    rotation: new Matrix3().fromArray(box.slice(6)),
  };
}

export function octreeOfCity({ boxes, isSolid, turned }: City, options: OctreeOptions = {}): Octree<number> {
  const octree = new Octree<number>(options);
  boxes.forEach((box, k) => {
    const body = octree.insert(boxOf(box), k);
    if (isSolid[k]) setOccluder(octree, body, turned[k]?.map(orientedBoxOf) ?? true);
  });
  return octree;
}

/** Poses in streets, above roofs, millimetres from walls, on roofs, inside houses; rolled, wide and narrow. */
export function setPose(camera: PerspectiveCamera, city: City, random: Random, origin: Numbers = [0, 0, 0]): void {
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

export interface Outcome {
  /** Bodies that a ray sees, but the query does not report; and reported ones outside the frustum. */
  wrong: number;
  removed: number;
  inFrustum: number;
}

/** Compares the query with rays, from many poses in several cities. `shrink` and `near` plant faults. */
export function compareWithRays(
  seed: number,
  cities: number,
  poses: number,
  options: VisibleOptions<number>,
  alter: {
    origin?: Numbers;
    shrink?: number;
    near?: number;
    turned?: number;
    octree?: OctreeOptions;
    prepare?: (camera: PerspectiveCamera) => void;
  } = {},
): Outcome {
  const random = createRandom(seed);
  const outcome: Outcome = { wrong: 0, removed: 0, inFrustum: 0 };
  const list = new IndexList();
  for (let k = 0; k < cities; k++) {
    const city = createCity(random, alter.origin, alter.turned);
    const octree = octreeOfCity(city, alter.octree);
    const solids = city.boxes.flatMap((box, at) => (city.isSolid[at] ? (city.turned[at] ?? [box]) : []));
    const scene = { boxes: city.boxes, solids: solids.map((box) => shrunk(box, alter.shrink ?? 0)) };
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

export function shrunk(box: Numbers, part: number): number[] {
  if (box.length > 6) return box.map((value, k) => (k >= 3 && k < 6 ? value * (1 - part) : value));
  return box.map((value, k) => value + ((k < 3 ? 1 : -1) * part * (box[(k % 3) + 3] - box[k % 3])) / 2);
}

export function frustumOf(camera: PerspectiveCamera): Frustum {
  return new Frustum().setFromProjectionMatrix(
    new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse),
    camera.coordinateSystem,
    camera.reversedDepth,
  );
}
