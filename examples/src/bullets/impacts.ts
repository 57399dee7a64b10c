// Finds what the bullets hit until the next step, by a shape cast along the motion of each bullet, or by the overlaps
// at its end alone. Counts how often each of them finds a target.

import { Vector3 } from 'three';
import type { IntersectionRecord } from '../../../src/index.ts';
import type { BulletOctree } from './bullet-octree.ts';
import { Bullet, type Flight, type Impact } from './flight.ts';
import type { Target } from './target.ts';

export class Impacts {
  /** What bullets touch between the last step and the next one. */
  readonly coming: Impact[] = [];
  /** Motions of a bullet that crossed a target: each is a hit that a cast finds. */
  crossed = 0;
  /** How many of these motions end in a target. A test of overlaps finds only those. */
  overlapped = 0;
  private readonly sphere = { center: new Vector3(), radius: 0 };
  private readonly motion = new Vector3();

  /**
   * Targets move in steps, and rest in between. So the casts find every target that a bullet touches on its way. A
   * target that a step moves onto a bullet is touched at the start of the next cast.
   */
  find({ bullets, spheres }: Flight, bodies: BulletOctree, seconds: number, hasCasts: boolean): void {
    const { sphere, motion, coming } = this;
    coming.length = 0;
    for (const [slot, bullet] of bullets.entries()) {
      bullet.impact = null;
      sphere.center.fromArray(spheres, slot * 4);
      sphere.radius = spheres[slot * 4 + 3];
      const cast = bodies.castAtTargets(sphere, motion.copy(bullet.velocity).multiplyScalar(seconds));
      if (cast === null) continue;
      this.crossed++;
      sphere.center.add(motion);
      const [overlap] = bodies.targetsAt(sphere);
      if (overlap !== undefined) this.overlapped++;
      if (hasCasts) coming.push(impactOf(bullet, cast, cast.time * seconds));
      else if (overlap !== undefined) coming.push(impactOf(bullet, overlap, seconds));
    }
    for (const impact of coming) impact.bullet.impact = impact;
  }
}

/** The normal in the contact of a cast points away from the target, as it does in the contact of an overlap. */
function impactOf(
  bullet: Bullet,
  { body, position, normal }: IntersectionRecord<Bullet | Target>,
  delay: number,
): Impact {
  const target = body.data;
  if (target instanceof Bullet) throw new Error('Impacts: the mask of the targets has let a bullet through');
  return { target, bullet, delay, position, normal };
}
