/**
 * A child of a group that is opened (`OctreeGroup.addTree`): each of its parts is a member of its own. A plain node
 * only holds other objects, and is no part. A part is the first object on a path from the root that is not a plain
 * node. Its descendants belong to it, because a renderer must traverse them together with it: meshes with children,
 * LODs, groups with a render order, BundleGroups, ClippingGroups.
 */

import { Object3D, type Group, type Light } from 'three';

export class OpenTree {
  readonly parts: Object3D[] = [];
  /** The plain nodes. */
  private readonly nodes: Object3D[] = [];
  private readonly childCounts: number[] = [];
  private readonly onChange: () => void;

  /** @param onChange Called when an object is added to a plain node, or removed from one. */
  constructor(root: Object3D, onChange: () => void) {
    this.onChange = onChange;
    this.visit(root);
    for (const node of this.nodes) {
      node.addEventListener('childadded', onChange);
      node.addEventListener('childremoved', onChange);
    }
  }

  /**
   * Whether all nodes are still plain, and have as many children as before: writing into an array of children
   * dispatches no event.
   */
  get isUnchanged(): boolean {
    return this.nodes.every((node, k) => node.children.length === this.childCounts[k] && isPlainNode(node));
  }

  close(): void {
    for (const node of this.nodes) {
      node.removeEventListener('childadded', this.onChange);
      node.removeEventListener('childremoved', this.onChange);
    }
  }

  private visit(object: Object3D): void {
    if (!isPlainNode(object)) {
      this.parts.push(object);
      return;
    }
    this.nodes.push(object);
    this.childCounts.push(object.children.length);
    for (const child of object.children) this.visit(child);
  }
}

/** Whether an object only holds other objects. */
function isPlainNode(object: Object3D): boolean {
  if (
    'isMesh' in object ||
    'isLine' in object ||
    'isPoints' in object ||
    'isSprite' in object ||
    (object as Light).isLight
  )
    return false;
  if (
    'isBundleGroup' in object ||
    'isClippingGroup' in object ||
    ((object as Group).isGroup && object.renderOrder !== 0)
  )
    return false;
  return (
    object.raycast === Object3D.prototype.raycast && object.updateMatrixWorld === Object3D.prototype.updateMatrixWorld
  );
}
