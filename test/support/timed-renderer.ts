/** Renders for tests that compare the CPU time of frames. Needs a browser. */

import type { WebGLRenderer } from 'three';
import { afterAll } from 'vitest';
import { drawOnDemand } from './draw-on-demand.ts';
import { useRenderer } from './three-pictures.ts';

/**
 * A renderer for the tests of one file, whose draw calls do nothing: without a GPU, drawing takes far longer than the
 * JavaScript of a frame, which is what is measured.
 */
export function useTimedRenderer(): { renderer: WebGLRenderer; waitForDrawing: () => void } {
  const renderer = useRenderer();
  drawOnDemand();
  // The other test files run in the same page.
  afterAll(() => {
    drawing!.isOn = true;
  });
  renderer.setSize(64, 64, false);
  const gl = renderer.getContext();
  const pixel = new Uint8Array(4);
  return {
    renderer,
    // Call it outside of the measured time. `finish` does not wait.
    waitForDrawing: () => gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel),
  };
}

/** The mean of the shortest `count` of some times, because other processes disturb the rest. */
export function meanOfFastest(times: readonly number[], count: number): number {
  return [...times]
    .sort((a, b) => a - b)
    .slice(0, count)
    .reduce((sum, time) => sum + time / count, 0);
}
