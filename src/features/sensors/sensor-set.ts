/**
 * All sensors of an octree, distance bands included. There are two kinds.
 *
 * - Boxes and spheres at rest lie in a tree of their own, and test only the bodies that have moved near them.
 * - All other sensors run a query of the octree in each update in which anything has changed: other volumes, volumes
 *   beyond the limit of coordinates, and volumes that move. For a volume that moves, a query costs less than new
 *   candidate pairs with a test each.
 */

import { BOX_STRIDE } from '../../math/box.ts';
import { withCapacity } from '../../math/typed-arrays.ts';
import { OUTSIDE, TrackedVolume, type WatchedVolume } from './sensor-volumes.ts';
import { SensorTracker } from './sensor-tracker.ts';
import type { Workspace } from '../../octree/queries/workspace.ts';
import { BODY_STATIC } from '../../tree/layout.ts';
import { NO_SLOT } from '../../tree/storage/body-arrays.ts';
import { ChangeLog } from '../../tree/storage/change-log.ts';
import { copyIndices, IndexList } from '../../tree/storage/index-list.ts';
import { Tree } from '../../tree/tree.ts';
import { maintain } from '../../tree/update/maintain.ts';
import type { AnyBody } from '../../octree/bodies/body.ts';
import { reportedBodyAt, type BodyStore } from '../../octree/bodies/body-store.ts';
import type { ChangeReader } from '../../octree/change-readers.ts';
import { describeVector } from '../../octree/input/input-checks.ts';
import type { MathFactory, MathTypes } from '../../octree/input/math-types.ts';
import type { OctreeInternals } from '../../octree/internals.ts';
import { collectRange } from '../../octree/queries/range-query.ts';
import { translated, Volume } from '../volumes/volume.ts';
import { REGION_LIMIT } from '../../octree/input/shapes.ts';
import { NOT_IN_TREE, type SensorState } from './sensor-state.ts';
import { BODY, PARTNER } from '../tracking/tracker.ts';
import { WriteQueue } from '../../octree/bodies/write-queue.ts';

/** Number of updates without a move after which a sensor counts as at rest. */
const STILL_UPDATES = 8;
/** Options of the tree of sensors. */
const TREE_OPTIONS = { minCellSize: 1, looseness: 2, leafCapacity: 16, lifespan: true };

export class SensorSet implements ChangeReader {
  private readonly internals: OctreeInternals;
  /**
   * In the order in which they were added. A new array after each change, because an update may iterate the old one.
   */
  private sensors: readonly SensorState[] = [];
  private tree = new Tree(TREE_OPTIONS);
  private queue = new WriteQueue(this.tree, new ChangeLog());
  private tracker: SensorTracker | null = null;
  /** By index in the tree of sensors. */
  private byIndex: (SensorState | undefined)[] = [];
  /**
   * The sensors with changes in this update, in the order of `sensors`; and the sensors whose public lists hold changes
   * of the update before.
   */
  private changed: SensorState[] = [];
  private reported: SensorState[] = [];
  /** By body index. All 0 between calls. */
  private marks = new Uint8Array(0);
  private readonly box = new Float64Array(BOX_STRIDE);
  /** Indices of the sensors that were put into the tree in this update. */
  private readonly arrived = new IndexList(0);
  /** What callbacks of volumes have thrown in this update. */
  private readonly errors: unknown[] = [];

  constructor(internals: OctreeInternals) {
    this.internals = internals;
  }

  /** Adds a sensor. Its first update is the next one. */
  add(sensor: SensorState): void {
    if (this.sensors.length === 0) this.internals.readers.add(this);
    this.sensors = [...this.sensors, sensor];
  }

  /** Runs a function that reads an argument into a workspace; a getter of the argument may query. */
  read<Result>(where: string, read: (workspace: Workspace, math: MathFactory<MathTypes>) => Result): Result {
    const { runner, store } = this.internals;
    try {
      return read(runner.begin(where), store.math);
    } finally {
      runner.end();
    }
  }

  /** Runs a function that gives a sensor another volume. Throws `stopped` as its sentence if the sensor was stopped. */
  move(
    where: string,
    sensor: SensorState,
    stopped: string,
    write: (workspace: Workspace, math: MathFactory<MathTypes>) => void,
  ): void {
    if (sensor.isStopped) throw new RangeError(`${where}: ${stopped}.`);
    this.read(where, write);
    sensor.hasMoved = true;
    sensor.updatesUntilRest = STILL_UPDATES;
    this.takeOutOfTree(sensor);
  }

  bodyAt(where: string, index: number): AnyBody {
    return reportedBodyAt(where, this.internals.store, index);
  }

  stop(sensor: SensorState): void {
    sensor.isStopped = true;
    sensor.clear();
    this.sensors = this.sensors.filter((other) => other !== sensor);
    this.takeOutOfTree(sensor);
    if (this.sensors.length === 0) this.internals.readers.remove(this);
  }

  /** Empties all sensors; the next update treats them as new. */
  restart(store: BodyStore): void {
    for (const sensor of this.sensors) sensor.clear();
    this.rebuild(store);
  }

  /** Throws if a translation would bring a sensor too far out. */
  checkTranslation(where: string, vector: Float64Array): void {
    if (this.sensors.every(({ volume }) => staysWithin(volume, vector))) return;
    throw new RangeError(
      `${where}: vector would move a sensor beyond +-2^51, but is ${describeVector(vector)}; pass a shorter one, or stop the sensor first.`,
    );
  }

  /**
   * Translates all volumes, except those of users. The next update queries each sensor once, and compares the bodies
   * inside with the bodies inside at the update before.
   */
  translate(vector: Float64Array): void {
    for (const sensor of this.sensors)
      if (sensor.volume instanceof Volume) sensor.volume = translated(sensor.volume, vector);
    this.rebuild(this.internals.store);
  }

  /** Starts with an empty tree. The next update queries each sensor, and puts it into the tree. */
  private rebuild(store: BodyStore): void {
    this.tree = new Tree(TREE_OPTIONS);
    this.queue = new WriteQueue(this.tree, new ChangeLog());
    this.byIndex = [];
    this.tracker = new SensorTracker(store, this.tree, this.byIndex);
    for (const sensor of this.sensors) {
      sensor.index = NOT_IN_TREE;
      sensor.hasMoved = true;
      sensor.updatesUntilRest = 0;
    }
  }

  readChanges(workspace: Workspace): void {
    const { arrived, queue } = this;
    const tracker = this.tracker!;
    const { changes, tree } = this.internals.store;
    this.marks = withCapacity(this.marks, tree.bodies.count);
    this.applyQueue();
    maintain(this.tree);
    tracker.readChanges(workspace);
    this.distribute(tracker);
    const haveBodiesChanged = changes.moved.length > 0 || changes.removed.length > 0;
    for (const sensor of this.sensors) {
      const { hasMoved } = sensor;
      sensor.hasMoved = false;
      if (sensor.index !== NOT_IN_TREE) this.changeZones(sensor, false);
      else {
        if (hasMoved || haveBodiesChanged) this.query(sensor, tree, workspace);
        if (sensor.updatesUntilRest-- <= 0 && !sensor.isStopped) this.putIntoTree(sensor);
      }
      if (sensor.zones.changes.length > 0) this.changed.push(sensor);
    }
    copyIndices(queue.inserted, arrived);
    if (arrived.length === 0) return;
    this.applyQueue();
    tracker.addPartners(arrived, workspace);
  }

  private applyQueue(): void {
    const { bodies } = this.tree;
    this.queue.apply(null, (index) => bodies.release(index));
  }

  report(errors: unknown[]): void {
    const { changed, reported } = this;
    const store = this.internals.store;
    errors.push(...this.errors.splice(0));
    for (const sensor of reported) sensor.clearReport();
    reported.length = 0;
    this.reported = changed;
    this.changed = reported;
    for (const sensor of changed) sensor.fillReport(this.internals.runner, errors);
    const bodyAt = (index: number): AnyBody => store.bodyAt(index);
    for (const sensor of changed) sensor.call(bodyAt, errors);
  }

  /** Hands the changes that the tracker has found to their sensors. */
  private distribute(tracker: SensorTracker): void {
    const { byIndex } = this;
    const { changed, pairs } = tracker;
    for (let k = 0; k < changed.length; k++) {
      const pair = changed.array[k];
      byIndex[pairs.member(pair, PARTNER)]!.newZones.push(pairs.member(pair, BODY), pairs.state(pair));
    }
    tracker.release();
  }

  /** Replaces the bodies inside a sensor by those of a query. If it throws, they stay. */
  private query(sensor: SensorState, tree: Tree, workspace: Workspace): void {
    const { list, scratch } = workspace;
    try {
      collectRange(tree, sensor.volume.queryIn(workspace), sensor.categories, false, scratch, list);
    } catch (error) {
      // A callback of the volume. The next update tries again.
      this.errors.push(error);
      sensor.hasMoved = true;
      return;
    }
    // A callback of the volume may have stopped the sensor.
    if (!sensor.isStopped) this.takeOver(sensor, list);
  }

  /** Replaces the bodies inside a sensor by `found`. It holds all bodies inside; with hysteresis it may hold more. */
  private takeOver(sensor: SensorState, found: IndexList): void {
    const { newZones, volume, zones } = sensor;
    const { array, length } = found;
    const { bodies } = this.internals.store.tree;
    const hasZones = volume instanceof TrackedVolume && (volume.zoneCount > 1 || volume.hasHysteresis);
    newZones.reserve(length);
    const { indices, values } = newZones;
    let count = 0;
    for (let k = 0; k < length; k++) {
      const index = array[k];
      indices[count] = index;
      values[count] = 1;
      if (hasZones)
        values[count] = volume.zoneOf(bodies, index, volume.hasHysteresis ? zones.zoneIgnoringFilter(index) : OUTSIDE);
      count += Number(values[count] !== OUTSIDE);
    }
    newZones.length = count;
    this.changeZones(sensor, true);
  }

  private changeZones({ newZones, zones }: SensorState, isComplete: boolean): void {
    if (newZones.length > 0 || isComplete) zones.change(newZones, isComplete, this.marks);
    newZones.length = 0;
  }

  /** Inserts a sensor into the tree, if its volume can be tracked. */
  private putIntoTree(sensor: SensorState): void {
    const { bodies } = this.tree;
    const { volume } = sensor;
    if (!(volume instanceof TrackedVolume && volume.writeBox(this.box))) return;
    sensor.index = bodies.allocate(BODY_STATIC, sensor.categories);
    bodies.bounds.set(this.box, sensor.index * BOX_STRIDE);
    this.byIndex[sensor.index] = sensor;
    this.queue.insert(sensor.index);
  }

  /** Takes a sensor out of the tree, if it is there. The next update frees its index. */
  private takeOutOfTree(sensor: SensorState): void {
    const { bodies } = this.tree;
    const { index } = sensor;
    if (index === NOT_IN_TREE) return;
    sensor.index = NOT_IN_TREE;
    this.tracker!.forget(index);
    if (!this.queue.remove(index)) return;
    // It was not inserted yet.
    bodies.slot[index] = NO_SLOT;
    bodies.release(index);
  }
}

/** Whether all coordinates of a volume stay within the limit if it is translated. Planes may lie anywhere. */
function staysWithin(volume: WatchedVolume, vector: Float64Array): boolean {
  if (!(volume instanceof Volume)) return true;
  const { points, values } = translated(volume, vector);
  return values.subarray(0, 3 * points).every((value) => Math.abs(value) <= REGION_LIMIT);
}
