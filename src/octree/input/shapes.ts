/**
 * The shapes of bodies and regions: three's own math objects, or anything of the same form. Each type stands beside the
 * function that checks it and reads it into flat values. Shapes that only queries take are in query-shapes.ts.
 *
 * The readers read each field once, and a box, a sphere or a point entirely before they write its first number:
 * `insert`, `setBox` and `setSphere` share one target, and a getter of the argument may call them again in between.
 * Error sentences are built only after a check has failed, because readers run for every query.
 */

import { COORDINATE_LIMIT, edgeExponentOf, isPowerOfTwo } from '../../math/integer-cube.ts';
import type { FloatArray } from '../../math/typed-arrays.ts';
import {
  isBetween,
  isCoordinate,
  isObject,
  isSize,
  LIMIT_TEXT,
  requireCoordinate,
  requireFinite,
  isIntegerBetween,
  requireNotNegative,
  requireNumber,
  requireObject,
  throwRange,
  throwType,
} from './input-checks.ts';

export const AXES = ['x', 'y', 'z'] as const;
export const POINT_REMEDY = 'pass a Vector3 or {x, y, z}';
/** Limit of a region's corners: a root cell of edge 2^52 can contain the region and every coordinate. */
export const REGION_LIMIT = 2 ** 51;
/** Largest edge of a region, world units. */
const MAX_EDGE = 2 ** 52;

/** The kind of a body's bounds. */
export type BoundsKind = 'box' | 'sphere';

/** Shaped like three's `Vector3`: a point or a direction, in world units. */
export interface PointLike {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** A multiple of the step that a corner of a region may have. */
export function requireSteps(where: string, field: string, value: unknown, step: number, remedy: string): number {
  const isFine = typeof value === 'number' && isIntegerBetween(value / step, -REGION_LIMIT, REGION_LIMIT);
  const expected = step === 1 ? 'be an integer' : `be a multiple of ${powerText(0, step)}`;
  return requireNumber(where, field, `${expected} within +-${powerText(51, step)}`, value, isFine, remedy);
}

/** 2^`exponent` times a power of two, as text. */
export function powerText(exponent: number, power: number): string {
  return `2^${exponent + edgeExponentOf(power) - edgeExponentOf(1)}`;
}

/** Reads a point into `target` at `offset`. `part` is its place within the field, as in '.center'. */
export function readPoint(
  where: string,
  field: string,
  part: string,
  point: PointLike,
  target: Float64Array,
  offset = 0,
): void {
  if (!isObject(point)) requireObject(where, field + part, point, POINT_REMEDY);
  const { x, y, z } = point;
  if (!isCoordinate(x) || !isCoordinate(y) || !isCoordinate(z)) {
    if (x === undefined && y === undefined && z === undefined) throwShape(where, field + part, 'point', point);
    requireCoordinates(where, field + part, x, y, z);
  }
  target[offset] = x;
  target[offset + 1] = y;
  target[offset + 2] = z;
}

/** What a value that is no point, box or sphere lacks, and what to pass: in general, for a body, for a mesh. */
const SHAPES = {
  point: ['x, y and z', POINT_REMEDY, 'pass body.getSphere().center', 'pass a world Vector3'],
  box: ['min and max', 'pass a Box3 or {min, max}', 'pass body.getBox()', 'pass new Box3().setFromObject(object)'],
  sphere: ['center and radius', 'pass a Sphere or {center, radius}', 'pass body.getSphere()', 'pass a Sphere'],
} as const;

/** Throws for an object that has no field of a shape. */
function throwShape(where: string, field: string, shape: keyof typeof SHAPES, value: object): never {
  const [fields, remedy, ofBody, ofObject] = SHAPES[shape];
  throwType(
    where,
    field,
    `have ${fields}`,
    value,
    'getBox' in value ? ofBody : 'isObject3D' in value ? ofObject : remedy,
  );
}

/** Throws for the first of three numbers that is not a coordinate. */
function requireCoordinates(where: string, field: string, ...numbers: readonly unknown[]): void {
  for (const [axis, value] of numbers.entries()) {
    const name = `${field}.${AXES[axis]}`;
    requireNumber(where, name, '', value, true, POINT_REMEDY);
    requireCoordinate(where, name, value);
  }
}

/** Throws for the first of three numbers that is not finite. */
export function requireFiniteVector(
  where: string,
  field: string,
  remedy: string,
  ...numbers: readonly unknown[]
): void {
  for (const [axis, value] of numbers.entries()) requireFinite(where, `${field}.${AXES[axis]}`, value, remedy);
}

/** Shaped like three's `Box3`. */
export interface BoxLike {
  readonly min: PointLike;
  readonly max: PointLike;
}

/** Reads min and max into `target[0..5]`. Throws for an empty box. */
export function readBox(where: string, field: string, box: BoxLike, target: Float64Array): void {
  if (readBoxOrEmpty(where, field, box, target)) return;
  const axis = [0, 1, 2].find((one) => target[one] > target[one + 3])!;
  const name = AXES[axis];
  throw new RangeError(
    `${where}: the ${field} is empty, because min.${name}, ${target[axis]}, is above max.${name}, ${target[axis + 3]}; leave empty boxes out.`,
  );
}

/**
 * As `readBox`, but returns false for an empty box: as in three, one whose min is above its max on any axis. Its
 * numbers may be infinite.
 */
export function readBoxOrEmpty(where: string, field: string, box: BoxLike, target: Float64Array): boolean {
  requireObject(where, field, box, 'pass a Box3 or {min, max}');
  const { min, max } = box;
  if (!isObject(min) && !isObject(max)) throwShape(where, field, 'box', box);
  if (!isObject(min)) requireObject(where, `${field}.min`, min, POINT_REMEDY);
  if (!isObject(max)) requireObject(where, `${field}.max`, max, POINT_REMEDY);
  const { x: minX, y: minY, z: minZ } = min;
  const { x: maxX, y: maxY, z: maxZ } = max;
  const areCoordinates =
    isCoordinate(minX) &&
    isCoordinate(minY) &&
    isCoordinate(minZ) &&
    isCoordinate(maxX) &&
    isCoordinate(maxY) &&
    isCoordinate(maxZ);
  if (!areCoordinates) {
    const areNumbers = [minX, minY, minZ, maxX, maxY, maxZ].every((value) => isBetween(value, -Infinity, Infinity));
    if (!areNumbers || (minX <= maxX && minY <= maxY && minZ <= maxZ)) {
      requireCoordinates(where, `${field}.min`, minX, minY, minZ);
      requireCoordinates(where, `${field}.max`, maxX, maxY, maxZ);
    }
  }
  target[0] = minX;
  target[1] = minY;
  target[2] = minZ;
  target[3] = maxX;
  target[4] = maxY;
  target[5] = maxZ;
  return minX <= maxX && minY <= maxY && minZ <= maxZ;
}

/** Shaped like three's `Sphere`. */
export interface SphereLike {
  readonly center: PointLike;
  /** World units, 0 or more. */
  readonly radius: number;
}

/** Reads centre and radius into `target[0..3]`. */
export function readSphere(where: string, field: string, sphere: SphereLike, target: Float64Array): void {
  requireObject(where, field, sphere, 'pass a Sphere or {center, radius}');
  const { center, radius } = sphere;
  if (center === undefined && radius === undefined) throwShape(where, field, 'sphere', sphere);
  requireRadius(where, field, radius, 'a radius of 0 is a point');
  readPoint(where, field, '.center', center, target);
  target[3] = radius;
}

/** A finite number from 0. */
export function requireRadius(where: string, field: string, radius: number, remedy: string): void {
  if (isSize(radius)) return;
  requireNotNegative(where, `${field}.radius`, radius, remedy);
  throwRange(where, `${field}.radius`, 'be finite', radius, 'use a large radius');
}

/** As `readSphere`, for a body: the whole sphere must lie within the limit of coordinates. */
export function readBodySphere(where: string, field: string, sphere: SphereLike, target: Float64Array): void {
  readSphere(where, field, sphere, target);
  const radius = target[3];
  for (let axis = 0; axis < 3; axis++) {
    if (isCoordinate(Math.abs(target[axis]) + radius)) continue;
    throw new RangeError(
      `${where}: ${field} must lie within +-${LIMIT_TEXT}, but its centre is (${target[0]}, ${target[1]}, ${target[2]}) and its radius ${radius}; scale the scene down.`,
    );
  }
}

/**
 * Checks that a body fits around a centre. The three numbers of the centre are checked already.
 *
 * @param fits Whether the bounds of the body around the centre lie within the limit of coordinates.
 */
export function requireFit(where: string, field: string, center: FloatArray, fits: boolean): void {
  if (fits) return;
  throwRange(
    where,
    field,
    `keep the bounds of the body within +-${LIMIT_TEXT}`,
    `(${Array.from(center).join(', ')})`,
    'scale the scene down',
  );
}

/**
 * Reads the bounds of a body: a sphere if the shape has a center, a box if it has a min. Returns whether it is a
 * sphere.
 */
export function readBounds(where: string, bounds: BoxLike | SphereLike, target: Float64Array): boolean {
  requireObject(where, 'bounds', bounds, 'pass a Box3 or a Sphere');
  if ('center' in bounds) {
    readBodySphere(where, 'sphere', bounds, target);
    return true;
  }
  const { min, max } = bounds;
  // A Vector3 has methods of these names.
  if (typeof min !== 'object')
    throw new TypeError(
      `${where}: bounds must have min and max, or center and radius, but have neither; pass a Box3 or a Sphere, of radius 0 for a point; for a mesh new Box3().setFromObject(mesh).`,
    );
  readBox(where, 'box', { min, max }, target);
  return false;
}

/** Checks the bounds of many bodies in a flat array: boxes of 6 numbers or spheres of 4. */
export function requireFlatBounds(where: string, bounds: FloatArray, stride: number): void {
  for (let at = 0; at < bounds.length; at += stride) requireFlatShape(where, bounds, at, stride);
}

/**
 * Checks the box or sphere at offset `at`. Comparisons suffice: NaN fails each of them, and numbers in order between
 * two finite limits are finite.
 */
export function requireFlatShape(where: string, bounds: FloatArray, at: number, stride: number): void {
  if (stride === 6) {
    const isFine =
      isSpan(bounds[at], bounds[at + 3]) &&
      isSpan(bounds[at + 1], bounds[at + 4]) &&
      isSpan(bounds[at + 2], bounds[at + 5]);
    if (!isFine) throwFlatShape(where, bounds, at, stride);
  } else {
    const radius = bounds[at + 3];
    const isFine =
      radius >= 0 &&
      isCoordinate(Math.abs(bounds[at]) + radius) &&
      isCoordinate(Math.abs(bounds[at + 1]) + radius) &&
      isCoordinate(Math.abs(bounds[at + 2]) + radius);
    if (!isFine) throwFlatShape(where, bounds, at, stride);
  }
}

function isSpan(min: number, max: number): boolean {
  return min >= -COORDINATE_LIMIT && max <= COORDINATE_LIMIT && min <= max;
}

/** Throws the error for the shape at offset `at`, which has failed its check: that of the same shape as an object. */
function throwFlatShape(where: string, bounds: FloatArray, at: number, stride: number): void {
  const [x, y, z, w, maxY, maxZ] = bounds.subarray(at, at + stride);
  const position = `${at / stride} (bounds[${at}] to bounds[${at + stride - 1}])`;
  const min = { x, y, z };
  if (stride === 6) readBox(where, `box ${position}`, { min, max: { x: w, y: maxY, z: maxZ } }, throwFlatShape_target);
  else readBodySphere(where, `sphere ${position}`, { center: min, radius: w }, throwFlatShape_target);
}
const throwFlatShape_target = /* @__PURE__ */ new Float64Array(6);

/**
 * A cube with a power-of-two edge, whose corners are integers, or multiples of the smallest cell if that is below 1.
 */
export interface Region {
  /** The corner with the smallest coordinates. */
  readonly min: PointLike;
  /** Length of an edge, world units. */
  readonly edge: number;
}

/** Checks a region and returns a copy of it. */
export function readRegion(where: string, region: Region, minCellSize: number): Region {
  requireObject(where, 'region', region, 'pass {min, edge}');
  const { min, edge } = region;
  requireObject(where, 'region.min', min, 'pass {x, y, z}');
  const step = Math.min(1, minCellSize);
  const remedy = 'round it down, or set a smaller minCellSize';
  const [x, y, z] = AXES.map((axis) => requireSteps(where, `region.min.${axis}`, min[axis], step, remedy));
  requireNumber(
    where,
    'region.edge',
    `be a power of two from minCellSize = ${minCellSize} to ${powerText(52, step)}`,
    edge,
    isBetween(edge, minCellSize, MAX_EDGE * step) && isPowerOfTwo(edge),
    edge === undefined ? 'pass {min, edge}, a cube' : 'round it up',
  );
  if (Math.max(x, y, z) + edge > REGION_LIMIT * step) {
    throw new RangeError(
      `${where}: region must lie within +-${powerText(51, step)}, but its max corner lies beyond with an edge of ${edge}; use a smaller edge.`,
    );
  }
  return { min: { x, y, z }, edge };
}
