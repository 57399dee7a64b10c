/**
 * Stores transforms of objects in flat arrays and compares them later: a difference means that the object has moved. No
 * matrix is computed.
 */

import type { Object3D } from 'three';
import { MATRIX_STRIDE } from '../bounds/bounds-math.ts';
import { usesLocalTransform } from '../bounds/object-traits.ts';

/** Numbers per local transform: position 3, quaternion 4, scale 3. three computes `matrix` from these. */
export const LOCAL_TRANSFORM_STRIDE = 10;

export function storeLocalTransform(
  { position, quaternion, scale }: Object3D,
  values: Float64Array | number[],
  offset: number,
): void {
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
export function equalsLocalTransform(
  { position, quaternion, scale }: Object3D,
  values: Float64Array | number[],
  offset: number,
): boolean {
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

/**
 * Stores the elements of a matrix. Returns whether they differ from those stored before. A NaN differs from everything.
 */
export function storeMatrix(elements: readonly number[], values: Float64Array, offset: number): boolean {
  let isChanged = false;
  for (let k = 0; k < MATRIX_STRIDE; k++) {
    if (values[offset + k] === elements[k]) continue;
    values[offset + k] = elements[k];
    isChanged = true;
  }
  return isChanged;
}

/**
 * Stores the local transforms of all nodes of a compound when their matrices are computed. A comparison with the
 * current transforms shows whether the matrices are up to date, without computing one. Other code may have computed
 * matrices in between; child-updater.ts explains how `matrixWorldNeedsUpdate` shows that.
 */
export class NodeTransforms {
  private readonly nodes: readonly Object3D[];
  /**
   * Local transforms by node; NaN where three computes a matrix from other numbers. A plain array, because the engine
   * stores its numbers in the same heap as the objects, and the numbers of a typed array elsewhere.
   */
  private readonly values: number[];

  constructor(nodes: readonly Object3D[]) {
    this.nodes = nodes;
    this.values = Array.from({ length: nodes.length * LOCAL_TRANSFORM_STRIDE }, () => NaN);
  }

  /** Stores the local transforms of all nodes. Their matrices are up to date. */
  store(): void {
    const { nodes, values } = this;
    for (let k = 0, offset = 0; k < nodes.length; k++, offset += LOCAL_TRANSFORM_STRIDE) {
      // three did not compute the matrix from this local transform. NaN equals nothing, so `areUpToDate` is false once
      // three uses the transform again.
      if (!usesLocalTransform(nodes[k])) {
        values[offset] = NaN;
        continue;
      }
      storeLocalTransform(nodes[k], values, offset);
      nodes[k].matrixWorldNeedsUpdate = true;
    }
  }

  /**
   * Whether an update would change no matrix. False if three computes any matrix from other numbers than the local
   * transform.
   */
  areUpToDate(): boolean {
    const { nodes, values } = this;
    for (let k = 0, offset = 0; k < nodes.length; k++, offset += LOCAL_TRANSFORM_STRIDE) {
      const node = nodes[k];
      if (!equalsLocalTransform(node, values, offset) || !usesLocalTransform(node) || !node.matrixWorldNeedsUpdate)
        return false;
    }
    return true;
  }
}
