// The shooting, step by step: the same bullets and targets in two octrees at once, one with the lifespan rule and one without, so that
// what the rule saves can be read off. Both give the same hits, because the rule changes no answer.

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

/** An octree and what it told. */
export interface Side {
  readonly bodies: BulletOctree;
  readonly counts: TickCounts;
}

export class Simulation {
  readonly gun = new Gun(SEED);
  readonly flight = new Flight();
  readonly targets = createTargets(TARGETS);
  /** With the lifespan rule, and without. */
  withRule: Side;
  withoutRule: Side;
  /** Where the gun is aimed, or turns to. */
  readonly aim = fieldCentre.clone();
  steps = 0;
  hits = 0;
  /** Bullets that left the region. */
  missed = 0;

  constructor(looseness: number) {
    this.withRule = this.createSide(looseness, true);
    this.withoutRule = this.createSide(looseness, false);
  }

  /** Puts everything that is there into new octrees; counting starts over. */
  rebuild(looseness: number): void {
    this.withRule = this.createSide(looseness, true);
    this.withoutRule = this.createSide(looseness, false);
  }

  /** One step of time. The gun is aimed at `aim`, or goes its own way. */
  step(shooting: Shooting, aim: Vector3 | null): void {
    const { flight, gun, targets, withRule, withoutRule } = this;
    this.aim.copy(aim ?? patrolAt(this.steps * STEP_SECONDS, this.aim));
    gun.turnTo(this.aim, STEP_SECONDS);
    flight.fly(STEP_SECONDS);
    gun.fire(flight, STEP_SECONDS, shooting);
    for (const target of targets) target.move(STEP_SECONDS);

    // By turns, because the one that goes second finds the bullets in the processor's caches.
    const [first, second] = this.steps % 2 === 0 ? [withRule, withoutRule] : [withoutRule, withRule];
    this.advance(first);
    this.advance(second);
    for (const { target, bullet, normal } of withRule.bodies.hits) target.knock(bullet.velocity, normal);
    this.hits += withRule.bodies.hits.length;
    this.clearAway();
    this.steps++;
  }

  private advance({ bodies, counts }: Side): void {
    bodies.sync(this.flight, this.targets);
    const start = performance.now();
    const tick = bodies.tick(STEP_SECONDS);
    counts.add(tick, performance.now() - start);
  }

  /** Lets go of the bullets that have hit something or have left. */
  private clearAway(): void {
    const { flight, withRule, withoutRule } = this;
    const before = flight.count;
    // From the end, because the last bullet moves into the slot that becomes free.
    for (let slot = before - 1; slot >= 0; slot--) {
      if (!withRule.bodies.isRemoved(slot)) continue;
      flight.remove(slot);
      withRule.bodies.removeSlot(slot);
      withoutRule.bodies.removeSlot(slot);
    }
    this.missed += before - flight.count - withRule.bodies.hits.length;
  }

  private createSide(looseness: number, lifespan: boolean): Side {
    return { bodies: new BulletOctree(this.targets, looseness, lifespan), counts: new TickCounts() };
  }
}
