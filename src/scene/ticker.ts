/**
 * One tick: self-moving bodies first, then everything that waits is applied, then nodes expire and merge, then overlaps are
 * reported. Overlaps are computed only after all moves of the tick, and callbacks see the tree as it was then.
 */

import { pairsOf } from '../query/pairs-of.ts';
import type { Body } from './body.ts';
import type { BodyStore } from './body-store.ts';
import type { QueryRunner } from './query-runner.ts';
import { TickCounter, type TickStatistics } from './statistics.ts';

export class Ticker<T> {
  /** Set while a tick runs, callbacks included. */
  isRunning = false;

  private readonly store: BodyStore<T>;
  private readonly questions: QueryRunner<T>;
  private readonly counter: TickCounter<T>;
  /** Bodies that move themselves, and bodies that want to know their overlaps; dead ones leave at the next tick. */
  private readonly updaters = new LivingBodies<T>();
  private readonly listeners = new LivingBodies<T>();

  constructor(store: BodyStore<T>, questions: QueryRunner<T>) {
    this.store = store;
    this.questions = questions;
    this.counter = new TickCounter<T>(store);
  }

  /** Notes what a new body wants to be called for. */
  enlist(body: Body<T>): void {
    if (body.update !== undefined) this.updaters.add(body);
    if (body.onIntersection !== undefined) this.listeners.add(body);
  }

  /** A callback that throws does not keep the others from their turn: the first error is thrown once the tick is done. */
  tick(deltaSeconds: number): TickStatistics {
    const errors: unknown[] = [];
    this.isRunning = true;
    try {
      this.moveBodies(deltaSeconds, errors);
      this.store.advance();
      const tick = this.counter.take(this.reportOverlaps(errors));
      if (errors.length > 0) throw errors[0];
      return tick;
    } finally {
      this.isRunning = false;
    }
  }

  private moveBodies(deltaSeconds: number, errors: unknown[]): void {
    // Bodies inserted meanwhile move from the next tick on; those removed meanwhile no more.
    for (const body of this.updaters.all()) {
      if (!isAlive(body)) continue;
      try {
        body.update!(deltaSeconds);
      } catch (error) {
        errors.push(error);
      }
    }
  }

  /** Calls back for each overlap of a listening body; returns the number of pairs that were told. */
  private reportOverlaps(errors: unknown[]): number {
    const listeners = this.listeners.all();
    if (listeners.length === 0) return 0;
    const { store, questions } = this;
    const workspace = questions.begin('Octree.update');
    try {
      const pairs = pairsOf(
        store.tree,
        listeners.map((body) => body.index),
        workspace,
      );
      let told = 0;
      for (const [a, b] of pairs) {
        const bodyA = store.bodyAt(a);
        const bodyB = store.bodyAt(b);
        // One of them may have died in a callback of an earlier pair; within a pair both are told.
        if (!isAlive(bodyA) || !isAlive(bodyB)) continue;
        told++;
        this.tell(bodyA, a, b, errors);
        this.tell(bodyB, b, a, errors);
      }
      return told;
    } finally {
      questions.end();
    }
  }

  private tell(body: Body<T>, index: number, other: number, errors: unknown[]): void {
    if (body.onIntersection === undefined) return;
    try {
      body.onIntersection(this.questions.records().addPair(index, other));
    } catch (error) {
      errors.push(error);
    }
  }
}

/** Bodies in the order in which they came; the dead are dropped now and then, so that the list stays as long as there are living ones. */
class LivingBodies<T> {
  private list: Body<T>[] = [];
  private longest = 64;

  add(body: Body<T>): void {
    if (this.list.length >= this.longest) this.longest = Math.max(64, 2 * this.all().length);
    this.list.push(body);
  }

  /** Those alive now; a list of its own. */
  all(): readonly Body<T>[] {
    this.list = this.list.filter(isAlive);
    return this.list.slice();
  }
}

function isAlive<T>(body: Body<T>): boolean {
  return body.index >= 0;
}
