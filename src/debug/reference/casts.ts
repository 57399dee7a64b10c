/**
 * Shape casts of the reference implementation: when a moving sphere or box first touches a body.
 *
 * The rule for times, in float64 expressions that the octree evaluates with the same operands (see geometry.ts for
 * why):
 * - A body that touches the shape at its start, by the tests of box and sphere queries, is hit at time 0.
 * - Otherwise the boxes of shape and body must touch during the motion. On an axis with motion m there are two gaps:
 *   from the leading face of the shape to the near face of the body, and from the trailing face to the far face. The
 *   boxes touch on this axis between the times near gap / m and far gap / m. `entry` is the first time in [0, 1] at
 *   which they touch on all axes.
 * - For two boxes the time is `entry`. For a sphere and a box it is the result of `firstTimeNear`, for two spheres the
 *   root of one piece; `entry` if that is later.
 * - Otherwise a body that touches the shape at its end is hit at time 1.
 */
import type { Bounds, Point, ReferenceBody, ReferenceSphere } from './geometry.ts';
import {
  along,
  boundsOfSphere,
  closestPoint,
  distanceSqBetween,
  dot,
  limitRadius,
  subtract,
  touchesBox,
  touchesSphere,
  unitDirection,
} from './geometry.ts';

export interface CastHit {
  readonly time: number;
  readonly inside: boolean;
  readonly position: Point;
  readonly normal: Point;
}

/** When a moving point crosses the planes of a box on one axis, and how far they are from its start. */
export interface Crossing {
  readonly motion: number;
  readonly enter: number;
  readonly leave: number;
  readonly toNear: number;
  readonly toFar: number;
}

const AXES = [0, 1, 2] as const;
/** Squared world units. A vector with a smaller square has no direction. */
export const MIN_LENGTH_SQ = 2 ** -900;

export function castSphere(sphere: ReferenceSphere, motion: Point, body: ReferenceBody): CastHit | null {
  const shape = limitRadius(sphere);
  if (touchesSphere(body, shape)) return startHit(shape.center, body);
  const time = timeDuringMotion(shape, motion, body);
  if (time !== null) return sphereHit(shape, motion, body, time);
  const end = limitRadius({ center: shape.center.map((value, axis) => value + motion[axis]), radius: sphere.radius });
  return touchesSphere(body, end) ? sphereHit(shape, motion, body, 1) : null;
}

export function castBox(box: Bounds, motion: Point, body: ReferenceBody): CastHit | null {
  if (touchesBox(body, box))
    return startHit(
      AXES.map((axis) => (box[axis] + box[axis + 3]) * 0.5),
      body,
    );
  const entry = entryTime(box, motion, body.box);
  const time =
    entry === null
      ? null
      : body.sphere === null
        ? entry
        : laterOf(entry, firstTimeNear(body.sphere.center, reversed(motion), box, body.sphere.radius));
  if (time !== null) return boxHit(box, motion, body, time);
  const end = box.map((value, k) => value + motion[k % 3]);
  return touchesBox(body, end) ? boxHit(box, motion, body, 1) : null;
}

/** When a moving sphere that does not touch a body at its start touches it during its motion, or null. */
export function timeDuringMotion(sphere: ReferenceSphere, motion: Point, body: ReferenceBody): number | null {
  const entry = entryTime(boundsOfSphere(sphere), motion, body.box);
  return entry === null ? null : laterOf(entry, sphereTime(sphere, motion, body));
}

function sphereTime({ center, radius }: ReferenceSphere, motion: Point, body: ReferenceBody): number | null {
  if (body.sphere === null) return firstTimeNear(center, motion, body.box, radius);
  return rootWithin(
    { from: 0, to: 1, gap: subtract(body.sphere.center, center), speed: motion },
    body.sphere.radius + radius,
  );
}

function reversed(motion: Point): Point {
  return motion.map((component) => 0 - component);
}

function laterOf(entry: number, time: number | null): number | null {
  return time === null ? null : Math.max(entry, time);
}

/** The first time at which a moving box touches a box, or null. */
function entryTime(moving: Bounds, motion: Point, box: Bounds): number | null {
  let entry = 0;
  let exit = 1;
  for (const axis of AXES) {
    const toNear = box[axis] - moving[axis + 3];
    const toFar = box[axis + 3] - moving[axis];
    if (motion[axis] === 0) {
      if (toNear > 0 || toFar < 0) return null;
      continue;
    }
    entry = Math.max(entry, Math.min(toNear / motion[axis], toFar / motion[axis]));
    exit = Math.min(exit, Math.max(toNear / motion[axis], toFar / motion[axis]));
  }
  return entry <= exit ? entry : null;
}

/**
 * A part of a motion in which the squared distance of a moving point from a box is a polynomial of degree 2 in the
 * time.
 */
export interface Piece {
  readonly from: number;
  readonly to: number;
  /**
   * Per axis: from the start of the motion, time 0, to the face that limits the distance; 0 where the point is between
   * the two faces.
   */
  readonly gap: Point;
  /** Per axis: the motion, per unit of time; 0 where the point is between the two faces. */
  readonly speed: Point;
}

/** The times at which a moving point crosses the planes of a box divide the motion between two times into pieces. */
export function piecesOf(crossings: readonly Crossing[], begin = 0, end = 1): Piece[] {
  const times = [begin];
  const add = (time: number): unknown => time > begin && time < end && !times.includes(time) && times.push(time);
  for (const { enter, leave } of crossings) {
    add(enter);
    add(leave);
  }
  times.sort((a, b) => a - b);
  return times.map((from, k) => {
    const gap = crossings.map(({ enter, leave, toNear, toFar }) => (from < enter ? toNear : from >= leave ? toFar : 0));
    const speed = crossings.map(({ enter, leave, motion }) => (from < enter || from >= leave ? motion : 0));
    return { from, to: times[k + 1] ?? end, gap, speed };
  });
}

/**
 * The first time at which a moving point is within a radius of a box, or null. Each piece is searched inside, then at
 * its end.
 */
function firstTimeNear(start: Point, motion: Point, box: Bounds, radius: number): number | null {
  const crossings = crossingsOf(start, motion, box);
  for (const piece of piecesOf(crossings)) {
    const time = rootWithin(piece, radius);
    if (time !== null) return time;
    const gap = gapAt(crossings, piece.to);
    if (dot(gap, gap) <= radius * radius) return piece.to;
  }
  return null;
}

/**
 * The smaller root of |gap - t * speed|^2 = radius^2 in a piece; the begin of the piece if the distance is constant and
 * within the radius.
 */
function rootWithin({ from, to, gap, speed }: Piece, radius: number): number | null {
  const speedSq = dot(speed, speed);
  if (speedSq <= MIN_LENGTH_SQ) return dot(gap, gap) <= radius * radius ? from : null;
  const b = dot(gap, speed);
  const nearest = b / speedSq;
  const offset = [gap[0] - nearest * speed[0], gap[1] - nearest * speed[1], gap[2] - nearest * speed[2]];
  const rest = radius * radius - dot(offset, offset);
  if (rest < 0 || nearest < from) return null;
  const time = Math.max(from, (b - Math.sqrt(speedSq * rest)) / speedSq);
  return time <= to ? time : null;
}

export function crossingsOf(start: Point, motion: Point, box: Bounds): Crossing[] {
  return AXES.map((axis) => crossingOf(start[axis], motion[axis], box[axis], box[axis + 3]));
}

function crossingOf(start: number, motion: number, min: number, max: number): Crossing {
  const [toNear, toFar] = motion < 0 ? [max - start, min - start] : [min - start, max - start];
  if (motion !== 0) return { motion, enter: toNear / motion, leave: toFar / motion, toNear, toFar };
  return { motion, enter: toNear > 0 ? Infinity : -Infinity, leave: toFar < 0 ? -Infinity : Infinity, toNear, toFar };
}

/** From the point to the nearest point of the box. */
export function gapAt(crossings: readonly Crossing[], time: number): number[] {
  return crossings.map(({ motion, enter, leave, toNear, toFar }) =>
    time < enter ? toNear - time * motion : time > leave ? toFar - time * motion : 0,
  );
}

/** The point of the body nearest to the centre of the shape, and no normal. */
function startHit(center: Point, body: ReferenceBody): CastHit {
  return { time: 0, inside: true, position: nearestPointOf(body, center), normal: [0, 0, 0] };
}

function nearestPointOf({ box, sphere }: ReferenceBody, point: Point): Point {
  if (sphere === null) return closestPoint(point, box);
  const distance = Math.sqrt(distanceSqBetween(point, sphere.center));
  return distance <= sphere.radius
    ? point
    : along(sphere.center, subtract(point, sphere.center), sphere.radius / distance);
}

function sphereHit({ center, radius }: ReferenceSphere, motion: Point, body: ReferenceBody, time: number): CastHit {
  const at = along(center, motion, time);
  if (body.sphere === null) {
    const gap = gapAt(crossingsOf(center, motion, body.box), time);
    return {
      time,
      inside: false,
      position: closestPoint(at, body.box),
      normal: unitOr(reversed(gap), reversed(faceEntered(center, motion, body.box))),
    };
  }
  const outward = radius + body.sphere.radius === 0 ? [0, 0, 0] : subtract(at, body.sphere.center);
  const normal = unitOr(outward, unitDirection(reversed(motion)));
  return { time, inside: false, position: along(body.sphere.center, normal, body.sphere.radius), normal };
}

function boxHit(box: Bounds, motion: Point, body: ReferenceBody, time: number): CastHit {
  if (body.sphere !== null) {
    const { center, radius } = body.sphere;
    const gap = gapAt(crossingsOf(center, reversed(motion), box), time);
    const normal = unitOr(gap, faceEntered(center, reversed(motion), box));
    return { time, inside: false, position: along(center, normal, radius), normal };
  }
  const normal = reversed(faceReached(box, motion, body.box));
  const moved = box.map((value, k) => value + time * motion[k % 3]);
  const position = AXES.map((axis) => {
    if (normal[axis] !== 0) return body.box[normal[axis] < 0 ? axis : axis + 3];
    return (Math.max(body.box[axis], moved[axis]) + Math.min(body.box[axis + 3], moved[axis + 3])) * 0.5;
  });
  return { time, inside: false, position, normal };
}

/** The direction of motion along the axis whose faces a moving point enters last: x before y before z on a tie. */
function faceEntered(start: Point, motion: Point, box: Bounds): Point {
  return lastAxis(motion, (axis) => crossingsOf(start, motion, box)[axis].enter);
}

/** The direction of motion along the axis on which a moving box reaches a box last. */
function faceReached(moving: Bounds, motion: Point, box: Bounds): Point {
  return lastAxis(
    motion,
    (axis) => (motion[axis] > 0 ? box[axis] - moving[axis + 3] : box[axis + 3] - moving[axis]) / motion[axis],
  );
}

function lastAxis(motion: Point, timeOf: (axis: number) => number): Point {
  const axes = AXES.filter((axis) => motion[axis] !== 0);
  const last = axes.find((axis) => axes.every((other) => timeOf(axis) >= timeOf(other)));
  return AXES.map((axis) => (axis === last ? Math.sign(motion[axis]) : 0));
}

/** A vector scaled to length 1, or another vector if it has no direction. */
function unitOr(vector: Point, otherwise: Point): Point {
  const lengthSq = dot(vector, vector);
  return lengthSq > MIN_LENGTH_SQ ? vector.map((component) => component / Math.sqrt(lengthSq)) : otherwise;
}
