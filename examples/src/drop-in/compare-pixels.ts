// Whether the two groups give the same picture, to the last bit.

import { type Camera, HalfFloatType, type Scene, UnsignedByteType, WebGLRenderTarget } from 'three';
import type { Stage } from '../shared/stage.ts';
import type { GroupPair } from './group-pair.ts';

export interface Comparison {
  readonly pixels: number;
  readonly different: number;
}

/** Numbers a pixel. */
const PIXEL_STRIDE = 4;
/** A smaller picture of the same shape on screens that are larger. */
const MAX_WIDTH = 1920;

/** Draws both at this moment and reads them back without holding up the page. */
export async function comparePixels({ renderer, views: [view] }: Stage, scene: Scene, camera: Camera, { plain, culled }: GroupPair): Promise<Comparison> {
  const scale = Math.min(1, MAX_WIDTH / view.width);
  const [width, height] = [Math.max(1, Math.round(view.width * scale)), Math.max(1, Math.round(view.height * scale))];
  // Half floats tell more shades than a screen does.
  const isFine = renderer.extensions.has('EXT_color_buffer_float') || renderer.extensions.has('EXT_color_buffer_half_float');
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
    const [first, second] = await Promise.all(targets.map(async (target) => {
      const texels = new (isFine ? Uint16Array : Uint8Array)(width * height * PIXEL_STRIDE);
      await renderer.readRenderTargetPixelsAsync(target, 0, 0, width, height, texels);
      return texels;
    }));
    return { pixels: width * height, different: countDifferent(first, second) };
  } finally {
    for (const target of targets) target.dispose();
  }
}

/** Pixels of which a number is not the same. */
export function countDifferent(first: Uint8Array | Uint16Array, second: Uint8Array | Uint16Array): number {
  let different = 0;
  for (let at = 0; at < first.length; at += PIXEL_STRIDE) {
    let component = 0;
    while (component < PIXEL_STRIDE && first[at + component] === second[at + component]) component++;
    if (component < PIXEL_STRIDE) different++;
  }
  return different;
}
