/**
 * The interfaces of what follows the members of a group: any number of followers (see the folder poses), and at most
 * one that draws members in place of the renderer (batches), which takes some of the bodies out of what each pass sees.
 */

import type { Camera, Frustum, FrustumArray, Object3D } from 'three';
import type { Member } from './member.ts';

/** Follows the members with bodies. A follower leaves out what it does not need. */
export interface MemberFollower {
  /** As of `ChangeSubscriber`. */
  readonly canMissMoves?: boolean;
  /** A member has got a body. */
  added?(member: Member): void;
  /** A member is about to get new bounds, which may equal the old ones. */
  moving?(member: Member): void;
  /** A member loses its body. */
  removed?(member: Member): void;
  /** A member, with a body or without, has left the group. */
  left?(member: Member): void;
  /** All members are up to date: once per update of the group. */
  updated?(): void;
  /** A pass begins. The matrices of the whole scene are up to date, also those of bones elsewhere. */
  beginPass?(): void;
}

export interface MemberDrawing {
  /** What it belongs to. */
  readonly source: object;
  /** Number of the members that it draws, or is about to, while the group follows them. */
  readonly count: number;
  /** As `MemberFollower.updated`, but after all followers. */
  updated(): void;
  /**
   * Takes the bodies that it draws in the current pass out of a list, and moves the others to the front.
   *
   * @returns Number of the others.
   */
  take(bodies: Uint32Array, count: number): number;
  /**
   * Appends the objects that draw what it has taken in this pass.
   *
   * @param frustum As for `PassContainer.visibleIn`, and `camera` too.
   */
  end(objects: Object3D[], frustum: Frustum | FrustumArray, camera: Camera | null): void;
}
