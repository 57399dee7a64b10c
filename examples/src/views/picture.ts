// Draws the city in the colours of the views that see its buildings, and the frusta of the views.

import {
  BoxGeometry,
  DynamicDrawUsage,
  Group,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  InstancedInterleavedBuffer,
  InterleavedBufferAttribute,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
  ShaderMaterial,
} from 'three';
import { palette } from '../shared/colours.ts';
import { FrustumShape } from '../shared/frustum-shape.ts';
import type { City } from './city.ts';
import { setColours, viewColours } from './colours.ts';

/**
 * Objects of these layers are drawn in the overview, in the camera's picture, or in the minimap. Objects of layer 0 are
 * drawn in all.
 */
export const OVERVIEW_LAYER = 1;
export const CAMERA_LAYER = 2;
export const MINIMAP_LAYER = 3;

export class Picture {
  readonly object = new Group();
  private readonly ground = new Mesh(
    new PlaneGeometry(1, 1).rotateX(-Math.PI / 2),
    new MeshBasicMaterial({ color: '#0a0f18' }),
  );
  private readonly shapes = viewColours.map((colour) => new FrustumShape(colour));
  /**
   * The buildings, one mesh for each picture: overview, camera, minimap. The last two draw only the buildings in the
   * list of their view.
   */
  private readonly buildings: Mesh[];
  private sets: InstancedBufferAttribute;

  constructor(city: City) {
    const uniforms = { colours: { value: setColours } };
    const [camera, minimap] = [city.all[0], city.all.at(-1)!];
    const materials = [{}, { ONLY: camera.bit }, { ONLY: minimap.bit }].map(
      (defines) => new ShaderMaterial({ vertexShader, fragmentShader, uniforms, defines }),
    );
    this.buildings = materials.map((material) => new Mesh(undefined, material));
    for (const [k, layer] of [OVERVIEW_LAYER, CAMERA_LAYER, MINIMAP_LAYER].entries())
      this.buildings[k].layers.set(layer);
    for (const mesh of this.buildings) mesh.frustumCulled = false;
    for (const { object } of this.shapes) object.traverse((part) => part.layers.set(OVERVIEW_LAYER));
    // The minimap shows where the camera is.
    this.shapes[0].object.traverse((part) => part.layers.enable(MINIMAP_LAYER));
    this.object.add(this.ground, ...this.buildings, ...this.shapes.map(({ object }) => object));
    this.sets = this.build(city);
  }

  /** Shows another city. The materials stay, so that no shader is compiled again. */
  replace(city: City): void {
    this.buildings[0].geometry.dispose();
    this.sets = this.build(city);
  }

  update({ active, all }: City): void {
    this.sets.needsUpdate = true;
    for (const [k, view] of all.entries()) {
      const { object } = this.shapes[k];
      object.visible = active.includes(view);
      if (object.visible) this.shapes[k].follow(view.from);
    }
  }

  /** Returns the attribute with the sets of views. */
  private build({ bounds, half, sets }: City): InstancedBufferAttribute {
    const boxes = new InstancedInterleavedBuffer(new Float32Array(bounds), 6);
    const {
      index,
      attributes: { position, normal },
    } = new BoxGeometry(1, 1, 1).translate(0.5, 0.5, 0.5);
    const attribute = new InstancedBufferAttribute(sets, 1).setUsage(DynamicDrawUsage);
    const geometry = new InstancedBufferGeometry();
    geometry
      .setIndex(index)
      .setAttribute('position', position)
      .setAttribute('normal', normal)
      .setAttribute('views', attribute);
    geometry
      .setAttribute('low', new InterleavedBufferAttribute(boxes, 3, 0))
      .setAttribute('high', new InterleavedBufferAttribute(boxes, 3, 3));
    geometry.instanceCount = sets.length;
    for (const mesh of this.buildings) mesh.geometry = geometry;
    this.ground.scale.set(2 * half + 60, 1, 2 * half + 60);
    return attribute;
  }
}

const vertexShader = /* glsl */ `
in vec3 low;
in vec3 high;
in float views;
uniform vec3 colours[${setColours.length}];
out vec3 vColour;
out float vHeight;
void main() {
  int set = int(views);
  vec3 place = mix(low, high, position);
  float light = normal.y > 0.5 ? 1.0 : 0.42 + 0.16 * normal.x + 0.1 * normal.z;
  vColour = colours[set] * light;
  vHeight = place.y;
  gl_Position = projectionMatrix * viewMatrix * vec4(place, 1.0);
  #ifdef ONLY
    if ((set & ONLY) == 0) gl_Position = vec4(0.0);
  #endif
}`;

const fragmentShader = /* glsl */ `
in vec3 vColour;
in float vHeight;
void main() {
  // Darker at the foot, so that the streets have depth.
  gl_FragColor = vec4(vColour * (0.55 + 0.45 * smoothstep(0.0, 40.0, vHeight)), 1.0);
  #include <colorspace_fragment>
}`;

/** Backgrounds of the pictures of the camera and of the minimap. */
export const sky = palette.dusk;
export const paper = palette.ink;
