// Simulates the same bullets and targets in two octrees, one with lifespans and one without, to compare their node counts. Both octrees
// find the same hits, because lifespans do not change query results.

import type { Vector3 } from 'three';
import { BulletOctree } from './bullet-octree.ts';
import { Flight } from './flight.ts';
import { Gun } from './gun.ts';
import { patrolAt } from './patrol.ts';
import { STEP_SECONDS, fieldCentre } from './range.ts';
import type { Shooting } from './settings.ts';
import { createTargets } from './target-field.ts';
import { TickCounts } from './tick-counts.ts';

const SEED = 20;
const TARGETS = 220;

/** One side of the comparison: an octree and the counts of its ticks. */
export interface Side {
  readonly bodies: BulletOctree;
  readonly counts: TickCounts;
}

export class Simulation {
  readonly gun = new Gun(SEED);
  readonly flight = new Flight();
  readonly targets = createTargets(TARGETS);
  /** The sides with and without lifespans. */
  withLifespans: Side;
  withoutLifespans: Side;
  /** The place that the gun turns towards. */
  readonly aim = fieldCentre.clone();
  steps = 0;
  hits = 0;
  /** Bullets that left the region. */
  missed = 0;

  constructor(looseness: number) {
    this.withLifespans = this.createSide(looseness, true);
    this.withoutLifespans = this.createSide(looseness, false);
  }

  /** Inserts all bullets and targets into new octrees, and resets their counts. */
  rebuild(looseness: number): void {
    this.withLifespans = this.createSide(looseness, true);
    this.withoutLifespans = this.createSide(looseness, false);
  }

  /** Simulates one time step. @param aim The aim of the gun, or null for the automatic aim. */
  step(shooting: Shooting, aim: Vector3 | null): void {
    const { flight, gun, targets, withLifespans, withoutLifespans } = this;
    this.aim.copy(aim ?? patrolAt(this.steps * STEP_SECONDS, this.aim));
    gun.turnTo(this.aim, STEP_SECONDS);
    flight.fly(STEP_SECONDS);
    gun.fire(flight, STEP_SECONDS, shooting);
    for (const target of targets) target.move(STEP_SECONDS);

    // Alternates the order, because the second octree finds the bullets in the processor caches.
    const [first, second] = this.steps % 2 === 0 ? [withLifespans, withoutLifespans] : [withoutLifespans, withLifespans];
    this.advance(first);
    this.advance(second);
    for (const { target, bullet, normal } of withLifespans.bodies.hits) target.knock(bullet.velocity, normal);
    this.hits += withLifespans.bodies.hits.length;
    this.removeBullets();
    this.steps++;
  }

  private advance({ bodies, counts }: Side): void {
    bodies.sync(this.flight, this.targets);
    const start = performance.now();
    const tick = bodies.tick(STEP_SECONDS);
    counts.add(tick, performance.now() - start);
  }

  /** Removes the bullets that have hit a target or have left the region. */
  private removeBullets(): void {
    const { flight, withLifespans, withoutLifespans } = this;
    const before = flight.count;
    // In descending order, because the last bullet moves to a freed slot.
    for (let slot = before - 1; slot >= 0; slot--) {
      if (!withLifespans.bodies.isRemoved(slot)) continue;
      flight.remove(slot);
      withLifespans.bodies.removeSlot(slot);
      withoutLifespans.bodies.removeSlot(slot);
    }
    this.missed += before - flight.count - withLifespans.bodies.hits.length;
  }

  private createSide(looseness: number, lifespan: boolean): Side {
    return { bodies: new BulletOctree(this.targets, looseness, lifespan), counts: new TickCounts() };
  }
}
