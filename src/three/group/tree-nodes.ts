/**
 * Objects of a tree in traversal order, whose matrices an update brings up to date: the nodes of a compound, or the
 * nodes and parts of an opened tree. An update computes the matrices of those that have moved, and of what is below
 * them.
 *
 * If only `matrixWorldNeedsUpdate` is clear, other code has computed the matrices of the object. They are computed
 * again, but what is below has not moved: other code has cleared the flag of each object that it placed.
 */

import { Object3D, type Mesh } from 'three';
import { hasPlainMatrices } from '../bounds/object-traits.ts';
import { ComparedNodes, updateNode } from './compared-nodes.ts';

/** How three would update the matrices. */
export interface MatrixUpdate {
  /**
   * Whether it would recompute all matrices. If not, a matrix that was written by hand counts only if
   * `matrixWorldNeedsUpdate` is set.
   */
  readonly isForced: boolean;
  /** Whether it calls `updateWorldMatrix` of the children, and not `updateMatrixWorld`. */
  readonly usesWorldMatrix: boolean;
  /** Whether the group itself has moved since the last update. */
  readonly hasGroupMoved: boolean;
}

/** What an update does with nodes, by their index. */
export interface NodeVisitor {
  /** Updates a node by other means, with all its descendants. Returns whether it has done so. */
  updateWhole(index: number, isForced: boolean, hasParentMoved: boolean): boolean;
  /** Computes the matrices of a node and its descendants as three does. */
  compute(node: Object3D, isForced: boolean): void;
  /** The node has moved in the space of the group. Its matrices are up to date. */
  onMoved(index: number): void;
  /** The update looks at the node. */
  onVisit?(index: number): void;
}

export class TreeNodes extends ComparedNodes {
  declare readonly nodes: Object3D[];
  /** Index after the last descendant. */
  ends: number[] = [];

  /** Whether all nodes have the same parents, children, geometries and materials as before. */
  get hasSameNodes(): boolean {
    const { parents, childCounts, geometries, materials } = this;
    // All old nodes still have their parents, so an equal number of children means the same children.
    return (this.nodes as Mesh[]).every(
      ({ parent, children, geometry, material }, k) =>
        parent === parents[k] &&
        children.length === childCounts[k] &&
        geometry === geometries[k] &&
        material === materials[k],
    );
  }

  /**
   * Brings all matrices up to date. May run user code, also such that changes the tree: as in three, objects that were
   * removed are left out, and added ones are computed, if their turn is still to come.
   *
   * @param first The first node to look at.
   * @param end After the last one.
   * @param isAll Whether to compute all matrices.
   * @param hasParentMoved Whether the parent of the root has moved in the space of the group.
   */
  computeChanged(
    { isForced, hasGroupMoved }: MatrixUpdate,
    first: number,
    end: number,
    isAll: boolean,
    hasParentMoved: boolean,
    visitor: NodeVisitor,
  ): void {
    const { nodes, childCounts, ends } = this;
    /** Index after the last node below a node that has moved. */
    let movedEnd = hasParentMoved ? end : 0;
    for (let k = first; ; k++) {
      if (!isAll && k >= movedEnd) k = this.firstChanged(k, nodes.length, isForced);
      if (k >= end) return;
      visitor.onVisit?.(k);
      const node = nodes[k];
      const isBelowMoved = k < movedEnd;
      const isNodeForced = isForced || isBelowMoved || this.isForcedByParents(k);
      /** Otherwise three computes neither its world matrix, which other code may have written, nor those below it. */
      const isComputed = isNodeForced || node.matrixAutoUpdate || node.matrixWorldNeedsUpdate;
      if (visitor.updateWhole(k, isNodeForced, isBelowMoved)) continue;
      const isPlain = hasPlainMatrices(node);
      // One with a pivot, or whose world matrix other code writes: what is below it is computed in its turn.
      const isAlone = isComputed && node.updateMatrixWorld === Object3D.prototype.updateMatrixWorld;
      if (!(isPlain || isAlone) || node.children.length !== childCounts[k]) {
        visitor.compute(node, isNodeForced);
        // Nodes have also moved with one above.
        let lastMoved = isBelowMoved ? ends[k] : 0;
        for (const last = ends[k]; k < last; k++) {
          if (this.storeWorld(k)) lastMoved = Math.max(lastMoved, ends[k]);
          if (k < lastMoved) visitor.onMoved(k);
          visitor.onVisit?.(k);
        }
        k--;
      } else if (!isPlain) {
        const isFlagged = node.matrixWorldNeedsUpdate;
        updateNode(node, isNodeForced);
        if (!this.storeWorld(k) && !isFlagged && !isBelowMoved) continue;
        movedEnd = Math.max(movedEnd, ends[k]);
        visitor.onMoved(k);
      } else if (this.computeNode(k, isNodeForced, hasGroupMoved) || isBelowMoved) {
        if (isComputed) movedEnd = Math.max(movedEnd, ends[k]);
        visitor.onMoved(k);
      }
    }
  }

  /** Whether three would compute the world matrix of a node because it has computed that of a parent. */
  protected override isForcedByParents(index: number): boolean {
    const { nodes } = this;
    for (let node = nodes[index]; node !== nodes[0] && node.parent !== null;) {
      node = node.parent;
      if (node.matrixAutoUpdate) return true;
    }
    return false;
  }
}
