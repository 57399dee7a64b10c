// Where the shadow of a change may fall, and which cameras see a change: against points and boxes, at random.

import {
  Box3,
  BoxGeometry,
  DirectionalLight,
  Frustum,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  PerspectiveCamera,
  PointLight,
  Scene,
  SpotLight,
  Vector3,
} from 'three';
import { describe, expect, it } from 'vitest';
import { cubeOf, ShadowRegion, type ShadowCaster } from '../../../src/changes/views/view-volume.ts';
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
        kind === 'point'
          ? new Matrix4()
              .makeScale(0.01, 0.01, 0.01)
              .multiply(new Matrix4().makeTranslation(light.position.clone().negate()))
          : cubeOf(light.shadow.camera),
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
