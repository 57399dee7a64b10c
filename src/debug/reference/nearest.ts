/**
 * Nearest queries of the reference implementation: the distance of a body from a point, a box or a ray, and where they
 * are nearest.
 *
 * The rule for distances (see geometry.ts): the distance of a box is the square root of its squared gaps. The distance
 * of a sphere body is the larger of the distance of its box and sqrt(squared distance of its centre) - r.
 * - Two boxes: on each axis the gap between them, 0 if they overlap.
 * - A ray is the points origin + t * direction of unit length, t from near to far, both at most 2^54. It is nearest to
 *   a box in the first piece (casts.ts) at whose end the distance has stopped falling: at the start of the piece if the
 *   distance is constant in it, at the end if the derivative is exactly 0 there, otherwise where the derivative is 0.
 *   It is nearest to a point at the foot of the perpendicular, clamped to near and far.
 */
import { crossingsOf, gapAt, MIN_LENGTH_SQ, piecesOf } from './casts.ts';
import { contactWithBox } from './contact.ts';
import type { Bounds, Point, ReferenceBody } from './geometry.ts';
import {
  along,
  closestPoint,
  distanceSqBetween,
  distanceSqToBox,
  distanceToBody,
  dot,
  subtract,
  unitDirection,
} from './geometry.ts';

/** What a nearest query searches from. */
export type ReferenceStart =
  | {
      /** World units. */
      readonly point: Point;
    }
  | {
      /** Minimum x, y, z, then maximum x, y, z. */
      readonly box: Bounds;
    }
  | {
      /** Where the ray begins. */
      readonly origin: Point;
      /** Of any length but 0. */
      readonly direction: Point;
      /** World units; default 0. */
      readonly near?: number | undefined;
      /** World units; default Infinity. */
      readonly far?: number | undefined;
    };

export interface NearestGeometry {
  readonly alongRay: number;
  readonly position: Point;
  readonly normal: Point;
}

/**
 * Greater distances along a ray count as this, so that no square overflows. It exceeds the distance of any two valid
 * points of the octree.
 */
const MAX_ALONG = 2 ** 54;

type ReferenceRay = Extract<ReferenceStart, { readonly origin: Point }>;

/** A ray whose direction has length 1, from `near` to `far`. */
interface UnitRay {
  readonly origin: Point;
  readonly direction: Point;
  readonly near: number;
  readonly far: number;
}

type UnitStart = Exclude<ReferenceStart, ReferenceRay> | UnitRay;

/**
 * The start of a query, computed once for all bodies: a ray gets a direction of length 1, and limits whose squares do
 * not overflow.
 */
export function unitStart(start: ReferenceStart): UnitStart {
  if (!('origin' in start)) return start;
  const { origin, direction, near = 0, far = Infinity } = start;
  return {
    origin,
    direction: unitDirection(direction),
    near: Math.min(near, MAX_ALONG),
    far: Math.min(far, MAX_ALONG),
  };
}

/** NaN for a ray without points. */
export function distanceFrom(start: UnitStart, body: ReferenceBody): number {
  if ('point' in start) return distanceToBody(start.point, body);
  if ('origin' in start && start.near > start.far) return NaN;
  const toBox = Math.sqrt(
    'box' in start ? lengthSq(gapsBetween(start.box, body.box)) : lengthSq(gapToBox(start, body.box)),
  );
  if (body.sphere === null) return toBox;
  const { center, radius } = body.sphere;
  const toCenter =
    'box' in start
      ? distanceSqToBox(center, start.box)
      : lengthSq(offsetFrom(start, center, timeNearPoint(start, center)));
  return Math.max(toBox, Math.sqrt(toCenter) - radius);
}

/** Where a body at a distance is nearest: a point of the body, and the direction from there. */
export function nearestGeometry(start: UnitStart, body: ReferenceBody, distance: number): NearestGeometry {
  if ('point' in start) return { alongRay: 0, ...nearestToPoint(start.point, body, distance) };
  if ('box' in start) {
    const { position, normal } = contactWithBox(body, start.box);
    return { alongRay: 0, position, normal: distance === 0 ? [0, 0, 0] : normal };
  }
  const alongRay = timeNearBody(start, body, distance);
  return { alongRay, ...nearestToPoint(along(start.origin, start.direction, alongRay), body, distance) };
}

function timeNearBody(ray: UnitRay, { box, sphere }: ReferenceBody, distance: number): number {
  if (sphere === null) return timeNearBox(ray, box);
  if (distance > 0) return timeNearPoint(ray, sphere.center);
  const { direction, near, far } = ray;
  const toCenter = subtract(sphere.center, ray.origin);
  const middle = dot(toCenter, direction);
  const half = Math.sqrt(
    Math.max(0, sphere.radius * sphere.radius - lengthSq(subtract(toCenter, along([0, 0, 0], direction, middle)))),
  );
  return Math.min(Math.max(middle - half, near), far);
}

function timeNearBox({ origin, direction, near, far }: UnitRay, box: Bounds): number {
  const crossings = crossingsOf(origin, direction, box);
  for (const { from, to, gap, speed } of piecesOf(crossings, near, far)) {
    const speedSq = dot(speed, speed);
    if (speedSq <= MIN_LENGTH_SQ) return from;
    const falling = dot(gapAt(crossings, to), speed);
    if (falling < 0) return Math.min(Math.max(dot(gap, speed) / speedSq, from), to);
    if (falling === 0) return to;
  }
  return far;
}

function timeNearPoint({ origin, direction, near, far }: UnitRay, point: Point): number {
  return Math.min(Math.max(dot(subtract(point, origin), direction) / dot(direction, direction), near), far);
}

function gapToBox(ray: UnitRay, box: Bounds): Point {
  return gapAt(crossingsOf(ray.origin, ray.direction, box), timeNearBox(ray, box));
}

function offsetFrom({ origin, direction }: UnitRay, point: Point, time: number): Point {
  return [0, 1, 2].map((axis) => point[axis] - origin[axis] - time * direction[axis]);
}

function gapsBetween(a: Bounds, b: Bounds): Point {
  return [0, 1, 2].map((axis) => Math.max(a[axis] - b[axis + 3], b[axis] - a[axis + 3], 0));
}

function lengthSq([x, y, z]: Point): number {
  return x * x + y * y + z * z;
}

function nearestToPoint(
  point: Point,
  { box, sphere }: ReferenceBody,
  distance: number,
): Omit<NearestGeometry, 'alongRay'> {
  if (distance === 0) return { position: [...point], normal: [0, 0, 0] };
  let position = closestPoint(point, box);
  if (sphere !== null) {
    const outward = subtract(point, sphere.center);
    const length = Math.sqrt(distanceSqBetween(point, sphere.center));
    position = [0, 1, 2].map((axis) => sphere.center[axis] + (outward[axis] / (length || 1)) * sphere.radius);
  }
  const offset = subtract(point, position);
  const length = Math.sqrt(distanceSqBetween(point, position));
  return { position, normal: offset.map((component) => (length > 0 ? component / length : 0)) };
}
