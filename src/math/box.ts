/**
 * Axis-aligned boxes in flat arrays, six lanes each: minX minY minZ maxX maxY maxZ.
 * Boundaries are closed: boxes that only touch overlap, and a face belongs to its box.
 */

/** Lanes of one box. */
export const BOX_STRIDE = 6;

/** Any flat array of boxes: exact ones are Float64Array, those of the tree Float32Array. */
export type Boxes = Float32Array | Float64Array;

/** Copies the box at `a` of `as` to `b` of `bs`. */
export function copyBox(as: Float32Array, a: number, bs: Float32Array, b: number): void {
  bs[b] = as[a];
  bs[b + 1] = as[a + 1];
  bs[b + 2] = as[a + 2];
  bs[b + 3] = as[a + 3];
  bs[b + 4] = as[a + 4];
  bs[b + 5] = as[a + 5];
}

/** Whether the box at `a` of `as` holds all of the box at `b` of `bs`. */
export function boxContains(as: Boxes, a: number, bs: Boxes, b: number): boolean {
  return (
    as[a] <= bs[b] &&
    as[a + 1] <= bs[b + 1] &&
    as[a + 2] <= bs[b + 2] &&
    as[a + 3] >= bs[b + 3] &&
    as[a + 4] >= bs[b + 4] &&
    as[a + 5] >= bs[b + 5]
  );
}

/** Whether a box at `a` of `as`, which lies in the one at `b` of `bs`, reaches one of its faces: only then may the other be smaller without it. */
export function touchesFace(as: Boxes, a: number, bs: Boxes, b: number): boolean {
  return (
    as[a] === bs[b] ||
    as[a + 1] === bs[b + 1] ||
    as[a + 2] === bs[b + 2] ||
    as[a + 3] === bs[b + 3] ||
    as[a + 4] === bs[b + 4] ||
    as[a + 5] === bs[b + 5]
  );
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
