// The camera: it drifts along the path by itself, and looks where it is dragged to.

import { MathUtils, type PerspectiveCamera, Vector3 } from 'three';
import { dragToTurn } from '../shared/drag-to-turn.ts';
import { HeldKeys } from '../shared/held-keys.ts';
import type { ForestPath } from './path.ts';

const RADIANS_PER_SECOND = 1.1;
/** Metres a second. */
const SPEED = 8;
const PITCH = -0.16;
const MAX_PITCH = 1.2;
/** Share of the path to the point it heads for. */
const LOOK_AHEAD = 0.012;

export class PathCamera {
  /** 0 to 1 around the path. */
  private at = 0;
  private left = 0;
  private pitch = PITCH;
  private readonly keys = new HeldKeys();
  private readonly ahead = new Vector3();

  constructor(element: HTMLElement) {
    dragToTurn(element, (left, upwards) => this.turn(left, upwards));
  }

  /** Goes on, unless it is to stand, and puts the camera there. */
  update(seconds: number, isMoving: boolean, path: ForestPath, camera: PerspectiveCamera): void {
    const { keys, ahead } = this;
    this.turn(keys.axis('ArrowLeft', 'ArrowRight') * RADIANS_PER_SECOND * seconds, keys.axis('ArrowUp', 'ArrowDown') * RADIANS_PER_SECOND * seconds);
    if (isMoving) this.at += (seconds * SPEED) / path.length;
    path.pointAt(this.at + LOOK_AHEAD, ahead);
    path.pointAt(this.at, camera.position);
    const heading = Math.atan2(camera.position.x - ahead.x, camera.position.z - ahead.z);
    camera.rotation.set(this.pitch, heading + this.left, 0, 'YXZ');
    camera.updateMatrixWorld();
  }

  /** Radians to the left and upwards, from where the path leads. */
  private turn(left: number, upwards: number): void {
    this.left += left;
    this.pitch = MathUtils.clamp(this.pitch + upwards, -MAX_PITCH, MAX_PITCH);
  }
}
