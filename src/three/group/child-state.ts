/** The state of one child of a group: whether it is static, and whether it is one member or a tree of parts. */

import type { Object3D } from 'three';
import type { OpenTree } from './open-tree.ts';

/**
 * - closed: the child, with all its descendants, is one member.
 * - opening: as closed, and drawn in every pass, until the next update opens it.
 * - open: each part of its tree is a member of its own.
 */
export type TreePhase = 'closed' | 'opening' | 'open';

export class ChildState {
  readonly child: Object3D;
  /** Whether the user reports the changes of the child and its descendants. If not, updates find them. */
  isStatic: boolean;
  phase: TreePhase = 'closed';
  /** The parts of an open child, otherwise null. */
  tree: OpenTree | null = null;

  constructor(child: Object3D, isStatic: boolean) {
    this.child = child;
    this.isStatic = isStatic;
  }
}
