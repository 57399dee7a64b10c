/**
 * Volumes as values, and what they have in common. A volume is set once or many times, and passed to any number of
 * queries of any octrees.
 */

import { FrustumPlanes } from '../../math/frustum-planes.ts';
import type { RangeQuery } from '../../octree/queries/range-query.ts';
import type { Workspace } from '../../octree/queries/workspace.ts';

const NO_NUMBERS = /* @__PURE__ */ new Float64Array(0);

/**
 * A volume for `intersect`, `collect` and `watch`: a `Capsule`, a `Segment`, an `OrientedBox`, a `Convex`, or a
 * `CustomVolume`.
 */
export abstract class Volume {
  /** @internal Its numbers, except planes. They begin with its points. */
  readonly values: Float64Array = NO_NUMBERS;
  /** @internal Number of its points. */
  readonly points: number = 0;
  /** @internal Its planes, of a volume that has some. */
  declare readonly planes?: FrustumPlanes;
  /**
   * @internal The query for the volume as it is now, in a workspace: its arrays are reused, so that a new volume costs
   *   little.
   */
  abstract queryIn(workspace: Workspace): RangeQuery;
}

/** An equal volume with numbers of its own. */
export function copyOf(volume: Volume): Volume {
  const copy = Object.create(Object.getPrototypeOf(volume) as object) as Volume;
  Object.assign(copy, volume, { values: volume.values.slice() });
  if (volume.planes === undefined) return copy;
  const planes = new FrustumPlanes();
  planes.copy(volume.planes);
  return Object.assign(copy, { planes });
}
