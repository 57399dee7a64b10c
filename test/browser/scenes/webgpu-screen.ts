/** Draws frames with a WebGPURenderer into a render target, and reads them back together. */

import { Box2, RenderTarget, Vector2 } from 'three';
import { WebGPURenderer } from 'three/webgpu';
import { EDGE } from './stage.ts';
import { FRAMES, type Screen } from './play.ts';

/** Rows of 256 bytes at least: WebGPU copies whole multiples of them. */
const COLUMNS = 4;
const ROWS = Math.ceil(FRAMES / COLUMNS);

export async function createWebGPUScreen(forceWebGL: boolean): Promise<Screen<WebGPURenderer>> {
  const renderer = new WebGPURenderer({ antialias: false, stencil: true, forceWebGL });
  const clock = new FrameClock();
  await clock.init(renderer);
  renderer.shadowMap.enabled = true;
  const target = new RenderTarget(EDGE, EDGE, { stencilBuffer: true });
  const all = new RenderTarget(COLUMNS * EDGE, ROWS * EDGE, { depthBuffer: false });
  renderer.initRenderTarget(all);
  const region = new Box2(new Vector2(), new Vector2(EDGE, EDGE));
  return {
    renderer,
    draw(frame, render) {
      clock.tick(() => {
        renderer.setRenderTarget(target);
        render();
        renderer.setRenderTarget(null);
        renderer.copyTextureToTexture(
          target.texture,
          all.texture,
          region,
          new Vector2((frame % COLUMNS) * EDGE, Math.floor(frame / COLUMNS) * EDGE),
        );
      });
    },
    get drawCalls() {
      return renderer.info.render.drawCalls;
    },
    async read() {
      const pixels = new Uint32Array(
        ((await renderer.readRenderTargetPixelsAsync(all, 0, 0, COLUMNS * EDGE, ROWS * EDGE)) as Uint8Array).slice()
          .buffer,
      );
      const byFrame = new Uint32Array(FRAMES * EDGE * EDGE);
      for (let frame = 0; frame < FRAMES; frame++) {
        const start = Math.floor(frame / COLUMNS) * EDGE * COLUMNS * EDGE + (frame % COLUMNS) * EDGE;
        for (let y = 0; y < EDGE; y++) {
          const row = start + y * COLUMNS * EDGE;
          byFrame.set(pixels.subarray(row, row + EDGE), frame * EDGE * EDGE + y * EDGE);
        }
      }
      return byFrame;
    },
  };
}

/**
 * Drives the animation loop of a renderer by hand. A WebGPURenderer begins a new frame only in its own animation loop,
 * where it also forgets what it has updated in the last one (shadow maps, reflections).
 */
class FrameClock {
  private next: FrameRequestCallback = () => undefined;
  private draw = (): void => undefined;

  /** Initializes the renderer, and takes over its animation loop. */
  async init(renderer: WebGPURenderer): Promise<void> {
    const restore = this.replaceRequests();
    await renderer.init();
    await renderer.setAnimationLoop(() => this.draw());
    restore();
  }

  /** Runs one turn of the animation loop, which draws one frame. */
  tick(draw: () => void): void {
    this.draw = draw;
    const restore = this.replaceRequests();
    try {
      this.next(performance.now());
    } finally {
      restore();
    }
  }

  /** From now on, requested frames wait for `tick`. Returns a function that ends this. */
  private replaceRequests(): () => void {
    const { requestAnimationFrame } = globalThis;
    globalThis.requestAnimationFrame = (callback) => {
      this.next = callback;
      return 0;
    };
    return () => (globalThis.requestAnimationFrame = requestAnimationFrame);
  }
}
