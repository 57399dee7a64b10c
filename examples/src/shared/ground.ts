// Helpers for the grounds of all pages: the glow map as a texture, and disposal.

import { DataTexture, LinearFilter, type Object3D, RedFormat, RepeatWrapping } from 'three';
import type { Mesh } from 'three';
import type { GlowMap } from './body-set.ts';

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
