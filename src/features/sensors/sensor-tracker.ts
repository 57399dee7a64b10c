/**
 * Tracks the zones of bodies in sensors at rest: the tree of sensors against the tree of bodies. The state of a pair is
 * a zone. See `Tracker`.
 */

import type { Workspace } from '../../octree/queries/workspace.ts';
import { PARTNER, Tracker, type ChangingTree } from '../tracking/tracker.ts';
import type { TrackedVolume } from './sensor-volumes.ts';
import type { Tree } from '../../tree/tree.ts';
import type { SensorState } from './sensor-state.ts';

/** Number of searches for the sensors of a body that cost as much as one for the bodies of a sensor. */
const BODIES_PER_SENSOR = 4;

export class SensorTracker extends Tracker {
  /** By index in the tree of sensors. */
  private readonly byIndex: readonly (SensorState | undefined)[];

  constructor(bodies: ChangingTree, sensors: Tree, byIndex: readonly (SensorState | undefined)[]) {
    super(bodies, sensors);
    this.byIndex = byIndex;
  }

  protected categoriesFor(mask: number): number {
    return mask;
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
    this.pairs.add(sensor, body, this.byIndex[sensor]!.zones.zoneIgnoringFilter(body));
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
