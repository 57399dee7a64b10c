/** Stores transforms of objects in flat arrays and compares them later: a difference means that the object has moved. No matrix is computed. */

import type { Object3D } from 'three';
import { MATRIX_STRIDE } from '../bounds/bounds-math.ts';

/** Numbers per local transform: position 3, quaternion 4, scale 3. three computes `matrix` from these. */
export const LOCAL_TRANSFORM_STRIDE = 10;

export function storeLocalTransform({ position, quaternion, scale }: Object3D, values: Float64Array | number[], offset: number): void {
  values[offset] = position.x;
  values[offset + 1] = position.y;
  values[offset + 2] = position.z;
  values[offset + 3] = quaternion.x;
  values[offset + 4] = quaternion.y;
  values[offset + 5] = quaternion.z;
  values[offset + 6] = quaternion.w;
  values[offset + 7] = scale.x;
  values[offset + 8] = scale.y;
  values[offset + 9] = scale.z;
}

/** Whether the local transform of an object equals a stored one. A NaN equals nothing. */
export function equalsLocalTransform({ position, quaternion, scale }: Object3D, values: Float64Array | number[], offset: number): boolean {
  return (
    values[offset] === position.x &&
    values[offset + 1] === position.y &&
    values[offset + 2] === position.z &&
    values[offset + 3] === quaternion.x &&
    values[offset + 4] === quaternion.y &&
    values[offset + 5] === quaternion.z &&
    values[offset + 6] === quaternion.w &&
    values[offset + 7] === scale.x &&
    values[offset + 8] === scale.y &&
    values[offset + 9] === scale.z
  );
}

/** Whether the elements of a matrix equal stored ones. A NaN equals nothing. */
export function equalsMatrix(elements: readonly number[], values: Float64Array, offset: number): boolean {
  for (let k = 0; k < MATRIX_STRIDE; k++) if (values[offset + k] !== elements[k]) return false;
  return true;
}

/** Stores the elements of a matrix. Returns whether they differ from those stored before. A NaN differs from everything. */
export function storeMatrix(elements: readonly number[], values: Float64Array, offset: number): boolean {
  let isChanged = false;
  for (let k = 0; k < MATRIX_STRIDE; k++) {
    if (values[offset + k] === elements[k]) continue;
    values[offset + k] = elements[k];
    isChanged = true;
  }
  return isChanged;
}
