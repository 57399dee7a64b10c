/** `solveContacts`: the motion that contacts leave. */

import { Vector3 } from 'three';
import { throwType } from '../octree/input/input-checks.ts';
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
  const solver = new ContactSolver(contacts, vector);
  for (let k = 0; k < contacts.length; k++) if (solver.violates(k)) solver.moveToPlane(k);
  const [x, y, z] = solver.point;
  return target.set(x, y, z);
}

class ContactSolver {
  /** The solution for the contacts so far. */
  readonly point: Float64Array;
  private readonly contacts: readonly ContactPlane[];
  private readonly motion: Float64Array;
  private readonly rest: number;

  constructor(contacts: readonly ContactPlane[], motion: Float64Array) {
    this.contacts = contacts;
    this.motion = motion;
    this.point = motion.slice();
    let scale = Math.max(Math.abs(motion[0]), Math.abs(motion[1]), Math.abs(motion[2]));
    for (const { depth } of contacts) scale = Math.max(scale, Math.abs(depth));
    this.rest = REST * scale;
  }

  violates(k: number): boolean {
    return this.missing(k) > this.rest;
  }

  /** The nearest point on the plane of a contact that meets all contacts before it. */
  moveToPlane(k: number): void {
    const { normal } = this.contacts[k];
    this.point.set(this.motion);
    this.move(normal, this.missing(k));
    for (let j = 0; j < k; j++) {
      if (!this.violates(j)) continue;
      const other = this.contacts[j].normal;
      const direction = Float64Array.of(
        normal.y * other.z - normal.z * other.y,
        normal.z * other.x - normal.x * other.z,
        normal.x * other.y - normal.y * other.x,
      );
      const sine = Math.sqrt(dot(direction, direction));
      // Two walls that face each other leave no room: half way.
      if (sine < PARALLEL) this.move(other, this.missing(j) / 2);
      else
        this.moveToLine(
          k,
          j,
          direction.map((value) => value / sine),
        );
    }
  }

  /** The same on the line in which the planes of two contacts meet. */
  private moveToLine(k: number, j: number, direction: Float64Array): void {
    const { contacts, point, motion } = this;
    const normal = contacts[k].normal;
    const other = contacts[j].normal;
    const cosine = normal.x * other.x + normal.y * other.y + normal.z * other.z;
    point.set(motion);
    const [first, second] = [this.missing(k), this.missing(j)];
    const sineSq = 1 - cosine * cosine;
    this.move(normal, (first - cosine * second) / sineSq);
    this.move(other, (second - cosine * first) / sineSq);
    let low = -Infinity;
    let high = Infinity;
    for (let i = 0; i < j; i++) {
      const { normal: third } = contacts[i];
      const slope = third.x * direction[0] + third.y * direction[1] + third.z * direction[2];
      const limit = this.missing(i) / slope;
      if (slope > PARALLEL) low = Math.max(low, limit);
      else if (slope < -PARALLEL) high = Math.min(high, limit);
    }
    const along = low > high ? (low + high) / 2 : Math.min(Math.max(0, low), high);
    for (let axis = 0; axis < 3; axis++) point[axis] += along * direction[axis];
  }

  /** How far the point is from the plane of a contact, on the wrong side. */
  private missing(k: number): number {
    const { normal, depth } = this.contacts[k];
    const { point } = this;
    return depth - (normal.x * point[0] + normal.y * point[1] + normal.z * point[2]);
  }

  private move({ x, y, z }: PointLike, length: number): void {
    this.point[0] += length * x;
    this.point[1] += length * y;
    this.point[2] += length * z;
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
