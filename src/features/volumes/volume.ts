/** Volumes as values, and what they have in common. A volume is set once or many times, and passed to any number of queries of any octrees. */

import type { MathTypes, PlainMath } from '../../octree/input/math-types.ts';
import type { RangeQuery } from '../../octree/queries/range-query.ts';

/** A volume for `intersect` and `collect`: a `Capsule`, a `Segment`, an `OrientedBox` or a `Convex`. */
export abstract class Volume {
  /** @internal */
  abstract readonly query: RangeQuery;
}

/** How a box lies to a volume: the return value of `VolumeTest.overlap`. */
export const VolumeOverlap = {
  /** No body in the box touches the volume. */
  Outside: 0,
  /** A body in the box may touch the volume. */
  Intersecting: 1,
  /** The volume contains the whole box. Bodies in it are not tested. */
  Contained: 2,
} as const;
export type VolumeOverlap = (typeof VolumeOverlap)[keyof typeof VolumeOverlap];

/**
 * A volume of your own, as three callbacks. The results are exact: they equal a loop over all bodies with `touchesBox` and `touchesSphere`, if the callbacks
 * agree with each other, in spite of rounding: when `touchesBox` accepts a box, `overlap` must not return `Outside` for any box around it; and when `overlap`
 * returns `Contained`, `touchesBox` must accept every box in that box, and `touchesSphere` every sphere. Return `Intersecting` where in doubt: it costs a test.
 *
 * A sphere body touches the volume if its box passes `touchesBox` and the sphere passes `touchesSphere`.
 *
 * The arguments are reused: read them, do not keep or change them. With `scene-octree` they are a Box3 and a Sphere, with `scene-octree/core` plain objects. The
 * callbacks may query the octree; writes take effect after the query.
 */
export interface VolumeTest<M extends MathTypes = PlainMath> {
  /** How a box lies to the volume: the box of a node, or the box around one body. */
  overlap(box: M['box']): VolumeOverlap;
  /** Whether a box touches the volume, touching included. */
  touchesBox(box: M['box']): boolean;
  /** Whether a sphere touches the volume, touching included. */
  touchesSphere(sphere: M['sphere']): boolean;
}
