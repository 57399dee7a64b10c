/** One sensor, or the distance bands about one point: its volume, the bodies inside, and where its results go. */

import { REFUSED, ZoneList } from './zone-list.ts';
import { OUTSIDE, type SensorVolume } from './sensor-volume.ts';
import type { AnyBody } from '../../octree/bodies/body.ts';
import type { Filter } from '../../octree/queries/query-filter.ts';
import type { QueryRunner } from '../../octree/queries/query-runner.ts';

/** The public lists of a sensor, and its callbacks. */
export interface SensorReport {
  /** Takes over the changes of an update; null empties the lists. */
  fill(zones: ZoneList | null): void;
  /** Calls the callbacks for each change. */
  call(bodyAt: (index: number) => AnyBody, errors: unknown[]): void;
}

export class SensorState {
  /** Name of the public function, for error sentences. */
  readonly where: string;
  readonly volume: SensorVolume;
  readonly report: SensorReport;
  readonly zones = new ZoneList();
  /** Index in the tree of sensors. */
  index = -1;
  /**
   * Whether the sensor is in the tree of sensors, or waits to be inserted. Otherwise a query runs for it in every update in which the sensor or a body has
   * changed.
   */
  isInTree = false;
  /** Whether the sensor was put into the tree since the last update. The next update replaces all its zones by the result of the tracker. */
  isNewInTree = false;
  /** Whether the volume has changed since the last update. */
  hasMoved = true;
  /** Updates since the last move. */
  stillUpdates = 0;
  /** Whether `zones` has changes that are not reported yet. */
  hasChanges = false;
  isStopped = false;

  private readonly filter: Filter | undefined;

  constructor(where: string, volume: SensorVolume, filter: Filter | undefined, report: SensorReport) {
    this.where = where;
    this.volume = volume;
    this.filter = filter;
    this.report = report;
  }

  /** Fills the public lists with the changes of this update that pass the filter. */
  fillReport(runner: QueryRunner, errors: unknown[]): void {
    this.applyFilter(runner, errors);
    if (!this.isStopped) this.report.fill(this.zones);
  }

  /** Empties the public lists of changes, in an update without changes. */
  clearReport(): void {
    if (!this.isStopped) this.report.fill(this.zones);
  }

  /** Drops the changes of bodies that the filter refuses now, or refused when they came. */
  private applyFilter(runner: QueryRunner, errors: unknown[]): void {
    const { filter, zones } = this;
    if (filter === undefined) return;
    zones.filterChanges((k) => {
      // The filter may stop the sensor, which empties its zones.
      if (this.isStopped) return false;
      const index = zones.changedBody(k);
      const before = zones.zoneBefore(k);
      if (before !== OUTSIDE) return (before & REFUSED) === 0;
      const passes = this.passes(runner, filter, index, errors);
      if (!passes && !this.isStopped) zones.refuse(index);
      return passes;
    });
  }

  private passes(runner: QueryRunner, filter: Filter, index: number, errors: unknown[]): boolean {
    try {
      return runner.passes(this.where, filter, index);
    } catch (error) {
      errors.push(error);
      return false;
    }
  }
}
