// Passes of WebGPURenderer, drawn off the screen: with its WebGPU backend, if the browser has an adapter, and its WebGL
// backend.

import {
  AmbientLight,
  ArrayCamera,
  DirectionalLight,
  Mesh,
  MeshLambertMaterial,
  PlaneGeometry,
  PointLight,
  Vector4,
  type Camera,
  type Group,
  type Object3D,
} from 'three';
import { BundleGroup, type WebGPURenderer } from 'three/webgpu';
import { describe, expect, it, vi } from 'vitest';
import { OctreeGroup } from '../../src/three.ts';
import { createCamera } from '../support/three-pictures.ts';
import { createTwins, scatter, type Twins } from '../support/three-scenes.ts';
import { BACKENDS, expectEqualPictures, FRAMES, useWebGPURenderer } from '../support/webgpu-pictures.ts';

const REACH = 40;

/** Compares the pictures of twins; returns the number of frustum queries in two frames. */
async function expectEqual(renderer: WebGPURenderer, twins: Twins, camera: Camera): Promise<number> {
  const queries = vi.spyOn((twins.octree.group as OctreeGroup).octree, 'collectFrustum');
  await expectEqualPictures(renderer, twins, camera);
  const count = queries.mock.calls.length;
  queries.mockRestore();
  return count;
}

function withLight(seed: number, light: () => DirectionalLight | PointLight): Twins {
  const twins = createTwins(seed, (group, random) => scatter(group, random, 100, REACH, 4));
  twins.each(({ scene, group }) => {
    group.traverse((object: Object3D) => (object.castShadow = object.receiveShadow = 'isMesh' in object));
    const floor = new Mesh(new PlaneGeometry(100, 100), new MeshLambertMaterial());
    floor.rotation.x = -Math.PI / 2;
    floor.position.y = -12;
    floor.receiveShadow = true;
    const caster = light();
    caster.position.set(10, 25, 5);
    caster.castShadow = true;
    caster.shadow.mapSize.set(128, 128);
    if (caster instanceof DirectionalLight)
      Object.assign(caster.shadow.camera, { left: -30, right: 30, top: 30, bottom: -30, far: 90 });
    scene.add(floor, new AmbientLight(0xffffff, 0.3), caster);
  });
  return twins;
}

describe.each(BACKENDS)(
  'WebGPURenderer with the %s backend draws an OctreeGroup like a plain Group',
  (name, forceWebGL) => {
    const { isTested, get } = useWebGPURenderer(name, forceWebGL);

    it.runIf(isTested)('with objects of every kind', async () => {
      expect(
        await expectEqual(
          get(),
          createTwins(1, (group, random) => scatter(group, random, 150, REACH)),
          createCamera(),
        ),
      ).toBe(FRAMES);
    });

    it.runIf(isTested)('with the shadows of casters off the screen', async () => {
      // Both frames lie within one animation frame of the page, so the shadows are drawn only once.
      expect(
        await expectEqual(
          get(),
          withLight(2, () => new DirectionalLight(0xffffff, 2)),
          createCamera(),
        ),
      ).toBe(FRAMES + 1);
      expect(
        await expectEqual(
          get(),
          withLight(3, () => new PointLight(0xffffff, 1500)),
          createCamera(),
        ),
      ).toBe(FRAMES + 6);
    });

    it.runIf(isTested)('after compileAsync()', async () => {
      const twins = createTwins(6, (group, random) => scatter(group, random, 100, REACH));
      for (const { scene } of [twins.plain, twins.octree]) await get().compileAsync(scene, createCamera());
      expect(await expectEqual(get(), twins, createCamera())).toBe(FRAMES);
    });

    it.runIf(isTested)('through an ArrayCamera', async () => {
      const parts = [createCamera(), createCamera([0, 5, 0], [-1, 0, 0])];
      parts.forEach((part, k) => Object.assign(part, { viewport: new Vector4(64 * k, 0, 64, 128) }));
      expect(
        await expectEqual(
          get(),
          createTwins(4, (group, random) => scatter(group, random, 150, REACH, 4)),
          new ArrayCamera(parts),
        ),
      ).toBe(FRAMES * parts.length);
    });

    it.runIf(isTested)('in a BundleGroup, which WebGPU records once, with all objects', async () => {
      const twins = createTwins(5, (group: Group, random) => scatter(group, random, 60, REACH, 4));
      twins.each(({ scene, group }) => {
        const bundle = new BundleGroup();
        scene.add(bundle.add(group));
      });
      expect(await expectEqual(get(), twins, createCamera())).toBe(forceWebGL ? FRAMES : 0);
    });
  },
);
