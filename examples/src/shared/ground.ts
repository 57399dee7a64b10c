// Ground and sky of a world: their interface, the glow map as a texture, and an evening sky.

import {
  BackSide,
  type Color,
  DataTexture,
  Group,
  LinearFilter,
  Mesh,
  type Object3D,
  RedFormat,
  RepeatWrapping,
  ShaderMaterial,
  SphereGeometry,
} from 'three';
import type { GlowMap } from './body-set.ts';
import { palette } from './colours.ts';
import { disposeTree } from './dispose-tree.ts';

export interface Scenery {
  readonly object: Object3D;
  readonly background: Color;
  dispose(): void;
}

/** @param glow The texture of the ground. */
export function createScenery(background: Color, glow: DataTexture, ...objects: readonly Object3D[]): Scenery {
  const object = new Group().add(...objects);
  return {
    object,
    background,
    dispose() {
      glow.dispose();
      disposeTree(object);
    },
  };
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

/** An evening sky. It moves only with the rotation of the camera and is drawn behind all other objects. */
export function createSky(): Mesh {
  const sky = new Mesh(
    new SphereGeometry(1, 32, 16),
    new ShaderMaterial({
      ...skyShader,
      side: BackSide,
      depthWrite: false,
      depthTest: false,
      uniforms: { horizon: { value: palette.dusk } },
    }),
  );
  sky.renderOrder = -1;
  sky.frustumCulled = false;
  return sky;
}

const skyShader = {
  vertexShader: /* glsl */ `
out vec3 vRay;
void main() {
  vRay = position;
  gl_Position = projectionMatrix * vec4(mat3(viewMatrix) * position, 1.0);
  // Depth 0 lies between the near and the far plane, so neither cuts the sky off.
  gl_Position.z = 0.0;
}`,
  fragmentShader: /* glsl */ `
uniform vec3 horizon;
in vec3 vRay;
void main() {
  float height = max(0.0, normalize(vRay).y);
  gl_FragColor = vec4(mix(horizon, vec3(0.002, 0.003, 0.006), 1.0 - exp(-5.0 * height)), 1.0);
  #include <colorspace_fragment>
}`,
};
