// The gun: turns towards its aim and fires so many bullets a second, spread at random over a cone.

import { Vector3 } from 'three';
import { hash } from '../shared/noise.ts';
import type { Flight } from './flight.ts';
import { BARREL_LENGTH, fieldCentre, gunPlace } from './range.ts';
import type { Shooting } from './settings.ts';

/** Radians a second. */
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
  /** Share of a bullet that was due but not yet whole. */
  private due = 0;

  constructor(seed: number) {
    this.seed = seed;
  }

  /** Turns the barrel towards a place, as far as it gets in that time. */
  turnTo(aim: Vector3, seconds: number): void {
    const { direction, wanted } = this;
    wanted.subVectors(aim, gunPlace).normalize();
    const angle = direction.angleTo(wanted);
    if (angle > 0) direction.lerp(wanted, Math.min(1, (TURN_SPEED * seconds) / angle)).normalize();
  }

  /** Fires what is due after so many seconds. */
  fire(flight: Flight, seconds: number, { rate, speed, spread }: Shooting): void {
    const { direction, shot, muzzle } = this;
    const reach = Math.tan((spread * Math.PI) / 180);
    this.aimAside();
    for (this.due += rate * seconds; this.due >= 1; this.due--) {
      // The square root spreads the shots evenly over the disc that the cone cuts.
      this.scatter(reach * Math.sqrt(this.chance(0)), this.chance(1) * 2 * Math.PI);
      // Bullets leave at any moment of the step, not all at its end.
      muzzle.copy(gunPlace).addScaledVector(direction, BARREL_LENGTH).addScaledVector(shot, this.chance(2) * speed * seconds);
      flight.add(muzzle, shot.multiplyScalar(speed));
      this.fired++;
    }
  }

  /** 0 to 1 (exclusive), by the number of the bullet. */
  private chance(salt: number): number {
    return hash(this.fired, this.seed, salt);
  }

  /** Two unit vectors across the barrel. */
  private aimAside(): void {
    this.side.set(-this.direction.z, 0, this.direction.x).normalize();
    this.above.crossVectors(this.side, this.direction);
  }

  private scatter(offset: number, turn: number): void {
    this.shot.copy(this.direction)
      .addScaledVector(this.side, offset * Math.cos(turn))
      .addScaledVector(this.above, offset * Math.sin(turn))
      .normalize();
  }
}
