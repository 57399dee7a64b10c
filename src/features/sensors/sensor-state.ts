/**
 * One sensor, or the distance bands about one point: its volume, the bodies inside, and the report of an update, which
 * fills the lists and then runs the callbacks. The public classes `Sensor` and `DistanceBands` show it.
 */

import type { AnyBody } from '../../octree/bodies/body.ts';
import type { Filter } from '../../octree/queries/query-filter.ts';
import type { QueryRunner } from '../../octree/queries/query-runner.ts';
import { IndexList } from '../../tree/storage/index-list.ts';
import { OUTSIDE, type WatchedVolume } from './sensor-volumes.ts';
import { BEFORE_SHIFT, BodyZones, REFUSED, ZONE_MASK, ZoneList } from './zone-list.ts';

/** Index of a sensor that is not in the tree of sensors. */
export const NOT_IN_TREE = -1;

/** What a user gives to a sensor or to bands. */
export interface SensorCallbacks {
  readonly filter?: ((body: never) => boolean) | undefined;
  readonly onLeave?: ((body: AnyBody) => void) | undefined;
  readonly onEnter?: ((body: AnyBody) => void) | undefined;
  readonly onChange?: ((body: AnyBody, from: number, to: number) => void) | undefined;
}

export class SensorState {
  volume: WatchedVolume;
  /** Bodies without any of these categories are outside. */
  readonly categories: number;
  readonly zones = new ZoneList();
  /**
   * The changes of the last update, by index. In `changed` each has three numbers: the body, its band before, its band
   * now.
   */
  readonly entered = new IndexList(0);
  readonly left = new IndexList(0);
  readonly changed = new IndexList(0);

  /**
   * Index in the tree of sensors; NOT_IN_TREE if a query runs for the sensor in every update in which the sensor or a
   * body has changed.
   */
  index = NOT_IN_TREE;
  /** Whether the volume has changed since the last update. */
  hasMoved = true;
  /** Number of updates without a move after which the sensor may be put into the tree. */
  updatesUntilRest = 0;
  /** Bodies with their zones of this update, before they are compared with `zones`. */
  readonly newZones = new BodyZones();
  isStopped = false;

  /** Name of the public function, for error sentences. */
  private readonly where: string;
  private readonly zoneCount: number;
  private readonly callbacks: SensorCallbacks;
  /** Filled only from the first read on: it may be long, and not every user reads it. */
  private readonly insideList = new IndexList(0);
  private isInsideRead = false;

  /** @param zoneCount Number of zones inside. */
  constructor(where: string, volume: WatchedVolume, categories: number, zoneCount: number, callbacks: SensorCallbacks) {
    this.where = where;
    this.categories = categories;
    this.zoneCount = zoneCount;
    this.volume = volume;
    this.callbacks = callbacks;
  }

  /** The bodies inside at the last update, by index. */
  get inside(): IndexList {
    if (!this.isInsideRead) this.zones.copyTo(this.insideList);
    this.isInsideRead = true;
    return this.insideList;
  }

  /** The band of a zone: bands are counted from the innermost, which is 0; the last one is OUTSIDE. */
  bandOf(zone: number): number {
    return this.zoneCount - zone;
  }

  /** Empties all lists, without a report. */
  clear(): void {
    this.zones.clear();
    this.clearReport();
    this.insideList.length = 0;
  }

  /** Empties the lists of changes. */
  clearReport(): void {
    this.entered.length = 0;
    this.left.length = 0;
    this.changed.length = 0;
  }

  /** Fills the lists with the changes of this update that pass the filter. */
  fillReport(runner: QueryRunner, errors: unknown[]): void {
    const { changed, entered, left, zones } = this;
    const { changes } = zones;
    // The filter may stop the sensor, which empties its zones.
    for (let k = 0; k < changes.length; k++) {
      const index = changes.indices[k];
      const before = changes.values[k] >> BEFORE_SHIFT;
      const now = changes.values[k] & ZONE_MASK;
      if ((before & REFUSED) !== 0 || (before === OUTSIDE && !this.accepts(runner, index, errors))) continue;
      if (before === OUTSIDE) entered.push(index);
      if (now === OUTSIDE) left.push(index);
      changed.push(index);
      changed.push(this.bandOf(before));
      changed.push(this.bandOf(now));
    }
    if (this.isInsideRead) zones.copyTo(this.insideList);
  }

  /** Runs the callbacks, after the lists of all sensors were filled. */
  call(bodyAt: (index: number) => AnyBody, errors: unknown[]): void {
    const { onChange, onEnter, onLeave } = this.callbacks;
    callEach(onLeave, this.left, 1, bodyAt, errors);
    callEach(onEnter, this.entered, 1, bodyAt, errors);
    callEach(onChange, this.changed, 3, bodyAt, errors);
    this.zones.changes.length = 0;
  }

  /** Whether the filter accepts a body that has come inside; it is asked again only when the body comes back. */
  private accepts(runner: QueryRunner, index: number, errors: unknown[]): boolean {
    const filter = this.callbacks.filter as Filter | undefined;
    let isAccepted = false;
    try {
      isAccepted = filter === undefined || runner.passes(this.where, filter, index);
    } catch (error) {
      errors.push(error);
    }
    if (this.isStopped) return false;
    if (!isAccepted) this.zones.refuse(index);
    return isAccepted;
  }
}

/** Calls back for each change in a list. A change has `stride` numbers, the body first. */
function callEach(
  callback: SensorCallbacks['onChange'],
  list: IndexList,
  stride: number,
  bodyAt: (index: number) => AnyBody,
  errors: unknown[],
): void {
  if (callback === undefined) return;
  // A callback may stop the sensor, which empties its lists.
  for (let k = 0; k < list.length; k += stride) {
    const { array } = list;
    try {
      callback(bodyAt(array[k]), array[k + 1], array[k + 2]);
    } catch (error) {
      errors.push(error);
    }
  }
}
