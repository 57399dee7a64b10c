/**
 * A ray and a triangle, both sides, edges included. No ray slips through the common edge of two triangles: in a space
 * in which the ray is the third axis, the side of each edge on which the ray passes is computed from the two vertices
 * of that edge alone, by an expression that only changes its sign if they change places. So of two triangles at an edge
 * one has the ray on its inner side, or both on the edge.
 *
 * A ray in the plane of a triangle misses it. Only rounding lets a ray hit a triangle without area, which it then
 * meets.
 *
 * Source: Woop, Benthin, Wald, "Watertight Ray/Triangle Intersection", 2013.
 */

import { FRAME_EDGE_SQ, FRAME_HEIGHT_SQ, frame, setFrame } from './closest.ts';

/** Squared cosine. The distance of a ray that is more nearly parallel to the triangle is not computed again. */
const MIN_SLOPE_SQ = 1e-6;

/**
 * Whether a ray, its origin and a unit vector, hits a triangle; then `out[0]` is the distance, 0 or more.
 */
export function rayHits(ray: Float64Array, t: Float64Array, out: Float64Array): boolean {
  const ax = Math.abs(ray[3]);
  const ay = Math.abs(ray[4]);
  const az = Math.abs(ray[5]);
  // The largest component of the direction is the third axis.
  const last = ax > ay && ax > az ? 0 : ay > az ? 1 : 2;
  const i = last === 2 ? 0 : last + 1;
  const j = i === 2 ? 0 : i + 1;
  const shearX = ray[3 + i] / ray[3 + last];
  const shearY = ray[3 + j] / ray[3 + last];
  const a = t[last] - ray[last];
  const b = t[3 + last] - ray[last];
  const c = t[6 + last] - ray[last];
  const x0 = t[i] - ray[i] - shearX * a;
  const y0 = t[j] - ray[j] - shearY * a;
  const x1 = t[3 + i] - ray[i] - shearX * b;
  const y1 = t[3 + j] - ray[j] - shearY * b;
  const x2 = t[6 + i] - ray[i] - shearX * c;
  const y2 = t[6 + j] - ray[j] - shearY * c;
  const u = x2 * y1 - y2 * x1;
  const v = x0 * y2 - y0 * x2;
  const w = x1 * y0 - y1 * x0;
  if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0)) return false;
  const area = u + v + w;
  if (area === 0) return false;
  let distance = (u * a + v * b + w * c) / (area * ray[3 + last]);
  // Of a sliver this distance is uncertain, so it is computed again from the distance of the point to the plane.
  setFrame(t, frame);
  let slope = 0;
  let rest = 0;
  for (let k = 0; k < 3; k++) {
    slope += frame[6 + k] * ray[3 + k];
    rest += frame[6 + k] * (ray[k] - t[k] + distance * ray[3 + k]);
  }
  if (slope * slope > MIN_SLOPE_SQ * frame[FRAME_EDGE_SQ] * frame[FRAME_HEIGHT_SQ]) distance -= rest / slope;
  if (!(distance >= 0)) return false;
  // Turns -0 into 0.
  out[0] = distance + 0;
  return true;
}
