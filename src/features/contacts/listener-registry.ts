/** The bodies with an `onIntersection` callback. */

import { withCapacity } from '../../math/typed-arrays.ts';
import type { Listeners } from './contact-tracker.ts';
import { IndexList } from '../../tree/storage/index-list.ts';
import type { AnyBody } from '../../octree/bodies/body.ts';
import type { AnyRecord } from '../../octree/queries/intersection-record.ts';

/** Called with the record of an overlap, for a body of any octree. */
export type OverlapCallback = (record: AnyRecord) => void;

interface Listener {
  readonly body: AnyBody;
  readonly callback: OverlapCallback;
}

export class ListenerRegistry implements Listeners {
  readonly indices = new IndexList(0);
  marks: Uint8Array = new Uint8Array(0);
  /** By body index. A removed body stays until the next `refresh`, or until another body gets its index. */
  private readonly listeners = new Map<number, Listener>();
  /** `removals` of the last `refresh`. */
  private removals = 0;

  /** Adds a living body, or replaces its callback. */
  add(body: AnyBody, callback: OverlapCallback): void {
    const { index } = body;
    if (!this.listeners.has(index)) this.indices.push(index);
    this.listeners.set(index, { body, callback });
    this.reserve(index + 1);
    this.marks[index] = 1;
  }

  /**
   * Drops removed listeners. `removals` is the number of bodies removed since the start; the call does nothing if it
   * has not changed. `bodyCount` is the number of indices handed out.
   */
  refresh(removals: number, bodyCount: number): void {
    this.reserve(bodyCount);
    if (removals === this.removals) return;
    this.removals = removals;
    this.indices.length = 0;
    for (const [index, { body }] of this.listeners) {
      this.marks[index] = Number(body.index >= 0);
      if (body.index >= 0) this.indices.push(index);
      else this.listeners.delete(index);
    }
  }

  callbackOf(index: number): OverlapCallback | undefined {
    return this.listeners.get(index)?.callback;
  }

  private reserve(count: number): void {
    if (count > this.marks.length) this.marks = withCapacity(this.marks, count);
  }
}
