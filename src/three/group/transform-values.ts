/**
 * Stores transforms of objects in flat arrays and compares them later: a difference means that the object has moved. No
 * matrix is computed.
 */

import type { Object3D } from 'three';
import { MATRIX_STRIDE } from '../bounds/bounds-math.ts';

type Values = Float64Array | number[];

/** Numbers per local transform: position 3, quaternion 4, scale 3. three computes `matrix` from these. */
export const LOCAL_TRANSFORM_STRIDE = 10;

/**
 * Stores the local transform of an object. Returns whether it differs from the one stored before. A NaN differs from
 * everything.
 */
export function storeLocalTransform(
  { position, quaternion, scale }: Object3D,
  values: Values,
  offset: number,
): boolean {
  const isChanged =
    values[offset] !== position.x ||
    values[offset + 1] !== position.y ||
    values[offset + 2] !== position.z ||
    values[offset + 3] !== quaternion.x ||
    values[offset + 4] !== quaternion.y ||
    values[offset + 5] !== quaternion.z ||
    values[offset + 6] !== quaternion.w ||
    values[offset + 7] !== scale.x ||
    values[offset + 8] !== scale.y ||
    values[offset + 9] !== scale.z;
  position.toArray(values, offset);
  quaternion.toArray(values, offset + 3);
  scale.toArray(values, offset + 7);
  return isChanged;
}

/**
 * Whether the elements of a matrix equal stored ones. A NaN equals nothing. Without a loop it takes half the time: this
 * runs for many objects in every update.
 */
export function equalsMatrix(elements: readonly number[], values: Values, offset: number): boolean {
  return (
    values[offset] === elements[0] &&
    values[offset + 1] === elements[1] &&
    values[offset + 2] === elements[2] &&
    values[offset + 3] === elements[3] &&
    values[offset + 4] === elements[4] &&
    values[offset + 5] === elements[5] &&
    values[offset + 6] === elements[6] &&
    values[offset + 7] === elements[7] &&
    values[offset + 8] === elements[8] &&
    values[offset + 9] === elements[9] &&
    values[offset + 10] === elements[10] &&
    values[offset + 11] === elements[11] &&
    values[offset + 12] === elements[12] &&
    values[offset + 13] === elements[13] &&
    values[offset + 14] === elements[14] &&
    values[offset + 15] === elements[15]
  );
}

/** Whether both matrices of an object equal stored ones: `matrix`, then `matrixWorld`. */
export function equalsMatrices({ matrix, matrixWorld }: Object3D, values: Values, offset: number): boolean {
  return (
    equalsMatrix(matrix.elements, values, offset) && equalsMatrix(matrixWorld.elements, values, offset + MATRIX_STRIDE)
  );
}

/**
 * Stores the elements of a matrix. Returns whether they differ from those stored before. A NaN differs from everything.
 */
export function storeMatrix(elements: readonly number[], values: Values, offset: number): boolean {
  let isChanged = false;
  for (let k = 0; k < MATRIX_STRIDE; k++) {
    if (values[offset + k] === elements[k]) continue;
    values[offset + k] = elements[k];
    isChanged = true;
  }
  return isChanged;
}
