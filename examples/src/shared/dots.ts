// Round dots of a size in metres, for instance people seen from far away. Each is at least `minPixels` wide, so that it
// stays visible.

import { BufferAttribute, BufferGeometry, type Color, DynamicDrawUsage, Points, ShaderMaterial } from 'three';

export class Dots {
  readonly object: Points<BufferGeometry, ShaderMaterial>;
  private readonly places: BufferAttribute;
  private readonly colours: BufferAttribute;
  private readonly sizes: BufferAttribute;

  constructor(count: number, minPixels: number) {
    [this.places, this.colours, this.sizes] = [3, 3, 1].map((itemSize) => dynamicAttribute(count, itemSize));
    this.object = new Points(
      new BufferGeometry()
        .setAttribute('position', this.places)
        .setAttribute('colour', this.colours)
        .setAttribute('size', this.sizes),
      new ShaderMaterial({
        vertexShader,
        fragmentShader,
        uniforms: { pixelsPerMetre: { value: 1 }, minPixels: { value: minPixels } },
      }),
    );
    this.object.frustumCulled = false;
  }

  set(dot: number, x: number, y: number, z: number, { r, g, b }: Color, size: number): void {
    this.places.setXYZ(dot, x, y, z);
    this.colours.setXYZ(dot, r, g, b);
    this.sizes.setX(dot, size);
  }

  /**
   * Uploads what `set` has changed.
   *
   * @param pixelsPerMetre Device pixels per metre, at a distance of one metre from the camera.
   */
  update(pixelsPerMetre: number): void {
    for (const attribute of [this.places, this.colours, this.sizes]) attribute.needsUpdate = true;
    this.object.material.uniforms.pixelsPerMetre.value = pixelsPerMetre;
  }
}

/** An attribute of float32 numbers that change in each frame. */
export const dynamicAttribute = (count: number, itemSize: number): BufferAttribute =>
  new BufferAttribute(new Float32Array(count * itemSize), itemSize).setUsage(DynamicDrawUsage);

const vertexShader = /* glsl */ `
in vec3 colour;
in float size;
uniform float pixelsPerMetre;
uniform float minPixels;
out vec3 vColour;
void main() {
  vec4 view = viewMatrix * vec4(position, 1.0);
  gl_Position = projectionMatrix * view;
  gl_PointSize = max(minPixels, size * pixelsPerMetre / -view.z);
  vColour = colour;
}`;

const fragmentShader = /* glsl */ `
in vec3 vColour;
void main() {
  if (length(gl_PointCoord * 2.0 - 1.0) > 1.0) discard;
  gl_FragColor = vec4(vColour, 1.0);
  #include <colorspace_fragment>
}`;
