/** The state of one child of a group: whether it is tracked, and whether it is one member or a tree of parts. */

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
  /** Whether updates find changes of the child and its descendants. If not, the user reports them. */
  isTracked: boolean;
  phase: TreePhase = 'closed';
  /** The parts of an open child, otherwise null. */
  tree: OpenTree | null = null;

  constructor(child: Object3D, isTracked: boolean) {
    this.child = child;
    this.isTracked = isTracked;
  }
}
