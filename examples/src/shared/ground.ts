// What the grounds of pages share: their interface, the glow map as a texture, and disposal.

import { type Color, DataTexture, LinearFilter, type Object3D, RedFormat, RepeatWrapping } from 'three';
import type { Mesh } from 'three';
import type { GlowMap } from './body-set.ts';

/** Ground and sky of a world. */
export interface Scenery {
  readonly object: Object3D;
  readonly background: Color;
  dispose(): void;
}

export function createGlowTexture({ texels, width, height }: GlowMap): DataTexture {
  const texture = new DataTexture(texels, width, height, RedFormat);
  texture.wrapS = RepeatWrapping;
  texture.magFilter = LinearFilter;
  texture.minFilter = LinearFilter;
  texture.unpackAlignment = 1;
  texture.needsUpdate = true;
  return texture;
}

/** Disposes geometry and materials of an object and its descendants. */
export function disposeTree(object: Object3D): void {
  object.traverse((child) => {
    const { geometry, material } = child as Partial<Mesh>;
    geometry?.dispose();
    for (const one of [material ?? []].flat()) one.dispose();
  });
}
