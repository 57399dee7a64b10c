/** The door of OctreeInstances: ids and matrices are checked before anything changes. */

import { Matrix4, type Object3D } from 'three';
import { COORDINATE_LIMIT } from '../math/integer-cube.ts';
import { describe, requireObject } from '../scene/checks.ts';
import { nameOf } from './bounds-of.ts';
import { MATRIX_LANES, type InstanceStore } from './instance-store.ts';

export function requireId(where: string, container: Object3D, store: InstanceStore, id: number): void {
  if (store.has(id)) return;
  if (typeof id !== 'number') throw new TypeError(`${where}: id must be a number, but is ${describe(id)}; pass what addInstance has returned.`);
  throw new RangeError(`${where}: id must be that of an instance of ${nameOf(container)}, but is ${id}; it was deleted or never given out.`);
}

export function requireIds(where: string, container: Object3D, store: InstanceStore, ids: ArrayLike<number>): void {
  requireObject(where, 'ids', ids, 'pass an array of ids');
  for (let k = 0; k < ids.length; k++) requireId(where, container, store, ids[k]);
}

export function requireMatrix(where: string, container: Object3D, matrix: Matrix4): void {
  requireObject(where, 'matrix', matrix, 'pass a Matrix4');
  const length: unknown = matrix.elements?.length;
  if (length !== MATRIX_LANES) throw new TypeError(`${where}: matrix must have sixteen elements, but has ${describe(length)}; pass a Matrix4.`);
  requireNumbers(where, 'matrix', container, matrix.elements, 0);
}

/** Sixteen numbers for each of `count` instances, or for any number of them. */
export function requireMatrices(where: string, container: Object3D, matrices: ArrayLike<number>, count: number = matrices?.length / MATRIX_LANES): void {
  requireObject(where, 'matrices', matrices, 'pass an array with sixteen numbers an instance');
  if (!Number.isInteger(count) || matrices.length !== count * MATRIX_LANES) {
    throw new TypeError(
      `${where}: matrices must hold sixteen numbers an instance, but has ${matrices.length} numbers for ${Math.ceil(count)}; add what is missing.`,
    );
  }
  for (let k = 0; k < count; k++) requireNumbers(where, `matrices, instance ${k},`, container, matrices, k * MATRIX_LANES);
}

function requireNumbers(where: string, field: string, container: Object3D, elements: ArrayLike<number>, at: number): void {
  for (let lane = 0; lane < MATRIX_LANES; lane++) {
    const element = elements[at + lane];
    // NaN fails the comparison too.
    if (!(Math.abs(element) <= COORDINATE_LIMIT)) {
      const what = `${where}: ${field} for ${nameOf(container)} must be made of numbers within +-2^50`;
      throw new RangeError(`${what}, but holds ${describe(element)}; check position, rotation and scale.`);
    }
  }
}

/** The matrix of the container itself. */
export function requireWorld(where: string, container: Object3D): void {
  for (const element of container.matrixWorld.elements) {
    if (Math.abs(element) <= COORDINATE_LIMIT) continue;
    const what = `${where}: the matrixWorld of ${nameOf(container)} must be made of numbers within +-2^50`;
    throw new RangeError(`${what}, but holds ${element}; check its position, rotation and scale, and those of its parents.`);
  }
}
