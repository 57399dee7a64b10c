/**
 * The children of a group as bodies of an octree. The bodies are in world space as long as the group stands still: then their bounds are
 * those that three itself tests, any transform of the parents is allowed, and queries of the octree are in world units. See body-space.ts
 * for a group that moves.
 *
 * Invariant: a member whose bounds are not known is in `pending` or in `bodies.unculled`, and every pass draws it. Additions and moves wait
 * in `pending` for the next update, because the matrices that their bounds depend on are up to date only then. So nothing here throws while a
 * renderer traverses the scene.
 */

import type { Matrix4, Object3D } from 'three';
import type { Octree } from '../../scene/octree.ts';
import { ChildState } from './child-state.ts';
import { MemberBodies } from './member-bodies.ts';
import { Member } from './member.ts';
import { OpenTree } from './open-tree.ts';

export class ChildIndex {
  readonly bodies = new MemberBodies();
  /** Work list: members whose bounds the next update computes. */
  readonly pending = new Set<Member>();

  private readonly children: readonly Object3D[];
  private readonly isTrackedAtFirst: (child: Object3D) => boolean;
  /** One state per child that was added and not removed. */
  private readonly states = new Map<Object3D, ChildState>();
  /** By object: closed children, and the parts of open ones. */
  private readonly members = new Map<Object3D, Member>();
  /** Work list: the children that the next update opens. Their phase is 'opening'. */
  private readonly opening = new Set<ChildState>();
  /** Work list: the trees that each update compares with their last state. The phase of these children is 'open'. */
  private readonly open = new Set<ChildState>();
  /** Work list: children, or descendants of children, whose matrices the next update computes. */
  private readonly stale = new Set<Object3D>();

  /** @param children The array of the group. It is read when the order or the number of the children is needed. */
  constructor(children: readonly Object3D[], isTrackedAtFirst: (child: Object3D) => boolean) {
    this.children = children;
    this.isTrackedAtFirst = isTrackedAtFirst;
  }

  /** Whether an update would change any body because of an addition, a report or an opened tree. */
  get hasPending(): boolean {
    return this.pending.size + this.opening.size > 0;
  }

  add(child: Object3D): ChildState {
    // The child may be known still: writing into the array of children dispatches no event.
    this.remove(child);
    const state = new ChildState(child, this.isTrackedAtFirst(child));
    this.states.set(child, state);
    this.stale.add(child);
    // three appends children, other libraries also insert them.
    if (this.children.at(-1) !== child) this.bodies.ordered.invalidate();
    this.addMember(child, state);
    return state;
  }

  remove(child: Object3D): void {
    const state = this.states.get(child);
    if (state === undefined) return;
    if (state.phase === 'open') this.closeTree(state);
    else this.removeMember(child);
    this.states.delete(child);
    this.opening.delete(state);
    this.stale.delete(child);
  }

  /** Adds and removes what was written into the array of children directly, if the number of children shows it. Cost otherwise: none. */
  reconcile(): void {
    if (this.children.length === this.states.size) return;
    const present = new Set(this.children);
    for (const child of this.states.keys()) if (!present.has(child)) this.remove(child);
    for (const child of present) if (!this.states.has(child)) this.add(child);
    this.bodies.ordered.invalidate();
  }

  /** Whether the tree of a child is open, or will be at the next update. */
  isOpen(child: Object3D): boolean {
    const state = this.states.get(child);
    return state !== undefined && state.phase !== 'closed';
  }

  /** Makes each part of the tree of a child a member of its own, from the next update on. */
  openAtUpdate(child: Object3D): void {
    const state = this.stateOf(child);
    if (state.phase !== 'closed') return;
    state.phase = 'opening';
    this.opening.add(state);
  }

  isTracked(child: Object3D): boolean {
    return this.states.get(child)?.isTracked ?? true;
  }

  setTracked(child: Object3D, isTracked: boolean): void {
    this.stateOf(child).isTracked = isTracked;
    this.moved(child, child);
  }

  /** Lets the next update compute the matrices and the bounds of an object anew: a child, or a descendant of one. */
  moved(object: Object3D, child: Object3D): void {
    const state = this.stateOf(child);
    this.stale.add(object);
    const member = this.members.get(object);
    if (member !== undefined) this.renew(member);
    else this.visitMembers(state, (part) => this.renew(part));
  }

  /**
   * Brings the matrices of the children and the octree up to date. The matrix of the group is up to date already.
   *
   * @param isForced Whether three would compute the matrices of all children anew.
   * @throws {RangeError} If a child has a NaN in its matrix or geometry. The others are updated nevertheless; this child stays pending.
   */
  update(world: Matrix4, isForced: boolean): void {
    this.reconcile();
    for (const state of this.open) if (state.isTracked && !state.tree!.isUnchanged) this.reopenTree(state);
    for (const state of this.opening) this.openTree(state);
    if (!this.bodies.space.isAt(world)) this.followGroup(world);
    for (const object of this.stale) {
      object.updateMatrixWorld(true);
      // Otherwise the watch would compute the matrices once more.
      if (object.matrixAutoUpdate) object.matrixWorldNeedsUpdate = true;
    }
    this.updateTracked(isForced);
    this.stale.clear();
    this.flushPending();
  }

  /** The octree in world units. If the group has moved since the bodies were inserted, this moves every body. */
  get worldOctree(): Octree<Object3D> {
    if (!this.bodies.space.isWorld) {
      this.moveToWorld();
      this.flushPending();
    }
    return this.bodies.octree;
  }

  /** Brings the order of the members up to date with that of the children. */
  restoreOrder(): void {
    this.reconcile();
    this.bodies.ordered.restore((visitor) => {
      for (const child of this.children) this.visitMembers(this.states.get(child)!, visitor);
    });
  }

  /** The state of a child. A child that was written into the array of children is added first. */
  private stateOf(child: Object3D): ChildState {
    this.reconcile();
    return this.states.get(child) ?? this.add(child);
  }

  private addMember(object: Object3D, state: ChildState): void {
    const member = new Member(object, state);
    this.members.set(object, member);
    this.bodies.ordered.append(member);
    this.pending.add(member);
  }

  private removeMember(object: Object3D): void {
    const member = this.members.get(object);
    if (member === undefined) return;
    this.bodies.remove(member);
    this.bodies.unculled.delete(member, false);
    this.pending.delete(member);
    this.members.delete(object);
    this.bodies.ordered.remove(member);
  }

  /** Lets the next update compute the bounds of a member, from whatever it consists of by then. */
  private renew(member: Member): void {
    member.compound = null;
    this.pending.add(member);
  }

  private visitMembers({ child, tree }: ChildState, visitor: (member: Member) => void): void {
    if (tree === null) visitor(this.members.get(child)!);
    else for (const part of tree.parts) visitor(this.members.get(part)!);
  }

  private openTree(state: ChildState): void {
    const { child } = state;
    this.opening.delete(state);
    this.removeMember(child);
    state.phase = 'open';
    state.tree = new OpenTree(child, () => this.reopenTree(state));
    this.open.add(state);
    for (const part of state.tree.parts) this.addMember(part, state);
    this.bodies.ordered.invalidate();
  }

  /** Closes a changed tree, which every pass draws from then on, until the next update opens it with its present parts. */
  private reopenTree(state: ChildState): void {
    this.closeTree(state);
    this.addMember(state.child, state);
    state.phase = 'opening';
    this.opening.add(state);
    this.stale.add(state.child);
  }

  private closeTree(state: ChildState): void {
    state.tree!.close();
    for (const part of state.tree!.parts) this.removeMember(part);
    state.phase = 'closed';
    state.tree = null;
    this.open.delete(state);
    this.bodies.ordered.invalidate();
  }

  /** The group has moved. Its bodies stay where they are, if their space can represent the new place; otherwise all are pending. */
  private followGroup(world: Matrix4): void {
    const { space, octree } = this.bodies;
    for (const child of this.children) this.stale.add(child);
    const wasSimilar = space.isSimilar;
    if (!space.update(world) || octree.size === 0) this.moveToWorld();
    else if (!wasSimilar || !space.isSimilar) this.renewSpheres();
  }

  private moveToWorld(): void {
    this.bodies.space.resetToWorld();
    for (const member of this.members.values()) this.pending.add(member);
  }

  /** Lets the bounds be computed anew that come from a sphere in world space: in the space of the bodies it is no sphere any more, or it is one again. */
  private renewSpheres(): void {
    for (const member of this.members.values()) if (member.compound !== null || member.body?.kind === 'sphere') this.pending.add(member);
  }

  /** Updates the matrices of tracked children, and finds members that have moved or changed. */
  private updateTracked(isForced: boolean): void {
    const { unculled, watch } = this.bodies;
    const updateMatrices = ({ child, isTracked }: ChildState): void => {
      if (isTracked && !this.stale.has(child)) child.updateMatrixWorld(isForced);
    };
    for (const state of this.open) updateMatrices(state);
    for (const member of unculled) if (!member.isDescendant) updateMatrices(member.childState);
    unculled.visitDue((member) => this.pending.add(member));
    watch.visitMoved(isForced, this.stale, (member) => this.pending.add(member));
  }

  /** Computes the bounds of all pending members, then throws the first error. */
  private flushPending(): void {
    let failure: unknown = null;
    const failed = new Set<ChildState>();
    for (const member of this.pending) {
      try {
        this.bodies.update(member, member.childState.isTracked);
        this.pending.delete(member);
      } catch (error) {
        failure ??= error;
        failed.add(member.childState);
      }
    }
    // When the NaN is repaired, perhaps by the value of before, the watch finds no change. So all matrices below the child are computed anew.
    for (const state of failed) {
      this.stale.add(state.child);
      this.visitMembers(state, (member) => this.renew(member));
    }
    if (failure !== null) throw failure;
  }
}
