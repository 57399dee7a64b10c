// The ground of the generated city: a dark plain, lit where buildings stand, under an evening sky.

import { Mesh, PlaneGeometry, ShaderMaterial } from 'three';
import type { GlowMap } from '../shared/body-set.ts';
import { palette } from '../shared/colours.ts';
import { createGlowTexture, createScenery, createSky, type Scenery } from '../shared/ground.ts';

/** Edge of the plain, in edges of the octree. */
const PLAIN = 6;

export function createCityGround(edge: number, glow: GlowMap): Scenery {
  const texture = createGlowTexture(glow);
  const size = edge * PLAIN;
  const ground = new Mesh(
    new PlaneGeometry(size, size).rotateX(-Math.PI / 2),
    new ShaderMaterial({
      ...groundShader,
      uniforms: { glow: { value: texture }, edge: { value: edge }, horizon: { value: palette.dusk } },
    }),
  );
  return createScenery(palette.dusk, texture, ground, createSky());
}

const groundShader = {
  vertexShader: /* glsl */ `
out vec3 vWorld;
void main() {
  vWorld = position;
  gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
}`,
  fragmentShader: /* glsl */ `
uniform sampler2D glow;
uniform float edge;
uniform vec3 horizon;
in vec3 vWorld;
void main() {
  vec2 place = vWorld.xz / edge + 0.5;
  float inTown = step(abs(place.x - 0.5), 0.5) * step(abs(place.y - 0.5), 0.5);
  float light = textureLod(glow, place, 0.0).r * inTown;
  vec3 colour = vec3(0.0065, 0.0095, 0.015) + vec3(0.17, 0.095, 0.042) * light;
  float haze = 1.0 - exp(-distance(cameraPosition, vWorld) / (1.1 * edge));
  gl_FragColor = vec4(mix(colour, horizon, haze * haze), 1.0);
  #include <colorspace_fragment>
}`,
};
