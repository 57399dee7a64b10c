// Waits for the GPU.

import type { WebGLRenderer } from 'three';

const MAX_WAIT_MS = 1000;

/** Resolves once the GPU has drawn everything so far. Does not block the page; draw calls after it do not wait. */
export async function untilDrawn(renderer: WebGLRenderer): Promise<void> {
  const gl = renderer.getContext() as WebGL2RenderingContext;
  const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
  if (fence === null) return;
  gl.flush();
  const end = performance.now() + MAX_WAIT_MS;
  let isDrawn = false;
  while (!isDrawn && !gl.isContextLost() && performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve));
    isDrawn = gl.getSyncParameter(fence, gl.SYNC_STATUS) === gl.SIGNALED;
  }
  gl.deleteSync(fence);
}
