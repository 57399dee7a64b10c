// A target on a damped spring. Bullets knock it away and spin it; it returns to its home position and rests there.

import { Quaternion, Vector3 } from 'three';

/** Share of a bullet's velocity that a hit adds to the target. */
const SHARE_OF_SPEED = 0.12;
/** Spin that a hit at the rim adds, in radians per second per metre per second of the bullet's speed. */
const SPIN = 0.05;
/** Spring constant per mass, per second squared. */
const STIFFNESS = 14;
/** Exponential decay rates of velocity and spin, per second. */
const DRAG = 2.2;
const SPIN_DRAG = 1.1;
/** Maximum distance from home in metres, and maximum spin in radians per second. */
const MAX_DISPLACEMENT = 16;
const MAX_SPIN = 14;
/** Seconds from a hit to the end of its glow. */
const GLOW_SECONDS = 0.6;
/** Below this displacement, velocity and spin the target is at rest. */
const REST_THRESHOLD = 0.01;

export class Target {
  readonly home: Vector3;
  readonly radius: number;
  readonly position: Vector3;
  readonly orientation = new Quaternion();
  /** 1 at a hit, then decreasing to 0. */
  glow = 0;
  /** False at rest. */
  isMoving = false;
  /** Whether the last step has moved the target, so that its body must be updated. */
  hasMoved = false;
  private readonly velocity = new Vector3();
  private readonly spin = new Vector3();

  constructor(home: Vector3, radius: number) {
    this.home = home;
    this.radius = radius;
    this.position = home.clone();
  }

  /** Applies the hit of a bullet. @param normal Unit vector from the centre of the target towards the bullet. */
  knock(bulletVelocity: Vector3, normal: Vector3): void {
    this.glow = 1;
    this.isMoving = true;
    this.velocity.addScaledVector(bulletVelocity, SHARE_OF_SPEED);
    this.spin.add(twist.crossVectors(normal, bulletVelocity).multiplyScalar(SPIN)).clampLength(0, MAX_SPIN);
  }

  move(seconds: number): void {
    this.glow = Math.max(0, this.glow - seconds / GLOW_SECONDS);
    this.hasMoved = this.isMoving;
    if (!this.isMoving) return;
    const { home, position, velocity, spin, orientation } = this;
    velocity
      .addScaledVector(away.subVectors(position, home), -STIFFNESS * seconds)
      .multiplyScalar(Math.exp(-DRAG * seconds));
    position.addScaledVector(velocity, seconds);
    position.sub(home).clampLength(0, MAX_DISPLACEMENT).add(home);
    turn(orientation, spin, seconds);
    spin.multiplyScalar(Math.exp(-SPIN_DRAG * seconds));
    if (
      position.distanceTo(home) < REST_THRESHOLD &&
      velocity.length() < REST_THRESHOLD &&
      spin.length() < REST_THRESHOLD
    )
      this.rest();
  }

  private rest(): void {
    this.position.copy(this.home);
    this.velocity.set(0, 0, 0);
    this.spin.set(0, 0, 0);
    this.isMoving = false;
  }
}

/** Rotates an orientation by an angular velocity, in radians per second around the world axes. */
function turn(orientation: Quaternion, spin: Vector3, seconds: number): void {
  const angle = spin.length() * seconds;
  if (angle > 0) orientation.premultiply(step.setFromAxisAngle(axis.copy(spin).normalize(), angle)).normalize();
}

const away = new Vector3();
const twist = new Vector3();
const axis = new Vector3();
const step = new Quaternion();
