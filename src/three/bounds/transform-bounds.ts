/** Bounds under a matrix: a box and a sphere that contain the transformed ones. Every matrix is allowed, also with mirroring, shear or a scale of 0. */

import type { Box3, Matrix4, Sphere } from 'three';

/** A sphere that contains the transformed one. */
export function transformSphere(from: Sphere, matrix: Matrix4, target: Sphere): void {
  target.center.copy(from.center).applyMatrix4(matrix);
  target.radius = from.radius * maxStretchOf(matrix.elements);
}

/**
 * An upper bound of the factor by which a matrix A stretches a vector, without its translation. The square of the largest factor is the largest
 * eigenvalue of A^T A, which is at most the largest row sum of magnitudes (Gershgorin). Without shear A^T A is diagonal, and the bound is exact.
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
 * The box around the eight transformed corners. Along each axis, each edge adds its smaller product to the minimum and its larger one to the
 * maximum.
 *
 * Source: Arvo, "Transforming Axis-Aligned Bounding Boxes", Graphics Gems, 1990.
 */
export function transformBox(from: Box3, matrix: Matrix4, target: Box3): void {
  const { elements } = matrix;
  for (let axis = 0; axis < 3; axis++) {
    let low = elements[12 + axis];
    let high = low;
    for (let edge = 0; edge < 3; edge++) {
      const a = elements[4 * edge + axis] * from.min.getComponent(edge);
      const b = elements[4 * edge + axis] * from.max.getComponent(edge);
      low += Math.min(a, b);
      high += Math.max(a, b);
    }
    target.min.setComponent(axis, low);
    target.max.setComponent(axis, high);
  }
}
