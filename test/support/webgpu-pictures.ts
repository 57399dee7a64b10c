/** Renders twin scenes with `WebGPURenderer`, on both of its backends, and compares the pixels. Needs a browser. */

import { Color, RenderTarget, type Camera } from 'three';
import { WebGPURenderer } from 'three/webgpu';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Twin, Twins } from './three-scenes.ts';

export const FRAMES = 2;
const EDGE = 128;

export const hasWebGPU = 'gpu' in navigator && (await navigator.gpu.requestAdapter()) !== null;
if (!hasWebGPU) console.log('The WebGPU backend is not tested: this browser has no adapter.');

/** Name of a backend, and the value of `forceWebGL`. */
export const BACKENDS: [string, boolean][] = [
  ['WebGPU', false],
  ['WebGL', true],
];

/** A renderer for the tests of one block. It exists only while they run. */
export function useWebGPURenderer(name: string, forceWebGL: boolean): { isTested: boolean; get: () => WebGPURenderer } {
  const isTested = forceWebGL || hasWebGPU;
  let renderer: WebGPURenderer;
  beforeAll(async () => {
    if (!isTested) return;
    renderer = new WebGPURenderer({ antialias: false, forceWebGL });
    await renderer.init();
    renderer.shadowMap.enabled = true;
    expect('isWebGPUBackend' in renderer.backend).toBe(name === 'WebGPU');
  });
  afterAll(() => (isTested ? renderer.dispose() : undefined));
  return { isTested, get: () => renderer };
}

/** A new frame of the page: WebGPURenderer draws the shadow map of a light once in each. */
export const nextFrame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));

export async function pixelsOf(
  renderer: WebGPURenderer,
  { scene }: Twin,
  camera: Camera,
  frames = FRAMES,
): Promise<Uint32Array> {
  const target = new RenderTarget(EDGE, EDGE);
  scene.background ??= new Color(0x334455);
  renderer.setRenderTarget(target);
  for (let frame = 0; frame < frames; frame++) renderer.render(scene, camera);
  const pixels = (await renderer.readRenderTargetPixelsAsync(target, 0, 0, EDGE, EDGE)) as Uint8Array;
  target.dispose();
  return new Uint32Array(pixels.slice().buffer);
}

/** Renders `FRAMES` frames of both twins and expects that the last pictures are equal and not empty. */
export async function expectEqualPictures(renderer: WebGPURenderer, twins: Twins, camera: Camera): Promise<void> {
  const plain = await pixelsOf(renderer, twins.plain, camera);
  const octree = await pixelsOf(renderer, twins.octree, camera);
  expect(plain.filter((pixel) => pixel !== plain[0]).length).toBeGreaterThan(200);
  expect(plain.filter((pixel, k) => pixel !== octree[k]).length).toBe(0);
}
