/**
 * A child of a group that is opened (`OctreeGroup.addTree`): each of its parts is a member of its own. A plain node
 * only holds other objects, and is no part. A part is the first object on a path from the root that is not a plain
 * node. Its descendants belong to it, because a renderer must traverse them together with it: meshes with children,
 * LODs, groups with a render order, BundleGroups, ClippingGroups.
 */

import type { Object3D } from 'three';
import { isPlainNode, isStillPlainNode } from '../bounds/object-traits.ts';
import { PLAIN_NODE } from './class-comparisons.ts';
import { WatchedNodes } from './watched-nodes.ts';

/** The event of three. */
export interface TreeChange {
  readonly type: 'childadded' | 'childremoved';
  readonly child: Object3D;
}

export class OpenTree extends WatchedNodes {
  readonly parts: Object3D[] = [];
  /** By node: its index in `parts`; -1 for a plain node. */
  readonly partIndices: number[];
  private readonly onChange: (event: TreeChange) => void;

  /** @param onChange Called when an object is added to a plain node, or removed from one. */
  constructor(root: Object3D, onChange: (event: TreeChange) => void) {
    super(root, (object) => !isPlainNode(object));
    this.onChange = onChange;
    this.partIndices = this.nodes.map((node) => (isPlainNode(node) ? -1 : this.parts.push(node) - 1));
    this.partIndices.forEach((part, k) => part < 0 && (this.geometries[k] = PLAIN_NODE));
    for (const node of this.plainNodes) {
      node.addEventListener('childadded', onChange);
      node.addEventListener('childremoved', onChange);
    }
  }

  /**
   * Whether all plain nodes are still plain, and have as many children as before: writing into an array of children
   * dispatches no event.
   */
  get isUnchanged(): boolean {
    const { nodes, childCounts, partIndices } = this;
    for (let k = 0; k < nodes.length; k++)
      if (partIndices[k] < 0 && (nodes[k].children.length !== childCounts[k] || !isStillPlainNode(nodes[k])))
        return false;
    return true;
  }

  close(): void {
    for (const node of this.plainNodes) {
      node.removeEventListener('childadded', this.onChange);
      node.removeEventListener('childremoved', this.onChange);
    }
  }

  private get plainNodes(): Object3D[] {
    return this.nodes.filter((_, k) => this.partIndices[k] < 0);
  }
}
