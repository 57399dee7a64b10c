/** Bounds under a matrix: a box and a sphere that contain the transformed ones. Every matrix is allowed, also with mirroring, shear or a scale of 0. */

import type { Box3, Matrix4, Sphere } from 'three';

/**
 * A sphere that contains the transformed one. Its radius grows by the largest factor by which the matrix A stretches a vector. The square of
 * this factor is the largest eigenvalue of A^T A, which is at most the largest row sum of magnitudes (Gershgorin). Without shear A^T A is
 * diagonal, and the bound is exact.
 */
export function transformSphere(from: Sphere, matrix: Matrix4, target: Sphere): void {
  const { elements } = matrix;
  const ax = elements[0];
  const ay = elements[1];
  const az = elements[2];
  const bx = elements[4];
  const by = elements[5];
  const bz = elements[6];
  const cx = elements[8];
  const cy = elements[9];
  const cz = elements[10];
  const ab = Math.abs(ax * bx + ay * by + az * bz);
  const bc = Math.abs(bx * cx + by * cy + bz * cz);
  const ca = Math.abs(cx * ax + cy * ay + cz * az);
  const aa = ax * ax + ay * ay + az * az;
  const bb = bx * bx + by * by + bz * bz;
  const cc = cx * cx + cy * cy + cz * cz;
  target.center.copy(from.center).applyMatrix4(matrix);
  target.radius = from.radius * Math.sqrt(Math.max(aa + ab + ca, bb + ab + bc, cc + bc + ca));
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
