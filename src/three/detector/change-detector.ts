/**
 * How a group finds changes of its members beside their moves. Two implement it: source-detector.ts finds what changes
 * bounds, and detector.ts what any feature wants to know.
 */

import type { BufferGeometry, Material, Object3D } from 'three';

/** What a detector knows of a member. */
export interface DetectedMember {
  readonly object: Object3D;
  readonly body: { readonly index: number } | null;
  /** All its nodes, if it consists of more than one object. */
  readonly compound: { readonly nodes: readonly Object3D[] } | null;
  /** Where its bounds come from. */
  readonly boundsSource: DetectedSource | null;
  /** The one that is watched. Written by detectors only. */
  watchedSource: DetectedSource | null;
  readonly isStatic: boolean;
  /** Whether it is below a child of the group. */
  readonly isDescendant: boolean;
  readonly hasHiddenAncestor: boolean;
  /** Whether its geometries, materials and callbacks are those of its source. */
  readonly isUpToDate: boolean;
}

/** Geometries and materials. */
export interface DetectedSource {
  readonly sources: readonly {
    readonly geometry?: BufferGeometry | null | undefined;
    readonly material?: Material | Material[] | null | undefined;
    /** Also those for shadow maps. */
    readonly materials: readonly (Material | Material[])[];
  }[];
}

/**
 * The bounds of a member have to be computed again.
 *
 * @param isOther Whether they may come from other objects.
 */
export type OnChanged<M> = (member: M, isOther?: boolean) => void;

export interface ChangeDetector<M extends DetectedMember = DetectedMember> {
  /** Static members, at least, that each update compares in turn. */
  readonly staticPerUpdate: number;
  /** Whether each update has to tell it of all moves. */
  readonly needsMoves: boolean;
  /** A member has got a body, or new bounds. */
  add(member: M): void;
  /** A member loses its body. */
  remove(member: M): void;
  /** A member with a body is about to get new bounds. @param isMoved Whether they, or its matrices, are other ones. */
  moving?(member: M, isMoved: boolean): void;
  /** The user has reported a change of a member. */
  reported(member: M): void;
  /** The word of an object. The group compares those of watched objects, and calls `recheck` where they differ. */
  readonly wordOf?: (object: Object3D) => number;
  /**
   * Has the next search for changes compare the member of a body, but not what it shares with others.
   *
   * @param isShowing Whether it compares only how a member is shown.
   */
  recheck?(body: number, isShowing?: boolean): void;
  /** The turn of a static member has come. */
  compare(member: M, onChanged: OnChanged<M>): void;
  /**
   * Finds changes.
   *
   * @param onChanged Called for each member whose bounds have to be computed again.
   */
  visitChanged(onChanged: OnChanged<M>): void;
}

/** The members of a group with their bodies. */
export interface DetectorHost<M extends DetectedMember = DetectedMember> {
  readonly detector: ChangeDetector<M>;
  /** Whether the detector has all members with bodies. If it is new, it takes some over in each update. */
  readonly isTakenOver: boolean;
  /** Replaces the detector. @param detector Null: the one that finds changed bounds only. */
  useDetector(detector: ChangeDetector<M> | null): void;
  memberAt(body: number): M;
  /** The members with bodies that the detector has. */
  detectedMembers(): Iterable<M>;
}
