/** The bodies with an `onIntersection` callback. */

import { withCapacity } from '../../math/typed-arrays.ts';
import type { Listeners } from '../../query/tracking/contact-tracker.ts';
import { IndexList } from '../../tree/storage/index-list.ts';
import type { Body } from '../bodies/body.ts';
import type { MathTypes } from '../input/math-types.ts';
import type { BodyOptions } from './body-options.ts';

export type OnIntersection<T, M extends MathTypes> = NonNullable<BodyOptions<T, M>['onIntersection']>;

interface Listener<T, M extends MathTypes> {
  readonly body: Body<T, M>;
  /** Of the body, even after its removal. */
  readonly index: number;
  readonly callback: OnIntersection<T, M>;
}

export class ListenerRegistry<T, M extends MathTypes> implements Listeners {
  readonly indices = new IndexList(0);
  marks: Uint8Array = new Uint8Array(0);
  private listeners: Listener<T, M>[] = [];
  private readonly byIndex = new Map<number, Listener<T, M>>();
  /** Number of removals of bodies, since the start, up to which listeners were dropped. */
  private removals = 0;

  /** Adds a living body. */
  add(body: Body<T, M>, callback: OnIntersection<T, M>): void {
    const { index } = body;
    const listener = { body, index, callback };
    this.listeners.push(listener);
    this.byIndex.set(index, listener);
    this.indices.push(index);
    this.reserve(index + 1);
    this.marks[index] = 1;
  }

  /**
   * Drops the listeners that were removed. `removals` is the number of bodies removed since the start; while it stays the same, nothing is to be
   * done. `bodyCount` is the number of indices handed out.
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
        // Otherwise a new listener has got the index.
        byIndex.delete(index);
        marks[index] = 0;
      }
    }
    listeners.length = kept;
    indices.length = kept;
  }

  callbackOf(index: number): OnIntersection<T, M> | undefined {
    return this.byIndex.get(index)?.callback;
  }

  private reserve(count: number): void {
    if (count > this.marks.length) this.marks = withCapacity(this.marks, count);
  }
}
