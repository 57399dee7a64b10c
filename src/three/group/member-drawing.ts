/**
 * The seam for what draws members of a group in place of the renderer (see the folder batches). A group has one at
 * most. It follows the members with bodies, and takes some of the bodies out of what each pass sees.
 */

import type { Camera, Object3D } from 'three';
import type { Member } from './member.ts';

export interface MemberDrawing {
  /** A member has got a body. */
  added(member: Member): void;
  /** The user has reported a change of a member. */
  changed(member: Member): void;
  /** A member loses its body. */
  removed(member: Member): void;
  /** All members are up to date: once per update of the group. */
  update(): void;
  /**
   * Takes the bodies that it draws in the current pass out of a list, and moves the others to the front.
   *
   * @returns Number of the others.
   */
  take(bodies: Uint32Array, count: number): number;
  /**
   * Appends the objects that draw what it has taken in this pass.
   *
   * @param camera As for `PassContainer.visibleIn`.
   */
  end(objects: Object3D[], camera: Camera | null): void;
}
