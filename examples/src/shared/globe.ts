// The ground of the real data set: a dark globe with a grid of degrees and the glow of all places, an atmosphere, and
// stars.

import {
  AdditiveBlending,
  BackSide,
  BufferAttribute,
  BufferGeometry,
  Mesh,
  Points,
  ShaderMaterial,
  SphereGeometry,
} from 'three';
import type { GlowMap } from './body-set.ts';
import { palette } from './colours.ts';
import { createGlowTexture, createScenery, type Scenery } from './ground.ts';
import { hash } from './noise.ts';

/** Radius of the atmosphere, in radii of the globe. */
const AIR = 1.035;
const STARS = 900;

export function createGlobe(radius: number, glow: GlowMap): Scenery {
  const texture = createGlowTexture(glow);
  const ground = new Mesh(
    new SphereGeometry(radius, 192, 96),
    new ShaderMaterial({ ...groundShader, uniforms: { glow: { value: texture } } }),
  );
  const air = new Mesh(
    new SphereGeometry(radius * AIR, 96, 48),
    new ShaderMaterial({
      ...airShader,
      side: BackSide,
      transparent: true,
      blending: AdditiveBlending,
      depthWrite: false,
      uniforms: { radius: { value: radius }, outer: { value: radius * AIR } },
    }),
  );
  air.renderOrder = -1;
  return createScenery(palette.ink, texture, createStars(), ground, air);
}

/** Stars: points that move only with the rotation of the camera and are drawn behind all other objects. */
function createStars(): Points {
  const directions = new Float32Array(STARS * 3);
  for (let star = 0; star < STARS; star++) {
    const y = 2 * hash(star, 1, 1) - 1;
    const angle = 2 * Math.PI * hash(star, 2, 1);
    const ring = Math.sqrt(1 - y * y);
    // The length of the vector is the brightness of the star; bright stars are rare.
    const brightness = 0.25 + 0.75 * hash(star, 3, 1) ** 4;
    directions.set(
      [brightness * ring * Math.sin(angle), brightness * y, brightness * ring * Math.cos(angle)],
      star * 3,
    );
  }
  const stars = new Points(
    new BufferGeometry().setAttribute('position', new BufferAttribute(directions, 3)),
    new ShaderMaterial({ ...starShader, depthTest: false, depthWrite: false }),
  );
  stars.frustumCulled = false;
  stars.renderOrder = -2;
  return stars;
}

const starShader = {
  vertexShader: /* glsl */ `
out float vBrightness;
void main() {
  vBrightness = length(position);
  gl_Position = projectionMatrix * vec4(mat3(viewMatrix) * position, 1.0);
  gl_Position.z = 0.0;
  gl_PointSize = 1.5;
}`,
  fragmentShader: /* glsl */ `
in float vBrightness;
void main() {
  gl_FragColor = vec4(vec3(0.5, 0.58, 0.75) * vBrightness * 0.6, 1.0);
  #include <colorspace_fragment>
}`,
};

const groundShader = {
  vertexShader: /* glsl */ `
out vec3 vWorld;
void main() {
  vWorld = position;
  gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
}`,
  fragmentShader: /* glsl */ `
uniform sampler2D glow;
in vec3 vWorld;
const float PI = 3.14159265;
float line(float degrees, float every) {
  float cell = degrees / every;
  float blur = fwidth(cell);
  return (1.0 - smoothstep(0.0, 1.2 * blur, abs(fract(cell - 0.5) - 0.5))) * (1.0 - smoothstep(0.05, 0.25, blur));
}
void main() {
  vec3 up = normalize(vWorld);
  float longitude = atan(up.x, up.z), latitude = asin(clamp(up.y, -1.0, 1.0));
  vec3 toEye = normalize(cameraPosition - vWorld);
  float rim = pow(1.0 - clamp(dot(up, toEye), 0.0, 1.0), 4.0);
  float light = textureLod(glow, vec2(longitude / (2.0 * PI) + 0.5, latitude / PI + 0.5), 0.0).r;
  float grid = max(line(degrees(longitude), 15.0) * step(abs(latitude), 1.4), line(degrees(latitude), 15.0));
  vec3 colour = vec3(0.0065, 0.0095, 0.016);
  colour += vec3(0.022, 0.032, 0.05) * grid;
  colour += vec3(0.062, 0.036, 0.02) * light + vec3(0.11, 0.06, 0.02) * light * light;
  colour = mix(colour, vec3(0.045, 0.085, 0.15), rim * 0.8);
  gl_FragColor = vec4(colour, 1.0);
  #include <colorspace_fragment>
}`,
};

/** Brightest where the view ray grazes the ground, fading out to the outer radius. */
const airShader = {
  vertexShader: groundShader.vertexShader,
  fragmentShader: /* glsl */ `
uniform float radius;
uniform float outer;
in vec3 vWorld;
void main() {
  vec3 ray = normalize(vWorld - cameraPosition);
  float pass = length(cross(cameraPosition, ray));
  float share = 1.0 - clamp((pass - radius) / (outer - radius), 0.0, 1.0);
  gl_FragColor = vec4(vec3(0.05, 0.1, 0.18) * share * share * share * 1.4, 1.0);
  #include <colorspace_fragment>
}`,
};
