/**
 * Whether a capsule or a box touches a triangle, and their contact: seven numbers. Position, a point of the triangle (0
 * to 2). Normal, a unit vector from the triangle towards the shape (3 to 5). Depth, 0 or more (6): the shape that moves
 * so far along the normal only touches the triangle.
 */

import { axis, BOX_AXES, closestToBox, interval, projectOnAxis, setBoxAndTriangle, turnToWorld } from './box.ts';
import { CLOSEST_STRIDE, closestToSegment, frame, FRAME_EDGE_SQ, FRAME_HEIGHT_SQ } from './closest.ts';

/**
 * Part of the largest coordinate. The vector between two points that are nearer to each other is rounding, and gives no
 * direction.
 */
export const NO_DIRECTION = 2e-15;

const closest = new Float64Array(CLOSEST_STRIDE);
const normal = new Float64Array(3);

/**
 * Whether a capsule, both ends of its axis and its radius, touches a triangle. The position is the point of the
 * triangle closest to the axis, and the normal leads from there to the axis. If they touch each other, or the axis
 * pierces the triangle, the normal is that of the triangle on the side that needs the shorter push, and the depth takes
 * the whole axis to that side; of a triangle without area, a vector perpendicular to its longest edge.
 */
export function touchSegment(segment: Float64Array, triangle: Float64Array, contact: Float64Array): boolean {
  closestToSegment(segment, triangle, closest);
  // A NaN in a vertex touches nothing.
  if (!(closest[6] <= segment[6])) return false;
  writeContact(segment, triangle, closest, contact);
  return true;
}

/** Writes the contact of a capsule whose closest points have just been computed. */
export function writeContact(
  segment: Float64Array,
  t: Float64Array,
  points: Float64Array,
  contact: Float64Array,
): void {
  for (let k = 0; k < 3; k++) contact[k] = points[k + 3];
  if (points[6] > NO_DIRECTION * largestOf(t, 9)) {
    for (let k = 0; k < 3; k++) contact[k + 3] = points[k + 7] / points[6];
    contact[6] = segment[6] - points[6];
    return;
  }
  setNormal(t);
  let start = 0;
  let end = 0;
  for (let k = 0; k < 3; k++) {
    start += normal[k] * (segment[k] - points[k + 3]);
    end += normal[k] * (segment[k + 3] - points[k + 3]);
  }
  const push = -Math.min(start, end);
  const back = Math.max(start, end);
  for (let k = 0; k < 3; k++) contact[k + 3] = push <= back ? normal[k] : -normal[k];
  contact[6] = Math.max(segment[6] + Math.min(push, back), 0);
}

/** The largest absolute value of the first `count` numbers; NaN if one is. */
export function largestOf(numbers: Float64Array, count: number): number {
  let largest = 0;
  for (let k = 0; k < count; k++) largest = Math.max(largest, Math.abs(numbers[k]));
  return largest;
}

/** Sets `normal` to that of the triangle of the last call, whose frame is known. */
function setNormal(t: Float64Array): void {
  const lengthSq = frame[FRAME_EDGE_SQ] * frame[FRAME_HEIGHT_SQ];
  if (lengthSq > 0) {
    for (let k = 0; k < 3; k++) normal[k] = frame[k + 6];
  } else {
    const edges = [0, 3, 6].map((i) => [0, 1, 2].map((k) => t[i + k] - t[((i + 3) % 9) + k]));
    const sizes = edges.map(([x, y, z]) => x * x + y * y + z * z);
    const [x, y, z] = edges[sizes.indexOf(Math.max(...sizes))];
    // Perpendicular to the edge and to the axis of the world to which it is least parallel.
    if (Math.abs(x) <= Math.abs(y) && Math.abs(x) <= Math.abs(z)) normal.set([0, -z, y]);
    else if (Math.abs(y) <= Math.abs(z)) normal.set([z, 0, -x]);
    else normal.set([-y, x, 0]);
    if (!(Math.max(...sizes) > 0)) normal.set([0, 1, 0]);
  }
  const length = Math.sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
  for (let k = 0; k < 3; k++) normal[k] /= length;
}

/**
 * Whether a box touches a triangle. The normal is the axis of the shortest push, and the depth that push: of the axes
 * of the box, the normal of the triangle, and the cross products of their edges, the first of equal ones. The position
 * is the point of the triangle in the box that `closestToBox` finds.
 */
export function touchBox(box: Float64Array, triangle: Float64Array, contact: Float64Array): boolean {
  setBoxAndTriangle(box, triangle);
  contact[6] = Infinity;
  for (let k = 0; k < BOX_AXES; k++) {
    if (!projectOnAxis(k)) continue;
    if (interval[0] > 0 || interval[1] < 0) return false;
    const length = Math.sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    const sign = interval[1] <= -interval[0] ? 1 : -1;
    const push = (sign > 0 ? interval[1] : -interval[0]) / length;
    if (push >= contact[6]) continue;
    contact[6] = push;
    for (let j = 0; j < 3; j++) contact[3 + j] = (sign * axis[j]) / length;
  }
  turnToWorld(box, contact, 3);
  closestToBox(box, triangle, closest);
  for (let k = 0; k < 3; k++) contact[k] = closest[k + 3];
  return true;
}
