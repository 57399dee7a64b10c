/**
 * All sensors of an octree. Those at rest lie in a tree of their own, and test only what has moved near them. The others run a query of the octree in
 * every update in which anything has changed: frusta, volumes beyond the limit of coordinates, and volumes that move: for them one query is cheaper
 * than new candidate pairs with a test each.
 */

import { BOX_STRIDE } from '../../math/box.ts';
import { grownCapacity } from '../../math/typed-arrays.ts';
import { BodyZones } from '../../query/tracking/zone-list.ts';
import { OUTSIDE } from '../../query/tracking/watch-shape.ts';
import { WatchTracker } from '../../query/tracking/watch-tracker.ts';
import type { Workspace } from '../../query/workspace.ts';
import { BODY_STATIC } from '../../tree/layout.ts';
import { NO_SLOT } from '../../tree/storage/body-arrays.ts';
import { ChangeLog } from '../../tree/storage/change-log.ts';
import type { IndexList } from '../../tree/storage/index-list.ts';
import { Tree } from '../../tree/tree.ts';
import { expireEmptyLeaves, mergeListed } from '../../tree/update/expire.ts';
import { refitSome } from '../../tree/update/refit.ts';
import type { Body } from '../bodies/body.ts';
import type { BodyStore } from '../bodies/body-store.ts';
import type { ChangeReader, ChangeReaders } from './change-readers.ts';
import { describeVector } from '../input/input-checks.ts';
import type { MathTypes } from '../input/math-types.ts';
import type { QueryRunner } from '../queries/query-runner.ts';
import { REGION_LIMIT, type PointLike } from '../input/shapes.ts';
import { moveCenter, moveShape, type Volume } from './volume.ts';
import type { Watch } from './watch.ts';
import { WriteQueue } from '../bodies/write-queue.ts';

/** Number of updates without a move after which a sensor counts as at rest. */
const STILL_UPDATES = 8;
/** Options of the tree of sensors. */
const TREE_OPTIONS = { minCellSize: 1, looseness: 2, leafCapacity: 16, lifespan: true, simdFrom: Infinity };

export class WatchSet<T, M extends MathTypes> implements ChangeReader<T, M> {
  private readonly readers: ChangeReaders<T, M>;
  private store: BodyStore<T, M> | null = null;
  private runner: QueryRunner<T, M> | null = null;
  /** In the order in which they were added. A new array after each change, because an update may iterate the old one. */
  private watches: readonly Watch<T, M>[] = [];
  private tree = new Tree(TREE_OPTIONS);
  private changes = new ChangeLog();
  private queue = new WriteQueue(this.tree, this.changes);
  private tracker: WatchTracker | null = null;
  /** By index in the tree of sensors. */
  private byId: (Watch<T, M> | undefined)[] = [];
  private readonly given = new BodyZones();
  /** Those with changes in this update, in the order of `watches`; and those whose public lists hold changes of the update before. */
  private changed: Watch<T, M>[] = [];
  private reported: Watch<T, M>[] = [];
  /** By body index. All 0 between calls. */
  private marks = new Uint8Array(0);
  private readonly box = new Float64Array(BOX_STRIDE);

  constructor(readers: ChangeReaders<T, M>) {
    this.readers = readers;
  }

  /** Adds a sensor. Its first update is the next one. */
  add(watch: Watch<T, M>): void {
    if (this.watches.length === 0) this.readers.add(this);
    this.watches = [...this.watches, watch];
    this.register(watch);
  }

  /** Checks a volume, and gives it to a sensor. */
  moveTo(where: string, watch: Watch<T, M>, volume: Volume): void {
    requireRunning(where, watch, 'this sensor was stopped; call watch again');
    const runner = this.runner!;
    const workspace = runner.begin(where);
    try {
      moveShape(where, watch.shape, volume, workspace);
    } finally {
      runner.end();
    }
    this.move(watch);
  }

  /** Checks the centre of bands, and gives it to them. */
  moveCenter(where: string, watch: Watch<T, M>, point: PointLike): void {
    requireRunning(where, watch, 'these bands were stopped; call watchDistances again');
    const runner = this.runner!;
    const workspace = runner.begin(where);
    try {
      moveCenter(where, watch.shape, point, workspace);
    } finally {
      runner.end();
    }
    this.move(watch);
  }

  bodyAt(where: string, index: number): Body<T, M> {
    return this.store!.reportedBodyAt(where, index);
  }

  /** The volume of a sensor has changed. */
  private move(watch: Watch<T, M>): void {
    watch.hasMoved = true;
    if (!watch.isPlaced) return;
    this.unplace(watch);
  }

  stop(watch: Watch<T, M>): void {
    watch.isStopped = true;
    watch.list.clear();
    watch.report.fill(null);
    this.watches = this.watches.filter((other) => other !== watch);
    this.byId[watch.id] = undefined;
    if (watch.isPlaced) this.unplace(watch);
    // Otherwise the update that takes it out of the tree frees the index.
    else if (this.tree.bodies.slot[watch.id] === NO_SLOT) this.tree.bodies.release(watch.id);
    if (this.watches.length === 0) this.readers.remove(this);
  }

  /** Empties all sensors; the next update treats them as new. */
  restart(store: BodyStore<T, M>, runner: QueryRunner<T, M>): void {
    this.store = store;
    this.runner = runner;
    for (const watch of this.watches) {
      watch.list.clear();
      watch.report.fill(null);
    }
    this.rebuild(store);
  }

  /** Throws if a translation would bring a sensor too far out. */
  checkTranslation(where: string, vector: Float64Array): void {
    if (this.watches.every(({ shape }) => shape.staysWithin(REGION_LIMIT, vector))) return;
    throw new RangeError(`${where}: vector would move a sensor beyond +-2^51, but is ${describeVector(vector)}; pass a shorter one, or stop the sensor first.`);
  }

  /** Translates all volumes. The next update queries each sensor once, and compares the bodies inside with those of the update before. */
  translate(vector: Float64Array): void {
    for (const { shape } of this.watches) shape.translate(vector);
    this.rebuild(this.store!);
  }

  /** Puts all sensors into a new tree. Their lists of the bodies inside stay. */
  private rebuild(store: BodyStore<T, M>): void {
    this.tree = new Tree(TREE_OPTIONS);
    this.changes = new ChangeLog();
    this.changes.addReader();
    this.queue = new WriteQueue(this.tree, this.changes);
    this.byId = [];
    this.tracker = new WatchTracker(store, { tree: this.tree, changes: this.changes }, this.byId);
    for (const watch of this.watches) this.register(watch);
  }

  update(workspace: Workspace): void {
    const { changes, tree } = this;
    const tracker = this.tracker!;
    this.reserveMarks(this.store!.tree.bodies.count);
    this.queue.apply(null, (id) => this.releaseRemoved(id));
    expireEmptyLeaves(tree);
    mergeListed(tree);
    refitSome(tree);
    tracker.update(workspace);
    this.distribute(tracker);
    this.updateOthers(tracker, workspace);
    tracker.release();
    changes.reset();
  }

  report(errors: unknown[]): void {
    const { changed, reported } = this;
    const store = this.store!;
    for (const watch of reported) if (!watch.hasChanges) watch.clearReport();
    for (const watch of changed) watch.hasChanges = false;
    reported.length = 0;
    this.reported = changed;
    this.changed = reported;
    for (const watch of changed) watch.fillReport(this.runner!, errors);
    const bodyAt = (index: number): ReturnType<typeof store.bodyAt> => store.bodyAt(index);
    for (const watch of changed) watch.report.call(bodyAt, errors);
    for (const { list } of changed) list.clearChanges();
  }

  /** Hands the changes that the tracker has found to their sensors. */
  private distribute({ changed, pairs }: WatchTracker): void {
    const { byId, given } = this;
    for (let k = 0; k < changed.length; ) {
      const id = pairs.member(changed.array[k], 0);
      given.length = 0;
      for (; k < changed.length && pairs.member(changed.array[k], 0) === id; k++) given.push(pairs.member(changed.array[k], 1), pairs.state(changed.array[k]));
      const watch = byId[id]!;
      if (watch.isNewlyPlaced) continue;
      watch.list.change(given, this.marks);
      watch.hasChanges = watch.list.changeCount > 0;
    }
  }

  /** Updates the sensors that are not in the tree, or are new there; and lists all that have changes. */
  private updateOthers(tracker: WatchTracker, workspace: Workspace): void {
    const { tree, changes } = this.store!;
    const { list } = workspace;
    const haveBodiesChanged = changes.moved.length > 0 || changes.removed.length > 0;
    for (const watch of this.watches) {
      if (watch.isNewlyPlaced) this.adoptTrackerResult(watch, tracker, list);
      else if (!watch.isPlaced) {
        if (watch.hasMoved || haveBodiesChanged) {
          watch.shape.collect(tree, workspace, list);
          this.takeOver(watch, list);
        }
        watch.stillUpdates = watch.hasMoved ? 0 : watch.stillUpdates + 1;
        watch.hasMoved = false;
        if (watch.stillUpdates >= STILL_UPDATES) this.place(watch);
      }
      if (watch.hasChanges) this.changed.push(watch);
    }
  }

  /** Takes over the first result of the tracker for a sensor. */
  private adoptTrackerResult(watch: Watch<T, M>, tracker: WatchTracker, list: IndexList): void {
    tracker.collectInside(watch.id, list);
    this.takeOver(watch, list);
    watch.isNewlyPlaced = false;
    watch.hasMoved = false;
  }

  /** Replaces the contents of a sensor by `found`, which has all bodies inside; with hysteresis it may have others, too. */
  private takeOver(watch: Watch<T, M>, found: IndexList): void {
    const { list: inside, shape } = watch;
    if (shape.zoneCount === 1 && inside.hasExactly(found)) return;
    const { array, length } = found;
    const { given } = this;
    const { bodies } = this.store!.tree;
    given.length = 0;
    for (let k = 0; k < length; k++) {
      const index = array[k];
      if (shape.hasHysteresis) {
        const zone = shape.zoneOf(bodies, index, inside.trueZoneOf(index));
        if (zone !== OUTSIDE) given.push(index, zone);
      } else given.push(index, shape.zoneCount === 1 ? 1 : shape.zoneOf(bodies, index, OUTSIDE));
    }
    inside.replace(given, this.marks);
    watch.hasChanges = inside.changeCount > 0;
  }

  private reserveMarks(bodies: number): void {
    if (this.marks.length < bodies) this.marks = new Uint8Array(grownCapacity(bodies, this.marks.length));
  }

  private register(watch: Watch<T, M>): void {
    watch.id = this.tree.bodies.allocate(0, watch.shape.categories);
    watch.isPlaced = false;
    watch.isNewlyPlaced = false;
    watch.hasMoved = true;
    watch.stillUpdates = 0;
    this.byId[watch.id] = watch;
    this.place(watch);
  }

  /** Inserts a sensor into the tree, unless its volume has no box. */
  private place(watch: Watch<T, M>): void {
    const { bodies } = this.tree;
    if (!watch.shape.writeBox(this.box)) return;
    bodies.bounds.set(this.box, watch.id * BOX_STRIDE);
    bodies.flags[watch.id] = BODY_STATIC;
    this.queue.insert(watch.id);
    watch.isPlaced = true;
    watch.isNewlyPlaced = true;
  }

  /** Takes a sensor out of the tree. */
  private unplace(watch: Watch<T, M>): void {
    watch.isPlaced = false;
    watch.isNewlyPlaced = false;
    this.tracker!.forget(watch.id);
    if (!this.queue.remove(watch.id)) return;
    this.tree.bodies.slot[watch.id] = NO_SLOT;
    this.releaseRemoved(watch.id);
  }

  /** Frees the index of a sensor that is out of the tree, if it was stopped. */
  private releaseRemoved(id: number): void {
    if (this.byId[id] === undefined) this.tree.bodies.release(id);
  }
}

function requireRunning<T, M extends MathTypes>(where: string, { isStopped }: Watch<T, M>, sentence: string): void {
  if (isStopped) throw new RangeError(`${where}: ${sentence}.`);
}
