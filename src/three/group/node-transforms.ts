/**
 * Stores the local transforms of all nodes of a compound when their matrices are computed. A comparison with the current transforms shows
 * whether the matrices are up to date, without computing one. Other code may have computed matrices in between; child-updater.ts explains
 * how `matrixWorldNeedsUpdate` shows that.
 */

import type { Object3D } from 'three';
import { usesLocalTransform } from '../bounds/object-traits.ts';
import { equalsLocalTransform, LOCAL_TRANSFORM_STRIDE, storeLocalTransform } from './transform-values.ts';

export class NodeTransforms {
  private readonly nodes: readonly Object3D[];
  /**
   * Local transforms by node; NaN where three computes a matrix from other numbers. A plain array, because the engine stores its numbers in
   * the same heap as the objects, and the numbers of a typed array elsewhere.
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
      // three did not compute the matrix from this local transform. NaN equals nothing, so `areUpToDate` is false once three uses the transform again.
      if (!usesLocalTransform(nodes[k])) {
        values[offset] = NaN;
        continue;
      }
      storeLocalTransform(nodes[k], values, offset);
      nodes[k].matrixWorldNeedsUpdate = true;
    }
  }

  /** Whether an update would change no matrix. False if three computes any matrix from other numbers than the local transform. */
  areUpToDate(): boolean {
    const { nodes, values } = this;
    for (let k = 0, offset = 0; k < nodes.length; k++, offset += LOCAL_TRANSFORM_STRIDE) {
      const node = nodes[k];
      if (!equalsLocalTransform(node, values, offset) || !usesLocalTransform(node) || !node.matrixWorldNeedsUpdate) return false;
    }
    return true;
  }
}
