// OctreeInstances through WebGPURenderer, drawn off the screen: its WebGPU backend where the browser has an adapter,
// and its WebGL backend.

import {
  AmbientLight,
  ArrayCamera,
  BoxGeometry,
  DirectionalLight,
  Mesh,
  MeshLambertMaterial,
  OrthographicCamera,
  PlaneGeometry,
  PointLight,
  SphereGeometry,
  Vector4,
} from 'three';
import { BundleGroup } from 'three/webgpu';
import { describe, expect, it } from 'vitest';
import {
  colorInstances,
  createInstanceTwins,
  scatterInstances,
  type InstanceTwins,
} from '../support/instance-twins.ts';
import { createCamera } from '../support/three-pictures.ts';
import { BACKENDS, expectEqualPictures, useWebGPURenderer } from '../support/webgpu-pictures.ts';

const REACH = 40;
const camera = createCamera();

/** Coloured boxes above a floor. They cast shadows if the light does. */
function boxes(seed: number, light: DirectionalLight | PointLight | null = null, count = 200): InstanceTwins {
  const twins = createInstanceTwins(count, () => ({
    geometry: new BoxGeometry(2, 1, 3),
    material: new MeshLambertMaterial(),
  }));
  twins.change(seed, (instances, random) => {
    scatterInstances(instances, random, count, REACH);
    colorInstances(instances, random, count);
    instances.castShadow = instances.receiveShadow = true;
  });
  twins.each(({ scene }) => {
    const floor = new Mesh(new PlaneGeometry(100, 100), new MeshLambertMaterial());
    floor.rotation.x = -Math.PI / 2;
    floor.position.y = -12;
    floor.receiveShadow = true;
    scene.add(floor, new AmbientLight(0xffffff, light === null ? 3 : 0.3));
    if (light === null) return;
    const caster = light.clone();
    caster.position.set(10, 25, 5);
    caster.castShadow = true;
    caster.shadow.mapSize.set(128, 128);
    if (caster.shadow.camera instanceof OrthographicCamera)
      Object.assign(caster.shadow.camera, { left: -30, right: 30, top: 30, bottom: -30, far: 90 });
    scene.add(caster);
  });
  return twins;
}

describe.each(BACKENDS)(
  'WebGPURenderer with the %s backend draws OctreeInstances as an InstancedMesh',
  (name, forceWebGL) => {
    const { isTested, get } = useWebGPURenderer(name, forceWebGL);

    it.runIf(isTested)('with colours, few and many, before and after they have moved', async () => {
      for (const count of [200, 3000]) {
        const twins = boxes(1, null, count);
        await expectEqualPictures(get(), twins, camera);
        twins.change(2, (instances, random) => scatterInstances(instances, random, count / 2, REACH));
        await expectEqualPictures(get(), twins, camera);
        await expectEqualPictures(get(), twins, createCamera([0, 5, 0], [-10, 5, 0]));
      }
    });

    it.runIf(isTested)('with the shadows of casters off the screen', async () => {
      await expectEqualPictures(get(), boxes(3, new DirectionalLight(0xffffff, 2)), camera);
      await expectEqualPictures(get(), boxes(4, new PointLight(0xffffff, 1500)), camera);
    });

    it.runIf(isTested)('through an ArrayCamera', async () => {
      const parts = [createCamera(), createCamera([0, 5, 0], [-1, 0, 0])];
      parts.forEach((part, k) => Object.assign(part, { viewport: new Vector4(64 * k, 0, 64, 128) }));
      await expectEqualPictures(get(), boxes(5), new ArrayCamera(parts));
    });

    it.runIf(isTested)('in a BundleGroup, which WebGPU records once, with all instances', async () => {
      const twins = boxes(6);
      twins.each(({ scene, group }) => scene.add(new BundleGroup().add(group)));
      await expectEqualPictures(get(), twins, camera);
    });

    it.runIf(isTested)('with shadowLevel', async () => {
      for (const shadowLevel of [0, 1]) {
        const twins = boxes(7, new DirectionalLight(0xffffff, 2));
        // The camera sees only boxes: the other level begins farther away.
        twins.instances.addLevel(new SphereGeometry(), 1e6).shadowLevel = shadowLevel;
        const comparison = expectEqualPictures(get(), twins, camera);
        await (shadowLevel === 0 ? comparison : expect(comparison).rejects.toThrow('to be +0'));
      }
    });
  },
);
