// The passes of WebGPURenderer, drawn off the screen: its WebGPU backend where the browser has an adapter, and its WebGL backend.

import {
  AmbientLight, ArrayCamera, Color, DirectionalLight, Mesh, MeshLambertMaterial, PlaneGeometry, PointLight, RenderTarget, Vector4, type Camera, type Group, type Object3D,
} from 'three';
import { BundleGroup, WebGPURenderer } from 'three/webgpu';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { OctreeGroup } from '../../src/three/index.ts';
import { createCamera } from '../support/three-pictures.ts';
import { createTwins, scatter, type Twin, type Twins } from '../support/three-scenes.ts';

const EDGE = 128;
const FRAMES = 2;
const REACH = 40;
const hasWebGPU = 'gpu' in navigator && (await navigator.gpu.requestAdapter()) !== null;
if (!hasWebGPU) console.log('The WebGPU backend is not tested: this browser has no adapter.');

async function pixelsOf(renderer: WebGPURenderer, { scene }: Twin, camera: Camera): Promise<Uint32Array> {
  const target = new RenderTarget(EDGE, EDGE);
  scene.background ??= new Color(0x334455);
  renderer.setRenderTarget(target);
  for (let frame = 0; frame < FRAMES; frame++) renderer.render(scene, camera);
  const pixels = (await renderer.readRenderTargetPixelsAsync(target, 0, 0, EDGE, EDGE)) as Uint8Array;
  target.dispose();
  return new Uint32Array(pixels.slice().buffer);
}

/** Compares the pictures of twins; returns how often two frames have asked the octree. */
async function expectEqual(renderer: WebGPURenderer, twins: Twins, camera: Camera): Promise<number> {
  const plain = await pixelsOf(renderer, twins.plain, camera);
  const queries = vi.spyOn((twins.octree.group as OctreeGroup).octree, 'collectFrustum');
  const octree = await pixelsOf(renderer, twins.octree, camera);
  const asked = queries.mock.calls.length;
  queries.mockRestore();
  expect(plain.filter((pixel) => pixel !== plain[0]).length).toBeGreaterThan(200);
  expect(plain.filter((pixel, k) => pixel !== octree[k]).length).toBe(0);
  return asked;
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
    if (caster instanceof DirectionalLight) Object.assign(caster.shadow.camera, { left: -30, right: 30, top: 30, bottom: -30, far: 90 });
    scene.add(floor, new AmbientLight(0xffffff, 0.3), caster);
  });
  return twins;
}

describe.each([['WebGPU', false], ['WebGL', true]])('WebGPURenderer with the %s backend draws an OctreeGroup as a plain Group', (name, forceWebGL) => {
  const isTested = forceWebGL || hasWebGPU;
  let renderer: WebGPURenderer;
  beforeAll(async () => {
    if (!isTested) return;
    renderer = new WebGPURenderer({ antialias: false, forceWebGL });
    await renderer.init();
    renderer.shadowMap.enabled = true;
    expect('isWebGPUBackend' in renderer.backend).toBe(name === 'WebGPU');
  });
  afterAll(() => isTested && renderer.dispose());

  it.runIf(isTested)('with objects of every kind', async () => {
    expect(await expectEqual(renderer, createTwins(1, (group, random) => scatter(group, random, 150, REACH)), createCamera())).toBe(FRAMES);
  });

  it.runIf(isTested)('with the shadows of casters off the screen', async () => {
    // The shadows are drawn once for both frames: they lie within one frame of the page.
    expect(await expectEqual(renderer, withLight(2, () => new DirectionalLight(0xffffff, 2)), createCamera())).toBe(FRAMES + 1);
    expect(await expectEqual(renderer, withLight(3, () => new PointLight(0xffffff, 1500)), createCamera())).toBe(FRAMES + 6);
  });

  it.runIf(isTested)('through an ArrayCamera', async () => {
    const parts = [createCamera(), createCamera([0, 5, 0], [-1, 0, 0])];
    parts.forEach((part, k) => Object.assign(part, { viewport: new Vector4(64 * k, 0, 64, 128) }));
    expect(await expectEqual(renderer, createTwins(4, (group, random) => scatter(group, random, 150, REACH, 4)), new ArrayCamera(parts))).toBe(FRAMES * parts.length);
  });

  it.runIf(isTested)('in a BundleGroup, which WebGPU records once, with everything in it', async () => {
    const twins = createTwins(5, (group: Group, random) => scatter(group, random, 60, REACH, 4));
    twins.each(({ scene, group }) => {
      const bundle = new BundleGroup();
      scene.add(bundle.add(group));
    });
    expect(await expectEqual(renderer, twins, createCamera())).toBe(forceWebGL ? FRAMES : 0);
  });
});
