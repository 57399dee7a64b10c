/**
 * The door: every number and shape that comes from outside is read here, into flat lanes, before anything changes.
 * A wrong shape is a TypeError, a wrong value a RangeError; the sentence names function, field, value and remedy.
 */

import { COORDINATE_LIMIT } from '../math/integer-cube.ts';
import type { FrustumPlanes } from '../math/frustum-planes.ts';
import type { BoxLike, FrustumLike, PlaneLike, PointLike, RayLike, SphereLike } from './shapes.ts';

const AXES = ['x', 'y', 'z'] as const;
const LIMIT_TEXT = '2^50';
const FRUSTUM_REMEDY = 'call frustum.setFromProjectionMatrix first';
/** Place of the near plane among three's six. */
const NEAR_PLANE = 5;

export function describe(value: unknown): string {
  if (typeof value === 'string') return `the string "${value}"`;
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object';
  if (typeof value === 'function') return 'a function';
  return Object.is(value, -0) ? '-0' : String(value);
}

export function requireBoolean(where: string, field: string, value: unknown): void {
  if (value === undefined || typeof value === 'boolean') return;
  throw new TypeError(`${where}: ${field} must be true or false, but is ${describe(value)}; pass one of them, or leave it out.`);
}

export function requireObject(where: string, field: string, value: unknown, remedy: string): void {
  if (typeof value !== 'object' || value === null) throw new TypeError(`${where}: ${field} must be an object, but is ${describe(value)}; ${remedy}.`);
}

/** A number that is neither NaN nor infinite. */
export function requireFinite(where: string, field: string, value: unknown, remedy: string): number {
  if (typeof value !== 'number') throw new TypeError(`${where}: ${field} must be a number, but is ${describe(value)}; ${remedy}.`);
  if (value - value !== 0) throw new RangeError(`${where}: ${field} must be finite, but is ${value}; ${remedy}.`);
  return value;
}

/** A number from 0 to Infinity. */
export function requireNotNegative(where: string, field: string, value: unknown, remedy: string): number {
  if (typeof value !== 'number') throw new TypeError(`${where}: ${field} must be a number, but is ${describe(value)}; ${remedy}.`);
  if (!(value >= 0)) throw new RangeError(`${where}: ${field} must be 0 or more, but is ${value}; ${remedy}.`);
  return value;
}

/** A finite number within the range of coordinates. */
export function requireCoordinate(where: string, field: string, value: unknown): number {
  const coordinate = requireFinite(where, field, value, 'check the bounds it was computed from');
  if (Math.abs(coordinate) > COORDINATE_LIMIT) {
    throw new RangeError(`${where}: ${field} must lie within +-${LIMIT_TEXT}, but is ${coordinate}; scale the scene down.`);
  }
  return coordinate;
}

/** Writes a point to three lanes; `part` is its name within the field, as in '.center'. Sentences are made only once something is wrong: this runs for every query. */
export function readPoint(where: string, field: string, part: string, point: PointLike, target: Float64Array, at: number): void {
  if (!isObject(point)) requireObject(where, field + part, point, 'pass a Vector3 or {x, y, z}');
  const { x, y, z } = point;
  if (!isCoordinate(x) || !isCoordinate(y) || !isCoordinate(z)) blamePoint(where, field + part, point);
  target[at] = x;
  target[at + 1] = y;
  target[at + 2] = z;
}

function blamePoint(where: string, field: string, point: PointLike): void {
  for (const axis of AXES) requireCoordinate(where, `${field}.${axis}`, point[axis]);
}

/** Writes min and max to the six lanes of `target`. */
export function readBox(where: string, field: string, box: BoxLike, target: Float64Array): void {
  requireObject(where, field, box, 'pass a Box3 or {min, max}');
  // Everything is read before anything is written: a getter of the caller's may ask the octree something else on the way.
  const { min, max } = box;
  if (!isObject(min)) requireObject(where, `${field}.min`, min, 'pass a Vector3 or {x, y, z}');
  if (!isObject(max)) requireObject(where, `${field}.max`, max, 'pass a Vector3 or {x, y, z}');
  const { x: minX, y: minY, z: minZ } = min;
  const { x: maxX, y: maxY, z: maxZ } = max;
  if (!isCoordinate(minX) || !isCoordinate(minY) || !isCoordinate(minZ)) blamePoint(where, `${field}.min`, min);
  if (!isCoordinate(maxX) || !isCoordinate(maxY) || !isCoordinate(maxZ)) blamePoint(where, `${field}.max`, max);
  target[0] = minX;
  target[1] = minY;
  target[2] = minZ;
  target[3] = maxX;
  target[4] = maxY;
  target[5] = maxZ;
  checkOrder(where, field, target, 0);
}

/** Writes centre and radius to the first four lanes of `target`. */
export function readSphere(where: string, field: string, sphere: SphereLike, target: Float64Array): void {
  requireObject(where, field, sphere, 'pass a Sphere or {center, radius}');
  const { center, radius } = sphere;
  if (!isFinite(radius) || radius < 0) blameRadius(where, field, radius);
  readPoint(where, field, '.center', center, target, 0);
  target[3] = radius;
}

function blameRadius(where: string, field: string, radius: number): never {
  requireNotNegative(where, `${field}.radius`, radius, 'a radius of 0 is a point');
  throw new RangeError(`${where}: ${field}.radius must be finite, but is ${radius}; use a large radius.`);
}

/** As `readSphere`, for a sphere that must lie within the range of coordinates as a whole. */
export function readBodySphere(where: string, field: string, sphere: SphereLike, target: Float64Array): void {
  readSphere(where, field, sphere, target);
  checkSphereExtent(where, field, target);
}

/** Reads a box or a sphere, whichever it is; returns whether it is a sphere. */
export function readShape(where: string, shape: BoxLike | SphereLike, target: Float64Array): boolean {
  requireObject(where, 'bounds', shape, 'pass a Box3 or a Sphere');
  const isSphere = 'center' in shape;
  if (!isSphere && !('min' in shape)) {
    throw new TypeError(`${where}: bounds must have min and max, or center and radius, but have neither; pass a Box3 or a Sphere.`);
  }
  if (isSphere) readBodySphere(where, 'sphere', shape, target);
  else readBox(where, 'box', shape, target);
  return isSphere;
}

/** Checks shapes in a flat array without copying them: boxes of six numbers or spheres of four. */
export function checkFlatBounds(where: string, bounds: Float32Array | Float64Array, stride: number): void {
  for (let at = 0; at < bounds.length; at += stride) checkFlatShape(where, bounds, at, stride);
}

/** Checks the box or sphere at lane `at`. Comparisons only: NaN fails each of them, and what lies between the limits in order is finite. */
export function checkFlatShape(where: string, bounds: Float32Array | Float64Array, at: number, stride: number): void {
  if (stride === 6) {
    const isFine = isSpan(bounds[at], bounds[at + 3]) && isSpan(bounds[at + 1], bounds[at + 4]) && isSpan(bounds[at + 2], bounds[at + 5]);
    if (!isFine) blameFlatBounds(where, bounds, at, stride);
  } else {
    const radius = bounds[at + 3];
    const isFine =
      radius >= 0 &&
      isCoordinate(Math.abs(bounds[at]) + radius) &&
      isCoordinate(Math.abs(bounds[at + 1]) + radius) &&
      isCoordinate(Math.abs(bounds[at + 2]) + radius);
    if (!isFine) blameFlatBounds(where, bounds, at, stride);
  }
}

function isSpan(min: number, max: number): boolean {
  return min >= -COORDINATE_LIMIT && max <= COORDINATE_LIMIT && min <= max;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function isCoordinate(value: unknown): boolean {
  return typeof value === 'number' && value <= COORDINATE_LIMIT && value >= -COORDINATE_LIMIT;
}

function isFinite(value: unknown): boolean {
  return typeof value === 'number' && value - value === 0;
}

/** Finds the sentence for the shape at lane `at`, which is known to be wrong. */
function blameFlatBounds(where: string, bounds: Float32Array | Float64Array, at: number, stride: number): void {
  const field = `bounds[${at / stride}]`;
  const lanes = Float64Array.from(bounds.subarray(at, at + stride));
  const coordinates = stride === 6 ? 6 : 3;
  for (let lane = 0; lane < coordinates; lane++) requireCoordinate(where, `${field}, number ${lane},`, lanes[lane]);
  if (stride === 6) checkOrder(where, field, lanes, 0);
  else {
    requireNotNegative(where, `${field}, radius,`, lanes[3], 'a radius of 0 is a point');
    checkSphereExtent(where, field, lanes);
  }
}

function checkOrder(where: string, field: string, box: Float64Array, at: number): void {
  for (let axis = 0; axis < 3; axis++) {
    if (box[at + axis] <= box[at + axis + 3]) continue;
    const name = AXES[axis];
    throw new RangeError(
      `${where}: ${field}.min.${name} must not be above max.${name}, but ${box[at + axis]} is above ${box[at + axis + 3]}; an empty box has no place, leave it out.`,
    );
  }
}

function checkSphereExtent(where: string, field: string, sphere: Float64Array): void {
  for (let axis = 0; axis < 3; axis++) {
    if (isCoordinate(Math.abs(sphere[axis]) + sphere[3])) continue;
    throw new RangeError(`${where}: ${field} must lie within +-${LIMIT_TEXT}, but its radius is ${sphere[3]}; scale the scene down.`);
  }
}

/** Writes origin and direction to the six lanes of `target`. */
export function readRay(where: string, ray: RayLike, target: Float64Array): void {
  requireObject(where, 'ray', ray, 'pass a Ray or {origin, direction}');
  const { origin, direction } = ray;
  requireObject(where, 'ray.direction', direction, 'pass a Vector3 or {x, y, z}');
  const { x, y, z } = direction;
  if (!isFinite(x) || !isFinite(y) || !isFinite(z) || (x === 0 && y === 0 && z === 0)) blameDirection(where, direction);
  readPoint(where, 'ray', '.origin', origin, target, 0);
  target[3] = x;
  target[4] = y;
  target[5] = z;
}

function blameDirection(where: string, direction: PointLike): never {
  for (const axis of AXES) requireFinite(where, `ray.direction.${axis}`, direction[axis], 'set the ray from a camera or two points');
  throw new RangeError(`${where}: ray.direction must not be of length 0, but is (0, 0, 0); set it before the query.`);
}

/** Packs the planes of a frustum. Planes at infinity, as three makes them of an infinite far, are left out. */
export function readFrustum(where: string, frustum: FrustumLike, target: FrustumPlanes): void {
  requireObject(where, 'frustum', frustum, 'pass a Frustum or {planes}');
  if (!Array.isArray(frustum.planes)) {
    throw new TypeError(`${where}: frustum.planes must be an array, but is ${describe(frustum.planes)}; ${FRUSTUM_REMEDY}.`);
  }
  target.clear();
  for (let k = 0; k < frustum.planes.length; k++) {
    const plane = frustum.planes[k];
    requireObject(where, 'each of frustum.planes', plane, 'pass planes with normal and constant');
    requireObject(where, 'the normal of each of frustum.planes', plane.normal, 'pass planes with normal and constant');
    const { x, y, z } = plane.normal;
    const { constant } = plane;
    if (constant === Infinity && hasNoDirection(x, y, z)) continue;
    if (!isFinite(x) || !isFinite(y) || !isFinite(z) || !isFinite(constant) || hasNoDirection(x, y, z)) blamePlane(where, k, plane);
    if (k === NEAR_PLANE) target.nearPlane = target.count;
    target.push(x, y, z, constant);
  }
}

function blamePlane(where: string, k: number, { normal, constant }: PlaneLike): never {
  const field = `frustum.planes[${k}]`;
  for (const axis of AXES) requireFinite(where, `${field}.normal.${axis}`, normal[axis], FRUSTUM_REMEDY);
  requireFinite(where, `${field}.constant`, constant, FRUSTUM_REMEDY);
  const { x, y, z } = normal;
  throw new RangeError(`${where}: ${field}.normal must have a length, not 0 nor beyond 1e150, but is (${x}, ${y}, ${z}); ${FRUSTUM_REMEDY}.`);
}

function hasNoDirection(x: unknown, y: unknown, z: unknown): boolean {
  if (typeof x !== 'number' || typeof y !== 'number' || typeof z !== 'number') return false;
  // Squares that vanish or overflow leave no length to go by either.
  return !(x * x + y * y + z * z > 0 && x * x + y * y + z * z < Infinity);
}
