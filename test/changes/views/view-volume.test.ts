// Where the shadow of a change may fall, and which cameras see a change: against points and boxes, at random.

import {
  Box3,
  BoxGeometry,
  DirectionalLight,
  Euler,
  Frustum,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  PerspectiveCamera,
  PointLight,
  Scene,
  SpotLight,
  Vector3,
  Vector4,
  WebGLCoordinateSystem,
  WebGPUCoordinateSystem,
} from 'three';
import { describe, expect, it } from 'vitest';
import {
  cubeOf,
  ShadowRegion,
  ViewVolume,
  volumeOf,
  type ShadowCaster,
} from '../../../src/changes/views/view-volume.ts';
import { OctreeGroup, ViewChanges } from '../../../src/three.ts';
import { FakeRenderer } from '../../support/change-towns.ts';
import { createRandom, type Random } from '../../support/random.ts';

const IDENTITY = new Matrix4();

const kinds: [string, () => ShadowCaster][] = [
  ['directional', () => new DirectionalLight()],
  ['spot', () => new SpotLight(0xffffff, 1, 0, 0.6)],
  ['point', () => new PointLight()],
];

const pointIn = (random: Random, reach: number): Vector3 =>
  new Vector3(random.between(-reach, reach), random.between(-reach, reach), random.between(-reach, reach));

/** A light in a scene, with the matrices of a drawing of its map. */
function placed(light: ShadowCaster, random: Random): ShadowCaster {
  const { shadow } = light;
  light.position.copy(pointIn(random, 10)).setY(30);
  shadow.mapSize.set(512, 512);
  shadow.radius = random.pick([0, 1, 3]);
  shadow.normalBias = random.pick([0, 0, 0.5]);
  shadow.bias = random.pick([0, 0.01]);
  Object.assign(shadow.camera, { near: 1, far: 100 });
  if ('isDirectionalLight' in light) Object.assign(shadow.camera, { left: -20, right: 20, top: 20, bottom: -20 });
  light.updateMatrixWorld();
  if (!('isPointLight' in light)) {
    light.target.position.copy(pointIn(random, 5));
    light.target.updateMatrixWorld();
  }
  shadow.camera.updateProjectionMatrix();
  // The faces of a point light are not read.
  if (!('isPointLight' in light)) shadow.updateMatrices(light);
  return light;
}

/** The cube around a light, by its scale. */
const cubeFrom = ({ position }: ShadowCaster, scale: number): Matrix4 =>
  new Matrix4().makeScale(scale, scale, scale).multiply(new Matrix4().makeTranslation(position.clone().negate()));

const bounds = ({ min, max }: Box3): number[] => [...min.toArray(), ...max.toArray()];
/** Half the edge of the cube for all texels that a material samples beside a point. */
const marginOf = ({ shadow }: ShadowCaster): number => (8 * (1 + shadow.radius)) / shadow.mapSize.x;

describe.each(kinds)('the shadow of a box, of a %s light,', (kind, create) => {
  it('falls into the region, wherever the map is sampled', () => {
    const random = createRandom(1);
    let inside = 0;
    for (let k = 0; k < 150; k++) {
      const light = placed(create(), random);
      const center = pointIn(random, 8);
      const box = new Box3().setFromCenterAndSize(center, pointIn(random, 2).addScalar(2.1));
      const region = new ShadowRegion(light, false);
      region.setSpace(IDENTITY);
      region.add(bounds(box), 0);
      const volume = region.volume?.frustum;
      for (let n = 0; n < 20; n++) {
        const caster = new Vector3(
          random.between(box.min.x, box.max.x),
          random.between(box.min.y, box.max.y),
          random.between(box.min.z, box.max.z),
        );
        let receiver: Vector3;
        if (kind === 'point') {
          const ray = caster.clone().sub(light.position);
          receiver = light.position.clone().addScaledVector(ray, random.between(1, 0.99 * (100 / ray.length())));
        } else {
          const cube = cubeOf(light.shadow.camera).clone();
          const at = caster.applyMatrix4(cube);
          const beside = 0.99 * marginOf(light);
          const sampled = new Vector3(
            at.x + random.pick([-1, 0, 1]) * beside,
            at.y + random.pick([-1, 0, 1]) * beside,
            random.between(at.z, 1),
          );
          if (Math.max(Math.abs(sampled.x), Math.abs(sampled.y), Math.abs(sampled.z)) > 1) continue;
          receiver = sampled.applyMatrix4(cube.invert());
        }
        // A material moves the point that it looks up by `normalBias` along its normal.
        receiver.addScaledVector(pointIn(random, 1).normalize(), 0.99 * light.shadow.normalBias);
        const distances = volume?.planes.map((plane) => plane.distanceToPoint(receiver));
        const isBeyondFar = (kind === 'point' ? receiver.distanceTo(light.position) : 0) > 100;
        const seen = receiver.clone().applyMatrix4(cubeOf(light.shadow.camera));
        const isOut = kind !== 'point' && Math.max(Math.abs(seen.x), Math.abs(seen.y), Math.abs(seen.z)) > 1;
        if (isBeyondFar || isOut) continue;
        inside++;
        expect(Math.min(...(distances ?? [-Infinity]))).toBeGreaterThan(-1e-3);
      }
    }
    expect(inside).toBeGreaterThan(500);
  });

  // What a spot light does not see may lie behind it: then all that it sees is the region.
  it.skipIf(kind === 'spot')('leaves the region as it is if the light does not see the box', () => {
    const random = createRandom(2);
    let outside = 0;
    for (let k = 0; k < 200; k++) {
      const light = placed(create(), random);
      const region = new ShadowRegion(light, false);
      region.setSpace(IDENTITY);
      region.add(bounds(new Box3().setFromCenterAndSize(pointIn(random, 3), new Vector3(1, 1, 1))), 0);
      const planes = (): string => JSON.stringify(region.volume?.frustum.planes);
      const before = planes();
      const box = new Box3().setFromCenterAndSize(pointIn(random, 150), new Vector3(1, 1, 1));
      const cube = new Frustum().setFromProjectionMatrix(
        kind === 'point' ? cubeFrom(light, 0.01) : cubeOf(light.shadow.camera),
      );
      // With the margin around the box.
      const wide = box.clone().expandByScalar(200 * marginOf(light) + 2 * light.shadow.normalBias + 1);
      if (cube.intersectsBox(wide)) continue;
      outside++;
      region.add(bounds(box), 0);
      expect(region.isWhole ? before : planes()).toBe(before);
      expect(kind === 'directional' && region.isWhole).toBe(false);
    }
    expect(outside).toBeGreaterThan(20);
  });
});

/** The corners of a box of the cube from -1 to 1, in world space. */
function cornersOf({ min, max }: Box3, cube: Matrix4): Vector3[] {
  const toWorld = cube.clone().invert();
  return Array.from({ length: 8 }, (_, k) =>
    new Vector3(k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z).applyMatrix4(toWorld),
  );
}

/** Whether a frustum has these corners: each plane goes through four of them, and has the others inside. */
function hasCorners({ planes }: Frustum, corners: readonly Vector3[]): boolean {
  return planes.every((plane) => {
    const distances = corners.map((corner) => plane.distanceToPoint(corner)).sort((a, b) => a - b);
    return Math.max(Math.abs(distances[0]), Math.abs(distances[3])) < 1e-6 && distances[4] > 1e-3;
  });
}

/** The least region of a box of corners, in the cube of a light; null if it is all that the light sees. */
function expectedRegion(light: ShadowCaster, cube: Matrix4, corners: readonly Vector3[]): Box3 | null {
  const { shadow } = light;
  const { elements } = cube;
  const lengths = [0, 1, 2, 3].map((k) => Math.hypot(elements[k], elements[k + 4], elements[k + 8]));
  const least = Math.min(...corners.map(({ x, y, z }) => new Vector4(x, y, z, 1).applyMatrix4(cube).w));
  const divisor = least - shadow.normalBias * lengths[3];
  const slope = Math.max(lengths[0], lengths[1], lengths[2]) + lengths[3];
  const margin = marginOf(light) + (shadow.normalBias * slope) / divisor;
  if (divisor <= 0 || margin >= 1) return null;
  const box = new Box3().setFromPoints(corners.map((corner) => corner.clone().applyMatrix4(cube)));
  box.expandByScalar(margin);
  if ('isPointLight' in light) {
    const nearest = Math.max(...box.min.toArray(), ...box.max.toArray().map((value) => -value), 0);
    const far = [box.min, box.max].map((end) => end.clone().divideScalar(nearest));
    box.min.min(far[0]);
    box.max.max(far[1]);
  } else {
    box.min.z -= 2 * Math.abs(shadow.bias);
    box.max.z = 1;
  }
  return box.intersect(new Box3(new Vector3(-1, -1, -1), new Vector3(1, 1, 1)));
}

it.each(kinds)('the region of a box, of a %s light, is no larger than it has to be', (kind, create) => {
  const random = createRandom(4);
  let compared = 0;
  for (let k = 0; k < 60; k++) {
    const light = placed(create(), random);
    const { radius, camera, mapSize } = light.shadow;
    mapSize.set(512, 1024 + 512 * radius);
    const region = new ShadowRegion(light, false);
    const toWorld = new Matrix4()
      .makeRotationFromEuler(new Euler(random.between(-3, 3), random.between(-1, 1), random.between(-3, 3)))
      .setPosition(pointIn(random, 12));
    const box = new Box3().setFromCenterAndSize(pointIn(random, 3), pointIn(random, 1).addScalar(1.1));
    region.setSpace(toWorld);
    region.add([9, ...bounds(box)], 1);
    const cube = kind === 'point' ? cubeFrom(light, 0.01 / (1 + 1e-6)) : cubeOf(camera).clone();
    const expected = expectedRegion(light, cube, cornersOf(box, toWorld.clone().invert()));
    if (region.isWhole) {
      expect(expected === null).toBe(true);
      continue;
    }
    const volume = region.volume?.frustum;
    expect(volume === undefined).toBe(expected!.isEmpty());
    if (volume === undefined) continue;
    compared++;
    expect(hasCorners(volume, cornersOf(expected!, cube)), `${k}`).toBe(true);
  }
  expect(compared).toBeGreaterThan(20);
});

it.each(
  [0, 1, 2].flatMap((axis) => [
    [axis, -1],
    [axis, 1],
  ]),
)(
  'a shadow that touches a side of the map is in the region, with no volume of its own (axis %i, side %i)',
  (axis, side) => {
    const light = new DirectionalLight();
    light.shadow.mapSize.set(512, 512);
    light.shadow.radius = light.shadow.bias = 0;
    // All numbers are exact: the cube reaches 64 to each side of the light.
    Object.assign(light.shadow.camera, { left: -64, right: 64, top: 64, bottom: -64, near: -64, far: 64 });
    light.shadow.camera.updateProjectionMatrix();
    const region = new ShadowRegion(light, false);
    region.setSpace(IDENTITY);
    const center = new Vector3().setComponent(axis, side * 66);
    const touching = new Box3().setFromCenterAndSize(center, new Vector3(2, 2, 2));
    // Nothing is in front of all that the light sees: then all of it is behind.
    const isInFront = axis === 2 && side === 1;
    region.add(bounds(touching), 0);
    expect(region.volume === null).toBe(!isInFront);
    region.add(bounds(new Box3(new Vector3(-1, -1, -1), new Vector3(1, 1, 1))), 0);
    const inside = new Vector3(0, 0, -60).setComponent(axis, side * (axis === 2 ? 63.5 : 62));
    expect(region.volume!.frustum.containsPoint(inside)).toBe(true);
  },
);

it.each([
  [WebGLCoordinateSystem, false],
  [WebGPUCoordinateSystem, false],
  [WebGLCoordinateSystem, true],
  [WebGPUCoordinateSystem, true],
] as const)(
  'the cube of a camera begins at near and ends at far (coordinate system %i, reversed depth %s)',
  (system, isReversed) => {
    const camera = new PerspectiveCamera(90, 1, 1, 100);
    Object.assign(camera, { coordinateSystem: system, _reversedDepth: isReversed });
    camera.updateProjectionMatrix();
    camera.position.set(3, 4, 5);
    camera.updateMatrixWorld();
    const places = [1, 100].map((depth) =>
      new Vector3(3 + depth / 2, 4 - depth / 4, 5 - depth).applyMatrix4(cubeOf(camera)),
    );
    for (const [k, place] of places.entries()) {
      const expected = [0.5, -0.25, k === 0 ? -1 : 1];
      for (const [axis, value] of place.toArray().entries()) expect(value).toBeCloseTo(expected[axis], 9);
    }
  },
);

it('a point light sees as far as its shadow camera, in all directions', () => {
  const random = createRandom(5);
  const cube = new Frustum();
  for (let k = 0; k < 40; k++) {
    const light = placed(new PointLight(), random);
    volumeOf(light, cube);
    const direction = pointIn(random, 1);
    const longest = Math.max(...direction.toArray().map(Math.abs));
    const at = (reach: number): Vector3 => light.position.clone().addScaledVector(direction, reach / longest);
    expect([100, 100.001].map((reach) => cube.containsPoint(at(reach)))).toEqual([true, false]);
  }
});

const volumeAt = (x: number): ViewVolume => new ViewVolume().set(new Matrix4().makeTranslation(-x, 0, 0));

it('volumes that touch meet, those beside do not', () => {
  expect([0, 1, 2, 2.001, -2, -2.001].map((x) => volumeAt(x).meets(volumeAt(0)))).toEqual([
    true,
    true,
    true,
    false,
    true,
    false,
  ]);
});

it('a camera sees a change if its frustum meets the old box or the new one, in any direction', () => {
  const random = createRandom(3);
  const scene = new Scene();
  const group = new OctreeGroup();
  const meshes = Array.from({ length: 60 }, () => new Mesh(new BoxGeometry(), new MeshBasicMaterial()));
  for (const mesh of meshes) mesh.position.copy(pointIn(random, 30));
  scene.add(group.add(...meshes));
  const views = new ViewChanges(scene, new FakeRenderer(), [group]);
  const boxOf = (mesh: Mesh): Box3 => group.bodyOf(mesh)!.getBox(new Box3());
  const seen = { yes: 0, no: 0 };
  for (let k = 0; k < 60; k++) {
    const camera = new PerspectiveCamera(random.between(20, 70), 1, 1, random.between(20, 80));
    camera.position.copy(pointIn(random, 20));
    camera.lookAt(pointIn(random, 20));
    camera.updateMatrixWorld();
    for (let n = 0; n < 3; n++) views.changedIn(camera);
    const frustum = new Frustum().setFromProjectionMatrix(
      new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse),
    );
    for (let n = 0; n < 8; n++) {
      const mesh = random.pick(meshes);
      const before = boxOf(mesh);
      mesh.position.copy(pointIn(random, 30));
      const isSeen = views.changedIn(camera);
      expect(isSeen).toBe(frustum.intersectsBox(before) || frustum.intersectsBox(boxOf(mesh)));
      seen[isSeen ? 'yes' : 'no']++;
    }
  }
  expect(Math.min(seen.yes, seen.no)).toBeGreaterThan(50);
});
