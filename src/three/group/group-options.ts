/** The options of OctreeGroup: the options of its octree, and whether its children are static. */

import { requireBoolean, requireObject } from '../../octree/input/input-checks.ts';
import { requireKnownOptions, type KnownOptions } from '../../octree/input/known-options.ts';
import type { OctreeOptions } from '../../octree/bodies/octree-options.ts';

/** A child that leaves the region must still be drawn, so the region always grows. */
export interface OctreeGroupOptions extends Omit<OctreeOptions, 'outside'> {
  /** First value of `hasStaticChildren`: whether added children are static. Default false. */
  readonly hasStaticChildren?: boolean;
}

const GROUP_OPTIONS: KnownOptions = /* @__PURE__ */ Object.keys({
  hasStaticChildren: true, region: true, minCellSize: true, looseness: true, leafCapacity: true, lifespan: true, lookAhead: true, simdFrom: true,
} satisfies Record<keyof OctreeGroupOptions, true>);

/** @throws {TypeError} If the options are no object, hold an unknown name, or `hasStaticChildren` is no boolean. */
export function requireGroupOptions(options: OctreeGroupOptions): void {
  const where = 'OctreeGroup';
  requireObject(where, 'options', options, 'leave it out if unsure');
  requireKnownOptions(where, options, GROUP_OPTIONS);
  requireBoolean(where, 'options.hasStaticChildren', options.hasStaticChildren);
}
