/**
 * What `Sensor` and `DistanceBands` share: the volumes, the bodies inside, and the report of an update, which fills the
 * lists and then runs the callbacks.
 *
 * A sensor has zones: nested volumes. The zone of a body is the number of those that it touches, 0 outside. With
 * hysteresis each volume has a smaller one, its return volume. A body that was outside a volume at the last update
 * counts as inside again only when it touches the return volume. So a zone depends on the previous zone, but does not
 * change while nothing moves.
 */

import type { Body } from '../../octree/bodies/body.ts';
import type { MathTypes, PlainMath } from '../../octree/input/math-types.ts';
import { attempt } from '../../octree/change-readers.ts';
import type { OctreeInternals } from '../../octree/internals.ts';
import { withWorkspace } from '../../octree/queries/query-runner.ts';
import { passes, type Filter } from '../../octree/queries/search.ts';
import type { Workspace } from '../../octree/queries/workspace.ts';
import type { BodyArrays } from '../../tree/storage/body-arrays.ts';
import { IndexList } from '../../tree/storage/index-list.ts';
import type { Volume } from '../volumes/volumes.ts';
import type { TrackedVolume } from './sensor-volumes.ts';
import { BEFORE_SHIFT, BodyZones, OUTSIDE, REFUSED, ZONE_MASK, ZoneList } from './zone-list.ts';
import { reportedBodyAt } from '../tracking/reported-bodies.ts';

/** Index of a sensor that is not in the tree of sensors. */
export const NOT_IN_TREE = -1;

/** All sensors of an octree, as one of them needs them. */
export interface SensorOwner {
  readonly internals: OctreeInternals;
  /** Adds a sensor. Its first update is the next one. */
  add(sensor: AnySensor): void;
  /** Removes a stopped sensor. */
  remove(sensor: AnySensor): void;
  /** The volumes of a sensor have changed. */
  moved(sensor: AnySensor): void;
}

/** A sensor or bands of any octree. */
export type AnySensor = ZoneSensor<unknown>;

export abstract class ZoneSensor<T, M extends MathTypes = PlainMath> {
  /** Whether `stop` was called. */
  readonly isStopped: boolean = false;
  /** @internal The volumes of the zones, the outermost first; then with hysteresis their return volumes. */
  volumes: readonly Volume[];
  /** @internal Bodies without any of these categories are outside. */
  readonly categories: number;
  /** @internal */
  readonly zones = new ZoneList();
  /** @internal Bodies with their zones of this update, before they are compared with `zones`. */
  readonly newZones = new BodyZones();
  /**
   * @internal Index in the tree of sensors; NOT_IN_TREE if a query runs for the sensor in every update in which the
   *   sensor or a body has changed.
   */
  index = NOT_IN_TREE;
  /** @internal Whether the volumes have changed since the last update. */
  hasMoved = true;
  /** @internal Number of updates without a move after which the sensor may be put into the tree. */
  updatesUntilRest = 0;

  /** @internal The public lists of changes. */
  protected abstract readonly lists: readonly IndexList[];
  /** @internal How many numbers a change has in them; the body is the first. */
  protected abstract readonly stride: number;
  /** @internal Number of zones inside. */
  readonly zoneCount: number;
  /** @internal */
  protected readonly set: SensorOwner;
  /** Names of the public function and of the class, for error sentences. */
  private readonly where: string;
  private readonly name: string;
  private readonly filter: Filter | undefined;
  /** Filled only from the first read on: it may be long, and not every user reads it. */
  private insideList: IndexList | undefined;

  /** @internal */
  constructor(
    set: SensorOwner,
    where: string,
    name: string,
    read: (workspace: Workspace) => readonly Volume[],
    zoneCount: number,
    categories: number,
    filter: ((body: never) => boolean) | undefined,
  ) {
    this.set = set;
    this.where = where;
    this.name = name;
    // In a workspace, because a getter of the argument may query.
    this.volumes = withWorkspace(set.internals.runner, where, read);
    this.zoneCount = zoneCount;
    this.categories = categories;
    this.filter = filter as Filter | undefined;
    set.add(this);
  }

  /** The bodies inside at the last update, by index; of bands, the bodies within the last distance. */
  get inside(): IndexList {
    return (this.insideList ??= this.zones.copyTo(new IndexList(0)));
  }

  /**
   * The body of an index in the lists. For a body that was removed it is a handle with `index` -1 and the body's data,
   * until the next update begins.
   *
   * @throws {RangeError} If the index belongs to no body.
   */
  bodyAt(index: number): Body<T, M> {
    return reportedBodyAt(`${this.name}.bodyAt`, this.set.internals.store, index) as Body<T, M>;
  }

  /** Ends it: the lists are empty from now on, and no callback is called. Does nothing if it was called before. */
  stop(): void {
    if (this.isStopped) return;
    this.set.remove(this);
    (this as { isStopped: boolean }).isStopped = true;
    this.clear();
  }

  /** @internal Gives the sensor other volumes. */
  protected move(read: (workspace: Workspace) => readonly Volume[]): this {
    const where = `${this.name}.moveTo`;
    const volumes = withWorkspace(this.set.internals.runner, where, read);
    if (this.isStopped) throw new RangeError(`${where}: stop was called before; call ${this.where} again.`);
    this.set.moved(this);
    this.volumes = volumes;
    return this;
  }

  /**
   * @internal The zone of a body. The search begins at its zone at the last update, `before`, because most bodies stay
   *   in theirs; with hysteresis the result depends on it.
   */
  zoneOf(bodies: BodyArrays, index: number, before: number): number {
    const volumes = this.volumes as readonly TrackedVolume[];
    let zone = this.zoneFrom(bodies, index, before);
    // If the zone grew, the outer volumes need no test.
    if (zone === before) while (zone > OUTSIDE && !volumes[zone - 1].touches(bodies, index)) zone--;
    return zone;
  }

  /** @internal The zone of a body that is in a zone, or farther in. */
  zoneFrom(bodies: BodyArrays, index: number, zone: number): number {
    const { zoneCount } = this;
    const volumes = this.volumes as readonly TrackedVolume[];
    const returns = volumes.length - zoneCount;
    while (zone < zoneCount && volumes[returns + zone].touches(bodies, index)) zone++;
    return zone;
  }

  /** @internal Empties all lists, without a report. */
  clear(): void {
    const { insideList, zones } = this;
    zones.clear();
    this.clearReport();
    if (insideList !== undefined) insideList.length = 0;
  }

  /** @internal Makes room for new zones of `count` bodies, and for their report. See `ZoneList.reserve`. */
  reserve(count: number, isComplete: boolean): void {
    const { insideList, lists, stride, zones } = this;
    const most = zones.reserve(count, isComplete);
    for (const list of lists) list.reserve(stride * most);
    insideList?.reserve(insideList.length + count);
  }

  /** @internal Empties the lists of changes. */
  clearReport(): void {
    for (const list of this.lists) list.length = 0;
  }

  /** @internal Fills the lists with the changes of this update that pass the filter. */
  fillReport(errors: unknown[]): void {
    const { zones } = this;
    const { changes } = zones;
    // The filter may stop the sensor, which empties its zones.
    for (let k = 0; k < changes.length; k++) {
      const index = changes.array[k];
      const before = changes.values[k] >> BEFORE_SHIFT;
      if (before >= REFUSED || (before === OUTSIDE && !this.accepts(index, errors))) continue;
      this.list(index, before, changes.values[k] & ZONE_MASK);
    }
    changes.length = 0;
    if (this.insideList !== undefined) zones.copyTo(this.insideList);
  }

  /** @internal Adds a change to the lists. */
  protected abstract list(index: number, before: number, now: number): void;

  /** @internal Runs the callbacks, after the lists of all sensors were filled. */
  abstract call(errors: unknown[]): void;

  /** Whether the filter accepts a body that has come inside; it is asked again only when the body comes back. */
  private accepts(index: number, errors: unknown[]): boolean {
    const { filter } = this;
    try {
      if (filter === undefined || passes(this.set.internals.store, this.where, filter, index)) return !this.isStopped;
    } catch (error) {
      errors.push(error);
    }
    if (!this.isStopped) this.zones.refuse(index);
    return false;
  }

  /** @internal Calls back for each change in a list. */
  protected callEach(
    list: IndexList,
    errors: unknown[],
    callback: ((body: never, from: number, to: number) => void) | undefined,
  ): void {
    if (callback === undefined) return;
    // A callback may stop the sensor, which empties its lists.
    for (let k = 0; k < list.length; k += this.stride) {
      const { array } = list;
      const { store } = this.set.internals;
      attempt(errors, () => callback(store.bodyAt(array[k]) as never, array[k + 1], array[k + 2]));
    }
  }
}
