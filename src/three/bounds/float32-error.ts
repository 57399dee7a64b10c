/** Vertices are drawn in float32, and bounds are rounded: how far the two may be apart. */

import type { ObjectBounds } from './bounds-of.ts';

/** As a part of the distance from the origin. */
export const FLOAT32_ERROR = 2 ** -22;

/** Grows bounds by as much as drawing and rounding may be off, so that nothing that shows in a pixel is left out. */
export function growByFloat32Error({ box, sphere }: ObjectBounds): void {
  const { center } = sphere;
  const error = FLOAT32_ERROR * (Math.max(Math.abs(center.x), Math.abs(center.y), Math.abs(center.z)) + sphere.radius);
  box.expandByScalar(error);
  sphere.radius += error;
}
