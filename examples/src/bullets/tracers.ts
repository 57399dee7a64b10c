// Draws each bullet as a bright ribbon along its velocity that faces the camera. Each frame uploads only the spheres
// and velocities of the bullets.

import {
  AdditiveBlending,
  BufferAttribute,
  DoubleSide,
  DynamicDrawUsage,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  ShaderMaterial,
} from 'three';
import type { Flight } from './flight.ts';
import { BARREL_LENGTH, gunPlace } from './range.ts';

const FIRST_CAPACITY = 1024;
/** Maximum number of bullets with full brightness. */
const MAX_FULL_BRIGHT = 1500;

export class Tracers {
  readonly object: Mesh<InstancedBufferGeometry, ShaderMaterial>;
  private spheres = new InstancedBufferAttribute(new Float32Array(), 4);
  /** Velocity x y z, and the seconds that the bullet still flies. */
  private velocities = new InstancedBufferAttribute(new Float32Array(), 4);

  constructor() {
    const material = new ShaderMaterial({
      vertexShader,
      fragmentShader,
      transparent: true,
      side: DoubleSide,
      depthWrite: false,
      blending: AdditiveBlending,
      uniforms: { ahead: { value: 0 }, gun: { value: gunPlace }, viewHeight: { value: 1 }, light: { value: 1 } },
    });
    this.object = new Mesh(new InstancedBufferGeometry(), material);
    this.object.frustumCulled = false;
    this.object.renderOrder = 2;
    this.grow(FIRST_CAPACITY);
  }

  /**
   * Shows the flight `ahead` seconds after its last step; bullets that have hit something by then are not drawn.
   *
   * @param viewHeight Height of the view in CSS pixels.
   */
  show({ bullets, spheres, count }: Flight, ahead: number, viewHeight: number): void {
    if (count > this.spheres.count) this.grow(2 ** Math.ceil(Math.log2(count)));
    this.spheres.array.set(spheres);
    for (let slot = 0; slot < count; slot++) {
      const { velocity, impact } = bullets[slot];
      velocity.toArray(this.velocities.array, slot * 4);
      this.velocities.array[slot * 4 + 3] = impact === null ? Infinity : impact.delay;
    }
    for (const attribute of [this.spheres, this.velocities]) {
      attribute.clearUpdateRanges();
      attribute.addUpdateRange(0, count * attribute.itemSize);
      attribute.needsUpdate = true;
    }
    const { geometry, material } = this.object;
    geometry.instanceCount = count;
    material.uniforms.ahead.value = ahead;
    // Blending is additive: the more bullets, the lower the brightness of each.
    material.uniforms.light.value = Math.min(1, Math.sqrt(MAX_FULL_BRIGHT / Math.max(1, count)));
    material.uniforms.viewHeight.value = viewHeight;
  }

  private grow(capacity: number): void {
    this.spheres = new InstancedBufferAttribute(new Float32Array(capacity * 4), 4).setUsage(DynamicDrawUsage);
    this.velocities = new InstancedBufferAttribute(new Float32Array(capacity * 4), 4).setUsage(DynamicDrawUsage);
    // GPU buffers cannot grow, so a new geometry replaces the old one.
    this.object.geometry.dispose();
    this.object.geometry = new InstancedBufferGeometry()
      .setAttribute('position', new BufferAttribute(CORNERS, 3))
      .setAttribute('sphere', this.spheres)
      .setAttribute('velocity', this.velocities)
      .setIndex([0, 1, 2, 2, 1, 3]);
  }
}

/** Corners of the ribbon: x from -1 to 1 across it, y from 0 at the tail to 1 at the head. */
const CORNERS = new Float32Array([-1, 0, 0, 1, 0, 0, -1, 1, 0, 1, 1, 0]);

const vertexShader = /* glsl */ `
#define TRAIL_SECONDS 0.04
#define PIXELS 1.2
in vec4 sphere;
in vec4 velocity;
uniform float ahead;
uniform vec3 gun;
uniform float viewHeight;
uniform float light;
out vec2 vPlace;
out float vStrength;
void main() {
  vec3 head = sphere.xyz + velocity.xyz * ahead;
  vec3 direction = normalize(velocity.xyz);
  // The streak of a bullet is not longer than its distance from the barrel.
  float trail = min(length(velocity.xyz) * TRAIL_SECONDS, max(0.5, distance(head, gun) - ${BARREL_LENGTH.toFixed(1)}));
  vec3 along = head - direction * trail * (1.0 - position.y);
  vec4 clip = projectionMatrix * viewMatrix * vec4(along, 1.0);
  vec3 aside = normalize(cross(direction, along - cameraPosition));
  float pixel = 2.0 * clip.w / (projectionMatrix[1][1] * viewHeight);
  float halfWidth = max(sphere.w, pixel * PIXELS);
  // A ribbon that is wider than its bullet is fainter.
  vStrength = light * sphere.w / halfWidth;
  vPlace = position.xy;
  vec4 corner = vec4(along + aside * position.x * halfWidth, 1.0);
  gl_Position = ahead < velocity.w ? projectionMatrix * viewMatrix * corner : vec4(2.0, 2.0, 2.0, 1.0);
}`;

const fragmentShader = /* glsl */ `
in vec2 vPlace;
in float vStrength;
void main() {
  float light = (1.0 - abs(vPlace.x)) * vPlace.y * vPlace.y;
  vec3 colour = mix(vec3(0.6, 0.19, 0.03), vec3(1.0, 0.8, 0.45), light * light) * light * vStrength;
  gl_FragColor = vec4(colour, 1.0);
  #include <colorspace_fragment>
}`;
