/**
 * Axis-aligned boxes in flat arrays, six lanes each: minX minY minZ maxX maxY maxZ.
 * Boundaries are closed: boxes that only touch overlap, and a face belongs to its box.
 */

/** Lanes of one box. */
export const BOX_LANES = 6;

/** Any flat array of boxes: exact ones are Float64Array, those of the tree Float32Array. */
export type Boxes = Float32Array | Float64Array;

/** Squared distance from a point to the box at lane `at`; 0 inside and on the surface. */
export function distanceSqToBox(x: number, y: number, z: number, boxes: Boxes, at: number): number {
  const minX = boxes[at];
  const minY = boxes[at + 1];
  const minZ = boxes[at + 2];
  const maxX = boxes[at + 3];
  const maxY = boxes[at + 4];
  const maxZ = boxes[at + 5];
  const dx = x < minX ? minX - x : x > maxX ? x - maxX : 0;
  const dy = y < minY ? minY - y : y > maxY ? y - maxY : 0;
  const dz = z < minZ ? minZ - z : z > maxZ ? z - maxZ : 0;
  return dx * dx + dy * dy + dz * dz;
}

/** Squared distance from a point to the farthest corner of the box at lane `at`. */
export function farthestDistanceSqToBox(x: number, y: number, z: number, boxes: Boxes, at: number): number {
  const dx = Math.max(x - boxes[at], boxes[at + 3] - x);
  const dy = Math.max(y - boxes[at + 1], boxes[at + 4] - y);
  const dz = Math.max(z - boxes[at + 2], boxes[at + 5] - z);
  return dx * dx + dy * dy + dz * dz;
}

/** Whether the box at `a` of `as` and the box at `b` of `bs` overlap or touch. */
export function boxesOverlap(as: Boxes, a: number, bs: Boxes, b: number): boolean {
  return (
    as[a] <= bs[b + 3] &&
    as[a + 3] >= bs[b] &&
    as[a + 1] <= bs[b + 4] &&
    as[a + 4] >= bs[b + 1] &&
    as[a + 2] <= bs[b + 5] &&
    as[a + 5] >= bs[b + 2]
  );
}
