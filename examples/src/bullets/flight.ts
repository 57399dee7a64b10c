// The bullets in flight. Their spheres are in one dense array, in the layout of `Octree.moveMany`.

import { Vector3 } from 'three';
import type { Target } from './target.ts';

export const BULLET_RADIUS = 0.35;
const FIRST_CAPACITY = 1024;

/** What a bullet touches before the next step. */
export interface Impact {
  readonly target: Target;
  readonly bullet: Bullet;
  /** Seconds from the last step to the touch. */
  readonly delay: number;
  readonly position: Vector3;
  /** Unit vector from the target towards the bullet. */
  readonly normal: Vector3;
}

/** Data of a bullet's body in the octree. */
export class Bullet {
  readonly velocity: Vector3;
  impact: Impact | null = null;

  constructor(velocity: Vector3) {
    this.velocity = velocity;
  }
}

export class Flight {
  /** By slot. When a bullet is removed, the last one moves to its slot. */
  readonly bullets: Bullet[] = [];
  /** Four numbers per bullet: centre x y z and radius. */
  private values = new Float64Array(FIRST_CAPACITY * 4);

  get count(): number {
    return this.bullets.length;
  }

  /** Centre x y z and radius of each bullet. */
  get spheres(): Float64Array {
    return this.values.subarray(0, this.count * 4);
  }

  add(position: Vector3, velocity: Vector3): void {
    const at = this.count * 4;
    if (at === this.values.length) {
      const { values } = this;
      (this.values = new Float64Array(2 * at)).set(values);
    }
    position.toArray(this.values, at);
    this.values[at + 3] = BULLET_RADIUS;
    this.bullets.push(new Bullet(velocity.clone()));
  }

  fly(seconds: number): void {
    const { bullets, values } = this;
    for (let slot = 0, at = 0; slot < bullets.length; slot++, at += 4) {
      const { velocity } = bullets[slot];
      values[at] += velocity.x * seconds;
      values[at + 1] += velocity.y * seconds;
      values[at + 2] += velocity.z * seconds;
    }
  }

  remove(slot: number): void {
    const last = this.bullets.pop()!;
    if (slot === this.count) return;
    this.bullets[slot] = last;
    this.values.copyWithin(slot * 4, this.count * 4, this.count * 4 + 4);
  }
}
