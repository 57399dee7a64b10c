/**
 * Objects of a tree in traversal order, whose matrices an update brings up to date: the nodes of a compound, or the
 * nodes and parts of an opened tree. The update compares each object with its last state, and computes the matrices of
 * those that have moved, and of what is below them. The matrices of all others stay as they are.
 *
 * Where three computes the matrices from the local transform, that and `matrixWorldNeedsUpdate` are compared;
 * child-updater.ts explains the flag. If only the flag is clear, other code has computed the matrices of the object.
 * They are computed again, but what is below has not moved: other code has cleared the flag of each object that it
 * placed. Where the matrices come from other numbers, the matrices themselves are compared.
 */

import { Object3D, type Mesh } from 'three';
import { MATRIX_STRIDE } from '../bounds/bounds-math.ts';
import { hasPlainMatrices, isPlainLeaf } from '../bounds/object-traits.ts';
import {
  equalsLocalTransform,
  equalsMatrices,
  LOCAL_TRANSFORM_STRIDE,
  storeLocalTransform,
  storeMatrix,
} from './transform-values.ts';

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
}

/** Nodes that are compared in one call. */
const BLOCK_SIZE = 256;

export class WatchedNodes {
  readonly nodes: Object3D[] = [];
  private readonly parents: (Object3D | null)[] = [];
  /** Number of children; -1 for a part that updates always compute as a whole. */
  protected readonly childCounts: number[] = [];
  /** Index after the last descendant. */
  protected readonly ends: number[] = [];
  private readonly geometries: unknown[] = [];
  private readonly materials: unknown[] = [];
  /**
   * Local transforms from which the matrices were computed; NaN if unknown. A plain array, because the engine stores
   * its numbers in the same heap as the objects, and the numbers of a typed array elsewhere.
   */
  private readonly transforms: number[] = [];
  /** The last `matrix` and `matrixWorld` of each node that three does not place by its local transform. */
  private readonly matrices: (number[] | undefined)[] = [];

  /** @param isPart Whether an object comes without its descendants. */
  constructor(root: Object3D, isPart: (object: Object3D) => boolean) {
    this.visit(root, isPart);
  }

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

  /** Watches the current geometry and material of a node. */
  watchSource(index: number): void {
    const { geometry, material } = this.nodes[index] as Mesh;
    this.geometries[index] = geometry;
    this.materials[index] = material;
  }

  /**
   * Index of the next node that an update has to look at, from `first` on; the number of nodes if there is none.
   *
   * @param isForced Whether three would compute all matrices.
   */
  nextChanged(first: number, isForced: boolean): number {
    const { length } = this.nodes;
    for (let k = first; k < length; k += BLOCK_SIZE) {
      const end = Math.min(k + BLOCK_SIZE, length);
      const changed = this.firstChanged(k, end, isForced);
      if (changed < end) return changed;
    }
    return length;
  }

  /**
   * The first changed node between two indices, otherwise `end`. `equalsLocalTransform` is inlined by hand: this runs
   * for every node in every update. Engines optimize a function after many calls, so the nodes come in blocks.
   */
  private firstChanged(first: number, end: number, isForced: boolean): number {
    const { nodes, parents, childCounts, geometries, materials, transforms, matrices } = this;
    for (let k = first, offset = first * LOCAL_TRANSFORM_STRIDE; k < end; k++, offset += LOCAL_TRANSFORM_STRIDE) {
      const node = nodes[k] as Mesh;
      const record = matrices[k];
      const { position, quaternion, scale } = node;
      const isInPlace =
        record === undefined
          ? transforms[offset] === position.x &&
            transforms[offset + 1] === position.y &&
            transforms[offset + 2] === position.z &&
            transforms[offset + 3] === quaternion.x &&
            transforms[offset + 4] === quaternion.y &&
            transforms[offset + 5] === quaternion.z &&
            transforms[offset + 6] === quaternion.w &&
            transforms[offset + 7] === scale.x &&
            transforms[offset + 8] === scale.y &&
            transforms[offset + 9] === scale.z &&
            node.matrixWorldNeedsUpdate &&
            node.matrixAutoUpdate
          : isForced && !node.matrixWorldNeedsUpdate && !node.matrixAutoUpdate && equalsMatrices(node, record, 0);
      const isUnchanged =
        isInPlace &&
        node.matrixWorldAutoUpdate &&
        !node.pivot &&
        node.updateMatrixWorld === Object3D.prototype.updateMatrixWorld &&
        node.frustumCulled &&
        node.parent === parents[k] &&
        node.children.length === childCounts[k] &&
        node.geometry === geometries[k] &&
        node.material === materials[k];
      if (!isUnchanged) return k;
    }
    return end;
  }

  /**
   * Brings all matrices up to date. May run user code, also such that changes the tree: as in three, objects that were
   * removed are left out, and added ones are computed, if their turn is still to come.
   *
   * @param isAll Whether to compute all matrices.
   * @param hasParentMoved Whether the parent of the root has moved in the space of the group.
   */
  update(
    { isForced, hasGroupMoved }: MatrixUpdate,
    isAll: boolean,
    hasParentMoved: boolean,
    visitor: NodeVisitor,
  ): void {
    const { nodes, childCounts, ends } = this;
    const { length } = nodes;
    /** Index after the last node below a node that has moved. */
    let movedEnd = hasParentMoved ? length : 0;
    for (let k = 0; ; k++) {
      if (!isAll && k >= movedEnd) k = this.nextChanged(k, isForced);
      if (k >= length) return;
      const node = nodes[k];
      const isBelowMoved = k < movedEnd;
      const isNodeForced = isForced || isBelowMoved || this.isForcedByParents(k);
      if (visitor.updateWhole(k, isNodeForced, isBelowMoved)) continue;
      else if (!hasPlainMatrices(node) || node.children.length !== childCounts[k]) {
        visitor.compute(node, isNodeForced);
        for (const end = ends[k]; k < end; k++) if (this.storeWorld(k) || isBelowMoved) visitor.onMoved(k);
        k--;
      } else if (this.computeNode(k, isNodeForced, hasGroupMoved) || isBelowMoved) {
        movedEnd = Math.max(movedEnd, ends[k]);
        visitor.onMoved(k);
      }
    }
  }

  /**
   * Whether other code has computed the world matrix of a node since its last update. If so, the next update takes it
   * as moved.
   */
  isNodeMovedByOthers(index: number): boolean {
    const { matrixWorld, matrixWorldNeedsUpdate } = this.nodes[index];
    const record = this.matrices[index];
    if (record === undefined) {
      if (matrixWorldNeedsUpdate) return false;
      this.transforms[index * LOCAL_TRANSFORM_STRIDE] = NaN;
    } else {
      if (!storeMatrix(matrixWorld.elements, record, MATRIX_STRIDE)) return false;
      record[MATRIX_STRIDE] = NaN;
    }
    return true;
  }

  private visit(node: Object3D, isPart: (object: Object3D) => boolean): void {
    const index = this.nodes.push(node) - 1;
    const isEnd = isPart(node);
    this.parents.push(node.parent);
    this.childCounts.push(isEnd && !isPlainLeaf(node) ? -1 : node.children.length);
    this.ends.push(0);
    this.matrices.push(undefined);
    // One by one: an array that is created with its length has slow elements if it is long.
    for (let k = 0; k < LOCAL_TRANSFORM_STRIDE; k++) this.transforms.push(NaN);
    this.watchSource(index);
    if (!isEnd) for (const child of node.children) this.visit(child, isPart);
    this.ends[index] = this.nodes.length;
  }

  /** Whether three would compute the world matrix of a node because it has computed that of a parent. */
  private isForcedByParents(index: number): boolean {
    const { nodes } = this;
    for (let node = nodes[index]; node !== nodes[0] && node.parent !== null;) {
      node = node.parent;
      if (node.matrixAutoUpdate) return true;
    }
    return false;
  }

  /** Computes the matrices of a node without its descendants, as three does. Returns whether it has moved. */
  private computeNode(index: number, isForced: boolean, hasGroupMoved: boolean): boolean {
    const { nodes, transforms, matrices } = this;
    const node = nodes[index];
    const offset = index * LOCAL_TRANSFORM_STRIDE;
    if (node.matrixAutoUpdate) {
      const isMoved = !equalsLocalTransform(node, transforms, offset);
      storeLocalTransform(node, transforms, offset);
      matrices[index] = undefined;
      updateNode(node, true);
      node.matrixWorldNeedsUpdate = true;
      return isMoved;
    }
    const isFlagged = node.matrixWorldNeedsUpdate;
    // Otherwise three does not read a matrix that was written by hand.
    if (!isForced && !isFlagged) return false;
    updateNode(node, isForced);
    const record = this.recordOf(index);
    const isMoved = storeMatrix(node.matrix.elements, record, 0);
    const isElsewhere = storeMatrix(node.matrixWorld.elements, record, MATRIX_STRIDE);
    return isFlagged || isMoved || (isElsewhere && !hasGroupMoved);
  }

  /** Stores the world matrix of a node that three has computed. Returns whether it has changed. */
  private storeWorld(index: number): boolean {
    return storeMatrix(this.nodes[index].matrixWorld.elements, this.recordOf(index), MATRIX_STRIDE);
  }

  private recordOf(index: number): number[] {
    this.transforms[index * LOCAL_TRANSFORM_STRIDE] = NaN;
    return (this.matrices[index] ??= Array.from({ length: 2 * MATRIX_STRIDE }, () => NaN));
  }
}

/** Computes the matrices of one object as three does, whatever methods it overrides. */
function updateNode(node: Object3D, isForced: boolean): void {
  Object3D.prototype.updateWorldMatrix.call(node, false, false, isForced);
}
