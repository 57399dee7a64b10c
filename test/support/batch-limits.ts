/** Limits of batches for scenes of few meshes. */
import type { StaticBatches } from '../../src/three.ts';

interface BatchLimits {
  /** Members of a key from which a batch pays. */
  readonly minMembers?: number;
  /** Equal meshes from which a batch draws them instanced. */
  readonly minInstances?: number;
}

/** Private, because users get the limits that pay. With these a test would need thousands of meshes. */
export function setBatchLimits(batches: StaticBatches, limits: BatchLimits): void {
  Object.assign(batches.builder, limits);
}

/** Has posed chunks draw what moves soon, also single members. @param minPosed Fewest movers. */
export function poseSoon({ members }: StaticBatches, minPosed = 1): void {
  members.updatesPerBuild = 4;
  if (members.movers !== null) Object.assign(members.movers, { minPosed, movingUpdates: 0 });
}
