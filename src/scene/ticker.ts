/**
 * One tick: self-moving bodies first, then everything that waits is applied, then nodes expire and merge, then overlaps are
 * reported. Overlaps are computed only after all moves of the tick, and callbacks see the tree as it was then.
 */

import { overlapsOf } from '../query/overlaps.ts';
import type { Body } from './body.ts';
import type { BodyStore } from './body-store.ts';
import type { IntersectionRecord } from './intersection-record.ts';
import type { Questions } from './questions.ts';
import { TickCounter, type TickStatistics } from './statistics.ts';

export class Ticker<T> {
  /** Set while a tick runs, callbacks included. */
  isRunning = false;

  private readonly store: BodyStore<T>;
  private readonly questions: Questions<T>;
  private readonly counter: TickCounter<T>;
  /** Bodies that move themselves, and bodies that want to know their overlaps; dead ones leave at the next tick. */
  private updaters: Body<T>[] = [];
  private listeners: Body<T>[] = [];

  constructor(store: BodyStore<T>, questions: Questions<T>) {
    this.store = store;
    this.questions = questions;
    this.counter = new TickCounter<T>(store);
  }

  /** Notes what a new body wants to be called for. */
  enlist(body: Body<T>): void {
    if (body.update !== undefined) this.updaters.push(body);
    if (body.onIntersection !== undefined) this.listeners.push(body);
  }

  tick(deltaSeconds: number): TickStatistics {
    this.isRunning = true;
    try {
      this.moveBodies(deltaSeconds);
      this.store.flush();
      this.store.maintain();
      return this.counter.take(this.reportOverlaps());
    } finally {
      this.isRunning = false;
    }
  }

  private moveBodies(deltaSeconds: number): void {
    this.updaters = this.updaters.filter(isAlive);
    // Bodies inserted meanwhile move from the next tick on; those removed meanwhile no more.
    const { updaters } = this;
    const { length } = updaters;
    for (let k = 0; k < length; k++) if (isAlive(updaters[k])) updaters[k].update!(deltaSeconds);
  }

  /** Calls back for each overlap of a listening body; returns the number of pairs. */
  private reportOverlaps(): number {
    this.listeners = this.listeners.filter(isAlive);
    if (this.listeners.length === 0) return 0;
    const { store, questions } = this;
    const workspace = questions.begin('Octree.update');
    try {
      const pairs = overlapsOf(
        store.tree,
        this.listeners.map((body) => body.index),
        workspace,
      );
      for (const [a, b] of pairs) {
        const bodyA = store.bodyAt(a);
        const bodyB = store.bodyAt(b);
        // One of them may have died in a callback of an earlier pair; within a pair both are told.
        if (!isAlive(bodyA) || !isAlive(bodyB)) continue;
        bodyA.onIntersection?.(this.recordOf(a, b));
        bodyB.onIntersection?.(this.recordOf(b, a));
      }
      return pairs.length;
    } finally {
      questions.end();
    }
  }

  private recordOf(index: number, other: number): IntersectionRecord<T> {
    return this.questions.records().addPair(index, other);
  }
}

function isAlive<T>(body: Body<T>): boolean {
  return body.index >= 0;
}
