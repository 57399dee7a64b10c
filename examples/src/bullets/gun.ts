// The gun: turns towards its aim and fires bullets at a given rate, randomly distributed over a cone.

import { Vector3 } from 'three';
import { hash } from '../shared/noise.ts';
import type { Flight } from './flight.ts';
import { BARREL_LENGTH, fieldCentre, gunPlace } from './range.ts';
import type { Shooting } from './settings.ts';

/** Radians per second. */
const TURN_SPEED = 1.6;

export class Gun {
  /** Unit vector along the barrel. */
  readonly direction = new Vector3().subVectors(fieldCentre, gunPlace).normalize();
  /** Bullets fired since the start. */
  fired = 0;
  private readonly seed: number;
  private readonly wanted = new Vector3();
  private readonly side = new Vector3();
  private readonly above = new Vector3();
  private readonly shot = new Vector3();
  private readonly muzzle = new Vector3();
  /** Number of bullets that are due; between steps it is less than 1. */
  private due = 0;

  constructor(seed: number) {
    this.seed = seed;
  }

  /** Turns the barrel towards a place, limited by `TURN_SPEED`. */
  turnTo(aim: Vector3, seconds: number): void {
    const { direction, wanted } = this;
    wanted.subVectors(aim, gunPlace).normalize();
    const angle = direction.angleTo(wanted);
    if (angle > 0) direction.lerp(wanted, Math.min(1, (TURN_SPEED * seconds) / angle)).normalize();
  }

  /** Fires the bullets that are due after a time step. */
  fire(flight: Flight, seconds: number, { rate, speed, spread }: Shooting): void {
    const { direction, shot, muzzle } = this;
    const discRadius = Math.tan((spread * Math.PI) / 180);
    this.computeSides();
    for (this.due += rate * seconds; this.due >= 1; this.due--) {
      // The square root makes the shots uniform over the cross-section of the cone.
      this.scatter(discRadius * Math.sqrt(this.chance(0)), this.chance(1) * 2 * Math.PI);
      // A random part of the step's distance, because the bullets of one step are fired at different times.
      muzzle
        .copy(gunPlace)
        .addScaledVector(direction, BARREL_LENGTH)
        .addScaledVector(shot, this.chance(2) * speed * seconds);
      flight.add(muzzle, shot.multiplyScalar(speed));
      this.fired++;
    }
  }

  /** A pseudo-random number, 0 to 1 (exclusive), from the number of the bullet. */
  private chance(salt: number): number {
    return hash(this.fired, this.seed, salt);
  }

  /** Computes two unit vectors perpendicular to the barrel. */
  private computeSides(): void {
    this.side.set(-this.direction.z, 0, this.direction.x).normalize();
    this.above.crossVectors(this.side, this.direction);
  }

  private scatter(offset: number, turn: number): void {
    this.shot
      .copy(this.direction)
      .addScaledVector(this.side, offset * Math.cos(turn))
      .addScaledVector(this.above, offset * Math.sin(turn))
      .normalize();
  }
}
