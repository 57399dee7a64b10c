// The path of the camera: a closed curve over the city.

import { type PerspectiveCamera, Vector3 } from 'three';

/** Metres per second. */
const SPEED = 32;
const MAX_RADIUS = 430;
/** Metres above the ground: mean, and greatest difference from it. */
const ALTITUDE = 95;
const CLIMB = 30;
/** Radians above the horizon. */
const PITCH = -0.24;
/** Distance to the point that the camera heads for, in radians around the centre. */
const LOOK_AHEAD = 0.12;
const START = 2.1;

export class Flight {
  private angle = START;
  private readonly radius: number;
  private readonly ahead = new Vector3();

  /** @param half Half of the edge of the city. */
  constructor(half: number) {
    this.radius = Math.min(MAX_RADIUS, half / 2);
  }

  advance(seconds: number): void {
    this.angle = (this.angle + (seconds * SPEED) / this.radius) % (2 * Math.PI);
  }

  /** Places the camera and turns it along the path. */
  place(camera: PerspectiveCamera): void {
    this.pointAt(this.angle + LOOK_AHEAD, this.ahead);
    this.pointAt(this.angle, camera.position);
    camera.rotation.set(
      PITCH,
      Math.atan2(camera.position.x - this.ahead.x, camera.position.z - this.ahead.z),
      0,
      'YXZ',
    );
    camera.updateMatrixWorld();
  }

  private pointAt(angle: number, target: Vector3): void {
    const radius = this.radius * (0.75 + 0.25 * Math.sin(3 * angle));
    target.set(Math.sin(angle) * radius, ALTITUDE + CLIMB * Math.sin(2 * angle), Math.cos(angle) * radius);
  }
}
