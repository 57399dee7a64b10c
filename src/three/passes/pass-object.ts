/**
 * An Object3D that shows each render pass only what that pass can see. It creates the objects that renderers draw. Children added by
 * the user are traversed by renderers as usual.
 */

import { Object3D } from 'three';
import { withPasses } from './pass-container.ts';

export abstract class PassObject extends withPasses(Object3D, 'OctreeInstances') {
  protected override traversedChildren(internals: Object3D[], children: Object3D[]): Object3D[] {
    return children.length === 0 ? internals : [...internals, ...children];
  }

  override updateMatrixWorld(force?: boolean): void {
    this.disarm();
    super.updateMatrixWorld(force);
  }

  override updateWorldMatrix(updateParents: boolean, updateChildren: boolean, force?: boolean): void {
    this.disarm();
    super.updateWorldMatrix(updateParents, updateChildren, force);
  }
}
