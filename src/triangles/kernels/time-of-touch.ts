/**
 * When a capsule or a box that moves straight, without turning, first touches a triangle. Results are seven numbers:
 * position, a point of the triangle (0 to 2), normal, a unit vector towards the shape (3 to 5), and time (6), from 0 at
 * the start to 1 at the end of the motion. The caller sets the time to the largest one that counts, closed. A shape
 * that touches the triangle at its start has time 0, and the normal of its contact; an eighth number, if there is room
 * for it, is the depth of that contact. After the start it has no meaning.
 *
 * - Capsule: Newton's method on the distance. The distance of convex shapes that move straight is convex in time, so
 *   the steps from 0 on never pass the touch, and a distance that does not fall proves a miss.
 * - Box: each axis that may separate them gives the interval of time in which they overlap on it. The box touches the
 *   triangle where the intervals of all axes do. Source: Ericson, "Real-Time Collision Detection", 2005, 5.5.8.
 */

import { axis, BOX_AXES, closestToBox, interval, projectOnAxis, setBoxAndTriangle, turnToWorld } from './box.ts';
import { CLOSEST_STRIDE, closestToSegment } from './closest.ts';
import { largestOf, NO_DIRECTION, touchBox, writeContact } from './contact.ts';

/** Most steps of Newton's method: 3 on average; where the shape passes the triangle closely each halves the rest. */
const MAX_STEPS = 100;
/** Part of the largest coordinate: a smaller gap is a touch. */
const GAP = 5e-16;

/** Steps beyond the largest time by less than this factor go on, as they may lead back. */
const SLACK = 1.000001;

const closest = new Float64Array(CLOSEST_STRIDE);
const moved = new Float64Array(15);

/** When a capsule, both ends of its axis and its radius, touches a triangle. False if it does not. */
export function timeOfSegment(
  segment: Float64Array,
  motion: Float64Array,
  triangle: Float64Array,
  out: Float64Array,
): boolean {
  const max = out[6];
  out[7] = 0;
  const noDirection = NO_DIRECTION * largestOf(triangle, 9);
  const largestStart = Math.max(largestOf(segment, 6), largestOf(triangle, 6));
  let time = 0;
  for (let step = 1; time <= max * SLACK; step++) {
    for (let k = 0; k < 6; k++) moved[k] = segment[k] + time * motion[k < 3 ? k : k - 3];
    const largest = Math.max(largestStart, largestOf(moved, 6));
    closestToSegment(moved, triangle, closest);
    const gap = closest[6] - segment[6];
    const isNormal = closest[6] > noDirection;
    if (time === 0 && (gap <= GAP * largest || !isNormal)) {
      writeContact(segment, triangle, closest, out);
      out[7] = Math.max(0, out[6]);
      out[6] = 0;
      return true;
    }
    // With radius 0 the touch has no normal: it is that of the step before.
    if (isNormal) for (let k = 0; k < 3; k++) out[k + 3] = closest[k + 7] / closest[6];
    const speed = -(out[3] * motion[0] + out[4] * motion[1] + out[5] * motion[2]);
    const next = time + gap / speed;
    // Rounding may make a step too long. Then the next one leads back.
    const isLast = !isNormal || next === time || step === MAX_STEPS || (gap < 0 && !(speed > 0));
    if (isLast || Math.abs(gap) <= GAP * largest) {
      for (let k = 0; k < 3; k++) out[k] = closest[k + 3];
      out[6] = time;
      return time <= max;
    }
    if (!(speed > 0)) return false;
    time = next;
  }
  return false;
}

/** When a box touches a triangle. False if it does not. */
export function timeOfBox(box: Float64Array, motion: Float64Array, triangle: Float64Array, out: Float64Array): boolean {
  setBoxAndTriangle(box, triangle);
  const x = motion[0];
  const y = motion[1];
  const z = motion[2];
  let enter = -1;
  let exit = out[6];
  for (let k = 0; k < BOX_AXES; k++) {
    if (!projectOnAxis(k)) continue;
    let speed = 0;
    for (let j = 0; j < 3; j++) speed += axis[j] * (x * box[6 + 3 * j] + y * box[7 + 3 * j] + z * box[8 + 3 * j]);
    if (speed === 0) {
      if (interval[0] > 0 || interval[1] < 0) return false;
      continue;
    }
    const from = interval[speed > 0 ? 0 : 1] / speed;
    if (from > enter && from > 0) {
      enter = from;
      const length = Math.sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
      for (let j = 0; j < 3; j++) out[3 + j] = (speed > 0 ? -axis[j] : axis[j]) / length;
    }
    exit = Math.min(exit, interval[speed > 0 ? 1 : 0] / speed);
    if (enter > exit || exit < 0) return false;
  }
  if (enter < 0) {
    out[7] = touchBox(box, triangle, out) ? out[6] : 0;
    enter = 0;
  } else {
    turnToWorld(box, out, 3);
    for (let k = 0; k < 15; k++) moved[k] = box[k] + (k < 3 ? enter * motion[k] : 0);
    closestToBox(moved, triangle, closest);
    for (let k = 0; k < 3; k++) out[k] = closest[k + 3];
  }
  out[6] = enter;
  return true;
}
