/**
 * Finds the bodies whose zone in a sensor at rest has changed since the last update. The work grows with what changed: the sensors lie in a tree of
 * their own, and candidate pairs of a sensor and a body, whose slot bounds overlap, are kept from update to update. New candidates are searched only
 * for new sensors and for bodies with new slot bounds or new categories. A body is tested exactly only if it has moved farther than its slack, the distance to
 * the next boundary of a sensor. Most of these tests are with the sensors near the body only, see sensor-anchors.ts. If looking up each moved body would
 * take longer than reading all candidates in the order of memory, they are read, and the candidates of moved bodies are tested.
 *
 * Invariant: after an update every pair of a sensor and a body whose slot bounds overlap is a candidate, if the body has a category of the sensor.
 */

import { BOX_STRIDE, boxesOverlap } from '../../math/box.ts';
import { MOVED, RENEWED, type ChangeLog } from '../../tree/storage/change-log.ts';
import { IndexList } from '../../tree/storage/index-list.ts';
import { walkOverlapping } from '../../tree/traverse/walk.ts';
import type { Tree } from '../../tree/tree.ts';
import type { BoxQuery } from '../../octree/queries/box-query.ts';
import { CandidatePairs, NO_LINK, NO_PAIR } from '../tracking/candidate-pairs.ts';
import { PairSorter } from '../tracking/pair-sorter.ts';
import type { ZoneList } from './zone-list.ts';
import { SensorAnchors } from './sensor-anchors.ts';
import { OUTSIDE, type SensorVolume } from './sensor-volume.ts';
import type { Workspace } from '../../octree/queries/workspace.ts';

/** Ends of a pair. */
const SENSOR = 0;
const BODY = 1;

/** Number of searches for the sensors of a body that cost as much as one for the bodies of a sensor. */
const BODIES_PER_SENSOR = 4;

/** What the tracker needs of a sensor. */
export interface TrackedSensor {
  readonly volume: SensorVolume;
  /** The bodies inside at the last update. */
  readonly zones: ZoneList;
}

/** A tree with what has changed in it since the last update. */
export interface ChangingTree {
  readonly tree: Tree;
  readonly changes: ChangeLog;
}

export class SensorTracker {
  /** The state of a pair is the zone of the body. */
  readonly pairs = new CandidatePairs(false);
  /** The pairs whose zone has changed in the last update, by sensor, then body. */
  readonly changed = new IndexList(0);

  private readonly bodies: ChangingTree;
  private readonly sensors: ChangingTree;
  /** By index in the tree of sensors. */
  private readonly byIndex: readonly (TrackedSensor | undefined)[];
  private readonly anchors = new SensorAnchors();
  private readonly sorter = new PairSorter();
  private readonly box = new Float64Array(BOX_STRIDE);

  constructor(bodies: ChangingTree, sensors: ChangingTree, byIndex: readonly (TrackedSensor | undefined)[]) {
    this.bodies = bodies;
    this.sensors = sensors;
    this.byIndex = byIndex;
  }

  /** Call it once per update, after all writes have been applied to both trees; `release` must have been called since the last update. */
  update(workspace: Workspace): void {
    const { bodies, changed, pairs, sensors } = this;
    changed.length = 0;
    if (!bodies.tree.hasRoot || !sensors.tree.hasRoot) return;
    pairs.reserve(SENSOR, sensors.tree.bodies.count);
    pairs.reserve(BODY, bodies.tree.bodies.count);
    this.anchors.reserve(bodies.tree.bodies.count);
    this.dropRemoved(bodies.changes);
    this.dropSeparated();
    this.search(workspace);
    this.testMoved();
    this.sorter.sort(pairs, changed);
  }

  /** Frees the pairs that are not candidates any more, after `changed` was read. */
  release(): void {
    this.pairs.releaseDropped();
  }

  /** Fills `out` with the bodies inside a sensor. */
  collectInside(sensor: number, out: IndexList): void {
    const { pairs } = this;
    out.length = 0;
    pairs.reserve(SENSOR, sensor + 1);
    for (let link = pairs.firstLink(SENSOR, sensor); link !== NO_LINK; link = pairs.nextLink(link)) {
      if (pairs.state(link >> 1) !== OUTSIDE) out.push(pairs.other(link));
    }
  }

  /** Drops all candidates of a sensor, without changes. */
  forget(sensor: number): void {
    const { pairs } = this;
    pairs.reserve(SENSOR, sensor + 1);
    for (let link = pairs.firstLink(SENSOR, sensor); link !== NO_LINK; link = pairs.firstLink(SENSOR, sensor)) {
      this.anchors.clear(pairs.other(link));
      pairs.forget(link >> 1);
    }
  }

  private dropRemoved({ removed }: ChangeLog): void {
    const { pairs } = this;
    for (let k = 0; k < removed.length; k++) {
      const index = removed.array[k];
      for (let link = pairs.firstLink(BODY, index); link !== NO_LINK; link = pairs.firstLink(BODY, index)) this.drop(link >> 1);
    }
  }

  /** Drops candidate pairs of renewed bodies: the body has no category of the sensor any more, or the slot bounds of the two do not overlap any more. */
  private dropSeparated(): void {
    const { pairs } = this;
    const { changes, tree } = this.bodies;
    const { bodies: sensors, slots } = this.sensors.tree;
    const { categoryMask } = tree.bodies;
    const { renewed } = changes;
    for (let k = 0; k < renewed.length; k++) {
      const index = renewed.array[k];
      const at = tree.bodies.slot[index] * BOX_STRIDE;
      for (let link = pairs.firstLink(BODY, index); link !== NO_LINK; ) {
        const next = pairs.nextLink(link);
        const sensor = pairs.other(link);
        const sensorAt = sensors.slot[sensor] * BOX_STRIDE;
        const hasCategory = (categoryMask[index] & sensors.categoryMask[sensor]) !== 0;
        if (!hasCategory || !boxesOverlap(tree.slots.slotBounds, at, slots.slotBounds, sensorAt)) this.drop(link >> 1);
        link = next;
      }
    }
  }

  private drop(pair: number): void {
    const { pairs } = this;
    this.anchors.clear(pairs.member(pair, BODY));
    if (!pairs.drop(pair)) return;
    pairs.setState(pair, OUTSIDE);
    this.changed.push(pair);
  }

  /** Adds the missing candidates of renewed sensors and bodies. */
  private search(workspace: Workspace): void {
    const { bodies, sensors } = this;
    const { renewed } = sensors.changes;
    const isCheaperBySensor = bodies.changes.renewed.length > BODIES_PER_SENSOR * sensors.tree.placedCount;
    if (isCheaperBySensor) {
      for (let sensor = 0; sensor < sensors.tree.bodies.count; sensor++) this.searchBodies(sensor, workspace);
      return;
    }
    for (let k = 0; k < renewed.length; k++) this.searchBodies(renewed.array[k], workspace);
    for (let k = 0; k < bodies.changes.renewed.length; k++) this.searchSensors(bodies.changes.renewed.array[k], workspace);
  }

  /** Adds the missing candidates of a sensor, if it is in its tree. */
  private searchBodies(sensor: number, { boxQuery, list, scratch }: Workspace): void {
    const volume = this.byIndex[sensor]?.volume;
    if (volume === undefined || !this.setSlotBounds(this.sensors.tree, sensor, boxQuery)) return;
    list.length = 0;
    walkOverlapping(this.bodies.tree, boxQuery, null, volume.categories, scratch, list);
    const { categoryMask } = this.bodies.tree.bodies;
    for (let k = 0; k < list.length; k++) if ((categoryMask[list.array[k]] & volume.categories) !== 0) this.addCandidate(sensor, list.array[k]);
  }

  /** Adds the missing candidates of a body. It may have been removed since its slot bounds were renewed. */
  private searchSensors(index: number, { boxQuery, list, scratch }: Workspace): void {
    if (!this.setSlotBounds(this.bodies.tree, index, boxQuery)) return;
    const mask = this.bodies.tree.bodies.categoryMask[index];
    list.length = 0;
    walkOverlapping(this.sensors.tree, boxQuery, null, mask, scratch, list);
    const { categoryMask } = this.sensors.tree.bodies;
    for (let k = 0; k < list.length; k++) if ((categoryMask[list.array[k]] & mask) !== 0) this.addCandidate(list.array[k], index);
  }

  /** Sets a query to the slot bounds of a body. Returns false if it is not in the tree. */
  private setSlotBounds({ bodies, slots }: Tree, index: number, query: BoxQuery): boolean {
    if (!bodies.isPlaced(index)) return false;
    slots.readSlotBounds(bodies.slot[index], this.box);
    query.set(this.box);
    return true;
  }

  private addCandidate(sensor: number, index: number): void {
    if (this.pairs.find(sensor, index) !== NO_PAIR) return;
    this.pairs.add(sensor, index);
    this.anchors.clear(index);
  }

  /** Tests the candidates of new sensors, and of the bodies that have moved farther than their slack. */
  private testMoved(): void {
    const { anchors, pairs } = this;
    const { changes, tree } = this.bodies;
    const { moved } = changes;
    const { moved: newSensors } = this.sensors.changes;
    const { bounds } = tree.bodies;
    const marks = changes.marksOf(tree.bodies.count);
    for (let k = 0; k < newSensors.length; k++) {
      const sensor = newSensors.array[k];
      const hasHysteresis = this.byIndex[sensor]?.volume.hasHysteresis === true;
      for (let link = pairs.firstLink(SENSOR, sensor); link !== NO_LINK; link = pairs.nextLink(link)) {
        const index = pairs.other(link);
        // A sensor that comes to rest, or was translated, already has bodies inside.
        if (hasHysteresis) pairs.setState(link >> 1, this.byIndex[sensor]!.zones.zoneIgnoringFilter(index));
        this.test(link >> 1, sensor, index);
      }
    }
    if (pairs.isScanCheaper(moved.length, tree.placedCount)) {
      // The scan does not renew anchors: no slack is valid after it.
      anchors.clearAll();
      this.scan(marks);
      return;
    }
    for (let k = 0; k < moved.length; k++) {
      const index = moved.array[k];
      if (pairs.firstLink(BODY, index) === NO_LINK) continue;
      if ((marks[index] & RENEWED) === 0 && anchors.isWithinSlack(index, bounds)) continue;
      if ((marks[index] & RENEWED) === 0 && anchors.needsNearPairsOnly(index, bounds)) this.testNearPairs(index);
      else this.testAllPairs(index);
    }
  }

  /** Tests the candidates of all bodies that have moved. Reads the pairs in the order of memory. */
  private scan(marks: Uint8Array): void {
    const { pairs } = this;
    for (let pair = 0; pair < pairs.recordCount; pair++) {
      if (!pairs.isLinked(pair)) continue;
      const index = pairs.member(pair, BODY);
      if ((marks[index] & MOVED) !== 0) this.test(pair, pairs.member(pair, SENSOR), index);
    }
  }

  /** Tests all candidates of a body, and computes how far it may move before the next test. */
  private testAllPairs(index: number): void {
    const { anchors, pairs } = this;
    const { bodies } = this.bodies.tree;
    anchors.beginAll(index, bodies);
    for (let link = pairs.firstLink(BODY, index); link !== NO_LINK; link = pairs.nextLink(link)) {
      const sensor = pairs.other(link);
      this.test(link >> 1, sensor, index);
      this.byIndex[sensor]!.volume.writeSlack(bodies, index, anchors.slack);
      anchors.add(link >> 1);
    }
    anchors.finishAll(index);
  }

  /** As `testAllPairs`, for the near pairs: no boundary of another sensor has been reached. */
  private testNearPairs(index: number): void {
    const { anchors, pairs } = this;
    const { bodies } = this.bodies.tree;
    anchors.beginNear(index, bodies);
    let k = 0;
    for (let pair = anchors.nearPair(index, k); pair !== NO_PAIR; pair = anchors.nearPair(index, ++k)) {
      const sensor = pairs.member(pair, SENSOR);
      this.test(pair, sensor, index);
      this.byIndex[sensor]!.volume.writeSlack(bodies, index, anchors.slack);
      anchors.limitByNearPair();
    }
    anchors.finishNear(index);
  }

  private test(pair: number, sensor: number, index: number): void {
    const { pairs } = this;
    const before = pairs.state(pair);
    const zone = this.byIndex[sensor]!.volume.zoneOf(this.bodies.tree.bodies, index, before);
    if (zone === before) return;
    pairs.setState(pair, zone);
    this.changed.push(pair);
  }
}
