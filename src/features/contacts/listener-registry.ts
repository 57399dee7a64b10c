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
  /** Index of the body, kept after its removal. */
  readonly index: number;
  readonly callback: OverlapCallback;
}

export class ListenerRegistry implements Listeners {
  readonly indices = new IndexList(0);
  marks: Uint8Array = new Uint8Array(0);
  private listeners: Listener[] = [];
  private readonly byIndex = new Map<number, Listener>();
  /** `removals` of the last `refresh`. */
  private removals = 0;

  /** Adds a living body, or replaces its callback. */
  add(body: AnyBody, callback: OverlapCallback): void {
    const { index } = body;
    const listener = { body, index, callback };
    const before = this.byIndex.get(index);
    this.byIndex.set(index, listener);
    if (before?.body === body) {
      this.listeners[this.listeners.indexOf(before)] = listener;
      return;
    }
    this.listeners.push(listener);
    this.indices.push(index);
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
    const { byIndex, indices, listeners, marks } = this;
    let kept = 0;
    for (const listener of listeners) {
      const { body, index } = listener;
      if (body.index >= 0) {
        listeners[kept] = listener;
        indices.array[kept++] = index;
      } else if (byIndex.get(index) === listener) {
        // Only then: a new listener may have the index by now.
        byIndex.delete(index);
        marks[index] = 0;
      }
    }
    listeners.length = kept;
    indices.length = kept;
  }

  callbackOf(index: number): OverlapCallback | undefined {
    return this.byIndex.get(index)?.callback;
  }

  private reserve(count: number): void {
    if (count > this.marks.length) this.marks = withCapacity(this.marks, count);
  }
}
