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
  const solver = new ContactSolver(planes, vector);
  for (let k = 0; k < contacts.length; k++) if (solver.violates(k)) solver.moveToPlane(k);
  const [x, y, z] = solver.point;
  return target.set(x, y, z);
}

/** A contact is a plane by its number: four numbers of `planes`. */
class ContactSolver {
  /** The solution for the contacts so far. */
  readonly point: Float64Array;
  private readonly planes: Float64Array;
  private readonly motion: Float64Array;
  private readonly rest: number;

  constructor(planes: Float64Array, motion: Float64Array) {
    this.planes = planes;
    this.motion = motion;
    this.point = motion.slice();
    let scale = Math.max(Math.abs(motion[0]), Math.abs(motion[1]), Math.abs(motion[2]));
    for (let at = 3; at < planes.length; at += 4) scale = Math.max(scale, Math.abs(planes[at]));
    this.rest = REST * scale;
  }

  violates(k: number): boolean {
    return this.missing(k) > this.rest;
  }

  /** The nearest point on the plane of a contact that meets all contacts before it. */
  moveToPlane(k: number): void {
    const { planes: p } = this;
    const at = 4 * k;
    this.point.set(this.motion);
    this.move(k, this.missing(k));
    for (let j = 0; j < k; j++) {
      if (!this.violates(j)) continue;
      const other = 4 * j;
      const x = p[at + 1] * p[other + 2] - p[at + 2] * p[other + 1];
      const y = p[at + 2] * p[other] - p[at] * p[other + 2];
      const z = p[at] * p[other + 1] - p[at + 1] * p[other];
      const sine = Math.sqrt(x * x + y * y + z * z);
      // Two walls that face each other leave no room: half way.
      if (sine < PARALLEL) this.move(j, this.missing(j) / 2);
      else this.moveToLine(k, j, Float64Array.of(x / sine, y / sine, z / sine));
    }
  }

  /** The same on the line in which the planes of two contacts meet. */
  private moveToLine(k: number, j: number, direction: Float64Array): void {
    const { point, planes } = this;
    const cosine = this.slope(k, planes, 4 * j);
    point.set(this.motion);
    const [first, second] = [this.missing(k), this.missing(j)];
    const sineSq = 1 - cosine * cosine;
    this.move(k, (first - cosine * second) / sineSq);
    this.move(j, (second - cosine * first) / sineSq);
    let low = -Infinity;
    let high = Infinity;
    for (let i = 0; i < j; i++) {
      const slope = this.slope(i, direction, 0);
      const limit = this.missing(i) / slope;
      if (slope > PARALLEL) low = Math.max(low, limit);
      else if (slope < -PARALLEL) high = Math.min(high, limit);
    }
    const along = low > high ? (low + high) / 2 : Math.min(Math.max(0, low), high);
    for (let axis = 0; axis < 3; axis++) point[axis] += along * direction[axis];
  }

  /** How far the point is from the plane of a contact, on the wrong side. */
  private missing(k: number): number {
    return this.planes[4 * k + 3] - this.slope(k, this.point, 0);
  }

  /** Dot product of the normal of a contact with a vector. */
  private slope(k: number, vector: Float64Array, at: number): number {
    const { planes } = this;
    return planes[4 * k] * vector[at] + planes[4 * k + 1] * vector[at + 1] + planes[4 * k + 2] * vector[at + 2];
  }

  /** Moves the point along the normal of a contact. */
  private move(k: number, length: number): void {
    for (let axis = 0; axis < 3; axis++) this.point[axis] += length * this.planes[4 * k + axis];
  }
}
