/**
 * A solid box of any orientation and a triangle: the closest points, and the axes that may separate them. Both work in
 * the space of the box, whose fifteen numbers are its centre, half sizes and three axes, perpendicular unit vectors.
 *
 * Thirteen axes decide whether a box and a triangle overlap: those of the box, the normal of the triangle, and nine
 * cross products of an axis of the box and an edge. Source: Gottschalk, Lin, Manocha, "OBBTree", 1996.
 */

import { compareToFace, frame, setFrame } from './closest.ts';

export const BOX_AXES = 13;
/** Squared sine. The cross product of an axis and an edge that are nearly parallel has no direction. */
const MIN_CROSS_SQ = 1e-12;
/** Most steps of a search along an edge. Each one solves one of seven pieces, or halves the rest. */
const MAX_STEPS = 60;
/** Part of an edge: the search ends at a smaller step. */
const MIN_STEP = 1e-16;

/** The triangle in the space of the box. */
const local = new Float64Array(9);
const half = new Float64Array(3);
const diagonal = new Float64Array(6);
/** Outputs of `projectOnAxis`: the axis in the space of the box, of any length, but not of length 0. */
export const axis = new Float64Array(3);
/** The interval along the axis in which the centre of the box must lie if box and triangle overlap on this axis. */
export const interval = new Float64Array(2);

/** Sets the box and the triangle of the following calls. */
export function setBoxAndTriangle(box: Float64Array, t: Float64Array): void {
  for (let i = 0; i < 9; i += 3) {
    const x = t[i] - box[0];
    const y = t[i + 1] - box[1];
    const z = t[i + 2] - box[2];
    for (let k = 0; k < 3; k++) local[i + k] = x * box[6 + 3 * k] + y * box[7 + 3 * k] + z * box[8 + 3 * k];
    half[i / 3] = box[3 + i / 3];
  }
}

/** Sets `axis` number `k`, and `interval`. False if there is no such axis. */
export function projectOnAxis(k: number): boolean {
  let minLengthSq = 0;
  if (k < 3) for (let j = 0; j < 3; j++) axis[j] = j === k ? 1 : 0;
  else if (k === 3) {
    setFrame(local, frame);
    for (let j = 0; j < 3; j++) axis[j] = frame[6 + j];
  } else {
    const from = 3 * (((k - 4) / 3) | 0);
    const to = from === 6 ? 0 : from + 3;
    const first = (k - 4) % 3;
    const next = (first + 1) % 3;
    const last = (first + 2) % 3;
    axis[first] = 0;
    axis[next] = local[from + last] - local[to + last];
    axis[last] = local[to + next] - local[from + next];
    const along = local[to + first] - local[from + first];
    minLengthSq = along * along * MIN_CROSS_SQ;
  }
  const x = axis[0];
  const y = axis[1];
  const z = axis[2];
  if (x * x + y * y + z * z <= minLengthSq) return false;
  const a = local[0] * x + local[1] * y + local[2] * z;
  const b = local[3] * x + local[4] * y + local[5] * z;
  const c = local[6] * x + local[7] * y + local[8] * z;
  const extent = Math.abs(x) * half[0] + Math.abs(y) * half[1] + Math.abs(z) * half[2];
  interval[0] = Math.min(a, b, c) - extent;
  interval[1] = Math.max(a, b, c) + extent;
  return true;
}

/** Turns three numbers at offset `at` from the space of the box to that of the world. */
export function turnToWorld(box: Float64Array, out: Float64Array, at: number): void {
  const x = out[at];
  const y = out[at + 1];
  const z = out[at + 2];
  for (let k = 0; k < 3; k++) out[at + k] = x * box[6 + k] + y * box[9 + k] + z * box[12 + k];
}

/**
 * The closest points of a solid box and a triangle, as a `Closest`. They are those of an edge of the triangle and the
 * box, or of the face and the corner that comes nearest to its plane. A face inside of which no edge meets the box
 * crosses the diagonal between this corner and the opposite one.
 */
export function closestToBox(box: Float64Array, triangle: Float64Array, out: Float64Array): void {
  setBoxAndTriangle(box, triangle);
  out[6] = Infinity;
  setFrame(local, frame);
  for (let k = 0; k < 3; k++) {
    diagonal[k] = frame[6 + k] > 0 ? half[k] : -half[k];
    diagonal[k + 3] = -diagonal[k];
  }
  if (!compareToFace(diagonal, 2, frame, out, 0)) {
    compareToEdge(0, 3, out);
    compareToEdge(3, 6, out);
    compareToEdge(6, 0, out);
  }
  turnToWorld(box, out, 0);
  turnToWorld(box, out, 3);
  turnToWorld(box, out, 7);
  for (let k = 0; k < 6; k++) out[k] += box[k % 3];
  out[6] = Math.sqrt(out[6]);
}

/**
 * A candidate: the points of the box and of an edge that are closest. The squared distance along the edge is convex,
 * and its derivative a line in each of seven pieces, so that Newton's method within bounds ends after a few steps.
 */
function compareToEdge(i: number, j: number, out: Float64Array): void {
  let low = 0;
  let high = 1;
  let part = 0;
  for (let step = 0; step < MAX_STEPS; step++) {
    let growth = 0;
    let slope = 0;
    for (let k = 0; k < 3; k++) {
      const length = local[j + k] - local[i + k];
      const at = local[i + k] + part * length;
      const gap = Math.abs(at) - half[k];
      if (gap <= 0) continue;
      growth += at > 0 ? gap * length : -gap * length;
      slope += length * length;
    }
    if (growth === 0 || (growth > 0 && part === 0) || (growth < 0 && part === 1)) break;
    if (growth > 0) high = part;
    else low = part;
    let next = step === 0 ? 1 : part - growth / slope;
    if (step > 0 && !(next > low && next < high)) next = low + (high - low) / 2;
    if (Math.abs(next - part) < MIN_STEP) break;
    part = next;
  }
  let distanceSq = 0;
  for (let k = 0; k < 3; k++) {
    const at = local[i + k] + part * (local[j + k] - local[i + k]);
    const gap = Math.max(Math.abs(at) - half[k], 0);
    distanceSq += gap * gap;
  }
  if (distanceSq >= out[6]) return;
  out[6] = distanceSq;
  for (let k = 0; k < 3; k++) {
    const at = local[i + k] + part * (local[j + k] - local[i + k]);
    out[k] = Math.min(Math.max(at, -half[k]), half[k]);
    out[k + 3] = at;
    out[k + 7] = out[k] - at;
  }
}
