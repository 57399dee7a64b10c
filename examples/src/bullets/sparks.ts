// Sparks where bullets hit: points that fade out. A ring buffer keeps the latest ones.

import {
  AdditiveBlending,
  BufferAttribute,
  BufferGeometry,
  DynamicDrawUsage,
  Points,
  ShaderMaterial,
  type Vector3,
} from 'three';

const CAPACITY = 512;
/** Lifetime of a spark. */
const SECONDS = 0.35;

export class Sparks {
  readonly object: Points<BufferGeometry, ShaderMaterial>;
  private readonly places = new BufferAttribute(new Float32Array(CAPACITY * 3), 3).setUsage(DynamicDrawUsage);
  /** Start time of each spark, in simulated seconds. */
  private readonly births = new BufferAttribute(new Float32Array(CAPACITY).fill(-SECONDS), 1).setUsage(
    DynamicDrawUsage,
  );
  private added = 0;

  constructor() {
    const material = new ShaderMaterial({
      vertexShader,
      fragmentShader,
      transparent: true,
      depthWrite: false,
      blending: AdditiveBlending,
      uniforms: { now: { value: 0 }, pixelsPerMetre: { value: 1 } },
    });
    this.object = new Points(
      new BufferGeometry().setAttribute('position', this.places).setAttribute('birth', this.births),
      material,
    );
    this.object.frustumCulled = false;
    this.object.renderOrder = 2;
  }

  /** @param birth When it appears, in simulated seconds. */
  add({ x, y, z }: Vector3, birth: number): void {
    const at = this.added++ % CAPACITY;
    this.places.setXYZ(at, x, y, z);
    this.births.setX(at, birth);
  }

  /** @param pixelsPerMetre Device pixels per metre, at a distance of one metre from the camera. */
  show(now: number, pixelsPerMetre: number): void {
    this.places.needsUpdate = true;
    this.births.needsUpdate = true;
    this.object.material.uniforms.now.value = now;
    this.object.material.uniforms.pixelsPerMetre.value = pixelsPerMetre;
  }
}

const vertexShader = /* glsl */ `
in float birth;
uniform float now;
uniform float pixelsPerMetre;
out float vRest;
void main() {
  vRest = 1.0 - (now - birth) / ${SECONDS.toFixed(2)};
  vec4 view = viewMatrix * vec4(position, 1.0);
  gl_Position = vRest > 0.0 && vRest <= 1.0 ? projectionMatrix * view : vec4(2.0, 2.0, 2.0, 1.0);
  gl_PointSize = (7.0 - 4.0 * vRest) * pixelsPerMetre / -view.z;
}`;

const fragmentShader = /* glsl */ `
in float vRest;
void main() {
  float away = length(gl_PointCoord * 2.0 - 1.0);
  float light = max(0.0, 1.0 - away);
  gl_FragColor = vec4(mix(vec3(1.0, 0.35, 0.08), vec3(1.0, 0.9, 0.7), light * vRest) * light * light * vRest, 1.0);
  #include <colorspace_fragment>
}`;
