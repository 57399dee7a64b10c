/** The options of OctreeGroup: those of its octree, and whether its children are static. */

import { describe, requireBoolean, requireObject } from '../../scene/input-checks.ts';
import type { OctreeOptions } from '../../scene/options.ts';

/** A child that leaves the region must still be drawn, so the region always grows. */
export interface OctreeGroupOptions extends Omit<OctreeOptions, 'outside'> {
  /** First value of `hasStaticChildren`: whether added children are static. Default false. */
  readonly hasStaticChildren?: boolean;
}

const NAMES = {
  hasStaticChildren: true, region: true, minCellSize: true, looseness: true, leafCapacity: true, lifespan: true, simdFrom: true,
} satisfies Record<keyof OctreeGroupOptions, true>;

/** @throws {TypeError} If the options are no object, hold an unknown name, or `hasStaticChildren` is no boolean. */
export function requireGroupOptions(options: OctreeGroupOptions): void {
  const where = 'OctreeGroup';
  requireObject(where, 'options', options, 'leave it out if unsure');
  for (const name of Object.keys(options)) {
    if (name in NAMES) continue;
    throw new TypeError(`${where}: options.${name} is unknown, and is ${describe(options[name as keyof OctreeGroupOptions])}; use ${Object.keys(NAMES).join(', ')}.`);
  }
  requireBoolean(where, 'options.hasStaticChildren', options.hasStaticChildren);
}
