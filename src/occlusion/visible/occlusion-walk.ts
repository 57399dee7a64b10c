/**
 * The walk of `collectVisible`: nearest nodes first, each tested against the frustum, then against the
 * depth buffer. It stops at each body whose slot bounds are not hidden; the caller decides about it, and rasterises it
 * if it is an occluder.
 *
 * The order decides how much is found, not what is right: an occluder hides only what is farther away, and a body that
 * was tested before it is only kept without need.
 */

import { BOX_STRIDE, type Boxes, type KeptBoxes } from '../../math/box.ts';
import { ALL_CATEGORIES, BLOCK, COUNT, FIRST_CHILD, LINK_STRIDE, PAGE, ROOT } from '../../tree/layout.ts';
import { MAX_INSERTION_SORT } from '../../tree/traverse/walk-numbers.ts';
import type { RangeKernel, Scratch } from '../../tree/traverse/kernel.ts';
import type { Search } from '../../octree/queries/search.ts';
import type { Tree } from '../../tree/tree.ts';
import { DepthBuffer, setRelativeBox } from './depth-buffer.ts';
import type { CameraProjection } from './camera-projection.ts';

/** Costs of a walk without any. */
const NO_COSTS = { nodesTested: 0, nodesHidden: 0, bodiesHidden: 0, occludersTested: 0, occludersRasterised: 0 };

export class OcclusionWalk extends DepthBuffer {
  /** Overlap of the slot bounds of the last body with the frustum. */
  overlap = 0;
  /** Costs since `resetCosts`: see `VisibleStats`. */
  readonly costs = { ...NO_COSTS };

  private tree!: Tree;
  private query!: RangeKernel;
  private categories = ALL_CATEGORIES;
  private scratch!: Scratch;
  /** Slots of the current node that are not filtered yet; its children. Those filtered are in `scratch.slots`. */
  private slot = 0;
  private slotEnd = 0;
  private children = 0;
  private nodeOverlap = 0;

  resetCosts(): void {
    Object.assign(this.costs, NO_COSTS);
  }

  /** Begins at the root with an empty buffer. */
  begin(tree: Tree, query: RangeKernel, { categories, scratch }: Search, projection: CameraProjection): void {
    this.tree = tree;
    this.query = query;
    this.categories = categories;
    this.scratch = scratch;
    this.clear(projection);
    this.slot = 0;
    this.slotEnd = 0;
    this.children = 0;
    scratch.slots.length = scratch.nodes.length = 0;
    query.filterBoxes(tree.nodes.fitted, ROOT, ROOT + 1, scratch.nodes, query.rootOverlap);
  }

  /** The next body whose slot bounds touch the frustum and are not hidden; -1 at the end. */
  next(): number {
    const { tree, scratch, categories, costs } = this;
    const { links, fitted, categoryMask } = tree.nodes;
    const { slotBounds, body } = tree.slots;
    const { nodes: stack, slots: kept } = scratch;
    for (;;) {
      while (kept.length > 0) {
        const k = --kept.length;
        const slot = kept.numbers[k];
        if (this.isHiddenAt(slotBounds, slot)) {
          costs.bodiesHidden++;
          continue;
        }
        this.overlap = kept.overlaps[k];
        return body[slot];
      }
      if (this.slot < this.slotEnd) {
        this.filterSlots(slotBounds);
        continue;
      }
      if (this.children !== 0) this.pushChildren(fitted);
      if (stack.length === 0) return -1;
      const top = --stack.length;
      const node = stack.numbers[top];
      if (categories !== ALL_CATEGORIES && (categoryMask[node] & categories) === 0) continue;
      if (!this.isEmpty) {
        costs.nodesTested++;
        if (this.isHiddenAt(fitted, node)) {
          costs.nodesHidden++;
          continue;
        }
      }
      scratch.nodesVisited++;
      const at = tree.nodes.belowChain(node) * LINK_STRIDE;
      this.nodeOverlap = stack.overlaps[top];
      this.slot = links[at + PAGE];
      this.slotEnd = this.slot + links[at + COUNT];
      this.children = links[at + FIRST_CHILD];
    }
  }

  private isHiddenAt(boxes: Boxes, k: number): boolean {
    setRelativeBox(this.box, boxes, k * BOX_STRIDE, this.projection.eye);
    return this.isHidden();
  }

  /**
   * Filters the next slots of the current node, and sorts them, the nearest last: in blocks, because the sort compares
   * each pair in one.
   */
  private filterSlots(slotBounds: Boxes): void {
    const { scratch, slot } = this;
    const end = Math.min(slot + MAX_INSERTION_SORT, this.slotEnd);
    const { slots: kept } = scratch;
    kept.clear(end - slot);
    this.query.filterBoxes(slotBounds, slot, end, kept, this.nodeOverlap);
    scratch.bodiesTested += end - slot;
    this.slot = end;
    this.sort(slotBounds, kept, 0);
  }

  /** Pushes the children of the current node that touch the frustum, the nearest last. */
  private pushChildren(fitted: Boxes): void {
    const { children, query, nodeOverlap } = this;
    const { nodes: stack } = this.scratch;
    const { numbers, overlaps, length } = stack;
    query.filterBoxes(fitted, children, children + BLOCK, stack, nodeOverlap);
    this.children = 0;
    // Unused children have empty boxes, which a node inside all planes does not reject.
    let kept = length;
    for (let k = length; k < stack.length; k++) {
      numbers[kept] = numbers[k];
      overlaps[kept] = overlaps[k];
      kept += Number(fitted[numbers[k] * BOX_STRIDE] <= fitted[numbers[k] * BOX_STRIDE + 3]);
    }
    stack.length = kept;
    this.sort(fitted, stack, length);
  }

  /** Sorts boxes from position `begin` on by their distances from the eye, the nearest last. */
  private sort(boxes: Boxes, { numbers, overlaps, distances, length }: KeptBoxes, begin: number): void {
    const { eye } = this.projection;
    for (let k = begin; k < length; k++) {
      const number = numbers[k];
      const overlap = overlaps[k];
      const distance = distanceSq(boxes, number * BOX_STRIDE, eye);
      let to = k;
      for (; to > begin && distances[to - 1] < distance; to--) {
        numbers[to] = numbers[to - 1];
        overlaps[to] = overlaps[to - 1];
        distances[to] = distances[to - 1];
      }
      numbers[to] = number;
      overlaps[to] = overlap;
      distances[to] = distance;
    }
  }
}

/** Squared distance of a point from the box at offset `at`. */
export function distanceSq(boxes: Boxes, at: number, point: Float64Array): number {
  const x = Math.max(boxes[at] - point[0], point[0] - boxes[at + 3], 0);
  const y = Math.max(boxes[at + 1] - point[1], point[1] - boxes[at + 4], 0);
  const z = Math.max(boxes[at + 2] - point[2], point[2] - boxes[at + 5], 0);
  return x * x + y * y + z * z;
}
