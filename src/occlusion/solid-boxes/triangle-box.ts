/**
 * Whether a triangle touches a box, by the separating axis test with 13 axes: those of the box, the normal of the
 * triangle, and nine cross products.
 *
 * Source: Akenine-Möller, "Fast 3D Triangle-Box Overlap Testing", 2001.
 */

/** Whether the triangle with vertices at offsets a, b and c of `v` touches the box at offset `at`. */
export function triangleTouchesBox(
  v: Float64Array,
  a: number,
  b: number,
  c: number,
  boxes: Float64Array,
  at: number,
): boolean {
  for (let axis = 0; axis < 3; axis++) {
    if (
      Math.max(v[a + axis], v[b + axis], v[c + axis]) < boxes[at + axis] ||
      Math.min(v[a + axis], v[b + axis], v[c + axis]) > boxes[at + axis + 3]
    )
      return false;
  }
  let least = 0;
  let greatest = 0;
  for (let axis = 0; axis < 3; axis++) {
    const i = (axis + 1) % 3;
    const j = (axis + 2) % 3;
    const normal = (v[b + i] - v[a + i]) * (v[c + j] - v[a + j]) - (v[b + j] - v[a + j]) * (v[c + i] - v[a + i]);
    const low = normal * (boxes[at + axis] - v[a + axis]);
    const high = normal * (boxes[at + axis + 3] - v[a + axis]);
    least += Math.min(low, high);
    greatest += Math.max(low, high);
  }
  if (least > 0 || greatest < 0) return false;
  return edgeTouches(v, a, b, c, boxes, at) && edgeTouches(v, b, c, a, boxes, at) && edgeTouches(v, c, a, b, boxes, at);
}

/** Whether no axis perpendicular to an edge of the triangle and to an axis of the box separates them. */
function edgeTouches(
  v: Float64Array,
  from: number,
  to: number,
  other: number,
  boxes: Float64Array,
  at: number,
): boolean {
  for (let axis = 0; axis < 3; axis++) {
    const i = (axis + 1) % 3;
    const j = (axis + 2) % 3;
    const ni = v[from + j] - v[to + j];
    const nj = v[to + i] - v[from + i];
    const third = ni * (v[other + i] - v[from + i]) + nj * (v[other + j] - v[from + j]);
    const lowI = ni * (boxes[at + i] - v[from + i]);
    const highI = ni * (boxes[at + i + 3] - v[from + i]);
    const lowJ = nj * (boxes[at + j] - v[from + j]);
    const highJ = nj * (boxes[at + j + 3] - v[from + j]);
    if (
      Math.min(lowI, highI) + Math.min(lowJ, highJ) > Math.max(0, third) ||
      Math.max(lowI, highI) + Math.max(lowJ, highJ) < Math.min(0, third)
    )
      return false;
  }
  return true;
}
