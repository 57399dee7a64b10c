// Simulates the same bullets and targets in two octrees, one with lifespans and one without, to compare their node
// counts. Lifespans do not change query results, so the octrees take turns to run the casts for both: an octree without
// queries would place its bodies differently.

import type { Vector3 } from 'three';
import { BulletOctree } from './bullet-octree.ts';
import { Flight } from './flight.ts';
import { Gun } from './gun.ts';
import { Impacts } from './impacts.ts';
import { patrolAt } from './patrol.ts';
import { fieldCentre } from './range.ts';
import type { Shooting, Stepping } from './settings.ts';
import { createTargets } from './target-field.ts';
import { TickCounts } from './tick-counts.ts';

const SEED = 20;
const TARGETS = 220;
const FIRST_INTERVAL = 1 / 60;

/** One side of the comparison: an octree and the counts of its ticks. */
export interface Side {
  readonly bodies: BulletOctree;
  readonly counts: TickCounts;
}

export class Simulation {
  readonly gun = new Gun(SEED);
  readonly flight = new Flight();
  readonly targets = createTargets(TARGETS);
  readonly impacts = new Impacts();
  /** The sides with and without lifespans. */
  withLifespans: Side;
  withoutLifespans: Side;
  /** The place that the gun turns towards. */
  readonly aim = fieldCentre.clone();
  steps = 0;
  /** Simulated seconds. */
  seconds = 0;
  /**
   * Length of the next step, in seconds. A change of the tick rate takes effect after it: its hits are known already.
   */
  interval = FIRST_INTERVAL;
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

  /** Counts crossed targets from 0 again. */
  resetCrossings(): void {
    this.impacts.crossed = 0;
    this.impacts.overlapped = 0;
  }

  /** Simulates one time step. @param aim The aim of the gun, or null for the automatic aim. */
  step(settings: Shooting & Stepping, aim: Vector3 | null): void {
    const { flight, gun, targets, impacts, withLifespans, withoutLifespans } = this;
    const seconds = this.interval;
    this.aim.copy(aim ?? patrolAt(this.seconds, this.aim));
    gun.turnTo(this.aim, seconds);
    this.removeHits();
    flight.fly(seconds);
    gun.fire(flight, seconds, settings);
    for (const target of targets) target.move(seconds);

    // Alternates the order, because the second octree finds the bullets in the processor caches.
    const [first, second] =
      this.steps % 2 === 0 ? [withLifespans, withoutLifespans] : [withoutLifespans, withLifespans];
    this.advance(first, seconds);
    this.advance(second, seconds);
    this.missed += this.removeBullets((slot) => withLifespans.bodies.isOutside(slot));
    this.interval = 1 / settings.ticks;
    impacts.find(flight, first.bodies, this.interval, settings.casts);
    this.seconds += seconds;
    this.steps++;
  }

  private advance({ bodies, counts }: Side, seconds: number): void {
    bodies.sync(this.flight, this.targets);
    const start = performance.now();
    const tick = bodies.tick(seconds);
    counts.add(tick, performance.now() - start, seconds);
  }

  /** Knocks the targets that were hit since the last step, and removes the bullets. */
  private removeHits(): void {
    const {
      flight: { bullets },
      impacts: { coming },
    } = this;
    for (const { target, bullet, normal } of coming) target.knock(bullet.velocity, normal);
    this.hits += coming.length;
    if (coming.length > 0) this.removeBullets((slot) => bullets[slot].impact !== null);
    coming.length = 0;
  }

  /** Removes bullets from the flight and both octrees; returns how many. */
  private removeBullets(isGone: (slot: number) => boolean): number {
    const { flight, withLifespans, withoutLifespans } = this;
    const before = flight.count;
    // In descending order, because the last bullet moves to a freed slot.
    for (let slot = before - 1; slot >= 0; slot--) {
      if (!isGone(slot)) continue;
      flight.remove(slot);
      withLifespans.bodies.removeSlot(slot);
      withoutLifespans.bodies.removeSlot(slot);
    }
    return before - flight.count;
  }

  private createSide(looseness: number, lifespan: boolean): Side {
    const bodies = new BulletOctree(this.targets, looseness, lifespan);
    bodies.sync(this.flight, this.targets);
    return { bodies, counts: new TickCounts() };
  }
}
