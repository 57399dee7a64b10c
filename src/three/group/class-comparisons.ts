/**
 * The comparison of nodes with automatic matrices. Each class of nodes is compared by one of three copies of the same
 * code: V8 reads a property fast only where a function meets objects of at most four layouts.
 *
 * A page may show many classes, such as Mesh, Group, Bone, Line, a light and a user's subclass, each of them with and
 * without fields of its own. V8 records the layouts for each function in the source code, so the copies do not share
 * them. With eight classes the comparison takes half the time. A test checks that the copies are equal.
 */

import { Object3D, type Mesh, type Quaternion, type Vector3 } from 'three';
import { isStillPlainNode } from '../bounds/object-traits.ts';

/** What the last update found of each node, in columns; see compared-nodes.ts. */
export interface Columns {
  readonly nodes: readonly (Object3D | undefined)[];
  readonly kinds: readonly number[];
  readonly childCounts: readonly number[];
  readonly parents: readonly (Object3D | null)[];
  readonly geometries: readonly unknown[];
  readonly materials: readonly unknown[];
  readonly states: readonly number[];
}

/** Numbers per local transform: position 3, quaternion 4, scale 3. three computes `matrix` from these. */
export const LOCAL_TRANSFORM_STRIDE = 10;
/** Numbers per node: its local transform, and its draw state: the word, the mask of its layers, the render order. */
export const STATE_STRIDE = LOCAL_TRANSFORM_STRIDE + 3;
/** The word of a node, see object-words.ts of the detector. Null: nothing wants to know draw states. */
export type WordOf = ((node: Object3D) => number) | null;

/** In the column of geometries: a plain node of an opened tree, which has neither geometry nor material. */
export const PLAIN_NODE = 'plain';

/** A constant of the module: see object-traits.ts. */
const OBJECT = /* @__PURE__ */ Reflect.get(Object3D, 'prototype');

/** Compares a run of nodes of one set of classes: it ends at the first node of another. */
interface ClassComparison {
  /**
   * Reads a number of each vector of the nodes, to load them into the cache. The comparison reads node by node, and
   * waits for memory at each; the cache misses of this short loop overlap. Measured: 0.65 to 0.85 of the time.
   *
   * @returns A number that depends on everything that was read.
   */
  readAhead(columns: Columns, first: number, end: number, wordOf: WordOf): number;
  /** Index of the first node that has changed, or that ends the run. */
  firstChanged(columns: Columns, first: number, end: number, wordOf: WordOf): number;
}

/** Whether numbers from `o` on are a local transform. All nodes share it: their vectors have one layout each. */
export function equalsTransform(
  position: Vector3,
  quaternion: Quaternion,
  scale: Vector3,
  t: readonly number[],
  o: number,
): boolean {
  return (
    t[o] === position.x &&
    t[o + 1] === position.y &&
    t[o + 2] === position.z &&
    t[o + 3] === quaternion.x &&
    t[o + 4] === quaternion.y &&
    t[o + 5] === quaternion.z &&
    t[o + 6] === quaternion.w &&
    t[o + 7] === scale.x &&
    t[o + 8] === scale.y &&
    t[o + 9] === scale.z
  );
}

/** The comparison of the class set 0. */
const set0: ClassComparison = {
  readAhead({ nodes, kinds }, first, end, wordOf) {
    let sum = 0;
    for (let k = first; k < end && kinds[k] === 0; k++) {
      const node = nodes[k]!;
      sum += node.position.z + node.quaternion.w + node.scale.z + node.children.length;
      if (wordOf !== null) sum += node.layers.mask;
    }
    return sum;
  },
  firstChanged({ nodes, kinds, childCounts, parents, geometries, materials, states: t }, first, end, wordOf) {
    let k = first;
    for (let o = first * STATE_STRIDE; k < end && kinds[k] === 0; k++, o += STATE_STRIDE) {
      const node = nodes[k] as Mesh;
      const isUnchanged =
        equalsTransform(node.position, node.quaternion, node.scale, t, o) &&
        node.matrixWorldNeedsUpdate &&
        node.matrixAutoUpdate &&
        node.matrixWorldAutoUpdate &&
        !node.pivot &&
        node.updateMatrixWorld === OBJECT.updateMatrixWorld &&
        node.frustumCulled &&
        node.parent === parents[k] &&
        node.children.length === childCounts[k] &&
        (geometries[k] === PLAIN_NODE
          ? isStillPlainNode(node)
          : node.geometry === geometries[k] && node.material === materials[k]) &&
        (wordOf === null ||
          (t[o + 10] === wordOf(node) && t[o + 11] === node.layers.mask && t[o + 12] === node.renderOrder));
      if (!isUnchanged) break;
    }
    return k;
  },
};

/** The comparison of the class set 1. */
const set1: ClassComparison = {
  readAhead({ nodes, kinds }, first, end, wordOf) {
    let sum = 0;
    for (let k = first; k < end && kinds[k] === 1; k++) {
      const node = nodes[k]!;
      sum += node.position.z + node.quaternion.w + node.scale.z + node.children.length;
      if (wordOf !== null) sum += node.layers.mask;
    }
    return sum;
  },
  firstChanged({ nodes, kinds, childCounts, parents, geometries, materials, states: t }, first, end, wordOf) {
    let k = first;
    for (let o = first * STATE_STRIDE; k < end && kinds[k] === 1; k++, o += STATE_STRIDE) {
      const node = nodes[k] as Mesh;
      const isUnchanged =
        equalsTransform(node.position, node.quaternion, node.scale, t, o) &&
        node.matrixWorldNeedsUpdate &&
        node.matrixAutoUpdate &&
        node.matrixWorldAutoUpdate &&
        !node.pivot &&
        node.updateMatrixWorld === OBJECT.updateMatrixWorld &&
        node.frustumCulled &&
        node.parent === parents[k] &&
        node.children.length === childCounts[k] &&
        (geometries[k] === PLAIN_NODE
          ? isStillPlainNode(node)
          : node.geometry === geometries[k] && node.material === materials[k]) &&
        (wordOf === null ||
          (t[o + 10] === wordOf(node) && t[o + 11] === node.layers.mask && t[o + 12] === node.renderOrder));
      if (!isUnchanged) break;
    }
    return k;
  },
};

/** The comparison of the class set 2. */
const set2: ClassComparison = {
  readAhead({ nodes, kinds }, first, end, wordOf) {
    let sum = 0;
    for (let k = first; k < end && kinds[k] === 2; k++) {
      const node = nodes[k]!;
      sum += node.position.z + node.quaternion.w + node.scale.z + node.children.length;
      if (wordOf !== null) sum += node.layers.mask;
    }
    return sum;
  },
  firstChanged({ nodes, kinds, childCounts, parents, geometries, materials, states: t }, first, end, wordOf) {
    let k = first;
    for (let o = first * STATE_STRIDE; k < end && kinds[k] === 2; k++, o += STATE_STRIDE) {
      const node = nodes[k] as Mesh;
      const isUnchanged =
        equalsTransform(node.position, node.quaternion, node.scale, t, o) &&
        node.matrixWorldNeedsUpdate &&
        node.matrixAutoUpdate &&
        node.matrixWorldAutoUpdate &&
        !node.pivot &&
        node.updateMatrixWorld === OBJECT.updateMatrixWorld &&
        node.frustumCulled &&
        node.parent === parents[k] &&
        node.children.length === childCounts[k] &&
        (geometries[k] === PLAIN_NODE
          ? isStillPlainNode(node)
          : node.geometry === geometries[k] && node.material === materials[k]) &&
        (wordOf === null ||
          (t[o + 10] === wordOf(node) && t[o + 11] === node.layers.mask && t[o + 12] === node.renderOrder));
      if (!isUnchanged) break;
    }
    return k;
  },
};

export const CLASS_COMPARISONS: readonly ClassComparison[] = [set0, set1, set2];

const setOfClass = new Map<unknown, number>();

/** The set of classes to which a node belongs: classes are assigned to the sets in rotation, by first use. */
export function classSetOf({ constructor }: Object3D): number {
  let set = setOfClass.get(constructor);
  if (set === undefined) setOfClass.set(constructor, (set = setOfClass.size % CLASS_COMPARISONS.length));
  return set;
}
