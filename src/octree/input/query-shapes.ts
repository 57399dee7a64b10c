/**
 * The shapes that only queries take: three's own math objects, or anything of the same form. Each type stands beside the function that checks it and reads it
 * into flat values. Each query reads into a workspace of its own. So a getter of an argument may start another query while the argument is read.
 */

import type { FrustumPlanes } from '../../math/frustum-planes.ts';
import { describe, isFiniteNumber, isObject, requireFinite, requireNotNegative, requireObject } from './input-checks.ts';
import { AXES, POINT_REMEDY, readPoint, requireRadius, type PointLike } from './shapes.ts';

const PLANE_REMEDY = 'pass planes with normal and constant';
const FRUSTUM_REMEDY = 'call frustum.setFromProjectionMatrix first';
/** Index of the near plane among three's six. */
const NEAR_PLANE = 5;

/** Shaped like three's `Ray`; the direction may have any length but 0. */
export interface RayLike {
  /** Where the ray starts. */
  readonly origin: PointLike;
  /** Any length but 0. Distances are in world units, whatever the length. */
  readonly direction: PointLike;
}

/** Reads origin and direction into `target[0..5]`. */
export function readRay(where: string, ray: RayLike, target: Float64Array): void {
  requireObject(where, 'ray', ray, 'pass a Ray or {origin, direction}');
  const { origin, direction } = ray;
  requireObject(where, 'ray.direction', direction, POINT_REMEDY);
  const { x, y, z } = direction;
  if (!isFiniteNumber(x) || !isFiniteNumber(y) || !isFiniteNumber(z) || (x === 0 && y === 0 && z === 0)) throwDirection(where, direction);
  readPoint(where, 'ray', '.origin', origin, target);
  target[3] = x;
  target[4] = y;
  target[5] = z;
}

function throwDirection(where: string, direction: PointLike): never {
  for (const axis of AXES) requireFinite(where, `ray.direction.${axis}`, direction[axis], 'set the ray from a camera or two points');
  throw new RangeError(`${where}: ray.direction must not be of length 0, but is (0, 0, 0); set it before the query.`);
}

/** Shaped like three's `Line3`. The points may be equal. */
export interface SegmentLike {
  /** One end, world units. */
  readonly start: PointLike;
  /** The other end. */
  readonly end: PointLike;
}

/** Reads start and end into `target[0..5]`. */
export function readSegment(where: string, field: string, segment: SegmentLike, target: Float64Array): void {
  requireObject(where, field, segment, 'pass a Line3 or {start, end}');
  const { start, end } = segment;
  readPoint(where, field, '.start', start, target);
  readPoint(where, field, '.end', end, target, 3);
}

/** Shaped like the addon `Capsule` of three: all points within the radius of the segment from start to end. The points may be equal. */
export interface CapsuleLike {
  /** One end of the segment, world units. */
  readonly start: PointLike;
  /** The other end. */
  readonly end: PointLike;
  /** World units, 0 or more. */
  readonly radius: number;
}

/** Reads start, end and radius into `target[0..6]`. */
export function readCapsule(where: string, capsule: CapsuleLike, target: Float64Array): void {
  requireObject(where, 'capsule', capsule, 'pass a Capsule or {start, end, radius}');
  const { radius } = capsule;
  requireRadius(where, 'capsule', radius, 'a radius of 0 is a segment');
  readSegment(where, 'capsule', capsule, target);
  target[6] = radius;
}

/** Shaped like the addon `OBB` of three: a box of any orientation. */
export interface OrientedBoxLike {
  /** World units. */
  readonly center: PointLike;
  /** Half the size along each of its own axes, world units, 0 or more. */
  readonly halfSize: PointLike;
  /** A rotation, three's `Matrix3`: nine numbers, column by column. The columns are the axes of the box. */
  readonly rotation: {
    /** Nine numbers. */
    readonly elements: ArrayLike<number>;
  };
}

/** Maximum error of the lengths and of the right angles of a rotation's columns. Three computes them with an error of about 2^-50. */
const MAX_ROTATION_ERROR = 1e-6;
const ROTATION_REMEDY = 'set it with matrix3.setFromMatrix4 from a matrix without scale';

/** Reads centre, half sizes and axes into `target[0..14]`. */
export function readOrientedBox(where: string, box: OrientedBoxLike, target: Float64Array): void {
  requireObject(where, 'orientedBox', box, 'pass an OBB or {center, halfSize, rotation}');
  const { center, halfSize, rotation } = box;
  readPoint(where, 'orientedBox', '.center', center, target);
  requireObject(where, 'orientedBox.halfSize', halfSize, POINT_REMEDY);
  const { x, y, z } = halfSize;
  if (!isHalfSize(x) || !isHalfSize(y) || !isHalfSize(z)) throwHalfSize(where, halfSize);
  target[3] = x;
  target[4] = y;
  target[5] = z;
  requireObject(where, 'orientedBox.rotation', rotation, 'pass a Matrix3');
  const { elements } = rotation;
  requireObject(where, 'orientedBox.rotation.elements', elements, 'pass a Matrix3');
  if (elements.length !== 9) throw new TypeError(`${where}: orientedBox.rotation.elements must have nine numbers, but has ${describe(elements.length)}; pass a Matrix3.`);
  for (let k = 0; k < 9; k++) {
    if (!isFiniteNumber(elements[k])) throwRotation(where, elements);
    target[k + 6] = elements[k];
  }
  for (let a = 6; a < 15; a += 3) {
    for (let b = a; b < 15; b += 3) {
      const product = target[a] * target[b] + target[a + 1] * target[b + 1] + target[a + 2] * target[b + 2];
      if (!(Math.abs(product - Number(a === b)) <= MAX_ROTATION_ERROR)) throwRotation(where, elements);
    }
  }
}

function isHalfSize(value: number): boolean {
  return isFiniteNumber(value) && value >= 0;
}

function throwHalfSize(where: string, halfSize: PointLike): void {
  for (const axis of AXES) {
    const field = `orientedBox.halfSize.${axis}`;
    requireFinite(where, field, halfSize[axis], 'use a large number');
    requireNotNegative(where, field, halfSize[axis], 'a size of 0 is a rectangle');
  }
}

function throwRotation(where: string, elements: ArrayLike<number>): never {
  for (let k = 0; k < 9; k++) requireFinite(where, `orientedBox.rotation.elements[${k}]`, elements[k], ROTATION_REMEDY);
  throw new RangeError(`${where}: orientedBox.rotation must have perpendicular columns of length 1, but is (${Array.from(elements).join(', ')}); ${ROTATION_REMEDY}.`);
}

/** Shaped like three's `Plane`: a point is inside when `normal . point + constant >= 0`. */
export interface PlaneLike {
  /** Points to the inner side. Any length but 0. */
  readonly normal: PointLike;
  /** Divided by the length of the normal: the distance of the origin from the plane, positive on the inner side. */
  readonly constant: number;
}

/** Shaped like three's `Frustum`, with any number of planes; of six or more the sixth is the near plane, as in three. */
export interface FrustumLike {
  /** The volume is the intersection of their inner half-spaces. */
  readonly planes: readonly PlaneLike[];
}

/** Reads the planes of a frustum. */
export function readFrustum(where: string, frustum: FrustumLike, target: FrustumPlanes): void {
  requireObject(where, 'frustum', frustum, 'pass a Frustum or {planes}');
  readPlanes(where, 'frustum.planes', frustum.planes, FRUSTUM_REMEDY, target);
}

/** Reads the planes of a convex volume; none of them is a near plane. */
export function readConvex(where: string, planes: readonly PlaneLike[], target: FrustumPlanes): void {
  readPlanes(where, 'planes', planes, 'pass an array of Plane', target);
  target.nearPlane = -1;
}

/** Planes at infinity, which three computes from an infinite far distance, are left out. */
function readPlanes(where: string, field: string, planes: readonly PlaneLike[], remedy: string, target: FrustumPlanes): void {
  if (!Array.isArray(planes)) throw new TypeError(`${where}: ${field} must be an array, but is ${describe(planes)}; ${remedy}.`);
  target.clear();
  for (let k = 0; k < planes.length; k++) {
    const plane = (planes as readonly PlaneLike[])[k];
    if (!isObject(plane)) requireObject(where, `${field}[${k}]`, plane, PLANE_REMEDY);
    if (!isObject(plane.normal)) requireObject(where, `${field}[${k}].normal`, plane.normal, PLANE_REMEDY);
    const { x, y, z } = plane.normal;
    const { constant } = plane;
    if (constant === Infinity && hasNoDirection(x, y, z)) continue;
    if (!isFiniteNumber(x) || !isFiniteNumber(y) || !isFiniteNumber(z) || !isFiniteNumber(constant) || hasNoDirection(x, y, z)) throwPlane(where, `${field}[${k}]`, plane, remedy);
    if (k === NEAR_PLANE) target.nearPlane = target.count;
    target.push(x, y, z, constant);
  }
}

function throwPlane(where: string, field: string, { normal, constant }: PlaneLike, remedy: string): never {
  for (const axis of AXES) requireFinite(where, `${field}.normal.${axis}`, normal[axis], remedy);
  requireFinite(where, `${field}.constant`, constant, remedy);
  const { x, y, z } = normal;
  throw new RangeError(`${where}: ${field}.normal must have a length above 0 and below 1e150, but is (${x}, ${y}, ${z}); ${remedy}.`);
}

/** Whether three numbers have no usable length: it is 0 or NaN, or its square underflows or overflows. */
function hasNoDirection(x: unknown, y: unknown, z: unknown): boolean {
  if (typeof x !== 'number' || typeof y !== 'number' || typeof z !== 'number') return false;
  return !(x * x + y * y + z * z > 0 && x * x + y * y + z * z < Infinity);
}
