/** The options of OctreeInstances: those of its octree, and how instances are bounded in there. */

import { describe, requireObject } from '../../scene/input-checks.ts';
import type { OctreeOptions } from '../../scene/options.ts';
import type { BoundsKind } from '../../scene/shapes.ts';

export interface OctreeInstancesOptions extends Omit<OctreeOptions, 'outside'> {
  /**
   * Bounds of an instance: the box around its vertices, or the sphere. Default: the smaller one, but always the sphere for shaders of
   * your own, as these may move vertices anywhere. If yours stay within the box of the geometry, 'box' saves what it can.
   */
  readonly bounds?: BoundsKind;
}

/** Null for what fits best. @throws {TypeError} If it is no kind of bounds. */
export function readBounds(bounds: BoundsKind | undefined): BoundsKind | null {
  if (bounds === undefined || bounds === 'box' || bounds === 'sphere') return bounds ?? null;
  throw new TypeError(`OctreeInstances: options.bounds must be 'box' or 'sphere', but is ${describe(bounds)}; leave it out if unsure.`);
}

export function requireOptions(options: unknown): void {
  requireObject('OctreeInstances', 'options', options, 'leave it out if unsure');
}
