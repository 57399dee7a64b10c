// The balls on the table: positions, velocities, and how two balls bounce. Balls come first, then the stirrers. Numbers
// are in metres and seconds; the table is the plane y = 0.

import { hash } from '../shared/noise.ts';

/** Radii of the smallest and the largest ball, and of a stirrer. */
const MIN_RADIUS = 0.6;
const MAX_RADIUS = 1.4;
export const STIRRER_RADIUS = 6;
/** Table area per ball. */
const AREA_PER_BALL = 8;
/** Share of the approach speed that two balls keep. */
const RESTITUTION = 0.9;
/** Overlap that balls keep, and speed at which they part per metre of a deeper overlap. */
const ALLOWED_OVERLAP = 0.05;
const PARTING = 6;
/** A ball below this speed stops. */
const STOP_SPEED = 0.4;
const MAX_SPEED = 90;
/** Angle between successive places of a sunflower spiral. */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

export class Balls {
  readonly count: number;
  readonly stirrers: number;
  /** Radius of the table. */
  readonly tableRadius: number;
  /** Centre x y z and radius of each ball, the layout of `insertMany` and `moveMany`. */
  readonly spheres: Float64Array;
  /** Velocity x z of each ball. */
  readonly velocities: Float64Array;
  private readonly seed: number;
  private dice = 0;

  constructor(balls: number, stirrers: number, seed: number) {
    this.count = balls + stirrers;
    this.stirrers = stirrers;
    this.seed = seed;
    this.tableRadius = Math.sqrt((balls * AREA_PER_BALL) / Math.PI) + 2 * STIRRER_RADIUS;
    this.spheres = new Float64Array(this.count * 4);
    this.velocities = new Float64Array(this.count * 2);
    for (let ball = 0; ball < balls; ball++) {
      const away = Math.sqrt((ball + 0.5) / balls) * (this.tableRadius - MAX_RADIUS);
      this.place(ball, away * Math.cos(ball * GOLDEN_ANGLE), away * Math.sin(ball * GOLDEN_ANGLE));
    }
    for (let ball = balls; ball < this.count; ball++) this.spheres[ball * 4 + 3] = STIRRER_RADIUS;
    this.stir(0, 0);
  }

  isStirrer(ball: number): boolean {
    return ball >= this.count - this.stirrers;
  }

  isMoving(ball: number): boolean {
    return this.velocities[ball * 2] !== 0 || this.velocities[ball * 2 + 1] !== 0;
  }

  /** A random ball, not a stirrer. */
  pick(): number {
    return Math.floor(this.chance() * (this.count - this.stirrers));
  }

  /** Puts a ball at rest at a random place, with a random radius. */
  replace(ball: number): void {
    const away = Math.sqrt(this.chance()) * (this.tableRadius - MAX_RADIUS);
    const angle = this.chance() * 2 * Math.PI;
    this.place(ball, away * Math.cos(angle), away * Math.sin(angle));
  }

  /** Moves the stirrers along their paths: around the centre, nearer and farther. */
  stir(now: number, seconds: number): void {
    const { count, stirrers, spheres, velocities, tableRadius } = this;
    for (let k = 0; k < stirrers; k++) {
      const ball = count - stirrers + k;
      const turn = (k % 2 === 0 ? 1 : -1) * now * (0.32 + 0.06 * k) + (k / stirrers) * 2 * Math.PI;
      const away = (tableRadius - 2 * STIRRER_RADIUS) * (0.55 + 0.4 * Math.sin(now * 0.23 + 2.4 * k));
      const [x, z] = [away * Math.cos(turn), away * Math.sin(turn)];
      if (seconds > 0) {
        velocities[ball * 2] = (x - spheres[ball * 4]) / seconds;
        velocities[ball * 2 + 1] = (z - spheres[ball * 4 + 2]) / seconds;
      }
      spheres[ball * 4] = x;
      spheres[ball * 4 + 2] = z;
    }
  }

  /** Rolls the balls that move, and lets slow ones stop. */
  roll(seconds: number, friction: number): void {
    const { count, stirrers, spheres, velocities, tableRadius } = this;
    const slowing = Math.exp(-friction * seconds);
    for (let ball = 0; ball < count - stirrers; ball++) {
      let vx = velocities[ball * 2];
      let vz = velocities[ball * 2 + 1];
      if (vx === 0 && vz === 0) continue;
      const factor = slowing * Math.min(1, MAX_SPEED / Math.sqrt(vx * vx + vz * vz));
      vx *= factor;
      vz *= factor;
      if (vx * vx + vz * vz < STOP_SPEED * STOP_SPEED) vx = vz = 0;
      const x = (spheres[ball * 4] += vx * seconds);
      const z = (spheres[ball * 4 + 2] += vz * seconds);
      const away = Math.sqrt(x * x + z * z);
      const outward = (vx * x + vz * z) / (away || 1);
      if (away > tableRadius - spheres[ball * 4 + 3] && outward > 0) {
        vx -= (2 * outward * x) / away;
        vz -= (2 * outward * z) / away;
      }
      velocities[ball * 2] = vx;
      velocities[ball * 2 + 1] = vz;
    }
  }

  /** Lets two touching balls bounce, unless they already separate. Stirrers keep their way. */
  bounce(a: number, b: number): void {
    const { spheres, velocities } = this;
    let dx = spheres[b * 4] - spheres[a * 4];
    let dz = spheres[b * 4 + 2] - spheres[a * 4 + 2];
    const away = Math.sqrt(dx * dx + dz * dz);
    [dx, dz] = away > 0 ? [dx / away, dz / away] : [1, 0];
    const parting = (velocities[b * 2] - velocities[a * 2]) * dx + (velocities[b * 2 + 1] - velocities[a * 2 + 1]) * dz;
    const overlap = spheres[a * 4 + 3] + spheres[b * 4 + 3] - away - ALLOWED_OVERLAP;
    const wanted = Math.max(-parting * RESTITUTION, overlap * PARTING);
    const change = wanted - parting;
    if (change <= 0 || (parting >= 0 && overlap <= 0)) return;
    // The lighter ball takes more of the change.
    const massA = this.massOf(a);
    const massB = this.massOf(b);
    const partA = massA === Infinity ? 0 : massB === Infinity ? 1 : massB / (massA + massB);
    const partB = massB === Infinity ? 0 : 1 - partA;
    velocities[a * 2] -= change * partA * dx;
    velocities[a * 2 + 1] -= change * partA * dz;
    velocities[b * 2] += change * partB * dx;
    velocities[b * 2 + 1] += change * partB * dz;
  }

  /** Pushes a ball away from a point. @param speed At the point; falls to 0 at `radius`. */
  push(ball: number, x: number, z: number, radius: number, speed: number): void {
    if (this.isStirrer(ball)) return;
    const dx = this.spheres[ball * 4] - x;
    const dz = this.spheres[ball * 4 + 2] - z;
    const away = Math.sqrt(dx * dx + dz * dz) || 1;
    const gain = (speed * Math.max(0, 1 - away / radius)) / away;
    this.velocities[ball * 2] += dx * gain;
    this.velocities[ball * 2 + 1] += dz * gain;
  }

  private massOf(ball: number): number {
    return this.isStirrer(ball) ? Infinity : this.spheres[ball * 4 + 3] ** 3;
  }

  private place(ball: number, x: number, z: number): void {
    this.spheres.set([x, 0, z, MIN_RADIUS + (MAX_RADIUS - MIN_RADIUS) * this.chance() ** 2], ball * 4);
    this.velocities.fill(0, ball * 2, ball * 2 + 2);
  }

  /** Pseudo-random, 0 to 1 (exclusive). */
  private chance(): number {
    return hash(this.dice++, this.seed, 0);
  }
}
