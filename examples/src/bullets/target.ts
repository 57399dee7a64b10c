// A target: it hangs on a spring, is knocked away by bullets, spins, settles and comes back.

import { Quaternion, Vector3 } from 'three';

/** A bullet gives the target this share of its speed. */
const SHARE_OF_SPEED = 0.12;
/** Radians a second that a bullet at the rim adds, for each metre a second of its speed. */
const SPIN = 0.05;
/** Of the spring, per second squared; and how much of a speed is lost in a second, in exponents. */
const STIFFNESS = 14;
const DRAG = 2.2;
const SPIN_DRAG = 1.1;
/** However many bullets hit, it stays this near to its place, and spins no faster. */
const MAX_DISPLACEMENT = 16;
const MAX_SPIN = 14;
/** Seconds from a hit to the end of its glow. */
const GLOW_SECONDS = 0.6;
/** Below these it is at rest. */
const REST_THRESHOLD = 0.01;

export class Target {
  readonly home: Vector3;
  readonly radius: number;
  readonly position: Vector3;
  readonly orientation = new Quaternion();
  /** 1 at a hit, then down to 0. */
  glow = 0;
  /** False while it hangs still. */
  isMoving = false;
  /** Whether the last step has moved it: only then something has to be told to the octree. */
  hasMoved = false;
  private readonly velocity = new Vector3();
  private readonly spin = new Vector3();

  constructor(home: Vector3, radius: number) {
    this.home = home;
    this.radius = radius;
    this.position = home.clone();
  }

  /** Takes a bullet's hit; `normal` is the unit vector from the target's centre towards the bullet. */
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
    velocity.addScaledVector(away.subVectors(position, home), -STIFFNESS * seconds).multiplyScalar(Math.exp(-DRAG * seconds));
    position.addScaledVector(velocity, seconds);
    position.sub(home).clampLength(0, MAX_DISPLACEMENT).add(home);
    turn(orientation, spin, seconds);
    spin.multiplyScalar(Math.exp(-SPIN_DRAG * seconds));
    if (position.distanceTo(home) < REST_THRESHOLD && velocity.length() < REST_THRESHOLD && spin.length() < REST_THRESHOLD) this.rest();
  }

  private rest(): void {
    this.position.copy(this.home);
    this.velocity.set(0, 0, 0);
    this.spin.set(0, 0, 0);
    this.isMoving = false;
  }
}

/** Turns an orientation by an angular velocity, radians a second about each axis of the world. */
function turn(orientation: Quaternion, spin: Vector3, seconds: number): void {
  const angle = spin.length() * seconds;
  if (angle > 0) orientation.premultiply(step.setFromAxisAngle(axis.copy(spin).normalize(), angle)).normalize();
}

const away = new Vector3();
const twist = new Vector3();
const axis = new Vector3();
const step = new Quaternion();
