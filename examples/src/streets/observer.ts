// The view from above: each house as a box in the colour of what has become of it in the camera's picture, and the
// frustum. One geometry holds all boxes.

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DynamicDrawUsage,
  Float32BufferAttribute,
  Mesh,
  type Object3D,
  PerspectiveCamera,
  PlaneGeometry,
  MeshBasicMaterial,
  Scene,
  ShaderMaterial,
} from 'three';
import { palette } from '../shared/colours.ts';
import { FrustumShape } from '../shared/frustum-shape.ts';
import { wallHeight } from '../shared/house.ts';
import { ObserverCamera } from '../shared/observer-camera.ts';
import type { Pose } from '../shared/pose.ts';
import type { Stage } from '../shared/stage.ts';
import type { StreetCity } from './city.ts';
import { PITCH, type Plot } from './plan.ts';

export const STATE = { outside: 0, hidden: 1, visible: 2, occluder: 3 } as const;
/** By state. streets.css has the same for the legend. */
const COLOURS = ['#2a3448', '#b8475a', '#ffb454', '#7fd4ff'].map((name) => new Color(name));
/** Metres of the frustum that are shown. */
const SHOWN = 260;
/** Corners of the faces of a box that are seen from above: bit 0 = +x, bit 1 = +y, bit 2 = +z; and their light. */
const FACES: readonly (readonly [corners: readonly number[], light: number])[] = [
  [[2, 6, 7, 3], 1],
  [[4, 5, 7, 6], 0.62],
  [[1, 0, 2, 3], 0.5],
  [[5, 1, 3, 7], 0.74],
  [[0, 4, 6, 2], 0.42],
];
const VERTICES = 4 * FACES.length;
/** Everything that is drawn lies within this distance of the point that it looks at. */
const DRAWN = 1600;

export class Observer {
  private readonly scene = new Scene();
  private readonly frustum = new FrustumShape();
  private readonly camera: ObserverCamera;
  private readonly shown = new PerspectiveCamera();
  private readonly ground = new Mesh(
    new PlaneGeometry(1, 1).rotateX(-Math.PI / 2).translate(0, -0.5, 0),
    new MeshBasicMaterial({ color: '#0c121d' }),
  );
  private readonly boxes: Mesh<BufferGeometry, ShaderMaterial>;
  private states = new BufferAttribute(new Uint8Array(0), 1);

  constructor(element: HTMLElement) {
    this.camera = new ObserverCamera(element);
    const uniforms = { colours: { value: COLOURS } };
    this.boxes = new Mesh(new BufferGeometry(), new ShaderMaterial({ vertexShader, fragmentShader, uniforms }));
    this.boxes.frustumCulled = false;
    this.scene.add(this.ground, this.boxes, this.frustum.object);
  }

  /** The camera of the view. */
  get eye(): PerspectiveCamera {
    return this.camera.camera;
  }

  get samples(): readonly Object3D[] {
    return this.scene.children;
  }

  show({ plan }: StreetCity): void {
    const { plots } = plan;
    const positions = new Float32Array(plots.length * VERTICES * 3);
    const lights = new Float32Array(plots.length * VERTICES);
    const indices: number[] = [];
    for (const [k, plot] of plots.entries()) {
      for (const [face, [corners, light]] of FACES.entries()) {
        const first = k * VERTICES + 4 * face;
        for (const [at, corner] of corners.entries()) {
          positions.set(cornerOf(plot, corner), 3 * (first + at));
          lights[first + at] = light;
        }
        indices.push(first, first + 1, first + 2, first, first + 2, first + 3);
      }
    }
    this.states = new BufferAttribute(new Uint8Array(plots.length * VERTICES), 1).setUsage(DynamicDrawUsage);
    this.boxes.geometry.dispose();
    this.boxes.geometry = new BufferGeometry()
      .setAttribute('position', new Float32BufferAttribute(positions, 3))
      .setAttribute('light', new Float32BufferAttribute(lights, 1))
      .setAttribute('state', this.states)
      .setIndex(indices);
    this.ground.scale.setScalar((plan.blocksAlong + 2) * PITCH.x * 1.6);
  }

  /** @param states By number of a house. */
  draw(stage: Stage, eye: PerspectiveCamera, pose: Pose, states: Uint8Array): void {
    const [, view] = stage.views;
    if (!view.isShown) return;
    const { array } = this.states;
    let hasChanged = false;
    for (let k = 0; k < states.length; k++) {
      if (array[k * VERTICES] === states[k]) continue;
      array.fill(states[k], k * VERTICES, (k + 1) * VERTICES);
      hasChanged = true;
    }
    if (hasChanged) this.states.needsUpdate = true;
    this.shown.copy(eye, false);
    this.shown.far = SHOWN;
    this.shown.updateProjectionMatrix();
    this.shown.updateMatrixWorld();
    this.frustum.follow(this.shown);
    this.camera.follow(pose, SHOWN * 0.8, view.aspect, DRAWN);
    stage.draw(view, this.scene, this.camera.camera, palette.ink);
  }
}

function cornerOf(plot: Plot, corner: number): [number, number, number] {
  const isAlongX = Math.abs(Math.cos(plot.turn)) > 0.5;
  const [x, z] = isAlongX ? [plot.width / 2, plot.depth / 2] : [plot.depth / 2, plot.width / 2];
  return [plot.x + (corner & 1 ? x : -x), corner & 2 ? wallHeight(plot) : 0, plot.z + (corner & 4 ? z : -z)];
}

const vertexShader = /* glsl */ `
in float light;
in float state;
uniform vec3 colours[${COLOURS.length}];
out vec3 vColour;
void main() {
  vColour = colours[int(state)] * light;
  gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
}`;

const fragmentShader = /* glsl */ `
in vec3 vColour;
void main() {
  gl_FragColor = vec4(vColour, 1.0);
  #include <colorspace_fragment>
}`;
