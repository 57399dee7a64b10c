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
import { hasPlainMatrices, isPlainLeaf, runsUserCode } from '../bounds/object-traits.ts';
import { BLOCK_SIZE, ChildOrder, indexInBlock, type ChildBlock } from './child-order.ts';
import type { ChildState, Member } from './member.ts';
import type { ComparedNodes } from './compared-nodes.ts';
import { Compound } from './compound.ts';
import type { OpenTree } from './open-tree.ts';
import { PreviousMatrices } from './traversal-effects.ts';
import type { MatrixUpdate } from './watched-nodes.ts';

/** How `runDue` updates a child. */
const DUE_UPDATE: MatrixUpdate = { isForced: true, usesWorldMatrix: true, hasGroupMoved: false };

export class ChildUpdater {
  readonly order = new ChildOrder();
  readonly previousMatrices = new PreviousMatrices();

  private readonly onMoved: (member: Member) => void;
  private readonly openTree: (state: ChildState) => void;
  private update: MatrixUpdate = DUE_UPDATE;
  /** Order of the last child that ran code of its own in this update. */
  private userCodeEnd = 0;
  /** Nodes of this update of which other code may write world matrices until its end, and the members of the nodes. */
  private placed: { nodes: ComparedNodes; memberAt: (index: number) => Member | null | undefined }[] = [];

  /**
   * @param onMoved Called for each member that has moved, or that consists of other objects or geometries than before.
   * @param openTree Called for a child with an opened tree of which other nodes have become plain nodes or parts.
   */
  constructor(onMoved: (member: Member) => void, openTree: (state: ChildState) => void) {
    this.onMoved = onMoved;
    this.openTree = openTree;
  }

  /** Has the next update compute the matrices of a child, even if it is static. */
  makeDue(state: ChildState): void {
    state.isDue = true;
    this.order.watch(state, false);
  }

  /**
   * Has the next update compute the matrices of an object, even if three would not.
   *
   * @param object The child, or a descendant of it.
   */
  report(object: Object3D, state: ChildState): void {
    (state.reported ??= new Set()).add(object);
    this.order.watch(state, false);
  }

  /**
   * Sets how later updates check a child: they pass over a static one, compare one whose bounds come from its own
   * geometry, and visit all others. Call it after the bounds of its members were computed.
   */
  classify(state: ChildState): void {
    if (state.isDue || state.reported !== null) return;
    const member = state.ownMember;
    if (state.isPassedOver) this.order.unwatch(state);
    else this.order.watch(state, !!member && member.body !== null && member.compound === null && member.matchesSource);
  }

  /**
   * Updates a due or reported child now, between two frames: by `updateWorldMatrix`, a static child by
   * `updateMatrixWorld`.
   */
  runDue(state: ChildState): void {
    const { update } = this;
    this.update = DUE_UPDATE;
    try {
      this.visit(state);
    } finally {
      this.update = update;
    }
  }

  /**
   * Updates the matrices of all children. May run user code, which adds and removes children, and starts another
   * update.
   */
  run(update: MatrixUpdate): void {
    const { order } = this;
    const { items: states } = order;
    const { update: outerUpdate, userCodeEnd: outerEnd, placed: outerPlaced } = this;
    this.update = update;
    this.userCodeEnd = 0;
    this.placed = [];
    try {
      // As in three, children that are added during the update are left to the next one.
      const end = states.length;
      // If the order has been rebuilt, an inner update has updated all children.
      for (let first = 0; first < end && states === order.items; first += BLOCK_SIZE) {
        const count = Math.min(BLOCK_SIZE, end - first);
        this.visitBlock(order.blocks[first / BLOCK_SIZE], first, count);
      }
      if (this.userCodeEnd > 0) this.findMovedByOthers(this.userCodeEnd);
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
   */
  findMovedByOthers(end = this.order.items.length): void {
    const { blocks, items: states } = this.order;
    const count = Math.min(end, states.length);
    for (let k = 0; k < count; k++) {
      const block = blocks[Math.floor(k / BLOCK_SIZE)];
      if (block.watchedCount === 0) k += BLOCK_SIZE - 1;
      else if (block.nodes[k % BLOCK_SIZE] !== undefined) this.findMovedMembers(states[k]!);
    }
  }

  /** As `findMovedByOthers`, for the members of a child. @param only Looks at this member only. */
  findMovedMembers(state: ChildState, only: Member | null = null): void {
    const { ownMember, tree } = state;
    if (state.isPassedOver) return;
    if (ownMember !== null) this.findMoved(ownMember, this.order.blockOf(state), indexInBlock(state));
    else
      tree!.members.forEach((member, node) => {
        if (member !== null && !member.isStatic && (only ?? member) === member) this.findMoved(member, tree!, node);
      });
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
  private visitBlock(block: ChildBlock, first: number, count: number): void {
    const { items: states } = this.order;
    const { isForced, hasGroupMoved } = this.update;
    for (let k = 0; states === this.order.items; k++) {
      const end = hasGroupMoved ? count : Math.min(count, block.nodes.length);
      if (!hasGroupMoved) k = block.firstChanged(k, end, isForced);
      if (k >= end) break;
      if (states[first + k] !== null) this.visit(states[first + k]!);
    }
    this.keepPlaced(block, (k) => states[first + k]?.ownMember);
  }

  /** Has the end of the update compare the nodes that three does not place. */
  private keepPlaced(nodes: ComparedNodes, memberAt: (index: number) => Member | null | undefined): void {
    if (nodes.hasPlaced) this.placed.push({ nodes, memberAt });
  }

  private visit(state: ChildState): void {
    const { child, tree, reported } = state;
    const { hasGroupMoved } = this.update;
    let { isDue } = state;
    // A new child has no matrices yet.
    if (!isDue) this.previousMatrices.keep(state);
    state.isDue = false;
    state.reported = null;
    // Most trees stand still, so their nodes are compared before anything else is looked at.
    let firstChanged = 0;
    if (tree !== null) {
      if (!isDue && reported === null && !hasGroupMoved && !state.isPassedOver) {
        firstChanged = tree.nextChanged(0, this.update.isForced);
        if (firstChanged === tree.nodes.length) {
          this.keepPlaced(tree, (k) => tree.members[k]);
          return;
        }
      }
      if (!tree.isUnchanged) {
        this.openTree(state);
        isDue = true;
      }
    }
    const member = state.ownMember;
    // If some of its nodes are static, a report computes no others than what was reported, and what has moved.
    const isPartlyStatic = state.tree !== null && state.tree.isPartlyStatic;
    const isNew = isDue || (reported !== null && !isPartlyStatic);
    const isForced = this.update.isForced || (reported !== null && !isPartlyStatic);
    if (state.isPassedOver) {
      this.order.unwatch(state);
      if (isDue || hasGroupMoved || reported?.has(child)) child.updateMatrixWorld(isForced || hasGroupMoved);
      else for (const object of reported ?? []) object.updateMatrixWorld(true);
    } else {
      const isAll = isNew || hasGroupMoved;
      if (isPartlyStatic && !isDue) for (const object of reported ?? []) object.updateMatrixWorld(true);
      if (member !== null && (isNew || (member.body !== null && !member.matchesSource)))
        member.compound ??= isPlainLeaf(child) ? null : Compound.of(child);
      if (member === null) this.visitTree(state, state.tree!, isForced, isAll, firstChanged);
      else if (member.compound !== null) this.visitCompound(member, isForced, isAll, false);
      else this.visitLeaf(member, isForced);
    }
    // In body space all bodies follow the group. Members that do not follow it get new bounds.
    if (hasGroupMoved)
      for (const each of state.members) if (each.body !== null && !each.followsGroup) this.onMoved(each);
  }

  /** A child whose bounds come from its own geometry, or that has no bounds. */
  private visitLeaf(member: Member, isForced: boolean): void {
    const { owner: state, object } = member;
    const { order } = this;
    const hasNewSource = member.body !== null && !member.matchesSource;
    const isPlain = hasPlainMatrices(object) && object.children.length === 0;
    if (!isPlain) this.compute(object, state, isForced);
    if (state.isRemoved) return;
    const block = order.blockOf(state);
    const index = indexInBlock(state);
    const isMoved = isPlain ? block.computeNode(index, isForced, this.update.hasGroupMoved) : block.storeWorld(index);
    if (member.body === null) return;
    if (isMoved || hasNewSource) this.onMoved(member);
    else this.classify(state);
  }

  /**
   * @param isAll Whether to compute all its matrices.
   * @param hasParentMoved Whether the compound is part of a tree in which a node above it has moved.
   */
  private visitCompound(member: Member, isForced: boolean, isAll: boolean, hasParentMoved: boolean): void {
    const { owner: state, object } = member;
    const compound = member.compound!;
    let isMoved = hasParentMoved;
    if (isAll || isMoved || compound.nextChanged(0, isForced) < compound.nodes.length || !compound.isCullable) {
      if (compound.hasSameStructure) {
        compound.computeChanged({ ...this.update, isForced }, 0, isAll, hasParentMoved, {
          updateWhole: () => false,
          compute: (node, isNodeForced) => this.compute(node, state, isNodeForced, compound),
          onMoved: (k) => (isMoved ||= compound.arePlacing[k]),
        });
      } else {
        this.compute(object, state, isForced, compound);
        isMoved = true;
      }
      if (state.isRemoved || member.compound !== compound) return;
    }
    this.keepPlaced(compound, () => member);
    if (isMoved || compound.hasNewSphere) this.onMoved(member);
  }

  /**
   * @param isAll Whether to compute all matrices of the opened tree.
   * @param firstChanged Otherwise, the first node that has changed.
   */
  private visitTree(
    state: ChildState,
    tree: OpenTree<Member>,
    isForced: boolean,
    isAll: boolean,
    firstChanged: number,
  ): void {
    const memberAt = (node: number): Member | null => {
      const member = tree.members[node];
      return member !== null && member.order >= 0 ? member : null;
    };
    tree.computeChanged({ ...this.update, isForced }, isAll ? 0 : firstChanged, isAll, false, {
      updateWhole: (k, isPartForced, hasParentMoved) => {
        const member = memberAt(k);
        if (member === null) return false;
        if (member.compound === null) {
          tree.watchSource(k);
          if (!member.matchesSource) this.notifyMoved(member);
          return false;
        }
        this.visitCompound(member, isPartForced, isAll, hasParentMoved);
        return true;
      },
      compute: (node, isNodeForced) => this.compute(node, state, isNodeForced),
      onMoved: (k) => this.notifyMoved(memberAt(k)),
    });
    this.keepPlaced(tree, memberAt);
  }

  /**
   * Has three compute the matrices of an object and its descendants.
   *
   * @param compound The compound that it belongs to.
   */
  private compute(object: Object3D, state: ChildState, isForced: boolean, compound: Compound | null = null): void {
    if (this.update.usesWorldMatrix) object.updateWorldMatrix(false, true, isForced);
    else object.updateMatrixWorld(isForced);
    if (object.children.length === 0 && hasPlainMatrices(object)) return;
    if (compound?.runsUserCode ?? runsUserCode(object)) this.userCodeEnd = Math.max(this.userCodeEnd, state.order + 1);
  }
}
