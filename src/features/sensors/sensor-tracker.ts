/**
 * Tracks the zones of bodies in sensors at rest: the tree of sensors against the tree of bodies. The state of a pair is
 * a zone. See `Tracker`.
 */

import type { Workspace } from '../../octree/queries/workspace.ts';
import { PARTNER, Tracker, type ChangingTree } from '../tracking/tracker.ts';
import { OUTSIDE, type TrackedVolume } from './sensor-volumes.ts';
import type { SensorState } from './sensor-state.ts';

/** Number of searches for the sensors of a body that cost as much as one for the bodies of a sensor. */
const BODIES_PER_SENSOR = 4;

export class SensorTracker extends Tracker {
  /** By index in the tree of sensors. */
  private readonly byIndex: readonly (SensorState | undefined)[];

  constructor(bodies: ChangingTree, sensors: ChangingTree, byIndex: readonly (SensorState | undefined)[]) {
    super(bodies, sensors);
    this.byIndex = byIndex;
  }

  protected categoriesFor(mask: number): number {
    return mask;
  }

  protected get maxSearches(): number {
    return BODIES_PER_SENSOR * this.partners.tree.placedCount;
  }

  protected searchAll(workspace: Workspace): void {
    const { count } = this.partners.tree.bodies;
    for (let sensor = 0; sensor < count; sensor++) this.searchFor(PARTNER, sensor, workspace);
  }

  /** A sensor that comes to rest, or was translated, already has bodies inside. */
  protected override firstState(sensor: number, body: number): number {
    const { isNewInTree, zones } = this.byIndex[sensor]!;
    return isNewInTree && this.volumeOf(sensor).hasHysteresis ? zones.zoneIgnoringFilter(body) : OUTSIDE;
  }

  protected stateOf(sensor: number, body: number, before: number): number {
    return this.volumeOf(sensor).zoneOf(this.arrays, body, before);
  }

  protected override isSettled(sensor: number, slotBounds: Float64Array, workspace: Workspace): boolean {
    return this.volumeOf(sensor).isSettled(slotBounds, this.bodies.tree, workspace);
  }

  private volumeOf(sensor: number): TrackedVolume {
    return this.byIndex[sensor]!.volume as TrackedVolume;
  }
}
