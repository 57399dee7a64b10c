/** Renders twin scenes with `WebGLRenderer` and compares the pixels. Needs a browser. */

import {
  Color,
  PCFShadowMap,
  PerspectiveCamera,
  WebGLRenderer,
  WebGLRenderTarget,
  type Camera,
  type Object3D,
  type WebGLRendererParameters,
} from 'three';
import { afterAll, expect, vi, type MockInstance } from 'vitest';
import { OctreeGroup } from '../../src/three.ts';
import type { Twin, Twins } from './three-scenes.ts';

const EDGE = 128;

export interface Comparison {
  readonly differingPixels: number;
  /** Pixels that are not background. A comparison of empty pictures proves nothing. */
  readonly drawnPixels: number;
  /** Number of different colours. A comparison of pictures that one object covers proves little. */
  readonly colors: number;
  /** Draw calls of the plain group and of the octree group. */
  readonly calls: readonly [number, number];
  /** Frustum queries of the octree in the last frame. */
  readonly queries: number;
}

/** A renderer for the tests of one file. */
export function useRenderer(parameters: WebGLRendererParameters = {}): WebGLRenderer {
  const renderer = new WebGLRenderer({ antialias: false, ...parameters });
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = PCFShadowMap;
  renderer.info.autoReset = false;
  afterAll(() => renderer.dispose());
  return renderer;
}

/** Loses the context of a renderer, calls `during`, and restores the context. */
export async function loseContext(renderer: WebGLRenderer, during: () => void): Promise<void> {
  const canvas = renderer.domElement;
  const next = (event: string): Promise<unknown> =>
    new Promise((resolve) => canvas.addEventListener(event, resolve, { once: true }));
  const lost = next('webglcontextlost');
  renderer.forceContextLoss();
  await lost;
  during();
  const restored = next('webglcontextrestored');
  // Only after the renderer has handled the event.
  setTimeout(() => renderer.forceContextRestore(), 50);
  await restored;
}

/** The pixels that `draw` draws. */
export function readPicture(renderer: WebGLRenderer, draw: () => void): Uint32Array {
  const target = new WebGLRenderTarget(EDGE, EDGE);
  renderer.setRenderTarget(target);
  renderer.clear();
  draw();
  const pixels = new Uint8Array(EDGE * EDGE * 4);
  renderer.readRenderTargetPixels(target, 0, 0, EDGE, EDGE, pixels);
  target.dispose();
  return new Uint32Array(pixels.buffer);
}

/** Draws both twins, `frames` times each, and compares the last pictures. */
export function compare(
  renderer: WebGLRenderer,
  twins: Twins,
  draw: (twin: Twin, renderer: WebGLRenderer) => void,
  frames = 2,
): Comparison {
  const target = new WebGLRenderTarget(EDGE, EDGE);
  const queries =
    twins.octree.group instanceof OctreeGroup ? vi.spyOn(twins.octree.group.octree, 'collectFrustum') : null;
  const [plain, octree] = [twins.plain, twins.octree].map((twin) => {
    twin.scene.background ??= new Color(0x334455);
    for (let frame = 0; frame < frames; frame++) {
      renderer.info.reset();
      queries?.mockClear();
      renderer.setRenderTarget(target);
      renderer.clear();
      draw(twin, renderer);
    }
    const pixels = new Uint8Array(EDGE * EDGE * 4);
    renderer.readRenderTargetPixels(target, 0, 0, EDGE, EDGE, pixels);
    return { pixels: new Uint32Array(pixels.buffer), calls: renderer.info.render.calls };
  });
  target.dispose();
  const count = (test: (k: number) => boolean): number => plain.pixels.reduce((sum, _, k) => sum + Number(test(k)), 0);
  return {
    differingPixels: count((k) => plain.pixels[k] !== octree.pixels[k]),
    drawnPixels: count((k) => plain.pixels[k] !== plain.pixels[0]),
    colors: new Set(plain.pixels).size,
    calls: [plain.calls, octree.calls],
    queries: restore(queries),
  };
}

function restore(queries: MockInstance | null): number {
  const count = queries?.mock.calls.length ?? 0;
  queries?.mockRestore();
  return count;
}

/** Expects that the two pictures are equal and not empty. */
export function expectEqual({ differingPixels, drawnPixels, calls }: Comparison): void {
  expect({ differingPixels, isDrawn: drawnPixels > 200 }).toEqual({ differingPixels: 0, isDrawn: true });
  // Fewer calls are possible: the octree skips draw calls for passes that see nothing.
  expect(calls[1]).toBeLessThanOrEqual(calls[0]);
}

export function createCamera(
  position: readonly [number, number, number] = [0, 0, 0],
  lookAt: readonly [number, number, number] = [1, 0, 0],
  far = 60,
): PerspectiveCamera {
  const camera = new PerspectiveCamera(50, 1, 0.1, far);
  aim(camera, position, lookAt);
  return camera;
}

export function aim(
  camera: Camera & Object3D,
  position: readonly [number, number, number],
  lookAt: readonly [number, number, number],
): void {
  camera.position.set(...position);
  camera.lookAt(...lookAt);
  camera.updateMatrixWorld();
}
