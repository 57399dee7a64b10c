/**
 * The shapes that volumes are made of: three's own objects, or anything of the same form, and the functions that check
 * them and read them into flat values.
 */

import type { FrustumPlanes } from '../../math/frustum-planes.ts';
import {
  describe,
  isFiniteNumber,
  isObject,
  isSize,
  requireFinite,
  requireNotNegative,
  requireObject,
  throwRange,
} from '../../octree/input/input-checks.ts';
import { readPlanes, type FrustumLike, type PlaneLike } from '../../octree/input/query-shapes.ts';
import {
  AXES,
  POINT_REMEDY,
  readPoint,
  requireRadius,
  type BoxLike,
  type PointLike,
} from '../../octree/input/shapes.ts';

/** Numbers of an oriented box: centre, half sizes, three axes. No other shape has more. */
export const ORIENTED_BOX_STRIDE = 15;
/** Working memory of `readInto`; null while a shape is read. */
let spareValues: Float64Array | null = /* @__PURE__ */ new Float64Array(ORIENTED_BOX_STRIDE);

/**
 * Reads a shape into `target` by one of the readers below, which write number by number. If there is an error, `target`
 * stays as it was. A getter of the shape may read other shapes meanwhile, even into the same target.
 */
export function readInto<Shape>(
  target: Float64Array,
  where: string,
  shape: Shape,
  read: (where: string, shape: Shape, values: Float64Array) => void,
): void {
  const values = spareValues ?? new Float64Array(ORIENTED_BOX_STRIDE);
  spareValues = null;
  read(where, shape, values);
  for (let k = 0; k < target.length; k++) target[k] = values[k];
  spareValues = values;
}

/** Shaped like three's `Line3`. The points may be equal. */
export interface SegmentLike {
  /** One end, world units. */
  readonly start: PointLike;
  /** The other end. */
  readonly end: PointLike;
}

/** Reads start, end and the radius 0 into `target[0..6]`. */
export function readSegment(where: string, segment: SegmentLike, target: Float64Array): void {
  requireObject(where, 'segment', segment, 'pass a Line3 or {start, end}');
  readEnds(where, 'segment', segment, target);
  target[6] = 0;
}

function readEnds(where: string, field: string, { start, end }: SegmentLike, target: Float64Array): void {
  readPoint(where, field, '.start', start, target);
  readPoint(where, field, '.end', end, target, 3);
}

/**
 * Shaped like the addon `Capsule` of three: all points within the radius of the segment from start to end. The points
 * may be equal.
 */
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
  readEnds(where, 'capsule', capsule, target);
  const { radius } = capsule;
  requireRadius(where, 'capsule', radius, 'a radius of 0 is a segment');
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

/** Tells an oriented box from a `Box3`, before its values are checked. */
export function isOrientedBoxLike(box: BoxLike | OrientedBoxLike): box is OrientedBoxLike {
  return isObject(box) && 'halfSize' in box;
}

/**
 * Maximum error of the lengths and of the right angles of a rotation's columns. Three computes them with an error of
 * about 2^-50. Test: limits.test.
 */
const MAX_ROTATION_ERROR = 1e-6;
const ROTATION_REMEDY = 'set it with matrix3.setFromMatrix4 from a matrix without scale';

/** Reads centre, half sizes and axes into `target[0..14]`. */
export function readOrientedBox(where: string, box: OrientedBoxLike, target: Float64Array): void {
  requireObject(where, 'orientedBox', box, 'pass an OBB or {center, halfSize, rotation}');
  const { center, halfSize, rotation } = box;
  readPoint(where, 'orientedBox', '.center', center, target);
  requireObject(where, 'orientedBox.halfSize', halfSize, POINT_REMEDY);
  const { x, y, z } = halfSize;
  if (!isSize(x) || !isSize(y) || !isSize(z)) throwHalfSize(where, x, y, z);
  target[3] = x;
  target[4] = y;
  target[5] = z;
  requireObject(where, 'orientedBox.rotation', rotation, 'pass a Matrix3');
  const { elements } = rotation;
  requireObject(where, 'orientedBox.rotation.elements', elements, 'pass a Matrix3');
  const { length } = elements;
  if (length !== 9)
    throw new RangeError(
      `${where}: orientedBox.rotation.elements must have nine numbers, but has ${describe(length)}; pass a Matrix3.`,
    );
  for (let k = 0; k < 9; k++) {
    const element = elements[k];
    if (!isFiniteNumber(element)) requireFinite(where, `orientedBox.rotation.elements[${k}]`, element, ROTATION_REMEDY);
    target[k + 6] = element;
  }
  for (let a = 6; a < 15; a += 3) {
    for (let b = a; b < 15; b += 3) {
      const product = target[a] * target[b] + target[a + 1] * target[b + 1] + target[a + 2] * target[b + 2];
      if (!(Math.abs(product - Number(a === b)) <= MAX_ROTATION_ERROR)) throwRotation(where, target);
    }
  }
}

function throwHalfSize(where: string, ...sizes: readonly unknown[]): void {
  for (let axis = 0; axis < 3; axis++) {
    const field = `orientedBox.halfSize.${AXES[axis]}`;
    requireFinite(where, field, sizes[axis], 'use a large number');
    requireNotNegative(where, field, sizes[axis], 'a size of 0 is a rectangle');
  }
}

function throwRotation(where: string, values: Float64Array): never {
  throwRange(
    where,
    'orientedBox.rotation',
    'have perpendicular columns of length 1',
    `(${values.slice(6, ORIENTED_BOX_STRIDE).join(', ')})`,
    ROTATION_REMEDY,
  );
}

/** Reads the planes of a convex volume, given as an array or as a frustum. No plane is treated as a near plane. */
export function readConvex(where: string, planes: readonly PlaneLike[] | FrustumLike, target: FrustumPlanes): void {
  const list = isObject(planes) && 'planes' in planes ? planes.planes : (planes as readonly PlaneLike[]);
  readPlanes(where, 'planes', list, 'pass an array of Plane, or a Frustum', target);
  target.nearPlane = -1;
}
