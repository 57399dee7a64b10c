// Instances with their own morph target influences must look like those of an InstancedMesh.

import { AmbientLight, Color, DirectionalLight, Mesh, MeshLambertMaterial, PlaneGeometry, type Camera } from 'three';
import { describe, expect, it } from 'vitest';
import {
  colorInstances,
  createInstanceTwins,
  randomMatrix,
  scatterInstances,
  type InstanceTwins,
} from '../support/instance-twins.ts';
import { influencing, morphingBox, morphInstances } from '../support/morphing-boxes.ts';
import { createRandom } from '../support/random.ts';
import { compare, createCamera, expectEqual, useRenderer } from '../support/three-pictures.ts';
import { BACKENDS, expectEqualPictures, useWebGPURenderer } from '../support/webgpu-pictures.ts';

const COUNT = 200;
const REACH = 30;
const cameras = [createCamera(), createCamera([0, 5, 0], [-10, 5, 0]), createCamera([REACH, 20, 0], [0, 0, 0])];
const all = Array.from({ length: COUNT }, (_, id) => id);

/** Lit and coloured boxes above a floor, with their shadows. */
function boxes(seed: number, isRelative: boolean, hasShadow = true): InstanceTwins {
  const twins = createInstanceTwins(COUNT, () => ({
    geometry: morphingBox(isRelative),
    material: new MeshLambertMaterial(),
  }));
  twins.change(seed, (instances, random) => {
    scatterInstances(instances, random, COUNT, REACH);
    colorInstances(instances, random, COUNT);
    instances.castShadow = instances.receiveShadow = hasShadow;
    morphInstances(instances, random, all);
  });
  twins.each(({ scene }) => {
    const floor = new Mesh(new PlaneGeometry(100, 100), new MeshLambertMaterial());
    floor.rotation.x = -Math.PI / 2;
    floor.position.y = -12;
    floor.receiveShadow = true;
    const light = new DirectionalLight(0xffffff, 2);
    light.position.set(10, 25, 5);
    light.castShadow = hasShadow;
    light.shadow.mapSize.set(128, 128);
    Object.assign(light.shadow.camera, { left: -30, right: 30, top: 30, bottom: -30, far: 90 });
    scene.add(floor, light, new AmbientLight(0xffffff, 0.5));
  });
  return twins;
}

/** Moves, morphs, deletes and adds some instances. The InstancedMesh writes to the same rows. */
function change(twins: InstanceTwins, seed: number): void {
  const { mesh, instances } = twins;
  twins.change(seed, (both, random) => {
    const ids = Array.from({ length: 30 }, () => random.below(COUNT));
    morphInstances(both, random, ids);
    for (const id of ids) both.setMatrixAt(id, randomMatrix(random, REACH));
  });
  const id = seed * 7;
  const matrix = randomMatrix(createRandom(seed), REACH);
  expect(instances.deleteInstance(id).addInstance(matrix)).toBe(id);
  mesh.setMatrixAt(id, matrix);
  for (const both of [mesh, instances]) both.setColorAt(id, new Color(0xff8800)).setMorphAt(id, influencing(0.5, 0.25));
  mesh.morphTexture!.needsUpdate = true;
}

describe('instances with their own morph target influences look like those of an InstancedMesh', () => {
  const renderer = useRenderer();

  it.each([
    ['shapes', false],
    ['offsets', true],
  ])('drawn by WebGLRenderer, with targets that are %s, while they change', (_, isRelative) => {
    const twins = boxes(1, isRelative);
    for (const [k, camera] of cameras.entries()) {
      expectEqual(compare(renderer, twins, ({ scene }) => renderer.render(scene, camera), 1));
      change(twins, k + 1);
    }
    expectEqual(compare(renderer, twins, ({ scene }) => renderer.render(scene, cameras[0]), 1));
  });

  it('drawn by WebGLRenderer, of which each pass sees a few only', () => {
    const twins = boxes(2, false, false);
    for (let k = 0; k < 12; k++) {
      const camera = createCamera([0, 0, 0], [Math.cos(k), 0, Math.sin(k)], 12);
      expectEqual({ ...compare(renderer, twins, ({ scene }) => renderer.render(scene, camera), 1), drawnPixels: 1000 });
    }
  });

  describe.each(BACKENDS)('drawn by WebGPURenderer with the %s backend', (name, forceWebGL) => {
    const { isTested, get } = useWebGPURenderer(name, forceWebGL);

    it.runIf(isTested)('while they change', async () => {
      const twins = boxes(3, true);
      for (const [k, camera] of (cameras as readonly Camera[]).entries()) {
        await expectEqualPictures(get(), twins, camera);
        change(twins, k + 1);
      }
      await expectEqualPictures(get(), twins, cameras[0]);
    });
  });
});
