// CPU time of a frame: 100,000 boxes as a BatchedMesh of three and as OctreeInstances.

import { RenderTarget, type Camera, type Scene } from 'three';
import { afterAll, describe, expect, it } from 'vitest';
import { drawOnDemand } from '../support/draw-on-demand.ts';
import { createLoad, measureGain, SHARES } from '../support/instance-load.ts';
import { useRenderer } from '../support/three-pictures.ts';
import { BACKENDS, useWebGPURenderer } from '../support/webgpu-pictures.ts';
import { byMajority } from '../support/by-majority.ts';

/** Far below the measured gain, because the machine may be busy. */
const MIN_GAIN = 3;
const EDGE = 64;

// Draw calls that draw nothing: without a GPU, a frame of the BatchedMesh takes seconds. This leaves out a part of its
// time only: it has up to 100,000 draws.
drawOnDemand();
// The other test files run in the same page.
afterAll(() => {
  drawing!.isOn = true;
});

describe('WebGLRenderer', () => {
  const renderer = useRenderer();
  renderer.setSize(EDGE, EDGE, false);
  const load = createLoad();
  const timeOf = (scene: Scene, camera: Camera): number => {
    const start = performance.now();
    renderer.render(scene, camera);
    const time = performance.now() - start;
    renderer.getContext().finish();
    return time;
  };

  it.each(SHARES)(
    'renders %s of 100,000 instances at a fraction of the time of a BatchedMesh',
    byMajority(async (share, fov) => {
      for (const isMoving of [false, true])
        expect(await measureGain(share, load, fov, isMoving, 8, timeOf)).toBeGreaterThan(MIN_GAIN);
    }),
  );
});

describe.each(BACKENDS)('WebGPURenderer with the %s backend', (name, forceWebGL) => {
  const { isTested, get } = useWebGPURenderer(name, forceWebGL);

  it.runIf(isTested)(
    'renders 10 % of 100,000 instances at a fraction of the time of a BatchedMesh',
    byMajority(async () => {
      const [[share, fov]] = SHARES.slice(1);
      const renderer = get();
      const target = new RenderTarget(EDGE, EDGE);
      renderer.setRenderTarget(target);
      const load = createLoad();
      const timeOf = async (scene: Scene, camera: Camera): Promise<number> => {
        const start = performance.now();
        renderer.render(scene, camera);
        const time = performance.now() - start;
        await renderer.readRenderTargetPixelsAsync(target, 0, 0, EDGE, EDGE);
        return time;
      };
      for (const isMoving of [false, true])
        expect(await measureGain(`${name}: ${share}`, load, fov, isMoving, 4, timeOf)).toBeGreaterThan(MIN_GAIN);
      target.dispose();
    }),
  );
});
