// An orbit camera whose target stays on the ground: it turns, slides along the ground and zooms.

import { type PerspectiveCamera, Vector3 } from 'three';
import { Pose } from '../shared/pose.ts';
import type { Surface } from '../shared/surface.ts';
import type { ViewOptions } from './picking-world.ts';

const RADIANS_PER_PIXEL = 0.004;
/** Radians below the horizon. */
const MIN_TILT = 0.06;
const MAX_TILT = 1.5;
/** Distance of the near plane, as a share of the distance to the target. */
const NEAR = 0.01;

export class GroundOrbit {
  /** The target on the ground, and the direction of the view along the ground. */
  readonly place = new Pose();
  /** From the target to the camera. */
  distance = 1;
  /** Radians below the horizon. */
  tilt = 0.5;
  private viewOptions: ViewOptions | undefined;
  private readonly side = new Vector3();
  private readonly cameraPosition = new Vector3();

  /** Sets the initial view of a world. */
  begin(viewOptions: ViewOptions): void {
    this.viewOptions = viewOptions;
    this.distance = viewOptions.distance.start;
    this.tilt = viewOptions.tilt;
    this.lookAt(viewOptions.target);
    this.place.heading.copy(viewOptions.heading);
    this.place.level(viewOptions.surface);
  }

  /** Moves the target to the ground below or above a point, without turning. */
  lookAt(point: Vector3): void {
    this.place.position.copy(point);
    this.snapToGround();
  }

  /** Turns by pixels; the world follows the pointer. */
  turn(right: number, down: number): void {
    this.place.turn(-right * RADIANS_PER_PIXEL, 0);
    this.tilt = clamp(this.tilt + down * RADIANS_PER_PIXEL, MIN_TILT, MAX_TILT);
  }

  /** Moves the target to the right and ahead, in units of the distance. */
  slide(right: number, ahead: number): void {
    const { place, side, distance } = this;
    place.position
      .addScaledVector(place.sideways(side), right * distance)
      .addScaledVector(place.heading, ahead * distance);
    this.snapToGround();
  }

  zoom(factor: number): void {
    const { low, high } = this.viewOptions!.distance;
    this.distance = clamp(this.distance * factor, low, high);
  }

  applyTo(camera: PerspectiveCamera, aspect: number): void {
    const { place, cameraPosition, distance, tilt } = this;
    cameraPosition
      .copy(place.position)
      .addScaledVector(place.up, Math.sin(tilt) * distance)
      .addScaledVector(place.heading, -Math.cos(tilt) * distance);
    camera.position.copy(cameraPosition);
    camera.up.copy(place.up);
    camera.lookAt(place.position);
    camera.near = distance * NEAR;
    camera.far = this.viewOptions!.farFrom(this.viewOptions!.surface.altitudeAt(cameraPosition));
    camera.aspect = aspect;
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
  }

  private snapToGround(): void {
    const surface: Surface = this.viewOptions!.surface;
    surface.clampAltitude(this.place.position, 0, 0);
    this.place.level(surface);
  }
}

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));
