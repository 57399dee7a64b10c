/**
 * The children of a group as bodies of an octree, in world space as long as the group stands still: then the bounds are those that three
 * itself tests, any transform of the parents will do, and questions to the octree are in world units. See body-space for when it moves.
 *
 * Additions and moves wait until the next time the group's matrices are updated, when the numbers they depend on are known; until then
 * their members are always shown. So nothing here throws while a renderer walks the scene.
 */

import type { Matrix4, Object3D } from 'three';
import type { Octree } from '../../scene/octree.ts';
import { MemberBodies } from './member-bodies.ts';
import { Member } from './member.ts';
import { OpenTree } from './open-tree.ts';

export class ChildIndex {
  readonly bodies = new MemberBodies();
  /** Members whose bounds have to be taken. */
  readonly waiting = new Set<Member>();

  private readonly children: readonly Object3D[];
  private readonly isTrackedAtFirst: (child: Object3D) => boolean;
  /** How many children there should be, after all that was added and removed. */
  private childCount = 0;
  private readonly members = new Map<Object3D, Member>();
  private readonly trees = new Map<Object3D, OpenTree>();
  private readonly treesToOpen = new Set<Object3D>();
  private readonly untracked = new Set<Object3D>();
  /** Children, or objects below them, whose matrices have to be computed anew. */
  private readonly stale = new Set<Object3D>();

  /** @param children Those of the group; the array is read whenever the order or the number of all is asked for. */
  constructor(children: readonly Object3D[], isTrackedAtFirst: (child: Object3D) => boolean) {
    this.children = children;
    this.isTrackedAtFirst = isTrackedAtFirst;
  }

  get isWaiting(): boolean {
    return this.waiting.size + this.treesToOpen.size > 0;
  }

  add(child: Object3D): void {
    // It may have left the array without a word.
    if (this.has(child)) this.remove(child);
    this.childCount++;
    if (!this.isTrackedAtFirst(child)) this.untracked.add(child);
    this.stale.add(child);
    // Three adds at the end, other libraries put children between others.
    if (this.children.at(-1) !== child) this.bodies.roll.shuffle();
    this.addMember(child, child);
  }

  remove(child: Object3D): void {
    if (!this.has(child)) return;
    this.childCount--;
    this.closeTree(child);
    this.dropMember(child);
    for (const set of [this.untracked, this.stale, this.treesToOpen]) set.delete(child);
  }

  /** Takes in what somebody has written into the array of children in place, as far as their number tells. */
  reconcile(): void {
    if (this.children.length === this.childCount) return;
    const present = new Set(this.children);
    const known = [...this.trees.keys(), ...Array.from(this.members.values(), ({ child }) => child)];
    for (const child of known) if (!present.has(child)) this.remove(child);
    for (const child of present) if (!this.has(child)) this.add(child);
    this.bodies.roll.shuffle();
  }

  isOpen(child: Object3D): boolean {
    return this.trees.has(child) || this.treesToOpen.has(child);
  }

  /** Makes every object below a child a member of its own, from the next update on. */
  open(child: Object3D): void {
    if (!this.trees.has(child)) this.treesToOpen.add(child);
  }

  isTracked(child: Object3D): boolean {
    return !this.untracked.has(child);
  }

  setTracked(child: Object3D, isTracked: boolean): void {
    if (isTracked) this.untracked.delete(child);
    else this.untracked.add(child);
    this.moved(child);
  }

  /** Has the matrices and the bounds of a child, or of an object below it, taken anew at the next update. */
  moved(object: Object3D, child: Object3D = object): void {
    this.stale.add(object);
    const member = this.members.get(object);
    const wait = (part: Member): void => {
      part.compound = null;
      this.waiting.add(part);
    };
    if (member !== undefined) wait(member);
    else this.visitMembers(child, wait);
  }

  /**
   * Brings the octree in step, and the matrices of the children; that of the group is up to date.
   *
   * @param isForced Whether three would compute the matrices of all children anew.
   * @throws {RangeError} If a child has a NaN in its matrix or geometry; after all others are done. It keeps waiting.
   */
  update(world: Matrix4, isForced: boolean): void {
    this.reconcile();
    for (const [child, tree] of this.trees) if (this.isTracked(child) && !tree.isSame) this.reopenTree(child);
    for (const child of this.treesToOpen) this.openTree(child);
    if (!this.bodies.space.isAt(world)) {
      for (const child of this.children) this.stale.add(child);
      const wasSimilar = this.bodies.space.isSimilar;
      if (!this.bodies.space.update(world) || this.bodies.octree.size === 0) this.moveToWorld();
      else if (!wasSimilar || !this.bodies.space.isSimilar) this.renewSpheres();
    }
    for (const object of this.stale) {
      object.updateMatrixWorld(true);
      // The watch would compute it once more.
      if (object.matrixAutoUpdate) object.matrixWorldNeedsUpdate = true;
    }
    this.updateTracked(isForced);
    this.stale.clear();
    this.settleWaiting();
  }

  /** The octree in world units: moves every body if the group has moved since the last time. */
  get worldOctree(): Octree<Object3D> {
    if (!this.bodies.space.isWorld) {
      this.moveToWorld();
      this.settleWaiting();
    }
    return this.bodies.octree;
  }

  /** Brings the places of the members up to date with the order of the children. */
  order(): void {
    this.reconcile();
    this.bodies.roll.order((visitor) => {
      for (const child of this.children) this.visitMembers(child, visitor);
    });
  }

  private has(child: Object3D): boolean {
    return this.trees.has(child) || this.members.get(child)?.isDeep === false;
  }

  private addMember(object: Object3D, child: Object3D): void {
    const member = new Member(object, child);
    this.members.set(object, member);
    this.bodies.roll.append(member);
    this.waiting.add(member);
  }

  private dropMember(object: Object3D): void {
    const member = this.members.get(object);
    if (member === undefined) return;
    this.bodies.drop(member);
    this.bodies.loose.delete(member, false);
    this.waiting.delete(member);
    this.members.delete(object);
    this.bodies.roll.drop(member);
  }

  private visitMembers(child: Object3D, visitor: (member: Member) => void): void {
    const tree = this.trees.get(child);
    if (tree === undefined) visitor(this.members.get(child)!);
    else for (const part of tree.parts) visitor(this.members.get(part)!);
  }

  private openTree(child: Object3D): void {
    this.treesToOpen.delete(child);
    this.dropMember(child);
    const tree = new OpenTree(child, () => this.reopenTree(child));
    this.trees.set(child, tree);
    for (const part of tree.parts) this.addMember(part, child);
    this.bodies.roll.shuffle();
  }

  /** Has a tree whole again, and so always shown, until the next update opens it with what it has become. */
  private reopenTree(child: Object3D): void {
    this.closeTree(child);
    this.addMember(child, child);
    this.treesToOpen.add(child);
    this.stale.add(child);
  }

  private closeTree(child: Object3D): void {
    const tree = this.trees.get(child);
    if (tree === undefined) return;
    tree.close();
    for (const part of tree.parts) this.dropMember(part);
    this.trees.delete(child);
    this.bodies.roll.shuffle();
  }

  private moveToWorld(): void {
    this.bodies.space.resetToWorld();
    for (const member of this.members.values()) this.waiting.add(member);
  }

  /** Has those bounded anew that three culls by a ball in the world, which is none any more where the bodies are. */
  private renewSpheres(): void {
    for (const member of this.members.values()) if (member.compound !== null || member.body?.kind === 'sphere') this.waiting.add(member);
  }

  /** Looks after the children that may have moved without a word. */
  private updateTracked(isForced: boolean): void {
    const update = (child: Object3D): void => {
      if (this.isTracked(child) && !this.stale.has(child)) child.updateMatrixWorld(isForced);
    };
    for (const child of this.trees.keys()) update(child);
    for (const member of this.bodies.loose) if (!member.isDeep) update(member.child);
    this.bodies.loose.visitDue((member) => this.waiting.add(member));
    this.bodies.watch.visitMoved(isForced, this.stale, (member) => this.waiting.add(member));
  }

  private settleWaiting(): void {
    let failure: unknown = null;
    const failed = new Set<Object3D>();
    for (const member of this.waiting) {
      try {
        this.bodies.settle(member, this.isTracked(member.child));
        this.waiting.delete(member);
      } catch (error) {
        failure ??= error;
        failed.add(member.child);
      }
    }
    // What is mended meanwhile, perhaps to the numbers of before, moves all that is below it.
    for (const child of failed) this.moved(child);
    if (failure !== null) throw failure;
  }
}
