// The surroundings of the town: a dark plain, lit where buildings stand, and an evening sky. Both fade into the fog.

import { Mesh, PlaneGeometry, ShaderMaterial, UniformsLib, UniformsUtils } from 'three';
import type { GlowMap } from '../shared/body-set.ts';
import { palette } from '../shared/colours.ts';
import { createGlowTexture, createScenery, createSky } from '../shared/ground.ts';
import type { HazyScenery } from './picking-world.ts';

/**
 * @param edge Edge of the square around the origin that the glow map covers, in metres.
 * @param hazeEnd Distance at which the fog is opaque, in metres.
 */
export function createTownGround(edge: number, glow: GlowMap, hazeEnd: number): HazyScenery {
  const texture = createGlowTexture(glow);
  const ground = new Mesh(
    new PlaneGeometry(edge + 4 * hazeEnd, edge + 4 * hazeEnd).rotateX(-Math.PI / 2),
    new ShaderMaterial({
      ...groundShader,
      fog: true,
      uniforms: { ...UniformsUtils.clone(UniformsLib.fog), glow: { value: texture }, edge: { value: edge } },
    }),
  );
  return { ...createScenery(palette.dusk, texture, ground, createSky()), hazeEnd };
}

const groundShader = {
  vertexShader: /* glsl */ `
out vec3 vWorld;
#include <fog_pars_vertex>
void main() {
  vWorld = position;
  vec4 mvPosition = viewMatrix * vec4(position, 1.0);
  gl_Position = projectionMatrix * mvPosition;
  #include <fog_vertex>
}`,
  fragmentShader: /* glsl */ `
uniform sampler2D glow;
uniform float edge;
in vec3 vWorld;
#include <fog_pars_fragment>
void main() {
  vec2 place = vWorld.xz / edge + 0.5;
  float inTown = step(abs(place.x - 0.5), 0.5) * step(abs(place.y - 0.5), 0.5);
  float light = textureLod(glow, place, 0.0).r * inTown;
  gl_FragColor = vec4(vec3(0.0065, 0.0095, 0.015) + vec3(0.3, 0.155, 0.066) * light, 1.0);
  #include <colorspace_fragment>
  // three passes the colour of the fog in the colour space of the output, so the fog comes after the conversion.
  #include <fog_fragment>
}`,
};
