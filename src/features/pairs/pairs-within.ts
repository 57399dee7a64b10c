/**
 * Every pair of bodies that are within a distance of each other, once. Bodies are taken in groups: all bodies of a
 * subtree that is not larger than the distance. One walk of the tree finds all bodies near the group; then each body of
 * the group is tested against these. So the tree is walked once for each group, not once for each body. A body that
 * lies in a node of a larger subtree is a group by itself.
 *
 * A pair is found from its first body. If both orders are possible, it is found twice, once from each body; only the
 * body with the smaller index reports it.
 */

import { BOX_STRIDE } from '../../math/box.ts';
import { withinMargin } from '../../math/within.ts';
import { grownCapacity } from '../../math/typed-arrays.ts';
import { BLOCK, BODY_STATIC, NODE_USED, ROOT } from '../../tree/layout.ts';
import { IndexList } from '../../tree/storage/index-list.ts';
import type { Scratch } from '../../tree/traverse/scratch.ts';
import type { Tree } from '../../tree/tree.ts';
import { BoxQuery } from '../../octree/queries/box-query.ts';
import { EITHER, pairOrder, WithinTest } from './pair-tests.ts';
import { collectRange } from '../../octree/queries/range-query.ts';

export class PairsWithinQuery {
  private tree: Tree | null = null;
  private categories = 0;
  private otherCategories = 0;
  private candidatesOnly = false;
  /** Distance by which boxes of the tree are enlarged, so that no pair is lost to rounding. */
  private margin = 0;
  private readonly withinTest = new WithinTest();
  private readonly box = new BoxQuery();
  private readonly groupBox = new Float64Array(BOX_STRIDE);
  /** Stacks of nodes: nodes that are still to be divided into groups, and nodes of the current group. */
  private readonly nodes = new IndexList();
  private readonly subtree = new IndexList();
  /** Slots of the bodies of the group. */
  private readonly group = new IndexList();
  /** The bodies near the group, and their slot bounds, so that they lie side by side in memory. */
  private readonly near = new IndexList();
  private nearBounds = new Float32Array(0);

  /**
   * Fills `out` with two indices a pair, group by group. The first body has one of `categories`, the second one of
   * `otherCategories`; if both orders are possible, the smaller index comes first. Leaves out pairs of two static
   * bodies. With `candidatesOnly` the slot bounds decide, without the exact test.
   *
   * @param distance World units, above 0, at most MAX_RADIUS.
   */
  findPairs(
    tree: Tree,
    distance: number,
    categories: number,
    otherCategories: number,
    candidatesOnly: boolean,
    scratch: Scratch,
    out: IndexList,
  ): void {
    out.length = 0;
    scratch.resetCosts();
    if (!tree.hasRoot) return;
    this.tree = tree;
    this.categories = categories;
    this.otherCategories = otherCategories;
    this.candidatesOnly = candidatesOnly;
    this.margin = withinMargin(distance);
    this.withinTest.set(distance);
    let nodesVisited = 0;
    let nodesContained = 0;
    let bodiesTested = 0;
    const { nodes, group } = this;
    nodes.length = 0;
    nodes.push(ROOT);
    while (nodes.length > 0) {
      const node = nodes.array[--nodes.length];
      if ((tree.nodes.categoryMask[node] & categories) === 0) continue;
      const isGroup = this.listGroup(node, distance);
      for (let k = 0; k < group.length; k += isGroup ? group.length : 1) {
        const end = isGroup ? group.length : k + 1;
        this.findNear(k, end, scratch);
        nodesVisited += scratch.nodesVisited;
        nodesContained += scratch.nodesContained;
        bodiesTested += scratch.bodiesTested + (end - k) * this.near.length;
        for (let member = k; member < end; member++) this.pairWithNear(group.array[member], out);
      }
    }
    scratch.nodesVisited = nodesVisited;
    scratch.nodesContained = nodesContained;
    scratch.bodiesTested = bodiesTested;
    this.tree = null;
  }

  /**
   * Fills `group` with the bodies that have one of `categories`. If the subtree is not larger than `distance`, these
   * are all its bodies, and the result is true. Otherwise these are the bodies of the node alone; its children are
   * pushed on `nodes`, and the result is false.
   */
  private listGroup(node: number, distance: number): boolean {
    const { nodes } = this.tree!;
    const { group, subtree } = this;
    const at = node * BOX_STRIDE;
    const { fitted } = nodes;
    let edge = 0;
    for (let axis = 0; axis < 3; axis++) edge = Math.max(edge, fitted[at + axis + 3] - fitted[at + axis]);
    const isGroup = edge <= distance;
    const stack = isGroup ? subtree : this.nodes;
    group.length = 0;
    if (!isGroup) {
      this.appendPage(node);
      pushChildren(node, this.tree!, stack);
      return false;
    }
    stack.length = 0;
    stack.push(node);
    while (stack.length > 0) {
      const next = stack.array[--stack.length];
      this.appendPage(next);
      pushChildren(next, this.tree!, stack);
    }
    return true;
  }

  /** Appends the bodies of a node that have one of `categories` to the group, as slots. */
  private appendPage(node: number): void {
    const { nodes, slots, bodies } = this.tree!;
    const { group, categories } = this;
    const page = nodes.page(node);
    const end = page + nodes.bodyCount(node);
    for (let slot = page; slot < end; slot++)
      if ((bodies.categoryMask[slots.body[slot]] & categories) !== 0) group.push(slot);
  }

  /**
   * Finds the bodies with one of `otherCategories` that may be within the distance of the bodies [begin, end) of the
   * group.
   */
  private findNear(begin: number, end: number, scratch: Scratch): void {
    const { group, groupBox, near, margin } = this;
    const tree = this.tree!;
    const { slotBounds } = tree.slots;
    groupBox.fill(Infinity, 0, 3).fill(-Infinity, 3);
    for (let k = begin; k < end; k++) {
      const at = group.array[k] * BOX_STRIDE;
      for (let axis = 0; axis < 3; axis++) {
        groupBox[axis] = Math.min(groupBox[axis], slotBounds[at + axis]);
        groupBox[axis + 3] = Math.max(groupBox[axis + 3], slotBounds[at + axis + 3]);
      }
    }
    for (let axis = 0; axis < 3; axis++) {
      groupBox[axis] -= margin;
      groupBox[axis + 3] += margin;
    }
    this.box.set(groupBox);
    collectRange(tree, this.box, this.otherCategories, true, scratch, near);
    if (this.nearBounds.length < near.length * BOX_STRIDE)
      this.nearBounds = new Float32Array(grownCapacity(near.length * BOX_STRIDE, this.nearBounds.length));
    const { nearBounds } = this;
    for (let k = 0, to = 0; k < near.length; k++) {
      const from = tree.bodies.slot[near.array[k]] * BOX_STRIDE;
      for (let offset = 0; offset < BOX_STRIDE; offset++) nearBounds[to++] = slotBounds[from + offset];
    }
  }

  /** Reports the pairs of the body in `slot` with the bodies near its group. */
  private pairWithNear(slot: number, out: IndexList): void {
    const { bodies, slots } = this.tree!;
    const { categoryMask, flags } = bodies;
    const { near, nearBounds, margin, categories, otherCategories, withinTest, candidatesOnly } = this;
    const { slotBounds } = slots;
    const a = slots.body[slot];
    const at = slot * BOX_STRIDE;
    const minX = slotBounds[at] - margin;
    const minY = slotBounds[at + 1] - margin;
    const minZ = slotBounds[at + 2] - margin;
    const maxX = slotBounds[at + 3] + margin;
    const maxY = slotBounds[at + 4] + margin;
    const maxZ = slotBounds[at + 5] + margin;
    const { array, length } = near;
    for (let k = 0, other = 0; k < length; k++, other += BOX_STRIDE) {
      if (nearBounds[other] > maxX || nearBounds[other + 3] < minX) continue;
      if (nearBounds[other + 1] > maxY || nearBounds[other + 4] < minY) continue;
      if (nearBounds[other + 2] > maxZ || nearBounds[other + 5] < minZ) continue;
      const b = array[k];
      if (a === b || (flags[a] & flags[b] & BODY_STATIC) !== 0) continue;
      if (b < a && pairOrder(categoryMask[a], categoryMask[b], categories, otherCategories) === EITHER) continue;
      if (!candidatesOnly && !withinTest.accepts(bodies, a, b)) continue;
      out.push(a);
      out.push(b);
    }
  }
}

function pushChildren(node: number, { nodes }: Tree, stack: IndexList): void {
  const first = nodes.firstChild(node);
  if (first === 0) return;
  for (let child = first; child < first + BLOCK; child++) if ((nodes.flags[child] & NODE_USED) !== 0) stack.push(child);
}
