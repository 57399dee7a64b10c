// Draws each ball as a square that faces the camera, shaded like a sphere. A ball lights up when a contact begins.

import {
  BufferAttribute,
  DynamicDrawUsage,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  ShaderMaterial,
} from 'three';
import { palette } from '../shared/colours.ts';
import { STIRRER_RADIUS } from './balls.ts';
import type { Table } from './table.ts';

export class BallView {
  readonly object: Mesh<InstancedBufferGeometry, ShaderMaterial>;
  /** Place x z, radius, and the time at which the last contact began. */
  private balls = new InstancedBufferAttribute(new Float32Array(), 4);

  constructor() {
    const material = new ShaderMaterial({
      vertexShader,
      fragmentShader,
      uniforms: { now: { value: 0 }, flash: { value: palette.accent }, stirrer: { value: palette.intersecting } },
    });
    this.object = new Mesh(new InstancedBufferGeometry(), material);
    this.object.frustumCulled = false;
    this.setCount(0);
  }

  update({ balls: { count, spheres }, touchedAt, seconds }: Table): void {
    if (count !== this.balls.count) this.setCount(count);
    const { array } = this.balls;
    for (let ball = 0; ball < count; ball++) {
      array[ball * 4] = spheres[ball * 4];
      array[ball * 4 + 1] = spheres[ball * 4 + 2];
      array[ball * 4 + 2] = spheres[ball * 4 + 3];
      array[ball * 4 + 3] = touchedAt[ball] - seconds;
    }
    this.balls.needsUpdate = true;
  }

  private setCount(count: number): void {
    this.balls = new InstancedBufferAttribute(new Float32Array(count * 4), 4).setUsage(DynamicDrawUsage);
    // GPU buffers cannot grow, so a new geometry replaces the old one.
    this.object.geometry.dispose();
    this.object.geometry = new InstancedBufferGeometry()
      .setAttribute('position', new BufferAttribute(CORNERS, 3))
      .setAttribute('ball', this.balls)
      .setIndex([0, 1, 2, 2, 1, 3]);
    this.object.geometry.instanceCount = count;
  }
}

const CORNERS = new Float32Array([-1, -1, 0, 1, -1, 0, -1, 1, 0, 1, 1, 0]);

const vertexShader = /* glsl */ `
#define GLOW_SECONDS 0.55
in vec4 ball;
out vec2 vPlace;
flat out float vGlow;
flat out float vShade;
flat out float vStirs;
void main() {
  vPlace = position.xy;
  vGlow = max(0.0, 1.0 + ball.w / GLOW_SECONDS);
  vShade = 0.75 + 0.5 * fract(ball.z * 97.0);
  vStirs = ball.z >= ${STIRRER_RADIUS.toFixed(1)} ? 1.0 : 0.0;
  vec4 view = viewMatrix * vec4(ball.x, 0.0, ball.y, 1.0);
  view.xy += position.xy * ball.z;
  gl_Position = projectionMatrix * view;
}`;

const fragmentShader = /* glsl */ `
in vec2 vPlace;
flat in float vGlow;
flat in float vShade;
flat in float vStirs;
uniform vec3 flash;
uniform vec3 stirrer;
const vec3 REST = vec3(0.055, 0.085, 0.16);
void main() {
  float away = dot(vPlace, vPlace);
  if (away > 1.0) discard;
  vec3 normal = vec3(vPlace, sqrt(1.0 - away));
  float light = 0.25 + 0.85 * max(0.0, dot(normal, normalize(vec3(-0.35, 0.8, 0.5))));
  vec3 base = mix(REST * vShade * 1.6, stirrer * 0.55, vStirs);
  float glow = vGlow * vGlow * (1.0 - vStirs);
  vec3 colour = base * light + flash * glow * (0.35 + 0.75 * normal.z);
  gl_FragColor = vec4(colour, 1.0);
  #include <colorspace_fragment>
}`;
