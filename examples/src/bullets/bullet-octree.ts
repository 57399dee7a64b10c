// One octree with all bullets and targets, used as in a game: bullets move in bulk, shape casts find what they hit, and
// a bullet that has left the region is recognised by the index of its body.

import { Vector3 } from 'three';
import {
  type Body,
  castSphere,
  type IntersectionRecord,
  Octree,
  type SphereLike,
  type TickStatistics,
} from '../../../src/index.ts';
import type { Bullet, Flight } from './flight.ts';
import { region } from './range.ts';
import type { Target } from './target.ts';

/** Categories, so that bullets do not hit each other. */
const BULLETS = 1;
const TARGETS = 2;

export class BulletOctree {
  readonly octree: Octree<Bullet | Target>;
  /** By slot, the same slots as in the flight. */
  private readonly bullets: Body<Bullet | Target>[] = [];
  private readonly targets: Body<Bullet | Target>[];
  private readonly sphere = { center: new Vector3(), radius: 0 };
  private readonly onlyTargets = { mask: TARGETS };
  private indices = new Uint32Array();

  constructor(targets: readonly Target[], looseness: number, lifespan: boolean) {
    this.octree = new Octree<Bullet | Target>({ region, looseness, lifespan, outside: 'remove' });
    this.targets = targets.map((target) => this.octree.insert(this.sphereOf(target), target, { mask: TARGETS }));
  }

  /**
   * Copies the current positions to the octree and inserts new bullets. The octree removes bullets that have left its
   * region.
   */
  sync({ bullets, spheres, count }: Flight, targets: readonly Target[]): void {
    const previousCount = this.bullets.length;
    if (this.indices.length < previousCount) this.indices = new Uint32Array(2 * previousCount);
    for (let slot = 0; slot < previousCount; slot++) this.indices[slot] = this.bullets[slot].index;
    this.octree.moveMany(this.indices.subarray(0, previousCount), spheres.subarray(0, previousCount * 4));
    for (let slot = previousCount; slot < count; slot++) {
      this.sphere.center.fromArray(spheres, slot * 4);
      this.sphere.radius = spheres[slot * 4 + 3];
      this.bullets.push(this.octree.insert(this.sphere, bullets[slot], { mask: BULLETS }));
    }
    for (const [k, target] of targets.entries()) if (target.hasMoved) this.targets[k].setSphere(this.sphereOf(target));
  }

  tick(seconds: number): TickStatistics {
    return this.octree.update(seconds);
  }

  /** The first target that a sphere touches on its way. */
  castAtTargets(sphere: SphereLike, motion: Vector3): IntersectionRecord<Bullet | Target> | null {
    return castSphere(this.octree, sphere, motion, this.onlyTargets);
  }

  /** The targets that a sphere overlaps. */
  targetsAt(sphere: SphereLike): IntersectionRecord<Bullet | Target>[] {
    return this.octree.intersectSphere(sphere, this.onlyTargets);
  }

  /** Whether the bullet has left the region. */
  isOutside(slot: number): boolean {
    return this.bullets[slot].index < 0;
  }

  /** Removes a bullet; the last bullet moves to its slot, as in the flight. */
  removeSlot(slot: number): void {
    this.bullets[slot].remove();
    const last = this.bullets.pop()!;
    if (slot < this.bullets.length) this.bullets[slot] = last;
  }

  private sphereOf({ position, radius }: Target): { center: Vector3; radius: number } {
    this.sphere.center.copy(position);
    this.sphere.radius = radius;
    return this.sphere;
  }
}
