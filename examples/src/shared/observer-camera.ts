// A camera that follows the flyer from above and behind. A drag orbits it around the flyer, the wheel zooms.

import { PerspectiveCamera, Vector3 } from 'three';
import type { Pose } from './pose.ts';

const RADIANS_PER_PIXEL = 0.006;
const ZOOM_PER_NOTCH = 0.0012;
/** Radians above the ground. */
const MIN_ELEVATION = 0.08;
const MAX_ELEVATION = 1.5;

export class ObserverCamera {
  readonly camera = new PerspectiveCamera(40, 1, 1, 1000);
  /** Radians around the flyer's up axis, from behind to the left. */
  private azimuth = 0.55;
  /** Radians above the ground. */
  private elevation = 0.75;
  /** In units of the flyer's far plane. */
  private distance = 2.35;
  private readonly target = new Vector3();
  private readonly offset = new Vector3();
  private readonly pointers = new Map<number, { x: number; y: number }>();

  constructor(element: HTMLElement) {
    element.addEventListener('pointerdown', (event) => {
      if (event.button > 0) return;
      element.setPointerCapture(event.pointerId);
      this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    });
    element.addEventListener('pointermove', (event) => this.drag(event));
    for (const end of ['pointerup', 'pointercancel'] as const)
      element.addEventListener(end, ({ pointerId }) => this.pointers.delete(pointerId));
    element.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault();
        this.zoom(Math.exp(event.deltaY * ZOOM_PER_NOTCH));
      },
      { passive: false },
    );
  }

  /** Follows a flyer whose far plane is `far`, in a world that is drawn up to `drawFar`. */
  follow(pose: Pose, far: number, aspect: number, drawFar: number): void {
    const { camera, target, offset } = this;
    target.copy(pose.position).addScaledVector(pose.heading, far * 0.5);
    offset
      .copy(pose.heading)
      .multiplyScalar(-Math.cos(this.elevation))
      .applyAxisAngle(pose.up, -this.azimuth)
      .addScaledVector(pose.up, Math.sin(this.elevation));
    camera.position.copy(target).addScaledVector(offset, far * this.distance);
    camera.up.copy(pose.up);
    camera.lookAt(target);
    camera.aspect = aspect;
    camera.near = far * 0.01;
    camera.far = drawFar + far * this.distance;
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
  }

  private drag(event: PointerEvent): void {
    const pointer = this.pointers.get(event.pointerId);
    if (!pointer) return;
    const spread = this.spread();
    const [dx, dy] = [event.clientX - pointer.x, event.clientY - pointer.y];
    pointer.x = event.clientX;
    pointer.y = event.clientY;
    if (this.pointers.size > 1) this.zoom(spread / Math.max(1, this.spread()));
    else {
      this.azimuth += dx * RADIANS_PER_PIXEL;
      this.elevation = Math.min(MAX_ELEVATION, Math.max(MIN_ELEVATION, this.elevation + dy * RADIANS_PER_PIXEL));
    }
  }

  private zoom(factor: number): void {
    this.distance = Math.min(14, Math.max(0.3, this.distance * factor));
  }

  /** Pixels between two fingers. */
  private spread(): number {
    const [first, second] = this.pointers.values();
    return first && second ? Math.max(1, Math.sqrt((first.x - second.x) ** 2 + (first.y - second.y) ** 2)) : 1;
  }
}
