// Position and view direction of a flyer, relative to the ground: a heading along it and a pitch above it.

import { Matrix4, type Object3D, Vector3 } from 'three';
import type { Surface } from './surface.ts';

const MAX_PITCH = 1.5;

export class Pose {
  readonly position = new Vector3();
  /** Unit vector along the ground. */
  readonly heading = new Vector3(0, 0, -1);
  /** Unit vector away from the ground. */
  readonly up = new Vector3(0, 1, 0);
  /** Radians above the horizon. */
  pitch = 0;
  private readonly side = new Vector3();
  private readonly view = new Vector3();
  private readonly basis = new Matrix4();

  copy(other: Pose): this {
    this.position.copy(other.position);
    this.heading.copy(other.heading);
    this.up.copy(other.up);
    this.pitch = other.pitch;
    return this;
  }

  /** Aligns `up` and `heading` with the ground below the position. */
  level(surface: Surface): this {
    surface.upAt(this.position, this.up);
    this.heading.addScaledVector(this.up, -this.heading.dot(this.up));
    // Over a pole, or with a vertical heading, any direction along the ground is valid.
    if (this.heading.lengthSq() < 1e-12) this.heading.set(this.up.z, this.up.x, this.up.y).cross(this.up);
    this.heading.normalize();
    return this;
  }

  /** Turns by radians: to the left about up, and upwards. */
  turn(left: number, upwards: number): void {
    this.heading.applyAxisAngle(this.up, left);
    this.pitch = Math.min(MAX_PITCH, Math.max(-MAX_PITCH, this.pitch + upwards));
  }

  /** Unit vector to the right, along the ground. */
  sideways(target: Vector3): Vector3 {
    return target.crossVectors(this.heading, this.up);
  }

  /** Unit vector of the view direction. */
  viewDirection(target: Vector3): Vector3 {
    return target
      .copy(this.heading)
      .multiplyScalar(Math.cos(this.pitch))
      .addScaledVector(this.up, Math.sin(this.pitch));
  }

  /** Copies the pose to a camera. */
  applyTo(camera: Object3D): void {
    const { side, view, basis } = this;
    this.sideways(side);
    this.viewDirection(view).negate();
    basis.makeBasis(side, basisUp.crossVectors(view, side), view);
    camera.quaternion.setFromRotationMatrix(basis);
    camera.position.copy(this.position);
    camera.updateMatrixWorld();
  }
}

const basisUp = new Vector3();
