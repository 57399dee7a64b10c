// The camera of the side view of the last ray.

import type { PerspectiveCamera } from 'three';
import { ObserverCamera } from '../shared/observer-camera.ts';
import { Pose } from '../shared/pose.ts';
import type { Surface } from '../shared/surface.ts';
import type { RecordedPick } from './recorded-pick.ts';

/** `far` of the observer camera, as a share of the length of the ray: with this value the ray fills the view. */
const RANGE = 0.7;

export class SideView {
  private readonly observer: ObserverCamera;
  private readonly pose = new Pose();
  private length = 1;

  /** @param layer The only layer that is drawn. @param onTurn Called when the user turns or zooms the view. */
  constructor(element: HTMLElement, layer: number, onTurn: () => void) {
    this.observer = new ObserverCamera(element);
    this.observer.camera.layers.set(layer);
    for (const name of ['pointermove', 'wheel'] as const) element.addEventListener(name, onTurn, { passive: true });
  }

  /** Shows a ray in its full length. */
  turnTo({ ray, length }: RecordedPick, surface: Surface): void {
    const { pose } = this;
    this.length = length;
    ray.at(this.length / 2, pose.position);
    pose.heading.copy(ray.direction);
    pose.level(surface);
    // The observer camera looks at the point that is half of its `far` ahead of the pose. The middle of the ray must be
    // there.
    pose.position.addScaledVector(pose.heading, -(RANGE * this.length) / 2);
  }

  cameraFor(aspect: number): PerspectiveCamera {
    this.observer.follow(this.pose, RANGE * this.length, aspect, this.length * 2);
    return this.observer.camera;
  }
}
