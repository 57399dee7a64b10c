/**
 * All sensors of an octree, distance bands included. There are two kinds.
 *
 * - Boxes and spheres at rest lie in a tree of their own, and test only the bodies that have moved near them.
 * - All other sensors run a query of the octree in each update in which anything has changed: other volumes, volumes
 *   beyond the limit of coordinates, and volumes that move. For a volume that moves, a query costs less than new
 *   candidate pairs with a test each.
 */

import { BOX_STRIDE, KeptBoxes } from '../../math/box.ts';
import { withCapacity } from '../../math/typed-arrays.ts';
import { TrackedVolume } from './sensor-volumes.ts';
import type { Workspace } from '../../octree/queries/workspace.ts';
import { BODY_STATIC } from '../../tree/layout.ts';
import { CONTAINED } from '../../tree/traverse/walk-numbers.ts';
import { ChangeLog } from '../../tree/storage/change-log.ts';
import { IndexList } from '../../tree/storage/index-list.ts';
import { Tree } from '../../tree/tree.ts';
import { maintain } from '../../tree/update/maintain.ts';
import { refitSome } from '../../tree/update/refit.ts';
import type { ChangeReader } from '../../octree/change-readers.ts';
import type { OctreeInternals } from '../../octree/internals.ts';
import { collectRange } from '../../octree/queries/range-query.ts';
import type { Volume } from '../volumes/volumes.ts';
import { OUTSIDE, REFUSED } from './zone-list.ts';
import { NOT_IN_TREE, type AnySensor, type SensorOwner } from './zone-sensor.ts';
import { BODY, PARTNER, Tracker, type ChangingTree } from '../tracking/tracker.ts';
import { WriteQueue } from '../../octree/bodies/write-queue.ts';

/**
 * Number of searches for the sensors of a body that cost as much as one for the bodies of a sensor.
 */
const BODIES_PER_SENSOR = 4;
/** Output of `filterBoxes`. */
const reusedKept = /* @__PURE__ */ new KeptBoxes(1);
/** Number of updates without a move after which a sensor counts as at rest. Test: sensors.test. */
const STILL_UPDATES = 8;
/** Options of the tree of sensors. Its smallest cell adapts to the sizes of the sensors. */
const TREE_OPTIONS = { minCellSize: 1, adaptsCells: true, looseness: 2, leafCapacity: 16, lifespan: true };

export class SensorSet implements ChangeReader, SensorOwner {
  readonly internals: OctreeInternals;
  /**
   * In the order in which they were added. A new array after each change, because an update may iterate the old one.
   */
  private sensors: readonly AnySensor[] = [];
  declare tree: Tree;
  declare private queue: WriteQueue;
  declare tracker: SensorTracker;
  /** By index in the tree of sensors. */
  declare private byIndex: (AnySensor | undefined)[];
  /**
   * False until all changes were read, and after volumes have moved: the next update then starts with an empty tree.
   */
  private isCurrent = false;
  /** The sensors with changes that are not reported yet. */
  private changed: AnySensor[] = [];
  /** The sensors whose public lists hold changes. */
  private reported: AnySensor[] = [];
  /** By body index. All 0 between calls. */
  private marks = new Uint8Array(0);
  private readonly box = new Float64Array(BOX_STRIDE);
  /** Indices of the sensors that were put into the tree in this update. */
  private readonly arrived = new IndexList(0);

  constructor(internals: OctreeInternals) {
    this.internals = internals;
  }

  add(sensor: AnySensor): void {
    if (this.sensors.length === 0) this.internals.readers.add(this);
    this.sensors = [...this.sensors, sensor];
  }

  remove(sensor: AnySensor): void {
    this.takeOutOfTree(sensor);
    this.sensors = this.sensors.filter((other) => other !== sensor);
    if (this.sensors.length === 0) this.internals.readers.remove(this);
  }

  moved(sensor: AnySensor): void {
    this.takeOutOfTree(sensor);
    sensor.hasMoved = true;
    sensor.updatesUntilRest = STILL_UPDATES;
  }

  /** Empties all sensors; the next update treats them as new. */
  restart(): void {
    for (const sensor of this.sensors) sensor.clear();
    this.isCurrent = false;
  }

  get volumes(): readonly Volume[] {
    return this.sensors.flatMap(({ volumes }) => volumes);
  }

  volumesMoved(): void {
    this.isCurrent = false;
  }

  /**
   * Starts with an empty tree. Each sensor is queried once, the bodies inside are compared with the bodies inside at
   * the update before, and the sensor is put into the tree.
   */
  private startAnew(): void {
    this.tree = new Tree(TREE_OPTIONS);
    this.queue = new WriteQueue(this.tree, new ChangeLog());
    this.byIndex = [];
    this.tracker = new SensorTracker(this.internals.store, this.tree, this.byIndex);
    for (const sensor of this.sensors) {
      sensor.index = NOT_IN_TREE;
      sensor.hasMoved = true;
      sensor.updatesUntilRest = 0;
    }
  }

  readChanges(workspace: Workspace, errors: unknown[]): void {
    if (!this.isCurrent) this.startAnew();
    this.isCurrent = false;
    const { arrived, sensors, tracker } = this;
    const { changes, tree } = this.internals.store;
    this.marks = withCapacity(this.marks, tree.bodies.count);
    this.applyQueue(maintain);
    tracker.readChanges(workspace);
    this.distribute(tracker);
    const haveBodiesChanged = changes.moved.length > 0 || changes.removed.length > 0;
    const rested: AnySensor[] = [];
    for (const sensor of sensors) {
      if (sensor.index !== NOT_IN_TREE) {
        if (sensor.newZones.length > 0) this.changeZones(sensor, false);
        continue;
      }
      if (sensor.hasMoved || haveBodiesChanged) {
        sensor.hasMoved = false;
        this.query(sensor, workspace, errors);
      }
      if (sensor.updatesUntilRest-- <= 0) rested.push(sensor);
    }
    // Not before: the queries may run callbacks of volumes, which may move and stop sensors.
    arrived.length = 0;
    for (const sensor of rested) if (!sensor.hasMoved && !sensor.isStopped) this.putIntoTree(sensor);
    if (arrived.length > 0) {
      this.applyQueue(refitSome);
      tracker.addPartners(arrived, workspace);
    }
    this.isCurrent = true;
  }

  private applyQueue(write: (tree: Tree) => void): void {
    const { bodies } = this.tree;
    this.queue.apply(null, (index) => bodies.release(index), write);
  }

  report(errors: unknown[]): void {
    const { changed } = this;
    for (const sensor of this.reported) sensor.clearReport();
    this.reported = changed;
    this.changed = [];
    for (const sensor of changed) sensor.fillReport(errors);
    for (const sensor of changed) sensor.call(errors);
  }

  /** Hands the changes that the tracker has found to their sensors. */
  private distribute(tracker: SensorTracker): void {
    const { byIndex } = this;
    const { changed, pairs } = tracker;
    for (let k = 0; k < changed.length; k++) {
      const pair = changed.array[k];
      byIndex[pairs.end(pair, PARTNER)]!.newZones.add(pairs.end(pair, BODY), pairs.state(pair));
    }
    pairs.releaseDropped();
  }

  /** Replaces the bodies inside a sensor by those of a query. If it throws, they stay. */
  private query(sensor: AnySensor, workspace: Workspace, errors: unknown[]): void {
    const { list } = workspace;
    workspace.tree = this.internals.store.tree;
    workspace.categories = sensor.categories;
    try {
      collectRange(workspace, sensor.volumes[0].queryIn(workspace), list);
    } catch (error) {
      // A callback of the volume. The next update tries again.
      errors.push(error);
      sensor.hasMoved = true;
      return;
    }
    // A callback of the volume may have stopped the sensor.
    if (!sensor.isStopped) this.takeOver(sensor, list);
  }

  /** Replaces the bodies inside a sensor by `found`: all bodies that touch the volume of its outermost zone. */
  private takeOver(sensor: AnySensor, found: IndexList): void {
    const { newZones, volumes, zoneCount, zones } = sensor;
    const { array, length } = found;
    const { bodies } = this.internals.store.tree;
    newZones.reserve(length);
    const { array: indices, values } = newZones;
    let count = 0;
    for (let k = 0; k < length; k++) {
      const index = array[k];
      indices[count] = index;
      values[count] = 1;
      if (volumes.length > zoneCount) values[count] = sensor.zoneOf(bodies, index, zones.zoneOf(index) & ~REFUSED);
      else if (zoneCount > 1) values[count] = sensor.zoneFrom(bodies, index, 1);
      count += Number(values[count] !== OUTSIDE);
    }
    newZones.length = count;
    this.changeZones(sensor, true);
  }

  private changeZones(sensor: AnySensor, isComplete: boolean): void {
    const { newZones, zones } = sensor;
    sensor.reserve(newZones.length, isComplete);
    zones.change(newZones, isComplete, this.marks);
    newZones.length = 0;
    if (zones.changes.length > 0) this.changed.push(sensor);
  }

  /** Inserts a sensor into the tree, if its volumes can be tracked. */
  private putIntoTree(sensor: AnySensor): void {
    const { bodies } = this.tree;
    const [outermost] = sensor.volumes;
    if (!(outermost instanceof TrackedVolume && outermost.writeBox(this.box))) return;
    this.queue.reserve(1);
    sensor.index = bodies.allocate(BODY_STATIC, sensor.categories);
    bodies.bounds.set(this.box, sensor.index * BOX_STRIDE);
    this.byIndex[sensor.index] = sensor;
    this.queue.insert(sensor.index);
    this.arrived.push(sensor.index);
  }

  /** Takes a sensor out of the tree, if it is there. The next update frees its index. */
  private takeOutOfTree(sensor: AnySensor): void {
    const { index } = sensor;
    if (index === NOT_IN_TREE) return;
    const { isCurrent } = this;
    this.isCurrent = false;
    this.tracker.forget(index);
    this.queue.reserveRemovals(1);
    this.queue.remove(index);
    sensor.index = NOT_IN_TREE;
    this.isCurrent = isCurrent;
  }
}

/**
 * Tracks the zones of bodies in sensors at rest: the tree of sensors against the tree of bodies. The state of a pair is
 * a zone. See `Tracker`.
 */
class SensorTracker extends Tracker {
  /** By index in the tree of sensors. */
  private readonly byIndex: readonly (AnySensor | undefined)[];

  constructor(bodies: ChangingTree, sensors: Tree, byIndex: readonly (AnySensor | undefined)[]) {
    super(bodies, sensors);
    this.byIndex = byIndex;
  }

  protected get maxSearches(): number {
    return BODIES_PER_SENSOR * this.partners.placedCount;
  }

  protected searchAll(workspace: Workspace): void {
    const { count } = this.partners.bodies;
    for (let sensor = 0; sensor < count; sensor++) this.searchFor(PARTNER, sensor, workspace);
  }

  /** A body that was no candidate before is outside, but a new sensor has zones already. */
  protected override addCandidate(sensor: number, body: number): void {
    this.pairs.add(sensor, body, this.byIndex[sensor]!.zones.zoneOf(body) & ~REFUSED);
  }

  protected stateOf(sensor: number, body: number, before: number): number {
    return this.byIndex[sensor]!.zoneOf(this.arrays, body, before);
  }

  /** For each volume, either no body in the slot bounds touches it, or every one does. */
  protected override isSettled(sensor: number, slotBounds: Float64Array, workspace: Workspace): boolean {
    const { volumes } = this.byIndex[sensor]!;
    for (let k = 0; k < volumes.length; k++) {
      const query = volumes[k].queryIn(workspace);
      query.begin?.(this.bodies.tree);
      reusedKept.length = 0;
      query.filterBoxes(slotBounds, 0, 1, reusedKept, query.rootOverlap);
      if (reusedKept.length > 0 && reusedKept.overlaps[0] !== CONTAINED) return false;
    }
    return true;
  }
}
