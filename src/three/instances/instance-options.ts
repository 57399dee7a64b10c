/** The options of OctreeInstances: the options of its octree, and the kind of bounds of its instances. */

import { describe, requireObject } from '../../octree/input/input-checks.ts';
import { requireKnownOptions, type KnownOptions } from '../../octree/input/known-options.ts';
import type { OctreeOptions } from '../../octree/bodies/octree-options.ts';
import type { BoundsKind } from '../../octree/input/shapes.ts';

/** The options of `new OctreeInstances()`. */
export interface OctreeInstancesOptions extends Omit<OctreeOptions, 'outside'> {
  /**
   * Bounds of an instance: the box around its vertices, or the bounding sphere of its geometry. Default: the one with the smaller volume.
   * For materials that may move vertices (a ShaderMaterial, onBeforeCompile, a displacement map) the default is the sphere. If your shader
   * keeps the vertices inside the box of the geometry, 'box' is usually tighter. It has no effect on geometries with morph targets, and on those whose
   * vertices have changed more than 8 times: they get the sphere.
   */
  readonly bounds?: BoundsKind;
}

const INSTANCES_OPTIONS: KnownOptions = /* @__PURE__ */ Object.keys({
  bounds: true, region: true, minCellSize: true, looseness: true, leafCapacity: true, lifespan: true, lookAhead: true, simdFrom: true,
} satisfies Record<keyof OctreeInstancesOptions, true>);

/** Null for the default. @throws {TypeError} If it is no kind of bounds. */
export function readBounds(bounds: BoundsKind | undefined): BoundsKind | null {
  if (bounds === undefined || bounds === 'box' || bounds === 'sphere') return bounds ?? null;
  throw new TypeError(`OctreeInstances: options.bounds must be 'box' or 'sphere', but is ${describe(bounds)}; leave it out if unsure.`);
}

/** @throws {TypeError} If the options are no object, or hold an unknown name. */
export function requireInstancesOptions(options: OctreeInstancesOptions): void {
  requireObject('OctreeInstances', 'options', options, 'leave it out if unsure');
  requireKnownOptions('OctreeInstances', options, INSTANCES_OPTIONS);
}
