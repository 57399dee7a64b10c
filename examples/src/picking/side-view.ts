// The camera that sees the last ray from the side.

import type { PerspectiveCamera } from 'three';
import { ObserverCamera } from '../shared/observer-camera.ts';
import { Pose } from '../shared/pose.ts';
import type { Surface } from '../shared/surface.ts';
import type { RecordedPick } from './recorded-pick.ts';

/** Part of the ray's length that the observer takes for its reach, so that the ray fills the view. */
const RANGE = 0.7;

export class SideView {
  private readonly observer: ObserverCamera;
  private readonly pose = new Pose();
  private length = 1;

  /** Shows one layer only; calls back when somebody turns the view. */
  constructor(element: HTMLElement, layer: number, onTurn: () => void) {
    this.observer = new ObserverCamera(element);
    this.observer.camera.layers.set(layer);
    for (const name of ['pointermove', 'wheel'] as const) element.addEventListener(name, onTurn, { passive: true });
  }

  /** Looks at the whole of a ray over a surface. */
  turnTo({ ray, length }: RecordedPick, surface: Surface): void {
    const { pose } = this;
    this.length = length;
    ray.at(this.length / 2, pose.position);
    pose.heading.copy(ray.direction);
    pose.level(surface);
    // The observer looks at what is half its reach ahead of the pose: there lies the middle of the ray.
    pose.position.addScaledVector(pose.heading, -(RANGE * this.length) / 2);
  }

  cameraFor(aspect: number): PerspectiveCamera {
    this.observer.follow(this.pose, RANGE * this.length, aspect, this.length * 2);
    return this.observer.camera;
  }
}
