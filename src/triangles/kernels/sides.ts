/** On which side of a triangle something is. */

/** Positive for a point in front of a triangle, negative behind it. */
export function sideOf(t: Float64Array, point: Float64Array): number {
  return normalDot(t, point[0] - t[0], point[1] - t[1], point[2] - t[2]);
}

/** Dot product of the normal of a triangle, of any length, with a vector. */
export function normalDot(t: Float64Array, x: number, y: number, z: number): number {
  const abx = t[3] - t[0];
  const aby = t[4] - t[1];
  const abz = t[5] - t[2];
  const acx = t[6] - t[0];
  const acy = t[7] - t[1];
  const acz = t[8] - t[2];
  return (aby * acz - abz * acy) * x + (abz * acx - abx * acz) * y + (abx * acy - aby * acx) * z;
}
