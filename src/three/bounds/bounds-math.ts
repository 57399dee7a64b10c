/**
 * Boxes and spheres of objects as numbers: under a matrix, enlarged by the error of drawing, and whether a body may
 * have them.
 */

import type { Box3, Matrix4, Object3D, Sphere } from 'three';
import { COORDINATE_LIMIT } from '../../math/integer-cube.ts';
import { VERTEX_ERROR32 } from '../../math/tolerances.ts';
import { nameOf } from './object-kinds.ts';

/** Numbers per matrix in a flat array, column by column, as in three. */
export const MATRIX_STRIDE = 16;

/** A sphere that contains the transformed one. Every matrix is allowed, also with mirroring, shear or a scale of 0. */
export function transformSphere(from: Sphere, matrix: Matrix4, target: Sphere): void {
  target.center.copy(from.center).applyMatrix4(matrix);
  target.radius = from.radius * maxStretchOf(matrix.elements);
}

/**
 * An upper bound of the factor by which a matrix A stretches a vector, without its translation. The square of the
 * largest factor is the largest eigenvalue of A^T A, which is at most the largest row sum of magnitudes (Gershgorin).
 * Without shear A^T A is diagonal, and the bound is exact.
 *
 * @param m The 16 elements, column-major.
 */
export function maxStretchOf(m: ArrayLike<number>): number {
  const ab = Math.abs(m[0] * m[4] + m[1] * m[5] + m[2] * m[6]);
  const bc = Math.abs(m[4] * m[8] + m[5] * m[9] + m[6] * m[10]);
  const ca = Math.abs(m[8] * m[0] + m[9] * m[1] + m[10] * m[2]);
  const aa = m[0] * m[0] + m[1] * m[1] + m[2] * m[2];
  const bb = m[4] * m[4] + m[5] * m[5] + m[6] * m[6];
  const cc = m[8] * m[8] + m[9] * m[9] + m[10] * m[10];
  return Math.sqrt(Math.max(aa + ab + ca, bb + ab + bc, cc + bc + ca));
}

/**
 * The box around the eight transformed corners. Along each axis, each edge adds its smaller product to the minimum and
 * its larger one to the maximum.
 *
 * Source: Arvo, "Transforming Axis-Aligned Bounding Boxes", Graphics Gems, 1990.
 */
export function transformBox({ min, max }: Box3, { elements: m }: Matrix4, target: Box3): void {
  // Without loops and calls of methods: V8 keeps the numbers in registers.
  const { x, y, z } = min;
  const { x: X, y: Y, z: Z } = max;
  target.min.x = m[12] + Math.min(m[0] * x, m[0] * X) + Math.min(m[4] * y, m[4] * Y) + Math.min(m[8] * z, m[8] * Z);
  target.max.x = m[12] + Math.max(m[0] * x, m[0] * X) + Math.max(m[4] * y, m[4] * Y) + Math.max(m[8] * z, m[8] * Z);
  target.min.y = m[13] + Math.min(m[1] * x, m[1] * X) + Math.min(m[5] * y, m[5] * Y) + Math.min(m[9] * z, m[9] * Z);
  target.max.y = m[13] + Math.max(m[1] * x, m[1] * X) + Math.max(m[5] * y, m[5] * Y) + Math.max(m[9] * z, m[9] * Z);
  target.min.z = m[14] + Math.min(m[2] * x, m[2] * X) + Math.min(m[6] * y, m[6] * Y) + Math.min(m[10] * z, m[10] * Z);
  target.max.z = m[14] + Math.max(m[2] * x, m[2] * X) + Math.max(m[6] * y, m[6] * Y) + Math.max(m[10] * z, m[10] * Z);
}

/** Enlarges bounds by the error of the GPU, so that they contain every pixel that is drawn. */
export function growByFloat32Error({ box, sphere }: { readonly box: Box3; readonly sphere: Sphere }): void {
  const { center } = sphere;
  const error = VERTEX_ERROR32 * (Math.max(Math.abs(center.x), Math.abs(center.y), Math.abs(center.z)) + sphere.radius);
  box.expandByScalar(error);
  sphere.radius += error;
}

/** Whether a body may have these bounds: they hold no NaN, and lie within +-2^50. */
export function isInRange(bounds: Box3 | Sphere): boolean {
  // NaN fails the comparison.
  return maxCoordinateOf(bounds) <= COORDINATE_LIMIT;
}

/** Writes bounds from an offset on: min and max of a box, or centre and radius. Returns whether they are a sphere. */
export function writeBounds(bounds: Box3 | Sphere, target: Float64Array, offset: number): boolean {
  if ('radius' in bounds) {
    const { center, radius } = bounds;
    target[offset] = center.x;
    target[offset + 1] = center.y;
    target[offset + 2] = center.z;
    target[offset + 3] = radius;
    return true;
  }
  const { min, max } = bounds;
  target[offset] = min.x;
  target[offset + 1] = min.y;
  target[offset + 2] = min.z;
  target[offset + 3] = max.x;
  target[offset + 4] = max.y;
  target[offset + 5] = max.z;
  return false;
}

/** Why the bounds of an object are not in range, and what to do, without a full stop. */
export function describeFault(object: Object3D, bounds: Box3 | Sphere): string {
  const isMatrixFine = object.matrixWorld.elements.every((element) => Math.abs(element) <= COORDINATE_LIMIT);
  const culprit = isMatrixFine ? 'geometry' : 'matrixWorld';
  const remedy = isMatrixFine
    ? 'check its vertices and its boundingSphere'
    : 'check its position, rotation and scale, and those of its parents';
  return `the ${culprit} of ${nameOf(object)} must lead to bounds within +-2^50, but they reach ${maxCoordinateOf(bounds)}; ${remedy}`;
}

/** The largest magnitude of a coordinate in the bounds; NaN if they hold one. */
function maxCoordinateOf(bounds: Box3 | Sphere): number {
  if ('radius' in bounds) {
    const { center, radius } = bounds;
    return Math.max(Math.abs(center.x), Math.abs(center.y), Math.abs(center.z)) + radius;
  }
  const { min, max } = bounds;
  return Math.max(Math.abs(min.x), Math.abs(min.y), Math.abs(min.z), Math.abs(max.x), Math.abs(max.y), Math.abs(max.z));
}

/**
 * Whether a matrix only translates, rotates, mirrors and scales uniformly: its axes have equal lengths and right
 * angles. False if it holds a NaN.
 *
 * @param tolerance Relative to the squared length of the first axis.
 */
export function isSimilarity(m: ArrayLike<number>, tolerance: number): boolean {
  const length = dot(m, 0, 0);
  const limit = tolerance * length;
  return (
    Math.abs(dot(m, 4, 4) - length) <= limit &&
    Math.abs(dot(m, 8, 8) - length) <= limit &&
    Math.abs(dot(m, 0, 4)) <= limit &&
    Math.abs(dot(m, 4, 8)) <= limit &&
    Math.abs(dot(m, 8, 0)) <= limit
  );
}

/** The dot product of two columns, by the offsets of their first numbers. */
export function dot(m: ArrayLike<number>, a: number, b: number): number {
  return m[a] * m[b] + m[a + 1] * m[b + 1] + m[a + 2] * m[b + 2];
}
