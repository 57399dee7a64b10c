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
