/**
 * A child of a group that is opened (`OctreeGroup.addTree`): each of its parts is a member of its own. A plain node
 * only holds other objects, and is no part. A part is the first object on a path from the root that is not a plain
 * node. Its descendants belong to it, because a renderer must traverse them together with it: meshes with children,
 * LODs, groups with a render order, BundleGroups, ClippingGroups.
 */

import { Object3D, type Group, type Light } from 'three';
import { WatchedNodes } from './watched-nodes.ts';

export class OpenTree {
  /** The plain nodes and the parts. */
  readonly watched: WatchedNodes;
  readonly parts: Object3D[];
  private readonly plainNodes: Object3D[];
  private readonly childCounts: number[];
  /** By node: its index in `parts`; -1 for a plain node. */
  private readonly partIndices: number[] = [];
  /** By part: its index among the nodes. */
  private readonly nodeIndices: number[] = [];
  private readonly onChange: () => void;

  /** @param onChange Called when an object is added to a plain node, or removed from one. */
  constructor(root: Object3D, onChange: () => void) {
    this.onChange = onChange;
    this.watched = new WatchedNodes(root, (object) => !isPlainNode(object));
    const { nodes } = this.watched;
    this.plainNodes = nodes.filter(isPlainNode);
    this.childCounts = this.plainNodes.map(({ children }) => children.length);
    for (const [k, node] of nodes.entries())
      this.partIndices.push(isPlainNode(node) ? -1 : this.nodeIndices.push(k) - 1);
    this.parts = this.nodeIndices.map((k) => nodes[k]);
    for (const node of this.plainNodes) {
      node.addEventListener('childadded', onChange);
      node.addEventListener('childremoved', onChange);
    }
  }

  /**
   * Whether all nodes are still plain, and have as many children as before: writing into an array of children
   * dispatches no event.
   */
  get isUnchanged(): boolean {
    const { plainNodes, childCounts } = this;
    for (let k = 0; k < plainNodes.length; k++)
      if (plainNodes[k].children.length !== childCounts[k] || !hasPlainMethods(plainNodes[k])) return false;
    return true;
  }

  /** The index in `parts` of a node; -1 for a plain node. */
  partAt(node: number): number {
    return this.partIndices[node];
  }

  /** The index among the nodes of a part. */
  nodeAt(part: number): number {
    return this.nodeIndices[part];
  }

  close(): void {
    for (const node of this.plainNodes) {
      node.removeEventListener('childadded', this.onChange);
      node.removeEventListener('childremoved', this.onChange);
    }
  }
}

/** Whether an object only holds other objects. */
function isPlainNode(object: Object3D): boolean {
  return (
    !(
      'isMesh' in object ||
      'isLine' in object ||
      'isPoints' in object ||
      'isSprite' in object ||
      'isBundleGroup' in object ||
      'isClippingGroup' in object ||
      (object as Light).isLight
    ) && hasPlainMethods(object)
  );
}

/** The part of `isPlainNode` that may change. */
function hasPlainMethods(object: Object3D): boolean {
  return (
    (object.renderOrder === 0 || !(object as Group).isGroup) &&
    object.raycast === Object3D.prototype.raycast &&
    object.updateMatrixWorld === Object3D.prototype.updateMatrixWorld
  );
}
