/**
 * Keeps the children of a group as bodies of an octree. While the group does not move, the bodies are in world space:
 * three tests the same bounds, the parents may have any transform, and queries of the octree take world units.
 * body-space.ts handles a group that moves.
 *
 * Invariant: a member without valid bounds is in `pending` or in `bodies.unculled`, and every pass draws it. Added and
 * moved members stay in `pending` until the next update, because their matrices are up to date only then. So nothing
 * here throws while a renderer traverses the scene.
 */

import type { Matrix4, Object3D } from 'three';
import type { ReadOnlyOctree } from '../../three-math/octree.ts';
import type { OctreeOptions } from '../../octree/bodies/octree-options.ts';
import { nameOf } from '../bounds/object-kinds.ts';
import { warnOnce } from '../passes/warnings.ts';
import { ChildState, Member } from './member.ts';
import { ChildUpdater } from './child-updater.ts';
import { MemberBodies } from './member-bodies.ts';
import { StaticTurn } from './static-turn.ts';
import { OpenTree, type TreeChange } from './open-tree.ts';

export class GroupChildren {
  readonly bodies: MemberBodies;
  /** Work list: members whose bounds the next update computes. */
  readonly pending = new Set<Member>();
  private readonly staticTurn: StaticTurn;
  /** Result of the last `readAhead` of a pass. Unused; stored so that the compiler keeps the loop. */
  readAheadSum = 0;

  private readonly children: readonly Object3D[];
  /** Whether a new child is static. */
  private readonly isStaticAtFirst: () => boolean;
  /** One state per child that was added and not removed. */
  private readonly states = new Map<Object3D, ChildState>();
  /** By object: closed children, and the parts of open ones. */
  private readonly members = new Map<Object3D, Member>();
  /**
   * Work list: the children that the next update opens, drawn in every pass until then; open trees that have changed.
   */
  private readonly opening = new Set<ChildState>();
  /** Whether there has been an update. */
  private isUpdated = false;
  // Created once: a closure for each frame would be garbage.
  private readonly schedule = (member: Member): void => void this.pending.add(member);
  private readonly scheduleChanged = (member: Member, isOther = false): void => {
    if (member.isStatic) this.bodies.tell('changed', member);
    if (isOther || !member.isUpToDate) member.compound = null;
    this.pending.add(member);
  };
  /** Finds a change of a static member that was not reported. */
  private readonly findForgotten = (member: Member): void => {
    const { staticTurn, bodies, pending } = this;
    if (member.owner.isDue || pending.has(member)) return;
    const moved = staticTurn.movedNode(member);
    if (moved !== null)
      warnOnce(
        this,
        'forgotten',
        `OctreeGroup: ${nameOf(moved)} is static, and was moved without a report. It is drawn at its new place only now; call reportMove after each move, or setStatic(child, false).`,
      );
    if (moved !== null || staticTurn.hasOtherBounds(member)) {
      this.reportMove(moved ?? member.object, member.child);
      this.updater.runDue(member.owner);
    } else bodies.detector.compare?.(member, this.scheduleChanged);
  };
  private readonly visitStates = (visitor: (state: ChildState) => void): void => {
    for (const child of new Set(this.children)) visitor(this.states.get(child)!);
  };
  private readonly visitMembers = (visitor: (member: Member) => void): void => {
    for (const child of this.children) this.states.get(child)!.members.forEach(visitor);
  };
  readonly updater = new ChildUpdater(this.schedule, (state) => this.openTree(state));

  /** @param children The array of the group. It is read when the order or the number of the children is needed. */
  constructor(children: readonly Object3D[], isStaticAtFirst: () => boolean, options: OctreeOptions) {
    this.children = children;
    this.isStaticAtFirst = isStaticAtFirst;
    this.bodies = new MemberBodies(options, this.scheduleChanged);
    this.staticTurn = new StaticTurn(this.bodies);
  }

  /** Replaces the octree by one with other options. All members get a new body in the next update. */
  useOptions(options: OctreeOptions): void {
    if (options === this.bodies.options) return;
    for (const member of this.members.values()) {
      this.bodies.remove(member);
      this.pending.add(member);
    }
    this.bodies.useOptions(options);
  }

  /**
   * Computes the bounds of members that were added, reported or opened since the last update, or moved by callbacks of
   * a pass, so that queries find them. Other members stay where the last update found them.
   *
   * @param updateAll Updates everything. Called if there has been no update yet.
   */
  updatePending(updateAll: () => void): void {
    this.reconcile();
    for (const member of this.bodies.drawnCallbacks.drawn) this.updater.findMovedMembers(member.owner, member);
    if (this.pending.size + this.opening.size === 0) return;
    if (!this.isUpdated) {
      updateAll();
      return;
    }
    for (const state of this.opening) this.openTree(state);
    for (const { owner } of this.pending) if (owner.isDue || owner.reported !== null) this.updater.runDue(owner);
    this.flushPending();
  }

  add(child: Object3D): ChildState {
    // The child may still have a state: code that takes it out of the array of children dispatches no event.
    this.remove(child);
    const state = new ChildState(child, this.isStaticAtFirst());
    this.states.set(child, state);
    this.updater.order.append(state);
    this.updater.makeDue(state);
    // three appends children, other libraries also insert them.
    if (this.children.at(-1) !== child) this.invalidateOrder();
    state.members = [this.addMember(child, state, state.isStatic)];
    return state;
  }

  remove(child: Object3D): void {
    const state = this.states.get(child);
    if (state === undefined) return;
    state.tree?.close();
    for (const member of state.members) this.removeMember(member);
    this.states.delete(child);
    this.opening.delete(state);
    this.updater.order.remove(state);
  }

  /**
   * Finds children that were written into the array of children, or taken out of it, without `add` and `remove`.
   * Detects only a changed number of children; cost otherwise: none.
   */
  reconcile(): void {
    for (const state of this.opening) if (state.tree !== null) this.openTree(state);
    if (this.children.length === this.states.size) return;
    const present = new Set(this.children);
    for (const child of this.states.keys()) if (!present.has(child)) this.remove(child);
    for (const child of present) if (!this.states.has(child)) this.add(child);
    this.invalidateOrder();
  }

  /**
   * Takes the matrices of the children as they are, in place of a first update. No child may have a body.
   *
   * @param world World matrix of the group.
   * @param added Children whose matrices are not computed yet.
   */
  adoptMatrices(world: Matrix4, added: ReadonlySet<Object3D>): void {
    this.isUpdated = true;
    this.followGroup(world);
    for (const state of this.states.values()) state.isDue = added.has(state.child);
  }

  /** Whether the tree of a child is open, or will be at the next update. */
  isOpen(child: Object3D): boolean {
    const state = this.states.get(child);
    return state !== undefined && (state.tree !== null || this.opening.has(state));
  }

  /** The objects of a tree that are static, or not, other than their parents. */
  otherThanParents(child: Object3D): Object3D[] {
    return this.stateOf(child).tree?.otherThanParents ?? [];
  }

  /** Makes each part of the tree of a child a member of its own, from the next update on. */
  openAtUpdate(child: Object3D): void {
    const state = this.stateOf(child);
    if (state.tree === null) this.opening.add(state);
  }

  /** @param object A child, or an object of an opened tree of one. */
  isStatic(object: Object3D, child: Object3D): boolean {
    const { tree, isStatic } = this.stateOf(child);
    return tree === null ? isStatic : tree.isPassedOver(tree.rangeOf(object)[0]);
  }

  /** @param object As for `isStatic`. */
  setStatic(object: Object3D, child: Object3D, isStatic: boolean): void {
    const state = this.stateOf(child);
    if (object !== child && state.tree === null) this.openTree(state);
    const { tree } = state;
    const [first, end] = tree === null ? [0, 1] : tree.rangeOf(object);
    if (tree === null ? state.isStatic === isStatic : !tree.setStatic(first, end, isStatic)) return;
    if (first === 0) {
      state.isStatic = isStatic;
      this.updater.makeDue(state);
    } else this.updater.report(tree!.nodes[first], state);
    // Also of static ones below a watched object, which may have moved since the last update.
    for (const member of tree === null ? state.members : tree.members.slice(first, end)) {
      if (member === null) continue;
      member.isStatic = isStatic;
      this.scheduleBounds(member);
    }
  }

  /**
   * Schedules the matrices and the bounds of an object for the next update.
   *
   * @param object A child, or a descendant of one.
   */
  reportMove(object: Object3D, child: Object3D): void {
    const state = this.stateOf(child);
    this.updater.report(object, state);
    // The member that is the object, or to which it belongs. An object of a tree without one may have some below it.
    let top = object;
    while (top !== child && !this.members.has(top)) top = top.parent!;
    if (!this.members.has(top)) top = object;
    const visit = (each: Object3D): void => {
      const member = this.members.get(each);
      if (member !== undefined) this.scheduleBounds(member);
      else each.children.forEach(visit);
    };
    visit(top);
  }

  /**
   * Brings the matrices of the children and the octree up to date. The matrix of the group is up to date already.
   *
   * @param isForced Whether three would recompute the matrices of all children.
   * @param usesWorldMatrix Whether three would call `updateWorldMatrix` of the children, and not `updateMatrixWorld`.
   */
  updateMembers(world: Matrix4, isForced: boolean, usesWorldMatrix: boolean): void {
    this.isUpdated = true;
    this.reconcile();
    this.bodies.drawnCallbacks.drawn.clear();
    for (const state of this.opening) this.openTree(state);
    const hasGroupMoved = !this.bodies.space.isAt(world);
    if (hasGroupMoved) this.followGroup(world);
    this.updater.order.restore(this.visitStates);
    this.updater.run({ isForced, usesWorldMatrix, hasGroupMoved });
    this.staticTurn.visit(this.findForgotten);
    this.findChanged();
    this.bodies.unculled.visitDue(this.schedule);
    this.flushPending();
    for (const follower of this.bodies.followers) follower.updated?.();
    this.bodies.drawing?.updated();
  }

  /**
   * Finds members whose world matrices other code has computed since the last update, or whose geometries or materials
   * it has changed. Every pass draws them until the next update.
   *
   * @param world World matrix of the group.
   * @returns False if the group itself has been moved; then the bounds of all bodies are wrong.
   */
  findChangedByOthers(world: Matrix4): boolean {
    if (!this.bodies.space.isAt(world)) return false;
    this.updater.findMovedByOthers();
    this.findChanged();
    return true;
  }

  /** The member of a child, or of a part of an opened tree. */
  memberOf(object: Object3D): Member | undefined {
    return this.members.get(object);
  }

  /** All members, in a fresh array, in no particular order. */
  get allMembers(): Member[] {
    return Array.from(this.members.values());
  }

  /** The octree in world units. If the group has moved since the bodies were inserted, this moves every body. */
  get worldOctree(): ReadOnlyOctree<Object3D> {
    if (!this.bodies.space.isWorld) {
      this.moveToWorld();
      this.flushPending();
    }
    return this.bodies.octree;
  }

  /** Brings the members into the order of the children. */
  restoreOrder(): void {
    this.reconcile();
    this.bodies.ordered.restore(this.visitMembers);
  }

  /** The state of a child. A child that was written into the array of children is added first. */
  private stateOf(child: Object3D): ChildState {
    this.reconcile();
    return this.states.get(child) ?? this.add(child);
  }

  private invalidateOrder(): void {
    this.updater.order.invalidate();
    this.bodies.ordered.invalidate();
  }

  private addMember(object: Object3D, state: ChildState, isStatic: boolean): Member {
    const member = new Member(object, state, isStatic);
    this.members.set(object, member);
    this.bodies.ordered.append(member);
    this.pending.add(member);
    return member;
  }

  private removeMember(member: Member): void {
    // Its object may have another member by now.
    if (member.order < 0) return;
    this.bodies.remove(member);
    this.bodies.unculled.delete(member, false);
    this.pending.delete(member);
    this.members.delete(member.object);
    this.bodies.ordered.remove(member);
  }

  /** Finds what has changed of members, beside their moves. The next update computes their bounds. */
  findChanged(): void {
    this.bodies.detector.visitChanged(this.scheduleChanged);
  }

  /** Schedules the bounds of a member for the next update, which also collects its parts again. */
  private scheduleBounds(member: Member): void {
    this.bodies.detector.reported?.(member);
    this.bodies.tell('changed', member);
    member.compound = null;
    this.pending.add(member);
  }

  /** Opens the tree of a child, or brings an open one up to date: parts that are still in it keep their members. */
  private openTree(state: ChildState): void {
    this.opening.delete(state);
    state.tree?.close();
    const memberOf = (part: Object3D, isStatic: boolean): Member => {
      const member = this.members.get(part);
      if (member?.owner !== state) return this.addMember(part, state, isStatic);
      if (member.isStatic !== isStatic) {
        member.isStatic = isStatic;
        this.scheduleBounds(member);
      }
      return member;
    };
    const { child, isStatic, members, tree } = state;
    state.tree = new OpenTree(child, isStatic, tree, memberOf, (event) => this.changeTree(state, event));
    state.members = state.tree.members.filter((member) => member !== null);
    const kept = new Set(state.members);
    for (const member of members) if (!kept.has(member)) this.removeMember(member);
    this.bodies.ordered.invalidate();
  }

  /**
   * An object was added to an open tree or removed from it. Removed parts lose their members at once, because they may
   * be added elsewhere; the next pass, query or update looks for added ones.
   */
  private changeTree(state: ChildState, { type, child }: TreeChange): void {
    if (type === 'childremoved')
      child.traverse((object) => {
        const member = this.members.get(object);
        if (member?.owner === state) this.removeMember(member);
      });
    this.opening.add(state);
    this.updater.makeDue(state);
  }

  /**
   * The group has moved. If the body space can represent its new matrix, the bodies stay where they are; otherwise all
   * members become pending.
   */
  private followGroup(world: Matrix4): void {
    const { space, octree } = this.bodies;
    const wasSimilar = space.isSimilar;
    if (!space.setWorld(world) || octree.size === 0) this.moveToWorld();
    else if (!wasSimilar || !space.isSimilar) this.scheduleSphereBounds();
  }

  private moveToWorld(): void {
    this.bodies.space.resetToWorld();
    for (const member of this.members.values()) this.pending.add(member);
  }

  /**
   * Schedules all bounds that come from a sphere in world space. In body space such a sphere has become an ellipsoid,
   * or is a sphere again.
   */
  private scheduleSphereBounds(): void {
    for (const member of this.members.values())
      if (member.compound !== null || member.body?.kind === 'sphere') this.pending.add(member);
  }

  /** Computes the bounds of all pending members. Members whose matrices are still to be computed stay pending. */
  private flushPending(): void {
    for (const member of this.pending) {
      const { body, source, compound, owner } = member;
      if (owner.isDue) continue;
      this.bodies.updateBody(member);
      this.pending.delete(member);
      const isSimpleMove =
        body !== null &&
        body === member.body &&
        source === member.source &&
        compound === null &&
        member.compound === null;
      if (!isSimpleMove) this.updater.classify(owner);
    }
  }
}
