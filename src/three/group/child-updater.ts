/**
 * Brings the matrices of the children up to date, once a frame, and finds the members that have moved.
 *
 * Order. three computes the matrices of the children one after the other, each with all its descendants. Meanwhile some
 * objects read others (helpers, an object that follows another), or move them. They must find the same state as in a
 * plain Group. So an update goes through the children in their order, too.
 *
 * Cost. three computes all matrices in each frame, because vectors of three do not report changes. An update compares
 * the position, rotation and scale of each child with their values in the last update. This takes half the time, and
 * most of that is memory access: the engine keeps each number of a vector in a heap object of its own. Matrices that
 * three computes from anything else are computed in each update, as in three.
 *
 * Other code may move a child, compute its matrices, and move it back (a trial move). Then the local transform is
 * unchanged, but the matrices are wrong. `matrixWorldNeedsUpdate` shows this: the updater leaves the flag set, and
 * three clears it whenever it computes the world matrix. So the updater recomputes the matrices of a child whose flag
 * is clear. A set flag says nothing: in a plain Group, too, it is set in every frame.
 */

import type { Object3D } from 'three';
import { isWithin } from '../bounds/object-kinds.ts';
import { hasPlainMatrices, isPlainLeaf, runsUserCode } from '../bounds/object-traits.ts';
import { CHILDREN_PER_BLOCK, ChildOrder, indexInBlock, type ChildBlock } from './child-order.ts';
import type { Member } from './member.ts';
import type { ComparedNodes } from './compared-nodes.ts';
import { Compound } from './compound.ts';
import type { MemberBodies } from './member-bodies.ts';
import type { OpenTree } from './open-tree.ts';
import { PreviousMatrices } from './traversal-effects.ts';
import type { MatrixUpdate, NodeVisitor } from './tree-nodes.ts';

/** How `runDue` updates a child. */
const DUE_UPDATE: MatrixUpdate = { isForced: true, usesWorldMatrix: true, hasGroupMoved: false };

export class ChildUpdater {
  readonly order = new ChildOrder();
  readonly previousMatrices = new PreviousMatrices();

  private readonly onMoved: (member: Member) => void;
  private readonly openTree: (child: Member) => void;
  private readonly bodies: MemberBodies;
  private update: MatrixUpdate = DUE_UPDATE;
  /** Order of the last child that ran code of its own in this update. */
  private userCodeEnd = 0;
  /** Whether the last update ran code of children. */
  hasRunUserCode = false;
  /** Nodes of this update of which other code may write world matrices until its end, and the members of the nodes. */
  private placed: { nodes: ComparedNodes; memberAt: (index: number) => Member | null | undefined }[] = [];

  /**
   * @param onMoved Called for each member that has moved, or that consists of other objects or geometries than before.
   * @param openTree Called for a child with an opened tree of which other nodes have become plain nodes or parts.
   * @param bodies Told of members that are drawn in another way than before.
   */
  constructor(onMoved: (member: Member) => void, openTree: (child: Member) => void, bodies: MemberBodies) {
    this.onMoved = onMoved;
    this.openTree = openTree;
    this.bodies = bodies;
  }

  /** Whether an update goes through the children, and the last one ran no code that may write their matrices later. */
  get movesAtOnce(): boolean {
    return this.update !== DUE_UPDATE && !this.hasRunUserCode;
  }

  /** Has the next update compute the matrices of a child, even if it is static. */
  makeDue(child: Member): void {
    child.isDue = true;
    this.order.setWatch(child, 'visited');
  }

  /**
   * Has the next update compute the matrices of an object, even if three would not.
   *
   * @param object The object of the child, or a descendant of it.
   */
  report(object: Object3D, child: Member): void {
    (child.reported ??= new Set()).add(object);
    this.order.setWatch(child, 'visited');
  }

  /**
   * Sets how later updates check a child: they compare one whose bounds come from its own geometry, and visit all
   * others; static ones in turn. Call it after the bounds of its members were computed.
   */
  classify(child: Member): void {
    if (child.isDue || child.reported !== null) return;
    const isLeaf = child.bounds === 'culled' && child.compound === null && child.matchesSource;
    this.order.setWatch(child, child.isAllStatic ? 'reported' : isLeaf ? 'compared' : 'visited');
  }

  /** Updates a due or reported child now, between two frames. */
  runDue(child: Member): void {
    const { update } = this;
    this.update = DUE_UPDATE;
    try {
      this.visit(child);
    } finally {
      this.update = update;
    }
  }

  /**
   * Updates the matrices of all children. May run user code, which adds and removes children, and starts another
   * update.
   *
   * @param compares Whether it finds out which children have moved. If not, it computes all as three does.
   */
  run(update: MatrixUpdate, compares: boolean): void {
    const { order } = this;
    const { items: children } = order;
    const { update: outerUpdate, userCodeEnd: outerEnd, placed: outerPlaced } = this;
    this.update = update;
    this.userCodeEnd = 0;
    this.placed = [];
    try {
      // As in three, children that are added during the update are left to the next one.
      const end = children.length;
      // If the order has been rebuilt, an inner update has updated all children.
      for (let first = 0; first < end && children === order.items; first += CHILDREN_PER_BLOCK) {
        const count = Math.min(CHILDREN_PER_BLOCK, end - first);
        this.visitBlock(order.blocks[first / CHILDREN_PER_BLOCK], first, count, compares);
      }
      this.hasRunUserCode = this.userCodeEnd > 0;
      if (this.hasRunUserCode) this.findMovedByOthers(this.userCodeEnd);
      for (const { nodes, memberAt } of this.placed)
        for (let k = -1; (k = nodes.nextPlaced(k + 1)) < nodes.nodes.length;) this.notifyMoved(memberAt(k));
    } finally {
      this.update = outerUpdate;
      this.userCodeEnd = outerEnd;
      this.placed = outerPlaced;
    }
  }

  /**
   * Finds members whose world matrices other code has computed since they were last updated, or whose geometries or
   * materials it has exchanged: user code during an update, callbacks of a pass, `scene.onBeforeRender`. The next
   * update computes their matrices and bounds again.
   *
   * @param end Looks only at children with a lower order. Default: all.
   * @param findsMoves Default: true. If false, finds only what is drawn in another way.
   */
  findMovedByOthers(end = this.order.items.length, findsMoves = true): void {
    const { blocks, items: children } = this.order;
    const count = Math.min(end, children.length);
    for (let k = 0; k < count; k++) {
      const block = blocks[Math.floor(k / CHILDREN_PER_BLOCK)];
      const child = children[k]!;
      if (block.watchedCount === 0) k += CHILDREN_PER_BLOCK - 1;
      else if (block.isWatched(k % CHILDREN_PER_BLOCK)) {
        if (findsMoves) this.findMovedMembers(child);
        if (child.bounds !== 'opened') this.takeDrawState(block, indexInBlock(child), child);
        else for (const node of child.tree!.nodes.keys()) this.takeDrawState(child.tree!, node, child);
      }
    }
  }

  /** Tells if a node is drawn in another way than before: of all members below a plain node. */
  private takeDrawState(nodes: ComparedNodes, index: number, child: Member): void {
    const { bodies } = this;
    nodes.wordOf = bodies.wordOf;
    if (!nodes.takeDrawState(index)) return;
    if (child.bounds !== 'opened') return bodies.recheck(child);
    // Of the tree that the update goes through: code of the user may have changed it.
    const { members, ends } = nodes as OpenTree<Member>;
    for (const member of members.slice(index, ends[index])) if (member !== null) bodies.recheck(member);
  }

  /** As `findMovedByOthers`, for the members of a child. @param only Looks at this member only. */
  findMovedMembers(child: Member, only: Member | null = null): void {
    if (child.isAllStatic) return;
    if (child.bounds !== 'opened') this.findMoved(child, this.order.blockOf(child), indexInBlock(child));
    else
      for (const part of child.parts!)
        if (!part.isStatic && (only ?? part) === part) this.findMoved(part, child.tree!, part.node);
  }

  private findMoved(member: Member, nodes: ComparedNodes, index: number): void {
    const { compound } = member;
    const isMoved =
      compound === null
        ? nodes.isNodeMovedByOthers(index) || !member.matchesSource
        : compound.isMovedByOthers || !compound.hasSameStructure || compound.hasNewSphere;
    if (isMoved) this.notifyMoved(member);
  }

  /** A member without a body is drawn in every pass, or its bounds are about to be computed. */
  private notifyMoved(member: Member | null | undefined): void {
    if (member && member.body !== null) this.onMoved(member);
  }

  /** Visits the children of a block that have changed; all, if the group has moved. A visit may run user code. */
  private visitBlock(block: ChildBlock, first: number, count: number, compares: boolean): void {
    const { items: children } = this.order;
    const { isForced, hasGroupMoved } = this.update;
    if (block.watchedCount === 0 && !hasGroupMoved) return;
    block.wordOf = this.bodies.wordOf;
    for (let k = 0; children === this.order.items; k++) {
      const end = hasGroupMoved ? count : Math.min(count, block.nodes.length);
      if (!compares) {
        k = block.computeLeaves(k, end);
        if (k < end && block.firstChanged(k, k + 1, isForced) > k) continue;
      } else if (!hasGroupMoved) k = block.firstChanged(k, end, isForced);
      if (k >= end) break;
      if (children[first + k] !== null) this.visit(children[first + k]!);
    }
    this.keepPlaced(block, (k) => children[first + k]);
  }

  /** Has the end of the update compare the nodes that three does not place. */
  private keepPlaced(nodes: ComparedNodes, memberAt: (index: number) => Member | null | undefined): void {
    if (nodes.hasPlaced) this.placed.push({ nodes, memberAt });
  }

  private visit(child: Member): void {
    const { object, tree } = child;
    const { hasGroupMoved } = this.update;
    let { isDue } = child;
    // A new child has no matrices yet.
    if (!isDue) this.previousMatrices.keep(child);
    // Most trees stand still, so their nodes are compared before anything else is looked at.
    let firstChanged = 0;
    if (tree !== null) {
      tree.wordOf = this.bodies.wordOf;
      if (tree.wordOf !== null) for (const k of tree.staticAbove) this.takeDrawState(tree, k, child);
      if (!isDue && child.reported === null && !hasGroupMoved && !child.isAllStatic) {
        firstChanged = tree.firstChanged(0, tree.nodes.length, this.update.isForced);
        if (firstChanged === tree.nodes.length) return this.keepPlaced(tree, (k) => tree.members[k]);
      }
      if (!tree.isUnchanged) {
        this.openTree(child);
        firstChanged = 0;
      }
    }
    const { reported } = child;
    child.isDue = false;
    child.reported = null;
    // An object that has left since its report names no part: all of the child is updated.
    for (const each of reported ?? []) if (!isWithin(each, object)) isDue = true;
    // Of a static child three would compute what is below the group, too.
    const isForced = this.update.isForced || (hasGroupMoved && child.isAllStatic);
    if (child.bounds === 'opened') {
      const opened = child.tree!;
      const { length } = opened.nodes;
      if (isDue || hasGroupMoved) this.visitTree(child, opened, isForced || reported !== null, true, 0, length);
      else {
        // Code of the user may have removed it since.
        for (const each of reported ?? [])
          if (isWithin(each, object)) this.visitTree(child, opened, true, true, ...opened.rangeOf(each));
        if (!child.isAllStatic) this.visitTree(child, opened, isForced, false, firstChanged, length);
      }
    } else {
      const isNew = isDue || reported !== null;
      if (isNew && child.compound?.isAsCollected === false) child.compound = null;
      if (isNew || (child.body !== null && !child.matchesSource))
        child.compound ??= isPlainLeaf(object) ? null : Compound.of(object);
      if (child.compound === null) this.visitLeaf(child, isForced || reported !== null);
      else this.visitCompound(child, isForced || reported !== null, isNew || hasGroupMoved, false);
    }
    if (child.isAllStatic && child.bounds !== 'gone') this.classify(child);
    // In body space all bodies follow the group. Members that do not follow it get new bounds.
    if (hasGroupMoved)
      for (const each of child.members) if (each.body !== null && !each.followsGroup) this.onMoved(each);
  }

  /** A child whose bounds come from its own geometry, or that has no bounds. */
  private visitLeaf(member: Member, isForced: boolean): void {
    const { object } = member;
    const { order } = this;
    const hasNewSource = member.body !== null && !member.matchesSource;
    const isPlain = hasPlainMatrices(object) && object.children.length === 0;
    if (!isPlain) this.compute(object, member, isForced);
    if (member.bounds === 'gone') return;
    const block = order.blockOf(member);
    const index = indexInBlock(member);
    this.takeDrawState(block, index, member);
    const isMoved = isPlain ? block.computeNode(index, isForced, this.update.hasGroupMoved) : block.storeWorld(index);
    if (member.body === null) return;
    if (isMoved || hasNewSource) this.onMoved(member);
    else this.classify(member);
  }

  /**
   * @param isAll Whether to compute all its matrices.
   * @param hasParentMoved Whether the compound is part of a tree in which a node above it has moved.
   */
  private visitCompound(member: Member, isForced: boolean, isAll: boolean, hasParentMoved: boolean): void {
    const { owner, object } = member;
    const compound = member.compound!;
    let isMoved = hasParentMoved;
    const { length } = compound.nodes;
    if (isAll || isMoved || compound.firstChanged(0, length, isForced) < length || !compound.isCullable) {
      if (compound.hasSameStructure) {
        compound.computeChanged({ ...this.update, isForced }, 0, length, isAll, hasParentMoved, {
          updateWhole: () => false,
          compute: (node, isNodeForced) => this.compute(node, owner, isNodeForced, compound),
          onMoved: (k) => (isMoved ||= compound.arePlacing[k]),
        });
      } else {
        this.compute(object, owner, isForced, compound);
        isMoved = true;
      }
      if (member.bounds === 'gone' || member.compound !== compound) return;
    }
    this.keepPlaced(compound, () => member);
    if (isMoved || compound.hasNewSphere) this.onMoved(member);
  }

  /**
   * Updates nodes of an opened tree.
   *
   * @param isAll Whether to compute all their matrices.
   */
  private visitTree(
    child: Member,
    tree: OpenTree<Member>,
    isForced: boolean,
    isAll: boolean,
    first: number,
    end: number,
  ): void {
    const memberAt = (node: number): Member | null => {
      const member = tree.members[node];
      return member !== null && member.order >= 0 ? member : null;
    };
    const { isVisited } = tree;
    tree.isVisited = true;
    const visitor: NodeVisitor = {
      updateWhole: (k, isPartForced, hasParentMoved) => {
        const member = memberAt(k);
        if (member === null) return false;
        // No later update looks at a static one.
        if (isAll && member.compound?.isAsCollected === false) member.compound = null;
        if (isAll && member.isStatic && !isPlainLeaf(member.object)) member.compound ??= Compound.of(member.object);
        if (member.compound === null) {
          tree.storeSource(k);
          if (!member.matchesSource) this.notifyMoved(member);
          return false;
        }
        this.visitCompound(member, isPartForced, isAll, hasParentMoved);
        return true;
      },
      compute: (node, isNodeForced) => this.compute(node, child, isNodeForced),
      onMoved: (k) => this.notifyMoved(memberAt(k)),
      onVisit: (k) => this.takeDrawState(tree, k, child),
    };
    try {
      tree.computeChanged({ ...this.update, isForced }, first, end, isAll, false, visitor);
    } finally {
      tree.isVisited = isVisited;
    }
    this.keepPlaced(tree, memberAt);
  }

  /**
   * Has three compute the matrices of an object and its descendants.
   *
   * @param compound The compound that it belongs to.
   */
  private compute(object: Object3D, child: Member, isForced: boolean, compound: Compound | null = null): void {
    if (this.update.usesWorldMatrix) object.updateWorldMatrix(false, true, isForced);
    else object.updateMatrixWorld(isForced);
    if (object.children.length === 0 && hasPlainMatrices(object)) return;
    if (compound?.runsUserCode ?? runsUserCode(object))
      this.userCodeEnd = Math.max(this.userCodeEnd, child.childOrder + 1);
  }
}
