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
import type { Body, ReadOnlyOctree } from '../../three-math/octree.ts';
import type { OctreeOptions } from '../../octree/bodies/options.ts';
import { nameOf } from '../bounds/object-kinds.ts';
import { warnOnce } from '../passes/warnings.ts';
import { Member } from './member.ts';
import { ChildUpdater } from './child-updater.ts';
import { FollowRule } from './follow-rule.ts';
import { MemberBodies } from './member-bodies.ts';
import { StaticTurn } from './static-turn.ts';
import { OpenTree, type TreeChange } from './open-tree.ts';

export class GroupChildren {
  readonly bodies: MemberBodies;
  /** Work list: members whose bounds the next update computes. */
  readonly pending = new Set<Member>();
  readonly followRule = new FollowRule();
  private readonly staticTurn: StaticTurn;
  /** Result of the last `readAhead` of a pass. Unused; stored so that the compiler keeps the loop. */
  readAheadSum = 0;

  private readonly children: readonly Object3D[];
  /** Whether a new child is static. */
  private readonly isStaticAtFirst: () => boolean;
  /** By object: the children, and the parts of opened trees. */
  readonly records = new Map<Object3D, Member>();
  /**
   * Work list: the children that the next update opens, drawn in every pass until then; open trees that have changed.
   */
  readonly opening = new Set<Member>();
  /** Static objects that were found moved without a report. */
  private readonly forgotten = new WeakSet<Object3D>();
  /** Whether there has been an update. */
  private isUpdated = false;
  // Created once: a closure for each frame would be garbage.
  private readonly schedule = (member: Member): void => {
    member.hasMoved = true;
    this.followRule.moved++;
    // Of a static one that moves without a report, any other change is found with the move.
    if (member.isStatic) this.bodies.detectorOf(member).reported(member);
    const isLeaf = member.watch === 'compared' && member.compound === null;
    try {
      // At once: what an update has just computed is in the caches. A pending one is moved at the end in any case.
      const isAtOnce = this.updater.movesAtOnce && !this.pending.has(member);
      if (this.bodies.areBoundsOld ? isLeaf : isAtOnce && this.bodies.moveBody(member)) return;
    } catch {
      // Without memory, or after an error of a feature, the end of the update tries again.
    }
    this.pending.add(member);
  };
  /** Computes the bounds of a pending member. One whose matrices are still to be computed stays pending. */
  private readonly flush = (member: Member): void => {
    if (member.owner.isDue) return;
    if (!this.bodies.moveBody(member)) {
      this.bodies.updateBody(member);
      this.updater.classify(member.owner);
    }
    this.pending.delete(member);
  };
  private readonly scheduleChanged = (member: Member, isOther = false): void => {
    if (isOther || !member.isUpToDate) member.compound = null;
    this.pending.add(member);
  };
  /** A static object, a child or one below it, has changed, and that was not reported. */
  private readonly addForgotten = (object: Object3D): void => {
    let top = object;
    while (!this.records.has(top)) top = top.parent!;
    const { owner } = this.records.get(top)!;
    // As text, in which a NaN equals a NaN.
    const before = String(object.matrixWorld.elements);
    this.updater.report(object, owner);
    this.updater.runDue(owner);
    if (String(object.matrixWorld.elements) === before) return;
    warnOnce(
      this,
      'forgotten',
      `OctreeGroup: ${nameOf(object)} is static, and was moved without a report. It is drawn at its new place only now; call reportMove after each move, or setStatic(object, false) if it moves by itself. For a file with animations, pass them to addTree.`,
    );
    // It moves by itself.
    if (this.forgotten.has(object)) this.setStatic(owner.tree === null ? owner.object : object, owner.object, false);
    this.forgotten.add(object);
  };
  private readonly compareStatic = (member: Member): void => {
    // A member whose bounds are due is compared too, if it was added to the detector: they may be due in each update.
    if (!this.pending.has(member) || member.watchedSource !== null)
      this.bodies.detectorOf(member).compare(member, this.scheduleChanged);
  };
  private readonly visitChildren = (visitor: (child: Member) => void): void => {
    for (const child of new Set(this.children)) visitor(this.records.get(child)!);
  };
  private readonly visitMembers = (visitor: (member: Member) => void): void => {
    for (const child of this.children) this.records.get(child)!.members.forEach(visitor);
  };
  readonly updater: ChildUpdater;

  /** @param children The array of the group. It is read when the order or the number of the children is needed. */
  constructor(children: readonly Object3D[], isStaticAtFirst: () => boolean, options: OctreeOptions) {
    this.children = children;
    this.isStaticAtFirst = isStaticAtFirst;
    this.bodies = new MemberBodies(options, this.scheduleChanged);
    this.updater = new ChildUpdater(this.schedule, (child) => this.openTree(child), this.bodies);
    this.staticTurn = new StaticTurn(this.bodies, this.updater.order, this.addForgotten);
  }

  /** Replaces the octree by one with other options. All members get a new body in the next update. */
  useOptions(options: OctreeOptions): void {
    if (options === this.bodies.options) return;
    for (const member of this.allMembers) {
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
    this.bodies.renewBounds();
    if (this.pending.size + this.opening.size === 0) return;
    if (!this.isUpdated) return updateAll();
    for (const child of this.opening) this.openTree(child);
    for (const { owner } of this.pending) if (owner.isDue || owner.reported !== null) this.updater.runDue(owner);
    this.pending.forEach(this.flush);
  }

  add(object: Object3D): Member {
    // The object may still be a child: code that takes it out of the array of children dispatches no event.
    this.remove(object);
    const child = new Member(object, null, this.isStaticAtFirst());
    this.updater.order.append(child);
    this.updater.makeDue(child);
    // three appends children, other libraries also insert them.
    if (this.children.at(-1) !== object) this.invalidateOrder();
    this.addMember(child);
    return child;
  }

  remove(object: Object3D): void {
    const child = this.findChild(object);
    if (child === undefined) return;
    child.tree?.close();
    for (const member of child.members) this.removeMember(member);
    child.bounds = 'gone';
    this.records.delete(object);
    this.opening.delete(child);
    this.updater.order.remove(child);
  }

  /**
   * Finds children that were written into the array of children, or taken out of it, without `add` and `remove`.
   * Detects only a changed number of children; cost otherwise: none.
   */
  reconcile(): void {
    for (const child of this.opening) if (child.tree !== null) this.openTree(child);
    if (this.children.length === this.updater.order.count) return;
    const present = new Set(this.children);
    for (const object of this.records.keys()) if (!present.has(object)) this.remove(object);
    for (const object of present) if (this.findChild(object) === undefined) this.add(object);
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
    for (const child of this.records.values()) child.isDue = added.has(child.object);
  }

  /** Whether the tree of a child is open, or will be at the next update. */
  isOpen(object: Object3D): boolean {
    const child = this.findChild(object);
    return child !== undefined && (child.tree !== null || this.opening.has(child));
  }

  /** The objects of a tree that are static, or not, other than their parents. */
  otherThanParents(object: Object3D): Object3D[] {
    return this.childOf(object).tree?.otherThanParents ?? [];
  }

  /** Makes each part of the tree of a child a member of its own, from the next update on. */
  openAtUpdate(object: Object3D): void {
    const child = this.childOf(object);
    if (child.tree === null) this.opening.add(child);
  }

  /** @param object A child, or an object of an opened tree of one. */
  isStatic(object: Object3D, childObject: Object3D): boolean {
    const { tree, isStatic } = this.childOf(childObject);
    return tree === null ? isStatic : tree.isStatic(tree.rangeOf(object)[0]);
  }

  /** @param object As for `isStatic`. */
  setStatic(object: Object3D, childObject: Object3D, isStatic: boolean): void {
    const child = this.childOf(childObject);
    if (object !== childObject && child.tree === null) this.openTree(child);
    const { tree } = child;
    const [first, end] = tree === null ? [0, 1] : tree.rangeOf(object);
    if (tree === null ? child.isStatic === isStatic : !tree.setRangeStatic(first, end, isStatic)) return;
    if (first === 0) {
      child.isStatic = isStatic;
      this.updater.makeDue(child);
    } else this.updater.report(tree!.nodes[first], child);
    // Also of static ones below a watched object, which may have moved since the last update.
    for (const member of tree === null ? child.members : tree.members.slice(first, end)) {
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
  reportMove(object: Object3D, childObject: Object3D): void {
    this.updater.report(object, this.childOf(childObject));
    // The member that is the object, or to which it belongs. An object of a tree without one may have some below it.
    let top = object;
    while (top !== childObject && !this.memberOf(top)) top = top.parent!;
    if (!this.memberOf(top)) top = object;
    const visit = (each: Object3D): void => {
      const member = this.memberOf(each);
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
    for (const child of this.opening) this.openTree(child);
    const hasGroupMoved = !this.bodies.space.isAt(world);
    if (hasGroupMoved) this.followGroup(world);
    this.updater.order.restore(this.visitChildren);
    // Also in a group that no pass and no ray visits: removed members leave gaps.
    this.bodies.ordered.restore(this.visitMembers);
    const { bodies, followRule } = this;
    const compares = followRule.begin(bodies.areReadByPassesOnly);
    if (followRule.isFollowing) bodies.renewBounds();
    else bodies.areBoundsOld = true;
    const { hasRunUserCode } = this.updater;
    this.updater.run(
      { isForced, usesWorldMatrix, hasGroupMoved },
      compares || hasGroupMoved || this.updater.previousMatrices.areUsed,
    );
    // That code may have written matrices of members which were moved before it ran.
    if (!hasRunUserCode && this.updater.hasRunUserCode) this.scheduleAll();
    followRule.end(bodies.ordered.count, bodies.drawing?.count ?? 0);
    if (!bodies.areBoundsOld) bodies.findChanged();
    this.staticTurn.visit(this.compareStatic, isForced);
    this.bodies.retryUnculled((member) => this.pending.add(member));
    this.pending.forEach(this.flush);
    for (const follower of this.bodies.followers) follower.updated?.();
    this.bodies.drawing?.updated();
  }

  /**
   * Finds members whose world matrices other code has computed since the last update, or whose geometries or materials
   * it has changed: every pass draws them until the next update. And members that are drawn in another way.
   *
   * @param world World matrix of the group.
   * @param findsMoves Default: true. If false, does not look for moves.
   * @returns False if the group itself has been moved; then the bounds of all bodies are wrong.
   */
  findChangedByOthers(world: Matrix4, findsMoves = true): boolean {
    if (!this.bodies.space.isAt(world)) return false;
    this.updater.findMovedByOthers(undefined, findsMoves);
    this.bodies.findChanged();
    return true;
  }

  /** The member of a child, or of a part of an opened tree. */
  memberOf(object: Object3D): Member | undefined {
    const member = this.records.get(object);
    return member?.bounds === 'opened' ? undefined : member;
  }

  /**
   * The body of an object at or below a child, or of the object above it that is culled with it. Null if there is none.
   */
  bodyOf(object: Object3D): Body<Object3D> | null {
    for (let node: Object3D | null = object; node !== null; node = node.parent) {
      const member = this.memberOf(node);
      if (member !== undefined) return member.body;
    }
    return null;
  }

  /** All members, in a fresh array, in no particular order. */
  get allMembers(): Member[] {
    return this.bodies.ordered.items.filter((member) => member !== null);
  }

  /** The octree in world units. If the group has moved since the bodies were inserted, this moves every body. */
  get worldOctree(): ReadOnlyOctree<Object3D> {
    if (!this.bodies.space.isWorld) {
      this.moveToWorld();
      this.pending.forEach(this.flush);
    }
    return this.bodies.octree;
  }

  /** Brings the members into the order of the children. */
  restoreOrder(): void {
    this.reconcile();
    this.bodies.ordered.restore(this.visitMembers);
  }

  private findChild(object: Object3D): Member | undefined {
    const record = this.records.get(object);
    return record?.isDescendant === false ? record : undefined;
  }

  /** The record of a child. A child that was written into the array of children is added first. */
  private childOf(object: Object3D): Member {
    this.reconcile();
    return this.findChild(object) ?? this.add(object);
  }

  private invalidateOrder(): void {
    this.updater.order.invalidate();
    this.bodies.ordered.invalidate();
  }

  private addMember(member: Member): void {
    this.records.set(member.object, member);
    this.bodies.ordered.append(member);
    member.bounds = 'new';
    this.pending.add(member);
  }

  private removeMember(member: Member): void {
    if (member.order < 0) return;
    this.bodies.remove(member);
    this.bodies.unculled.delete(member);
    this.pending.delete(member);
    this.bodies.ordered.remove(member);
    member.bounds = 'gone';
    // Its object may have another record by now, and a child keeps its own.
    if (member.isDescendant && this.records.get(member.object) === member) this.records.delete(member.object);
    this.bodies.tell('left', member);
  }

  /** Schedules the bounds of a member for the next update, which also compares it. */
  scheduleBounds(member: Member): void {
    this.bodies.detectorOf(member).reported(member);
    this.pending.add(member);
  }

  /** Opens the tree of a child, or brings an open one up to date: parts that are still in it keep their members. */
  private openTree(child: Member): void {
    const before = child.tree;
    const tree = before?.isVisited ? before.copy() : (before ?? new OpenTree((event) => this.changeTree(child, event)));
    const { added, left } = tree.refresh(child.object, child.isStatic, (object, isStatic, known) => {
      const found = known ?? this.records.get(object);
      const part = found?.owner === child ? found : new Member(object, child, isStatic);
      if (part !== found) this.remove(object);
      if (part.order < 0) this.addMember(part);
      if (part.isStatic !== isStatic) {
        part.isStatic = isStatic;
        this.scheduleBounds(part);
      }
      return part;
    });
    // After an error the next update tries again.
    this.opening.delete(child);
    child.tree = tree;
    if (before !== null) for (const object of added) this.updater.report(object, child);
    const parts: Member[] = [];
    tree.members.forEach((member, node) => {
      if (member === null) return;
      member.node = node;
      parts.push(member);
    });
    child.parts = parts;
    for (const member of left) if (tree.members[member.node] !== member) this.removeMember(member);
    if (tree.members[0] !== child) {
      this.removeMember(child);
      [child.bounds, child.compound] = ['opened', null];
    }
    this.bodies.ordered.invalidate();
  }

  /**
   * An object was added to an open tree or removed from it. Removed parts lose their members at once, because they may
   * be added elsewhere; the next pass, query or update looks for added ones.
   */
  private changeTree(child: Member, { type, child: object }: TreeChange): void {
    child.tree!.arrived.add(object);
    if (type === 'childremoved')
      object.traverse((each) => {
        const member = this.records.get(each);
        if (member?.owner === child) this.removeMember(member);
        child.reported?.delete(each);
      });
    this.opening.add(child);
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
    this.scheduleAll();
  }

  private scheduleAll(): void {
    for (const member of this.allMembers) this.pending.add(member);
  }

  /**
   * Schedules all bounds that come from a sphere in world space. In body space such a sphere has become an ellipsoid,
   * or is a sphere again.
   */
  private scheduleSphereBounds(): void {
    for (const member of this.allMembers)
      if (member.compound !== null || member.body?.kind === 'sphere') this.pending.add(member);
  }
}
