/**
 * A child of a group that is opened (`OctreeGroup.addTree`): each of its parts is a member of its own. A plain node
 * only holds other objects, and is no part. A part is the first object on a path from the root that is not a plain
 * node. Its descendants belong to it, because a renderer must traverse them together with it: meshes with children,
 * LODs, groups with a render order, BundleGroups, ClippingGroups.
 */

import type { Object3D } from 'three';
import { isPlainNode, isStillPlainNode } from '../bounds/object-traits.ts';
import { WatchedNodes } from './watched-nodes.ts';

/** The event of three. */
export interface TreeChange {
  readonly type: 'childadded' | 'childremoved';
  readonly child: Object3D;
}

export class OpenTree extends WatchedNodes {
  readonly parts: Object3D[] = [];
  /** By node: its index in `parts`; negative for a plain node. */
  readonly partIndices: number[];
  private readonly plainNodes: Object3D[] = [];
  /** By index in `plainNodes`: the number of children. */
  private readonly plainCounts: number[];
  private readonly onChange: (event: TreeChange) => void;

  /** @param onChange Called when an object is added to a plain node, or removed from one. */
  constructor(root: Object3D, onChange: (event: TreeChange) => void) {
    super(root, (object) => !isPlainNode(object));
    this.onChange = onChange;
    const { parts, plainNodes } = this;
    this.partIndices = this.nodes.map((node) => (isPlainNode(node) ? -plainNodes.push(node) : parts.push(node) - 1));
    this.plainCounts = plainNodes.map(({ children }) => children.length);
    this.partIndices.forEach((part, k) => (this.arePlainNodes[k] = part < 0));
    for (const node of plainNodes) {
      node.addEventListener('childadded', onChange);
      node.addEventListener('childremoved', onChange);
    }
  }

  /**
   * Whether all nodes are still plain, and have as many children as before: writing into an array of children
   * dispatches no event.
   */
  get isUnchanged(): boolean {
    const { plainNodes, plainCounts } = this;
    for (let k = 0; k < plainNodes.length; k++)
      if (plainNodes[k].children.length !== plainCounts[k] || !isStillPlainNode(plainNodes[k])) return false;
    return true;
  }

  close(): void {
    for (const node of this.plainNodes) {
      node.removeEventListener('childadded', this.onChange);
      node.removeEventListener('childremoved', this.onChange);
    }
  }
}
