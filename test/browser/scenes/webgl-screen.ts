/** Draws frames with a WebGLRenderer onto its canvas, and reads them back. */

import { PCFShadowMap, WebGLRenderer } from 'three';
import { EDGE } from './stage.ts';
import { FRAMES, type Screen } from './play.ts';

const FRAME_BYTES = 4 * EDGE * EDGE;

export function createWebGLScreen(): Screen<WebGLRenderer> {
  const renderer = new WebGLRenderer({ antialias: false, stencil: true });
  renderer.setSize(EDGE, EDGE, false);
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = PCFShadowMap;
  renderer.info.autoReset = false;
  const gl = renderer.getContext();
  const bytes = new Uint8Array(FRAMES * FRAME_BYTES);
  return {
    renderer,
    draw(frame, render) {
      renderer.info.reset();
      render();
      gl.readPixels(
        0,
        0,
        EDGE,
        EDGE,
        gl.RGBA,
        gl.UNSIGNED_BYTE,
        bytes.subarray(frame * FRAME_BYTES, (frame + 1) * FRAME_BYTES),
      );
    },
    get drawCalls() {
      return renderer.info.render.calls;
    },
    read: () => Promise.resolve(new Uint32Array(bytes.buffer)),
  };
}
