/** The options of OctreeInstances: those of its octree, and the kind of bounds of its instances. */

import { describe, requireObject } from '../../scene/input-checks.ts';
import type { OctreeOptions } from '../../scene/options.ts';
import type { BoundsKind } from '../../scene/shapes.ts';

/** The options of `new OctreeInstances()`. */
export interface OctreeInstancesOptions extends Omit<OctreeOptions, 'outside'> {
  /**
   * Bounds of an instance: the box around its vertices, or the bounding sphere of its geometry. Default: the one with the smaller volume.
   * For materials that may move vertices (a ShaderMaterial, onBeforeCompile, a displacement map) the default is the sphere. If your shader
   * keeps the vertices inside the box of the geometry, 'box' is usually tighter.
   */
  readonly bounds?: BoundsKind;
}

/** Null for the default. @throws {TypeError} If it is no kind of bounds. */
export function readBounds(bounds: BoundsKind | undefined): BoundsKind | null {
  if (bounds === undefined || bounds === 'box' || bounds === 'sphere') return bounds ?? null;
  throw new TypeError(`OctreeInstances: options.bounds must be 'box' or 'sphere', but is ${describe(bounds)}; leave it out if unsure.`);
}

export function requireOptions(options: unknown): void {
  requireObject('OctreeInstances', 'options', options, 'leave it out if unsure');
}
