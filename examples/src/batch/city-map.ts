// The map in the corner: the city from above as points, the frustum of the camera, and the ranges that it draws.

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DirectionalLight,
  HemisphereLight,
  type Object3D,
  OrthographicCamera,
  type PerspectiveCamera,
  Points,
  PointsMaterial,
  Scene,
} from 'three';
import type { BatchRange } from '../../../src/three.ts';
import { palette } from '../shared/colours.ts';
import { FrustumShape } from '../shared/frustum-shape.ts';
import type { Stage } from '../shared/stage.ts';
import type { City } from './city.ts';
import { RangeOverlay } from './range-overlay.ts';

const HEIGHT = 1000;
const POINT_COLOUR = new Color('#5d6f8f');

export class CityMap {
  private readonly scene = new Scene();
  readonly camera = new OrthographicCamera(-1, 1, 1, -1, 1, 2 * HEIGHT);
  private readonly overlay = new RangeOverlay(1);
  private readonly frustum = new FrustumShape();
  private readonly points = new Points(
    new BufferGeometry(),
    new PointsMaterial({ color: POINT_COLOUR, size: 1.5, sizeAttenuation: false }),
  );
  private radius = 1;

  constructor() {
    const sun = new DirectionalLight('#ffffff', 1.2);
    sun.position.set(-1, 2, 1);
    this.scene.add(
      this.points,
      this.overlay.object,
      this.frustum.object,
      sun,
      new HemisphereLight('#ffffff', '#8090a8', 2),
    );
    this.points.frustumCulled = false;
    this.camera.position.set(0, HEIGHT, 0);
    this.camera.up.set(0, 0, -1);
    this.camera.lookAt(0, 0, 0);
  }

  get samples(): readonly Object3D[] {
    return [this.points, this.frustum.object];
  }

  show({ houses, plan }: City): void {
    const places = new Float32Array(houses.length * 3);
    for (const [k, { plot }] of houses.entries()) places.set([plot.x, 0, plot.z], 3 * k);
    this.points.geometry.dispose();
    this.points.geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(places, 3));
    this.radius = plan.radius;
  }

  draw(stage: Stage, eye: PerspectiveCamera, ranges: readonly BatchRange[]): void {
    const [, view] = stage.views;
    if (!view.isShown) return;
    const { camera, radius } = this;
    const half = radius * 1.05;
    camera.top = half / Math.min(1, view.aspect);
    camera.right = camera.top * view.aspect;
    camera.left = -camera.right;
    camera.bottom = -camera.top;
    camera.updateProjectionMatrix();
    this.frustum.follow(eye);
    this.overlay.show(ranges);
    stage.draw(view, this.scene, camera, palette.ink);
  }
}
