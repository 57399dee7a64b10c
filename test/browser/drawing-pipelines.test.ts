// The drawing pipelines of three that merge objects on the GPU, over both containers: they leave out objects with
// render callbacks of their own.

import {
  AmbientLight,
  BoxGeometry,
  Color,
  DirectionalLight,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshLambertMaterial,
  Scene,
  SphereGeometry,
  type Object3D,
} from 'three';
import { MeshletDrawingPipeline } from 'three/addons/pipelines/MeshletDrawingPipeline.js';
import { VisibilityBufferDrawingPipeline } from 'three/addons/pipelines/VisibilityBufferDrawingPipeline.js';
import { StandardDrawingPipeline, type WebGPURenderer } from 'three/webgpu';
import { describe, expect, it, vi } from 'vitest';
import { OctreeGroup, OctreeInstances } from '../../src/three.ts';
import { createCamera } from '../support/three-pictures.ts';
import type { Twin, Twins } from '../support/three-scenes.ts';
import { hasWebGPU, pixelsOf, useWebGPURenderer } from '../support/webgpu-pictures.ts';

const COUNT = 27;
const camera = createCamera([6, 8, 30], [0, 0, 0]);

/** In a cube before the camera, all of them visible. */
function placeOf(k: number): Matrix4 {
  return new Matrix4().makeTranslation((k % 3) * 5 - 5, (Math.floor(k / 3) % 3) * 5 - 5, Math.floor(k / 9) * 5 - 5);
}

function twinsOf(create: (isOctree: boolean) => Object3D): Twins {
  const twins = [false, true].map((isOctree): Twin => {
    const group = new Group().add(create(isOctree));
    const light = new DirectionalLight(0xffffff, 2);
    light.position.set(1, 2, 3);
    return { scene: new Scene().add(group, light, new AmbientLight(0xffffff, 0.5)), group };
  });
  return { plain: twins[0], octree: twins[1], each: (change) => twins.forEach(change) };
}

/** Meshes of two geometries. */
function meshes(): Twins {
  const geometries = [new SphereGeometry(1.5, 16, 12), new BoxGeometry(2, 2, 2)];
  const materials = [0xff8040, 0x40ff80].map((color) => new MeshLambertMaterial({ color }));
  return twinsOf((isOctree) => {
    const group = isOctree ? new OctreeGroup() : new Group();
    for (let k = 0; k < COUNT; k++) {
      const mesh = new Mesh(geometries[k % 2], materials[k % 2]);
      mesh.position.setFromMatrixPosition(placeOf(k));
      group.add(mesh);
    }
    return group;
  });
}

function instances(): Twins {
  const geometry = new SphereGeometry(1.5, 16, 12);
  const material = new MeshLambertMaterial();
  return twinsOf((isOctree) => {
    const container = isOctree
      ? new OctreeInstances(geometry, material, COUNT)
      : new InstancedMesh(geometry, material, COUNT);
    for (let k = 0; k < COUNT; k++)
      container.setMatrixAt(k, placeOf(k)).setColorAt(k, new Color().setHSL(k / COUNT, 1, 0.5));
    return container;
  });
}

interface Drawn {
  readonly pixels: Uint32Array;
  /**
   * Objects of the scene that the pipeline draws itself, in all frames together, and those that it leaves to the
   * standard pipeline.
   */
  readonly merged: number;
  readonly others: number;
}

async function draw(renderer: WebGPURenderer, pipeline: MeshletDrawingPipeline, twin: Twin): Promise<Drawn> {
  renderer.drawingPipeline = pipeline;
  await pipeline.prepareAsync(twin.scene, camera);
  // The first frames may prepare geometries, one in each frame.
  await pixelsOf(renderer, twin, camera);
  const passed = vi.spyOn(pipeline, 'pushRenderItem');
  // Receives the objects that are left to the standard pipeline, and the meshes in which the others are merged.
  const standard = vi.spyOn(StandardDrawingPipeline.prototype, 'pushRenderItem');
  const pixels = await pixelsOf(renderer, twin, camera);
  const left = new Set(standard.mock.calls.map(([, object]) => object));
  const others = passed.mock.calls.filter(([, object]) => left.has(object)).length;
  const merged = passed.mock.calls.length - others;
  passed.mockRestore();
  standard.mockRestore();
  return { pixels, merged, others };
}

describe.each([
  ['MeshletDrawingPipeline', MeshletDrawingPipeline],
  ['VisibilityBufferDrawingPipeline', VisibilityBufferDrawingPipeline],
])('%s', (_, Pipeline) => {
  const { isTested, get } = useWebGPURenderer('WebGPU', false);

  it.runIf(isTested && hasWebGPU).each([
    ['an OctreeGroup', meshes],
    ['OctreeInstances', instances],
  ])('draws the objects of %s itself, as those of three', async (__, create) => {
    const twins = create();
    const plain = await draw(get(), new Pipeline(), twins.plain);
    const octree = await draw(get(), new Pipeline(), twins.octree);
    expect(plain.merged).toBeGreaterThan(0);
    expect(plain.others).toBe(0);
    expect([octree.merged, octree.others]).toEqual([plain.merged, plain.others]);
    expect(plain.pixels.filter((pixel) => pixel !== plain.pixels[0]).length).toBeGreaterThan(500);
    expect(plain.pixels.filter((pixel, k) => pixel !== octree.pixels[k]).length).toBe(0);
  });
});
