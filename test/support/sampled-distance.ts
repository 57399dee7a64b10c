/** The distance of triangles of nine numbers by points, apart from the code of `src/tiles`. */

/** The largest distance of points of triangles to other ones: a lower bound of the deviation. Edges are cut into n. */
export function sampledDistance(
  from: readonly (readonly number[])[],
  to: readonly (readonly number[])[],
  n = 3,
): number {
  let largest = 0;
  for (const t of from)
    for (let i = 0; i <= n; i++)
      for (let j = 0; i + j <= n; j++) {
        const [u, v] = [i / n, j / n];
        const p = [0, 1, 2].map((axis) => t[axis] * (1 - u - v) + t[3 + axis] * u + t[6 + axis] * v);
        largest = Math.max(largest, Math.min(...to.map((triangle) => distanceTo(triangle, p))));
      }
  return largest;
}

const sub = (a: readonly number[], b: readonly number[]): number[] => a.map((value, k) => value - b[k]);
const dot = (a: readonly number[], b: readonly number[]): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: readonly number[], b: readonly number[]): number[] => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** The distance of a point to a triangle, by the nearest of points of three edges and of the plane. */
function distanceTo(t: readonly number[], p: readonly number[]): number {
  const corners = [t.slice(0, 3), t.slice(3, 6), t.slice(6, 9)];
  const n = cross(sub(corners[1], corners[0]), sub(corners[2], corners[0]));
  const edges = corners.map((corner, k) => ({ corner, edge: sub(corners[(k + 1) % 3], corner) }));
  if (dot(n, n) > 0 && edges.every(({ corner, edge }) => dot(cross(n, edge), sub(p, corner)) >= 0))
    return Math.abs(dot(n, sub(p, corners[0]))) / Math.sqrt(dot(n, n));
  return Math.min(
    ...edges.map(({ corner, edge }) => {
      const along = dot(edge, edge) > 0 ? Math.max(0, Math.min(1, dot(sub(p, corner), edge) / dot(edge, edge))) : 0;
      return Math.hypot(...sub(p, corner).map((value, k) => value - along * edge[k]));
    }),
  );
}
