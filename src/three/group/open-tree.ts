/**
 * A child of a group, taken apart: the objects below it become members of their own, the nodes between them are passed over. What must
 * not be taken out of its place stays whole: meshes with children, LODs, groups with a render order, groups that bundle or clip.
 */

import { Object3D, type Group, type Light } from 'three';

export class OpenTree {
  readonly parts: Object3D[] = [];
  private readonly nodes: Object3D[] = [];
  private readonly childCounts: number[] = [];
  private readonly onChange: () => void;

  /** @param onChange Called when something is added or removed anywhere in the tree. */
  constructor(root: Object3D, onChange: () => void) {
    this.onChange = onChange;
    this.visit(root);
    for (const node of this.nodes) {
      node.addEventListener('childadded', onChange);
      node.addEventListener('childremoved', onChange);
    }
  }

  /** Whether the nodes between the parts still do nothing, and nobody has written into their children. */
  get isSame(): boolean {
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

/** Whether an object does nothing but to hold others. */
function isPlainNode(object: Object3D): boolean {
  if ('isMesh' in object || 'isLine' in object || 'isPoints' in object || 'isSprite' in object || (object as Light).isLight) return false;
  if ('isBundleGroup' in object || 'isClippingGroup' in object || ((object as Group).isGroup && object.renderOrder !== 0)) return false;
  return object.raycast === Object3D.prototype.raycast && object.updateMatrixWorld === Object3D.prototype.updateMatrixWorld;
}
