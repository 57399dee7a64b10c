/**
 * The shapes that only queries take: three's own math objects, or anything of the same form. Each type stands beside
 * the function that checks it and reads it into flat values. Each query reads into a workspace of its own. So a getter
 * of an argument may start another query while the argument is read.
 */

import { PLANE_STRIDE, type FrustumPlanes } from '../../math/frustum-planes.ts';
import { isFiniteNumber, isObject, requireFinite, requireObject, throwRange, throwType } from './input-checks.ts';
import { POINT_REMEDY, readPoint, requireFiniteVector, type PointLike } from './shapes.ts';

const RAY_REMEDY = 'pass a Ray or {origin, direction}';
const PLANE_REMEDY = 'pass planes with normal and constant';
const FRUSTUM_REMEDY = 'pass a Frustum after setFromProjectionMatrix';
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
  requireObject(where, 'ray', ray, RAY_REMEDY);
  const { origin, direction } = ray;
  if (!isObject(direction)) {
    if (!isObject(origin))
      throwType(where, 'ray', 'have origin and direction', ray, 'ray' in ray ? 'pass raycaster.ray' : RAY_REMEDY);
    requireObject(where, 'ray.direction', direction, POINT_REMEDY);
  }
  const { x, y, z } = direction;
  if (!isFiniteNumber(x) || !isFiniteNumber(y) || !isFiniteNumber(z) || (x === 0 && y === 0 && z === 0))
    throwDirection(where, x, y, z);
  readPoint(where, 'ray', '.origin', origin, target);
  target[3] = x;
  target[4] = y;
  target[5] = z;
}

function throwDirection(where: string, ...numbers: readonly unknown[]): never {
  requireFiniteVector(where, 'ray.direction', 'set the ray from a camera or two points', ...numbers);
  throwRange(where, 'ray.direction', 'not be of length 0', '(0, 0, 0)', 'set it before the query');
}

/** Shaped like three's `Plane`: a point is inside when `normal . point + constant >= 0`. */
export interface PlaneLike {
  /** Points to the inner side. Any length but 0. */
  readonly normal: PointLike;
  /** Divided by the length of the normal: the distance of the origin from the plane, positive on the inner side. */
  readonly constant: number;
}

/**
 * Shaped like three's `Frustum`, with any number of planes; of six or more the sixth is the near plane, as in three.
 */
export interface FrustumLike {
  /** The volume is the intersection of their inner half-spaces. */
  readonly planes: readonly PlaneLike[];
}

/** Reads the planes of a frustum. */
export function readFrustum(where: string, frustum: FrustumLike, target: FrustumPlanes): void {
  requireObject(where, 'frustum', frustum, 'pass a Frustum or {planes}');
  readPlanes(where, 'frustum.planes', frustum.planes, FRUSTUM_REMEDY, target);
  if (target.count > 1 && areUnset(target)) throwRange(where, 'frustum', 'be set', 'new', FRUSTUM_REMEDY);
}

/** Whether all planes are as three creates them: a query would take them for half of the world. */
function areUnset({ values, count }: FrustumPlanes): boolean {
  for (let k = 0; k < count * PLANE_STRIDE; k++) if (values[k] !== Number(k % PLANE_STRIDE === 0)) return false;
  return true;
}

/** The numbers of one plane, between the argument and the list. */
const reusedPlane = /* @__PURE__ */ new Float64Array(PLANE_STRIDE);

/** Planes at infinity, which three computes from an infinite far distance, are left out. */
export function readPlanes(
  where: string,
  field: string,
  planes: readonly PlaneLike[],
  remedy: string,
  target: FrustumPlanes,
): void {
  if (!Array.isArray(planes)) throwType(where, field, 'be an array', planes, remedy);
  target.clear();
  const { length } = planes;
  for (let k = 0; k < length; k++) {
    const plane = (planes as readonly PlaneLike[])[k];
    if (!isObject(plane)) requireObject(where, `${field}[${k}]`, plane, PLANE_REMEDY);
    const { normal, constant } = plane;
    if (!isObject(normal)) requireObject(where, `${field}[${k}].normal`, normal, PLANE_REMEDY);
    const { x, y, z } = normal;
    if (constant === Infinity && hasNoDirection(x, y, z)) continue;
    if (
      !isFiniteNumber(x) ||
      !isFiniteNumber(y) ||
      !isFiniteNumber(z) ||
      !isFiniteNumber(constant) ||
      hasNoDirection(x, y, z)
    )
      throwPlane(where, `${field}[${k}]`, remedy, constant, x, y, z);
    if (k === NEAR_PLANE) target.nearPlane = target.count;
    reusedPlane[0] = x;
    reusedPlane[1] = y;
    reusedPlane[2] = z;
    reusedPlane[3] = constant;
    target.push(reusedPlane, 0);
  }
}

function throwPlane(
  where: string,
  field: string,
  remedy: string,
  constant: unknown,
  ...normal: readonly unknown[]
): never {
  requireFiniteVector(where, `${field}.normal`, remedy, ...normal);
  requireFinite(where, `${field}.constant`, constant, remedy);
  throwRange(where, `${field}.normal`, 'have a length above 0 and below 1e150', `(${normal.join(', ')})`, remedy);
}

/** A matrix like three's `Matrix4`: sixteen numbers, column by column. */
export interface MatrixLike {
  /** Sixteen numbers. */
  readonly elements: ArrayLike<number>;
}

/** Reads the finite numbers of a matrix into `target[0..15]`, and returns it. */
export function readMatrix(
  where: string,
  field: string,
  matrix: MatrixLike,
  remedy: string,
  target: Float64Array,
): Float64Array {
  const elements = (matrix as MatrixLike | undefined)?.elements;
  requireObject(where, `${field}.elements`, elements, remedy);
  for (let k = 0; k < 16; k++) {
    const element = elements![k];
    target[k] = isFiniteNumber(element) ? element : requireFinite(where, `${field}.elements[${k}]`, element, remedy);
  }
  return target;
}

/** Whether three numbers have no usable length: it is 0 or NaN, or its square underflows or overflows. */
function hasNoDirection(x: unknown, y: unknown, z: unknown): boolean {
  if (typeof x !== 'number' || typeof y !== 'number' || typeof z !== 'number') return false;
  return !(x * x + y * y + z * z > 0 && x * x + y * y + z * z < Infinity);
}
