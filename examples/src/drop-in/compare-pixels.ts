// Compares the images of the two groups bit by bit.

import { type Camera, HalfFloatType, type Scene, UnsignedByteType, WebGLRenderTarget } from 'three';
import type { Stage } from '../shared/stage.ts';
import type { GroupPair } from './group-pair.ts';

export interface Comparison {
  readonly pixels: number;
  readonly different: number;
}

/** Numbers per pixel. */
const PIXEL_STRIDE = 4;
/** Maximum width of the compared images, in pixels; the image of a wider view is scaled down. */
const MAX_WIDTH = 1920;

/** Draws both groups in the current state and reads the images back asynchronously. */
export async function comparePixels(
  { renderer, views: [view] }: Stage,
  scene: Scene,
  camera: Camera,
  { plain, culled }: GroupPair,
): Promise<Comparison> {
  const scale = Math.min(1, MAX_WIDTH / view.width);
  const [width, height] = [Math.max(1, Math.round(view.width * scale)), Math.max(1, Math.round(view.height * scale))];
  // Half floats have more shades than a screen.
  const isFine =
    renderer.extensions.has('EXT_color_buffer_float') || renderer.extensions.has('EXT_color_buffer_half_float');
  const type = isFine ? HalfFloatType : UnsignedByteType;
  const targets = [plain, culled].map((group) => {
    const target = new WebGLRenderTarget(width, height, { type, samples: 4 });
    scene.add(group);
    renderer.setRenderTarget(target);
    renderer.clear();
    renderer.render(scene, camera);
    renderer.setRenderTarget(null);
    scene.remove(group);
    return target;
  });
  try {
    const [first, second] = await Promise.all(
      targets.map(async (target) => {
        const texels = new (isFine ? Uint16Array : Uint8Array)(width * height * PIXEL_STRIDE);
        await renderer.readRenderTargetPixelsAsync(target, 0, 0, width, height, texels);
        return texels;
      }),
    );
    return { pixels: width * height, different: countDifferent(first, second) };
  } finally {
    for (const target of targets) target.dispose();
  }
}

/** Number of pixels with at least one different component. */
export function countDifferent(first: Uint8Array | Uint16Array, second: Uint8Array | Uint16Array): number {
  let different = 0;
  for (let at = 0; at < first.length; at += PIXEL_STRIDE) {
    let component = 0;
    while (component < PIXEL_STRIDE && first[at + component] === second[at + component]) component++;
    if (component < PIXEL_STRIDE) different++;
  }
  return different;
}
