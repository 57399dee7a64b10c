// Moves the camera along the path. Drags and arrow keys turn the view.

import { MathUtils, type PerspectiveCamera, Vector3 } from 'three';
import { dragToTurn } from '../shared/drag-to-turn.ts';
import { HeldKeys } from '../shared/held-keys.ts';
import type { ForestPath } from './path.ts';

const RADIANS_PER_SECOND = 1.1;
/** Metres per second. */
const SPEED = 8;
/** Radians above the horizon. */
const INITIAL_PITCH = -0.16;
const MAX_PITCH = 1.2;
/** Distance to the point that the camera looks at, as a share of the path. */
const LOOK_AHEAD = 0.012;

export class PathCamera {
  /** 0 to 1 around the path. */
  private at = 0;
  /** Radians from the direction of the path. */
  private left = 0;
  private pitch = INITIAL_PITCH;
  private readonly keys = new HeldKeys();
  private readonly ahead = new Vector3();

  constructor(element: HTMLElement) {
    dragToTurn(element, (left, upwards) => this.turn(left, upwards));
  }

  /** Advances along the path if `isMoving`, and places the camera. */
  update(seconds: number, isMoving: boolean, path: ForestPath, camera: PerspectiveCamera): void {
    const { keys, ahead } = this;
    this.turn(
      keys.axis('ArrowLeft', 'ArrowRight') * RADIANS_PER_SECOND * seconds,
      keys.axis('ArrowUp', 'ArrowDown') * RADIANS_PER_SECOND * seconds,
    );
    if (isMoving) this.at += (seconds * SPEED) / path.length;
    path.pointAt(this.at + LOOK_AHEAD, ahead);
    path.pointAt(this.at, camera.position);
    const heading = Math.atan2(camera.position.x - ahead.x, camera.position.z - ahead.z);
    camera.rotation.set(this.pitch, heading + this.left, 0, 'YXZ');
    camera.updateMatrixWorld();
  }

  /** Turns by radians to the left and upwards, relative to the path. */
  private turn(left: number, upwards: number): void {
    this.left += left;
    this.pitch = MathUtils.clamp(this.pitch + upwards, -MAX_PITCH, MAX_PITCH);
  }
}
