// One octree with all bullets and targets, used as in a game: bullets move in bulk, a callback reports what touches a target, and a
// removed bullet is recognised by the index of its body.

import { Vector3 } from 'three';
import { type Body, Octree, type TickStatistics } from '../../../src/index.ts';
import { Bullet, type Flight } from './flight.ts';
import { region } from './range.ts';
import type { Target } from './target.ts';

export interface Hit {
  readonly target: Target;
  readonly bullet: Bullet;
  /** Unit vector from the centre of the target towards the bullet. */
  readonly normal: Vector3;
}

export class BulletOctree {
  readonly octree: Octree<Bullet | Target>;
  /** Hits of the last tick. */
  readonly hits: Hit[] = [];
  /** By slot, the same slots as in the flight. */
  private readonly bullets: Body<Bullet | Target>[] = [];
  private readonly targets: Body<Bullet | Target>[];
  private readonly sphere = { center: new Vector3(), radius: 0 };
  private indices = new Uint32Array();

  constructor(targets: readonly Target[], looseness: number, lifespan: boolean) {
    this.octree = new Octree<Bullet | Target>({ region, looseness, lifespan, outside: 'remove' });
    this.targets = targets.map((target) => this.octree.insert(this.sphereOf(target), target, {
      onIntersection: ({ other, normal }) => {
        // Ignores targets that touch each other. `remove` returns false for the second hit of a bullet. The normal points to the bullet.
        if (other?.data instanceof Bullet && other.remove()) this.hits.push({ target, bullet: other.data, normal: normal.clone() });
      },
    }));
  }

  /** Copies the current positions to the octree and inserts new bullets. The octree removes bullets that have left its region. */
  sync({ bullets, spheres, count }: Flight, targets: readonly Target[]): void {
    const previousCount = this.bullets.length;
    if (this.indices.length < previousCount) this.indices = new Uint32Array(2 * previousCount);
    for (let slot = 0; slot < previousCount; slot++) this.indices[slot] = this.bullets[slot].index;
    this.octree.moveMany(this.indices.subarray(0, previousCount), spheres.subarray(0, previousCount * 4));
    for (let slot = previousCount; slot < count; slot++) {
      this.sphere.center.fromArray(spheres, slot * 4);
      this.sphere.radius = spheres[slot * 4 + 3];
      this.bullets.push(this.octree.insert(this.sphere, bullets[slot]));
    }
    for (const [k, target] of targets.entries()) if (target.hasMoved) this.targets[k].setSphere(this.sphereOf(target));
  }

  tick(seconds: number): TickStatistics {
    this.hits.length = 0;
    return this.octree.update(seconds);
  }

  /** Whether the bullet has hit something or has left the region. */
  isRemoved(slot: number): boolean {
    return this.bullets[slot].index < 0;
  }

  /** Drops a removed bullet; the last bullet moves to its slot, as in the flight. */
  removeSlot(slot: number): void {
    const last = this.bullets.pop()!;
    if (slot < this.bullets.length) this.bullets[slot] = last;
  }

  private sphereOf({ position, radius }: Target): { center: Vector3; radius: number } {
    this.sphere.center.copy(position);
    this.sphere.radius = radius;
    return this.sphere;
  }
}
