/** One sensor as the set of sensors keeps it: its volume, the bodies inside, and where its results go. */

import { REFUSED, ZoneList } from '../../query/tracking/zone-list.ts';
import { OUTSIDE, type WatchShape } from '../../query/tracking/watch-shape.ts';
import type { Body } from '../bodies/body.ts';
import type { MathTypes } from '../input/math-types.ts';
import type { Filter } from '../queries/query-filter.ts';
import type { QueryRunner } from '../queries/query-runner.ts';

/** The public lists of a sensor, and its callbacks. */
export interface WatchReport<T, M extends MathTypes> {
  /** Takes over the changes of an update; null empties the lists. */
  fill(list: ZoneList | null): void;
  /** Calls the callbacks for each change. */
  call(bodyAt: (index: number) => Body<T, M>, errors: unknown[]): void;
}

export class Watch<T, M extends MathTypes> {
  /** Name of the public function, for error sentences. */
  readonly where: string;
  readonly shape: WatchShape;
  readonly report: WatchReport<T, M>;
  readonly list = new ZoneList();
  /** Index in the tree of sensors. */
  id = -1;
  /** Whether it lies in the tree of sensors, or is to be inserted. Otherwise a query runs for it in every update in which a body has changed. */
  isPlaced = false;
  /** Whether it was just put into the tree: the next update replaces its whole list by the result of the tracker. */
  isNewlyPlaced = false;
  /** Whether the volume has changed since the last update. */
  hasMoved = true;
  /** Updates since the last move. */
  stillUpdates = 0;
  /** Whether `list` has changes that are not reported yet. */
  hasChanges = false;
  isStopped = false;

  private readonly filter: Filter<T, M> | undefined;

  constructor(where: string, shape: WatchShape, filter: Filter<T, M> | undefined, report: WatchReport<T, M>) {
    this.where = where;
    this.shape = shape;
    this.filter = filter;
    this.report = report;
  }

  /** Fills the public lists with the changes of this update that pass the filter. */
  fillReport(runner: QueryRunner<T, M>, errors: unknown[]): void {
    this.applyFilter(runner, errors);
    if (!this.isStopped) this.report.fill(this.list);
  }

  /** Empties the public lists of changes. */
  clearReport(): void {
    if (!this.isStopped) this.report.fill(this.list);
  }

  /** Drops the changes of bodies that the filter refuses, or has refused when they came. */
  private applyFilter(runner: QueryRunner<T, M>, errors: unknown[]): void {
    const { filter, list } = this;
    if (filter === undefined) return;
    list.filterChanges((k) => {
      // The filter may stop the sensor, which empties its list.
      if (this.isStopped) return false;
      const index = list.changedBody(k);
      const before = list.zoneBefore(k);
      if (before !== OUTSIDE) return (before & REFUSED) === 0;
      const passes = this.passes(runner, filter, index, errors);
      if (!passes && !this.isStopped) list.refuse(index);
      return passes;
    });
  }

  private passes(runner: QueryRunner<T, M>, filter: Filter<T, M>, index: number, errors: unknown[]): boolean {
    try {
      return runner.passes(this.where, filter, index);
    } catch (error) {
      errors.push(error);
      return false;
    }
  }
}
