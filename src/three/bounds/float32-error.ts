/** The error of float32 drawing: GPUs transform vertices in float32, so pixels may lie slightly outside exact bounds. */

import type { ObjectBounds } from './bounds-of.ts';

/** Relative to the distance from the origin: four times the rounding unit 2^-24 of float32. */
export const FLOAT32_ERROR = 2 ** -22;

/** Enlarges bounds by the float32 error, so that they contain every pixel that is drawn. */
export function growByFloat32Error({ box, sphere }: ObjectBounds): void {
  const { center } = sphere;
  const error = FLOAT32_ERROR * (Math.max(Math.abs(center.x), Math.abs(center.y), Math.abs(center.z)) + sphere.radius);
  box.expandByScalar(error);
  sphere.radius += error;
}
