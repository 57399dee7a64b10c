/** `solveContacts`: the motion that contacts leave. */

import { Vector3 } from 'three';
import { requireFinite, requireObject, throwType } from '../octree/input/input-checks.ts';
import { readPoint, type PointLike } from '../octree/input/shapes.ts';

/** What `solveContacts` reads of a contact: a result of `intersectTriangles`, or anything of the same form. */
export interface ContactPlane {
  /** Unit vector, towards the shape. */
  readonly normal: PointLike;
  /** How far the shape must move along the normal, world units. */
  readonly depth: number;
}

/** Sine of the angle between two normals. Below it they count as parallel: their planes meet nowhere near. */
const PARALLEL = 1e-6;
/** Depth that may be left, relative to the largest depth and to the motion. */
const REST = 2 ** -44;

/**
 * The motion nearest to a wanted one that leaves every contact: along each normal, it moves by the depth at least. For
 * a motion of 0 this is the way out of all that a shape touches; else the shape slides along what it touches. There is
 * no bounce, no friction and no gravity in it: those are the caller's.
 *
 * Where contacts leave no room, such as between a floor and a ceiling that comes down, it ends between them. The result
 * does not depend on the order of the contacts, but for rounding. Cost: less than a microsecond for a dozen contacts.
 *
 * Source: Seidel, "Small-dimensional linear programming and convex hulls made easy", 1991: contacts are added one by
 * one, and the result lies on the plane of each one that it violated.
 *
 * @param contacts What `intersectTriangles` returned.
 * @param motion The wanted motion, world units.
 * @param target Written and returned. Default: a new one.
 * @throws {TypeError} If an argument has a wrong type.
 * @throws {RangeError} If a number is not finite.
 *
 * @example
 * ```ts
 * import { Vector3 } from 'three';
 * import { solveContacts } from 'scene-octree/triangles';
 *
 * const floor = { normal: new Vector3(0, 1, 0), depth: 0.1 };
 * const motion = solveContacts([floor], new Vector3(1, -2, 0)); // falls, and walks
 * console.log(motion.x, motion.y); // prints: 1 0.1
 * ```
 */
export function solveContacts(
  contacts: readonly ContactPlane[],
  motion: PointLike,
  target: Vector3 = new Vector3(),
): Vector3 {
  const where = 'solveContacts';
  if (!Array.isArray(contacts))
    throwType(where, 'contacts', 'be an array', contacts, 'pass what intersectTriangles returned');
  const vector = new Float64Array(3);
  readPoint(where, 'motion', '', motion, vector);
  // Three numbers of the normal, and the depth.
  const planes = new Float64Array(4 * contacts.length);
  for (let k = 0; k < contacts.length; k++) {
    const contact = contacts[k] as ContactPlane | null;
    requireObject(where, `contacts[${k}]`, contact, 'pass what intersectTriangles returned');
    const { normal, depth } = contact!;
    readPoint(where, `contacts[${k}]`, '.normal', normal, planes, 4 * k);
    planes[4 * k + 3] = requireFinite(where, `contacts[${k}].depth`, depth, 'pass what intersectTriangles returned');
  }
  return target.fromArray(solve(planes, vector));
}

/** The solution for planes, each named by its number: three numbers of the normal, and the depth. */
function solve(planes: Float64Array, motion: Float64Array): Float64Array {
  /** The solution for the planes so far. */
  const point = motion.slice();
  let scale = 0;
  for (let k = 0; k < 3; k++) scale = Math.max(scale, Math.abs(motion[k]));
  for (let at = 3; at < planes.length; at += 4) scale = Math.max(scale, Math.abs(planes[at]));
  /** Dot product of the normal of a plane with a vector. */
  const slope = (k: number, v: Float64Array): number =>
    planes[4 * k] * v[0] + planes[4 * k + 1] * v[1] + planes[4 * k + 2] * v[2];
  /** How far the point is from a plane, on the wrong side. */
  const missing = (k: number): number => planes[4 * k + 3] - slope(k, point);
  const violates = (k: number): boolean => missing(k) > REST * scale;
  /** Moves the point along the normal of a plane. */
  const move = (k: number, length: number): void => {
    for (let axis = 0; axis < 3; axis++) point[axis] += length * planes[4 * k + axis];
  };
  /** The nearest point on the line in which two planes meet, that meets all planes before both. */
  const moveToLine = (k: number, j: number, direction: Float64Array): void => {
    const cosine = slope(k, planes.subarray(4 * j));
    point.set(motion);
    const [first, second] = [missing(k), missing(j)];
    const sineSq = 1 - cosine * cosine;
    move(k, (first - cosine * second) / sineSq);
    move(j, (second - cosine * first) / sineSq);
    let low = -Infinity;
    let high = Infinity;
    for (let i = 0; i < j; i++) {
      const rise = slope(i, direction);
      if (rise > PARALLEL) low = Math.max(low, missing(i) / rise);
      else if (rise < -PARALLEL) high = Math.min(high, missing(i) / rise);
    }
    const along = low > high ? (low + high) / 2 : Math.min(Math.max(0, low), high);
    for (let axis = 0; axis < 3; axis++) point[axis] += along * direction[axis];
  };
  for (let k = 0; 4 * k < planes.length; k++) {
    if (!violates(k)) continue;
    // The nearest point on this plane that meets all planes before it.
    point.set(motion);
    move(k, missing(k));
    const [a, b, c] = planes.subarray(4 * k);
    for (let j = 0; j < k; j++) {
      if (!violates(j)) continue;
      const [d, e, f] = planes.subarray(4 * j);
      const line = Float64Array.of(b * f - c * e, c * d - a * f, a * e - b * d);
      const sine = Math.sqrt(line[0] * line[0] + line[1] * line[1] + line[2] * line[2]);
      const direction = line.map((value) => value / sine);
      // Two walls that face each other leave no room: half way.
      if (sine < PARALLEL) move(j, missing(j) / 2);
      else moveToLine(k, j, direction);
    }
  }
  return point;
}
