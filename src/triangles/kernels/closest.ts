/**
 * The closest points of a triangle and a segment or another triangle, in float64.
 *
 * The distance is the smallest one of all pairs of features: edge and edge, vertex and face. Each candidate is measured
 * between two points that lie in the shapes, so no candidate is below the distance by more than rounding, and the
 * search ends at a pair that is separated by two planes. Distances are within 1e-15 of the largest coordinate, for
 * slivers and nearly parallel edges too:
 *
 * - The coordinates of a point in a triangle are those along an edge, and along the part of another edge that is
 *   perpendicular to it. In a sliver the second direction is uncertain, but there a point of the triangle is near.
 * - For nearly parallel edges the solution is computed again from its own residual.
 *
 * Source: Ericson, "Real-Time Collision Detection", 2005, 5.1.9 (segments); the rest by Gram-Schmidt.
 *
 * A triangle is nine numbers, a segment six. A result, `Closest`, is ten numbers: the point of the first shape (0 to
 * 2), the point of the triangle (3 to 5), the distance (6), exactly 0 if an edge crosses a face, and the vector from
 * the second point to the first one (7 to 9), which is more exact than the difference of the points far from the
 * origin. All points may be equal: a triangle may be a segment or a point.
 */

/** Numbers of a result. */
export const CLOSEST_STRIDE = 10;
/**
 * Numbers of a frame: edge (0 to 2), height (3 to 5), normal (6 to 8), `FRAME_SHEAR`, two squared lengths, and the
 * first vertex (12 to 14).
 */
const FRAME_STRIDE = 15;
/** The part of the edge that was taken from the second edge, to get the height. */
const FRAME_SHEAR = 9;
export const FRAME_EDGE_SQ = 10;
export const FRAME_HEIGHT_SQ = 11;
const FRAME_VERTEX = 12;
/** Squared sine. Below it a solution for two edges is computed again from its residual. */
const NEARLY_PARALLEL = 0.25;
/** 8 errors of Float64. */
const ROUNDING = 2 ** -50;

/** The frame of the triangle of the last call. */
export const frame = new Float64Array(FRAME_STRIDE);
const otherFrame = new Float64Array(FRAME_STRIDE);
/** Distances of the points of a shape from the plane of a triangle, times the length of its normal. */
const sides = new Float64Array(3);
/** The squared lengths of the two edges of the last candidate: products of lengths are rounded relative to them. */
const extent = new Float64Array(1);
/** Where a segment crosses the plane of a triangle. */
const crossing = new Float64Array(3);

/** The closest points of a segment and a triangle. The ends of the segment may be equal: a point. */
export function closestToSegment(segment: Float64Array, triangle: Float64Array, out: Float64Array): void {
  out[6] = Infinity;
  setFrame(triangle, frame);
  if (!compareToFace(segment, 2, frame, out, 0)) compareEdges(segment, 1, triangle, out);
  out[6] = Math.sqrt(out[6]);
}

/**
 * The closest points of two triangles: the first point is in `triangle`, the second one in `other`. The caller sets
 * `out[6]` to the largest distance of interest, closed. False, and no result, if the triangles are farther apart.
 */
export function closestTriangles(triangle: Float64Array, other: Float64Array, out: Float64Array): boolean {
  const limit = out[6];
  out[6] = Infinity;
  setFrame(triangle, frame);
  setFrame(other, otherFrame);
  if (!compareToFace(triangle, 3, otherFrame, out, 0) && !compareToFace(other, 3, frame, out, 3))
    compareEdges(triangle, 3, other, out);
  out[6] = Math.sqrt(out[6]);
  return out[6] <= limit;
}

/** Compares all edges of two shapes, a segment or a triangle each, until a pair proves to be the closest one. */
function compareEdges(points: Float64Array, edges: number, other: Float64Array, out: Float64Array): void {
  for (let i = 0; i < 3 * edges; i += 3) {
    for (let k = 0; k < 9; k += 3) {
      const isNearer = compareSegments(points, i, i === 6 ? 0 : i + 3, other, k, k === 6 ? 0 : k + 3, out);
      if (!isNearer || (edges === 3 && !isBeyond(points, i === 0 ? 6 : i - 3, out, 0))) continue;
      if (isBeyond(other, k === 0 ? 6 : k - 3, out, 3)) return;
    }
  }
}

/**
 * Whether the third vertex of a triangle, at offset `at`, is not nearer to the other shape than the closest point of
 * the edge, which begins at `core` in `out`, along the vector between both points. If so on both sides, nothing is
 * nearer.
 */
function isBeyond(t: Float64Array, at: number, out: Float64Array, core: number): boolean {
  const x = t[at] - out[core];
  const y = t[at + 1] - out[core + 1];
  const z = t[at + 2] - out[core + 2];
  const along = x * out[7] + y * out[8] + z * out[9];
  return (core === 0 ? along : -along) >= ROUNDING * (extent[0] + out[6] + x * x + y * y + z * z);
}

/**
 * Sets the frame of a triangle: its first edge, the height of the third vertex above that edge, and a normal, of any
 * lengths.
 */
export function setFrame(t: Float64Array, to: Float64Array): void {
  const ex = t[3] - t[0];
  const ey = t[4] - t[1];
  const ez = t[5] - t[2];
  const fx = t[6] - t[0];
  const fy = t[7] - t[1];
  const fz = t[8] - t[2];
  const edgeSq = ex * ex + ey * ey + ez * ez;
  const scale = edgeSq > 0 ? 1 / edgeSq : 0;
  const first = (fx * ex + fy * ey + fz * ez) * scale;
  let hx = fx - first * ex;
  let hy = fy - first * ey;
  let hz = fz - first * ez;
  // Once more: the height of a sliver is so short that its rest along the edge counts.
  const second = (hx * ex + hy * ey + hz * ez) * scale;
  hx -= second * ex;
  hy -= second * ey;
  hz -= second * ez;
  to[0] = ex;
  to[1] = ey;
  to[2] = ez;
  to[3] = hx;
  to[4] = hy;
  to[5] = hz;
  to[6] = ey * hz - ez * hy;
  to[7] = ez * hx - ex * hz;
  to[8] = ex * hy - ey * hx;
  to[FRAME_SHEAR] = first + second;
  to[FRAME_EDGE_SQ] = edgeSq;
  to[FRAME_HEIGHT_SQ] = hx * hx + hy * hy + hz * hz;
  for (let k = 0; k < 3; k++) to[FRAME_VERTEX + k] = t[k];
}

/**
 * Whether a segment or a triangle, of two or three points, is closest to the inside of another triangle, or crosses it.
 * If all points lie on one side of its plane, only the nearest one may be: another one that is above the triangle has
 * an edge to the nearest one, which comes nearer before it leaves the space above. If they lie on both sides, an edge
 * may cross it. What is closest to an edge of the triangle is not found here.
 */
export function compareToFace(
  points: Float64Array,
  count: number,
  f: Float64Array,
  out: Float64Array,
  core: number,
): boolean {
  let nearest = 0;
  for (let k = 0; k < count; k++) {
    const at = 3 * k;
    sides[k] = distanceFrom(f, points[at], points[at + 1], points[at + 2]);
    if (Math.abs(sides[k]) < Math.abs(sides[nearest])) nearest = k;
  }
  const last = count - 1;
  if (sides[0] * sides[1] > 0 && sides[0] * sides[last] > 0) return projectInside(points, 3 * nearest, f, out, core);
  if (crosses(points, 0, 1, f, out, core)) return true;
  return last === 2 && (crosses(points, 1, 2, f, out, core) || crosses(points, 2, 0, f, out, core));
}

/** The distance of a point from the plane of a triangle, times the length of its normal. */
function distanceFrom(f: Float64Array, x: number, y: number, z: number): number {
  return f[6] * (x - f[FRAME_VERTEX]) + f[7] * (y - f[FRAME_VERTEX + 1]) + f[8] * (z - f[FRAME_VERTEX + 2]);
}

/**
 * Whether the projection of the point at offset `at` is in the triangle; then it is a candidate. Its coordinates in
 * `out` begin at `core`, 0 or 3, and those of the triangle at the other one. Never for a triangle without area.
 */
function projectInside(points: Float64Array, at: number, f: Float64Array, out: Float64Array, core: number): boolean {
  const rx = points[at] - f[FRAME_VERTEX];
  const ry = points[at + 1] - f[FRAME_VERTEX + 1];
  const rz = points[at + 2] - f[FRAME_VERTEX + 2];
  const u = (rx * f[0] + ry * f[1] + rz * f[2]) / f[FRAME_EDGE_SQ];
  const px = rx - u * f[0];
  const py = ry - u * f[1];
  const pz = rz - u * f[2];
  const w = (px * f[3] + py * f[4] + pz * f[5]) / f[FRAME_HEIGHT_SQ];
  const v = u - w * f[FRAME_SHEAR];
  // NaN, of a division by 0, fails too.
  if (!(w >= 0 && v >= 0 && v + w <= 1)) return false;
  const sign = core === 0 ? 1 : -1;
  out[7] = sign * (px - w * f[3]);
  out[8] = sign * (py - w * f[4]);
  out[9] = sign * (pz - w * f[5]);
  out[6] = out[7] * out[7] + out[8] * out[8] + out[9] * out[9];
  for (let k = 0; k < 3; k++) {
    out[core + k] = points[at + k];
    out[3 - core + k] = f[FRAME_VERTEX + k] + (u * f[k] + w * f[k + 3]);
  }
  // Near the plane the normal has a more exact direction, unless the triangle is narrower than that.
  if (f[FRAME_HEIGHT_SQ] > out[6]) turnTo(out, f[6], f[7], f[8]);
  return true;
}

/** Gives the vector of a result the direction of a normal of any length, or the opposite one. */
function turnTo(out: Float64Array, x: number, y: number, z: number): void {
  const lengthSq = x * x + y * y + z * z;
  // Edges that are parallel up to rounding have no common normal.
  if (lengthSq === 0) return;
  const length = Math.sqrt(out[6] / lengthSq);
  const scale = x * out[7] + y * out[8] + z * out[9] > 0 ? length : -length;
  out[7] = scale * x;
  out[8] = scale * y;
  out[9] = scale * z;
}

/**
 * Whether the segment between the points `a` and `b`, whose `sides` are known, crosses the triangle; then the result is
 * complete, with distance 0.
 */
function crosses(p: Float64Array, a: number, b: number, f: Float64Array, out: Float64Array, core: number): boolean {
  const side = sides[a];
  const fall = side - sides[b];
  if (side * sides[b] > 0) return false;
  const i = 3 * a;
  // Both points lie in the plane.
  if (fall === 0) return projectInside(p, i, f, out, core);
  const j = 3 * b;
  const x = p[j] - p[i];
  const y = p[j + 1] - p[i + 1];
  const z = p[j + 2] - p[i + 2];
  const part = side / fall;
  // The distance from the plane is exact near the triangle only, so the point is computed again from its own distance.
  const rest = distanceFrom(f, p[i] + part * x, p[i + 1] + part * y, p[i + 2] + part * z);
  const corrected = Math.min(Math.max(part + rest / fall, 0), 1);
  crossing[0] = p[i] + corrected * x;
  crossing[1] = p[i + 1] + corrected * y;
  crossing[2] = p[i + 2] + corrected * z;
  if (!projectInside(crossing, 0, f, out, core)) return false;
  out[6] = out[7] = out[8] = out[9] = 0;
  return true;
}

/**
 * A candidate: the closest points of the segment from `i` to `j` in `p`, and the one from `k` to `l` in `q`. Returns
 * whether it is nearer than those before.
 */
function compareSegments(
  p: Float64Array,
  i: number,
  j: number,
  q: Float64Array,
  k: number,
  l: number,
  out: Float64Array,
): boolean {
  const dx = p[j] - p[i];
  const dy = p[j + 1] - p[i + 1];
  const dz = p[j + 2] - p[i + 2];
  const ex = q[l] - q[k];
  const ey = q[l + 1] - q[k + 1];
  const ez = q[l + 2] - q[k + 2];
  const rx = p[i] - q[k];
  const ry = p[i + 1] - q[k + 1];
  const rz = p[i + 2] - q[k + 2];
  const lengthSq = dx * dx + dy * dy + dz * dz;
  const edgeSq = ex * ex + ey * ey + ez * ez;
  // The part of the first segment that is perpendicular to the second one.
  const shear = edgeSq > 0 ? (dx * ex + dy * ey + dz * ez) / edgeSq : 0;
  const mx = dx - shear * ex;
  const my = dy - shear * ey;
  const mz = dz - shear * ez;
  const heightSq = mx * mx + my * my + mz * mz;
  let s = 0;
  let u = 0;
  // The vector from the second point to the first one.
  let x = rx;
  let y = ry;
  let z = rz;
  for (let round = 0; round < 2; round++) {
    if (heightSq > 0) s = Math.min(Math.max(s - (mx * x + my * y + mz * z) / heightSq, 0), 1);
    x = rx + s * dx;
    y = ry + s * dy;
    z = rz + s * dz;
    u = edgeSq > 0 ? (x * ex + y * ey + z * ez) / edgeSq : 0;
    if (!(u >= 0 && u <= 1)) {
      u = u < 0 ? 0 : 1;
      x = u * ex - rx;
      y = u * ey - ry;
      z = u * ez - rz;
      s = lengthSq > 0 ? Math.min(Math.max((x * dx + y * dy + z * dz) / lengthSq, 0), 1) : 0;
      x = rx + s * dx;
      y = ry + s * dy;
      z = rz + s * dz;
    }
    x -= u * ex;
    y -= u * ey;
    z -= u * ez;
    if (heightSq >= NEARLY_PARALLEL * lengthSq) break;
  }
  const distanceSq = x * x + y * y + z * z;
  if (distanceSq >= out[6]) return false;
  for (let axis = 0; axis < 3; axis++) {
    out[axis] = p[i + axis] + s * (p[j + axis] - p[i + axis]);
    out[axis + 3] = q[k + axis] + u * (q[l + axis] - q[k + axis]);
  }
  extent[0] = lengthSq + edgeSq;
  out[6] = distanceSq;
  out[7] = x;
  out[8] = y;
  out[9] = z;
  // Between inner points the common normal has a more exact direction, if the edges are near enough to each other.
  if (s > 0 && s < 1 && u > 0 && u < 1 && heightSq > distanceSq)
    turnTo(out, my * ez - mz * ey, mz * ex - mx * ez, mx * ey - my * ex);
  return true;
}
