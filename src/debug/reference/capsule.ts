/**
 * Capsules of the reference implementation. A capsule touches a body if its sphere at the start or at the end does, or
 * the sphere that moves from start to end (casts.ts).
 *
 * The point of the axis nearest to a body is start + t * (end - start), and the end itself for t = 1. For a sphere
 * body, and for a corner of a box, it is the foot of the perpendicular, t clamped to [0, 1]. For a box body, t lies in
 * the first piece of the axis (see `Piece` in casts.ts) at whose end the distance has stopped falling; if the distance
 * is constant in that piece, t is its middle.
 */
import { crossingsOf, gapAt, MIN_LENGTH_SQ, piecesOf, timeDuringMotion } from './casts.ts';
import type { Bounds, Point, ReferenceBody } from './geometry.ts';
import { along, distanceSqBetween, dot, limitRadius, subtract, touchesSphere } from './geometry.ts';

/** Offsets of the coordinates of each corner in a box. */
const CORNERS = [0, 3].flatMap((x) => [1, 4].flatMap((y) => [2, 5].map((z) => [x, y, z] as const)));

export interface ReferenceCapsule {
  readonly start: Point;
  readonly end: Point;
  readonly radius: number;
}

export function touchesCapsule(body: ReferenceBody, { start, end, radius }: ReferenceCapsule): boolean {
  const [first, last] = [start, end].map((center) => limitRadius({ center, radius }));
  return (
    touchesSphere(body, first) ||
    timeDuringMotion(first, subtract(end, start), body) !== null ||
    touchesSphere(body, last)
  );
}

/** Whether the capsule contains the whole body. */
export function isWithinCapsule({ box, sphere }: ReferenceBody, capsule: ReferenceCapsule): boolean {
  const { radius } = limitRadius({ center: capsule.start, radius: capsule.radius });
  if (sphere !== null)
    return (
      Math.sqrt(distanceSqBetween(sphere.center, nearestToPoint(sphere.center, capsule))) + sphere.radius <= radius
    );
  return cornersOf(box).every(
    (corner) => distanceSqBetween(corner, nearestToPoint(corner, capsule)) <= radius * radius,
  );
}

/** The point of the axis nearest to a body. */
export function nearestAxisPoint({ box, sphere }: ReferenceBody, capsule: ReferenceCapsule): Point {
  return sphere === null ? nearestToBox(box, capsule) : nearestToPoint(sphere.center, capsule);
}

function axisPoint({ start, end }: ReferenceCapsule, t: number): Point {
  return t === 1 ? end : along(start, subtract(end, start), t);
}

function nearestToPoint(point: Point, capsule: ReferenceCapsule): Point {
  const motion = subtract(capsule.end, capsule.start);
  const lengthSq = dot(motion, motion);
  return axisPoint(
    capsule,
    lengthSq > MIN_LENGTH_SQ ? clamp(dot(subtract(point, capsule.start), motion) / lengthSq, 0, 1) : 0,
  );
}

function nearestToBox(box: Bounds, capsule: ReferenceCapsule): Point {
  const crossings = crossingsOf(capsule.start, subtract(capsule.end, capsule.start), box);
  for (const { from, to, gap, speed } of piecesOf(crossings)) {
    const speedSq = dot(speed, speed);
    if (speedSq <= MIN_LENGTH_SQ) return axisPoint(capsule, (from + to) * 0.5);
    if (to === 1 || dot(gapAt(crossings, to), speed) < 0)
      return axisPoint(capsule, clamp(dot(gap, speed) / speedSq, from, to));
  }
  return capsule.end;
}

function cornersOf(box: Bounds): Point[] {
  return CORNERS.map(([x, y, z]) => [box[x], box[y], box[z]]);
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}
