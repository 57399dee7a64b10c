/**
 * Tracks the zones of bodies in sensors at rest: the tree of sensors against the tree of bodies. The state of a pair is
 * a zone. See `Tracker`.
 */

import type { Workspace } from '../../octree/queries/workspace.ts';
import { PARTNER, Tracker, type ChangingTree } from '../tracking/tracker.ts';
import { CONTAINED } from '../../tree/traverse/walk-numbers.ts';
import type { Tree } from '../../tree/tree.ts';
import type { AnySensor } from './zone-sensor.ts';
import { REFUSED } from './zone-list.ts';

/** Number of searches for the sensors of a body that cost as much as one for the bodies of a sensor. */
const BODIES_PER_SENSOR = 4;

/** Output of `filterBoxes`. */
const reusedKept = /* @__PURE__ */ new Int32Array(1);
const reusedOverlaps = /* @__PURE__ */ new Int32Array(1);

export class SensorTracker extends Tracker {
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
      query.begin(this.bodies.tree);
      const count = query.filterBoxes(slotBounds, 0, 1, query.rootOverlap, reusedKept, reusedOverlaps, 0);
      if (count > 0 && reusedOverlaps[0] !== CONTAINED) return false;
    }
    return true;
  }
}
