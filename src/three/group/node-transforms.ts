/**
 * The local transforms of all nodes of a compound, as they were when their matrices were last computed. They show whether the matrices are
 * still right, without computing them. Other code may have computed some matrices in between; see transform-watch.ts for how
 * `matrixWorldNeedsUpdate` shows that.
 */

import type { Object3D } from 'three';
import { hasPlainMatrices } from '../bounds/object-traits.ts';
import { equalsLocalTransform, LOCAL_TRANSFORM_STRIDE, storeLocalTransform } from './transform-values.ts';

export class NodeTransforms {
  private readonly nodes: readonly Object3D[];
  /**
   * Local transforms by node; NaN where three computes a matrix from other numbers. A plain array: the engine stores its numbers near the
   * objects that they are compared with, and those of a typed array elsewhere.
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
      // The matrix was not computed from this local transform. It must be computed once three uses the local transform again.
      if (!usesLocalTransform(nodes[k])) {
        values[offset] = NaN;
        continue;
      }
      storeLocalTransform(nodes[k], values, offset);
      nodes[k].matrixWorldNeedsUpdate = true;
    }
  }

  /**
   * Whether an update would change no matrix. False if three computes any matrix from other numbers than the local transform.
   *
   * @param isFresh Whether the matrices have just been computed.
   */
  areUpToDate(isFresh: boolean): boolean {
    const { nodes, values } = this;
    for (let k = 0, offset = 0; k < nodes.length; k++, offset += LOCAL_TRANSFORM_STRIDE) {
      const node = nodes[k];
      if (!equalsLocalTransform(node, values, offset) || !usesLocalTransform(node) || !(isFresh || node.matrixWorldNeedsUpdate)) return false;
    }
    return true;
  }
}

/** Whether three computes the matrices of a node from its local transform, and from nothing else of the node. */
function usesLocalTransform(node: Object3D): boolean {
  return node.matrixAutoUpdate && hasPlainMatrices(node);
}
