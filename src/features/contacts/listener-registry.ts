/** The bodies with an `onIntersection` callback. */

import { withCapacity } from '../../math/typed-arrays.ts';
import type { Listeners } from './contact-tracker.ts';
import { IndexList } from '../../tree/storage/index-list.ts';
import type { Body } from '../../octree/bodies/body.ts';
import type { MathTypes } from '../../octree/input/math-types.ts';
import type { BodyOptions } from '../../octree/bodies/body-options.ts';

export type OnIntersection<T, M extends MathTypes> = NonNullable<BodyOptions<T, M>['onIntersection']>;

interface Listener<T, M extends MathTypes> {
  readonly body: Body<T, M>;
  /** Index of the body, kept after its removal. */
  readonly index: number;
  readonly callback: OnIntersection<T, M>;
}

export class ListenerRegistry<T, M extends MathTypes> implements Listeners {
  readonly indices = new IndexList(0);
  marks: Uint8Array = new Uint8Array(0);
  private listeners: Listener<T, M>[] = [];
  private readonly byIndex = new Map<number, Listener<T, M>>();
  /** `removals` of the last `refresh`. */
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
   * Drops removed listeners. `removals` is the number of bodies removed since the start; the call does nothing if it has not changed. `bodyCount` is
   * the number of indices handed out.
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

  callbackOf(index: number): OnIntersection<T, M> | undefined {
    return this.byIndex.get(index)?.callback;
  }

  private reserve(count: number): void {
    if (count > this.marks.length) this.marks = withCapacity(this.marks, count);
  }
}
