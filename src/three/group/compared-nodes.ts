/**
 * Objects whose matrices an update brings up to date, and what the last update found of each, in arrays by index. The
 * update compares each object with its last state, and computes the matrices of those that have changed. The matrices
 * of all others stay as they are.
 *
 * Where three computes the matrices from the local transform, that and `matrixWorldNeedsUpdate` are compared;
 * child-updater.ts explains the flag. Where the matrices come from other numbers, the matrices themselves are compared.
 *
 * All arrays are plain: the engine stores their numbers in the same heap as the objects, and the numbers of a typed
 * array elsewhere.
 */

import { Object3D, type Mesh } from 'three';
import { MATRIX_STRIDE } from '../bounds/bounds-math.ts';
import { isStillPlainNode } from '../bounds/object-traits.ts';

/** Numbers per local transform: position 3, quaternion 4, scale 3. three computes `matrix` from these. */
const LOCAL_TRANSFORM_STRIDE = 10;

/** Nodes that `readAhead` reads at a time, a power of two. What it reads of them fits into the fastest caches. */
const READ_AHEAD = 64;

export const PLAIN_NODE = 'plain';

export class ComparedNodes {
  /** Result of the last `readAhead`. Unused; stored so that the compiler keeps the loop. */
  readAheadSum = 0;
  /** Undefined where nothing is watched. */
  readonly nodes: (Object3D | undefined)[] = [];
  /** Number of children; -1 for a node that every update has to look at. */
  protected readonly childCounts: number[] = [];
  protected readonly parents: (Object3D | null)[] = [];
  /** `PLAIN_NODE` for a plain node of an opened tree, which has neither geometry nor material. */
  protected readonly geometries: unknown[] = [];
  protected readonly materials: unknown[] = [];
  /** Local transforms from which the matrices were computed; NaN if unknown. */
  private readonly transforms: number[] = [];
  /** The last `matrix` and `matrixWorld` of each node that three does not place by its local transform. */
  private readonly matrices: (number[] | undefined)[] = [];

  /** Watches an object at an index, from its current parent, geometry and material on. Its numbers stay as they are. */
  protected watch(index: number, node: Object3D, childCount: number): void {
    const { nodes, transforms } = this;
    // One by one: an array that is created with its length has slow elements if it is long.
    while (nodes.length <= index) {
      nodes.push(undefined);
      this.childCounts.push(-1);
      this.parents.push(null);
      this.geometries.push(undefined);
      this.materials.push(undefined);
      this.matrices.push(undefined);
      for (let k = 0; k < LOCAL_TRANSFORM_STRIDE; k++) transforms.push(NaN);
    }
    nodes[index] = node;
    this.childCounts[index] = childCount;
    this.parents[index] = node.parent;
    this.watchSource(index);
  }

  /** Watches the current geometry and material of a node. */
  watchSource(index: number): void {
    const { geometry, material } = this.nodes[index] as Mesh;
    this.geometries[index] = geometry;
    this.materials[index] = material;
  }

  /** Copies the numbers of a node that is at another index in other columns. */
  protected copyNumbers(index: number, from: ComparedNodes, fromIndex: number): void {
    const offset = index * LOCAL_TRANSFORM_STRIDE;
    const fromOffset = fromIndex * LOCAL_TRANSFORM_STRIDE;
    for (let k = 0; k < LOCAL_TRANSFORM_STRIDE; k++) this.transforms[offset + k] = from.transforms[fromOffset + k];
    this.matrices[index] = from.matrices[fromIndex];
  }

  /** Forgets all nodes. */
  protected clear(): void {
    const { nodes, childCounts, parents, geometries, materials, transforms, matrices } = this;
    for (const column of [nodes, childCounts, parents, geometries, materials, transforms, matrices]) column.length = 0;
  }

  /**
   * The first node between two indices that an update has to look at, otherwise `end`.
   *
   * @param isForced Whether three would compute all matrices.
   */
  firstChanged(first: number, end: number, isForced: boolean): number {
    const { nodes, parents, childCounts, geometries, materials, transforms, matrices } = this;
    for (let k = first, offset = first * LOCAL_TRANSFORM_STRIDE; k < end; k++, offset += LOCAL_TRANSFORM_STRIDE) {
      if (k % READ_AHEAD === 0) this.readAheadSum = readAhead(nodes, k, Math.min(k + READ_AHEAD, end));
      const node = nodes[k] as Mesh | undefined;
      if (node === undefined) continue;
      const record = matrices[k];
      const isInPlace =
        record === undefined
          ? equalsLocalTransform(node, transforms, offset) && node.matrixWorldNeedsUpdate && node.matrixAutoUpdate
          : !node.matrixWorldNeedsUpdate &&
            !node.matrixAutoUpdate &&
            (isForced || this.isForcedByParents(k)
              ? equalsMatrices(node, record, 0)
              : equalsMatrix(node.matrixWorld.elements, record, MATRIX_STRIDE));
      const isUnchanged =
        isInPlace &&
        node.matrixWorldAutoUpdate &&
        !node.pivot &&
        node.updateMatrixWorld === Object3D.prototype.updateMatrixWorld &&
        node.frustumCulled &&
        node.parent === parents[k] &&
        node.children.length === childCounts[k] &&
        (geometries[k] === PLAIN_NODE
          ? isStillPlainNode(node)
          : node.geometry === geometries[k] && node.material === materials[k]);
      if (!isUnchanged) return k;
    }
    return end;
  }

  /**
   * Whether other code has computed the world matrix of a node since its last update. If so, the next update takes it
   * as moved.
   */
  isNodeMovedByOthers(index: number): boolean {
    const { matrixWorld, matrixWorldNeedsUpdate } = this.nodes[index]!;
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

  /**
   * Computes the matrices of a node with plain matrices, without its descendants, as three does.
   *
   * @returns Whether it has moved in the space of the group.
   */
  computeNode(index: number, isForced: boolean, hasGroupMoved: boolean): boolean {
    const { nodes, transforms, matrices } = this;
    const node = nodes[index]!;
    const offset = index * LOCAL_TRANSFORM_STRIDE;
    if (node.matrixAutoUpdate) {
      const isMoved = storeLocalTransform(node, transforms, offset);
      matrices[index] = undefined;
      updateNode(node, true);
      node.matrixWorldNeedsUpdate = true;
      return isMoved;
    }
    const isFlagged = node.matrixWorldNeedsUpdate;
    const record = this.recordOf(index);
    // Otherwise three does not read a matrix that was written by hand.
    const isRead = isForced || isFlagged;
    if (isRead) updateNode(node, isForced);
    const isMoved = isRead && storeMatrix(node.matrix.elements, record, 0);
    // Also where other code has written the world matrix, which three does not compute then.
    const isElsewhere = storeMatrix(node.matrixWorld.elements, record, MATRIX_STRIDE);
    return isFlagged || isMoved || (isElsewhere && !hasGroupMoved);
  }

  /** Stores the world matrix of a node that three has computed. Returns whether it has changed. */
  storeWorld(index: number): boolean {
    return storeMatrix(this.nodes[index]!.matrixWorld.elements, this.recordOf(index), MATRIX_STRIDE);
  }

  /** Whether three would compute the world matrix of a node because it has computed that of a parent. */
  protected isForcedByParents(_index: number): boolean {
    return false;
  }

  private recordOf(index: number): number[] {
    this.transforms[index * LOCAL_TRANSFORM_STRIDE] = NaN;
    return (this.matrices[index] ??= Array.from({ length: 2 * MATRIX_STRIDE }, () => NaN));
  }
}

/**
 * Reads a number of each vector of some nodes, to load them into the cache. The comparison reads node by node, and
 * waits for memory at each; the cache misses of this short loop overlap. Measured: 0.65 to 0.85 of the time.
 *
 * @returns A number that depends on everything that was read.
 */
function readAhead(nodes: readonly (Object3D | undefined)[], first: number, end: number): number {
  let sum = 0;
  for (let k = first; k < end; k++) {
    const node = nodes[k];
    // Of all others the comparison reads no vector.
    if (node?.matrixAutoUpdate) sum += node.position.z + node.quaternion.w + node.scale.z + node.children.length;
  }
  return sum;
}

/** Computes the matrices of one object as three does, whatever methods it overrides. */
function updateNode(node: Object3D, isForced: boolean): void {
  Object3D.prototype.updateWorldMatrix.call(node, false, false, isForced);
}

/**
 * Whether the local transform of an object equals a stored one. A NaN equals nothing. By hand: this runs for every node
 * in every update.
 */
function equalsLocalTransform({ position, quaternion, scale }: Object3D, values: number[], offset: number): boolean {
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

/** Stores the local transform of an object. Returns whether it differs from the one stored before. */
function storeLocalTransform(node: Object3D, values: number[], offset: number): boolean {
  const isChanged = !equalsLocalTransform(node, values, offset);
  node.position.toArray(values, offset);
  node.quaternion.toArray(values, offset + 3);
  node.scale.toArray(values, offset + 7);
  return isChanged;
}

/**
 * Whether the elements of a matrix equal stored ones. A NaN equals nothing. Without a loop it takes half the time: this
 * runs for many objects in every update.
 */
function equalsMatrix(elements: readonly number[], values: number[], offset: number): boolean {
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
function equalsMatrices({ matrix, matrixWorld }: Object3D, values: number[], offset: number): boolean {
  return (
    equalsMatrix(matrix.elements, values, offset) && equalsMatrix(matrixWorld.elements, values, offset + MATRIX_STRIDE)
  );
}

/**
 * Stores the elements of a matrix. Returns whether they differ from those stored before. A NaN differs from everything.
 */
function storeMatrix(elements: readonly number[], values: number[], offset: number): boolean {
  const isChanged = !equalsMatrix(elements, values, offset);
  if (isChanged) for (let k = 0; k < MATRIX_STRIDE; k++) values[offset + k] = elements[k];
  return isChanged;
}
