/**
 * The walk of `collectVisible` in JavaScript: nearest nodes first, each tested against the frustum, then against the
 * depth buffer. It stops at each body whose slot bounds are not hidden; the caller decides about it, and rasterises it
 * if it is an occluder.
 *
 * The order decides how much is found, not what is right: an occluder hides only what is farther away, and a body that
 * was tested before it is only kept without need.
 */

import { BOX_STRIDE, type Boxes } from '../../math/box.ts';
import { ALL_CATEGORIES, BLOCK, COUNT, FIRST_CHILD, LINK_STRIDE, PAGE, ROOT } from '../../tree/layout.ts';
import { MAX_INSERTION_SORT } from '../../tree/traverse/walk-numbers.ts';
import type { RangeKernel } from '../../tree/traverse/kernel.ts';
import type { Search } from '../../octree/queries/query-filter.ts';
import type { Scratch } from '../../tree/traverse/scratch.ts';
import type { Tree } from '../../tree/tree.ts';
import { DepthBuffer, setRelativeBox } from './depth-buffer.ts';
import type { Frame, CameraProjection } from './camera-projection.ts';

/** A walk with its depth buffer. The walk in WebAssembly is in src/wasm/occlusion-walk.ts. */
export interface OcclusionWalk {
  /** Argument of `isHidden` and `rasterise`: a box relative to the eye. Overwritten by all methods. */
  readonly box: Float64Array;
  /** Overlap of the slot bounds of the last body with the frustum. */
  readonly overlap: number;
  /** Cells of the rectangle around the body of the last `next` or `isHidden`. */
  readonly area: number;
  readonly nodesTested: number;
  readonly nodesHidden: number;
  readonly bodiesHidden: number;
  /** Begins at the root with an empty buffer. Returns false if the walk must run in JavaScript. */
  begin(tree: Tree, query: RangeKernel, search: Search, projection: CameraProjection): boolean;
  /** The next body whose slot bounds touch the frustum and are not hidden; -1 at the end. */
  next(): number;
  /** Whether the box is hidden. */
  isHidden(): boolean;
  /** Fills what the box hides. Returns whether it is large enough. */
  rasterise(frame: Frame, minCells: number): boolean;
  /**
   * Fills what the body of the last `next` hides, which is solid and has tight slot bounds. Call it before any other
   * method. Returns false, and fills nothing, if the slot bounds are too coarse, or the near plane may cut the body.
   */
  rasteriseSlot(): boolean;
  /** Call it after the last `next`, also after an error. */
  end(): void;
}

/** Most slots that are filtered at a time, as in WebAssembly. */
const CHUNK = 256;

export class PlainWalk extends DepthBuffer implements OcclusionWalk {
  overlap = 0;
  nodesTested = 0;
  nodesHidden = 0;
  bodiesHidden = 0;

  private tree!: Tree;
  private query!: RangeKernel;
  private categories = ALL_CATEGORIES;
  private scratch!: Scratch;
  /** Nodes on the stack. */
  private stackTop = 0;
  /** Bodies of the current chunk that are left; slots of the current node that are not filtered yet; its children. */
  private kept = 0;
  private slot = 0;
  private slotEnd = 0;
  private children = 0;
  private nodeOverlap = 0;
  /** Slot of the last body. */
  private bodySlot = 0;

  begin(tree: Tree, query: RangeKernel, { categories, scratch }: Search, projection: CameraProjection): boolean {
    this.nodesTested = 0;
    this.nodesHidden = 0;
    this.bodiesHidden = 0;
    this.tree = tree;
    this.query = query;
    this.categories = categories;
    this.scratch = scratch;
    this.clear(projection);
    this.kept = 0;
    this.slot = 0;
    this.slotEnd = 0;
    this.children = 0;
    const { nodes, overlaps } = scratch;
    this.stackTop = query.filterBoxes(tree.nodes.fitted, ROOT, ROOT + 1, query.rootOverlap, nodes, overlaps, 0);
    return true;
  }

  next(): number {
    const { tree, scratch, categories } = this;
    const { links, fitted, categoryMask } = tree.nodes;
    const { slotBounds, body } = tree.slots;
    for (;;) {
      while (this.kept > 0) {
        const k = --this.kept;
        this.bodySlot = scratch.slots[k];
        if (this.isHiddenAt(slotBounds, this.bodySlot)) {
          this.bodiesHidden++;
          continue;
        }
        this.overlap = scratch.slotOverlaps[k];
        return body[this.bodySlot];
      }
      if (this.slot < this.slotEnd) {
        this.filterSlots(slotBounds);
        continue;
      }
      if (this.children !== 0) this.pushChildren(fitted);
      if (this.stackTop === 0) return -1;
      const node = scratch.nodes[--this.stackTop];
      if (categories !== ALL_CATEGORIES && (categoryMask[node] & categories) === 0) continue;
      if (!this.isEmpty) {
        this.nodesTested++;
        if (this.isHiddenAt(fitted, node)) {
          this.nodesHidden++;
          continue;
        }
      }
      scratch.nodesVisited++;
      const at = node * LINK_STRIDE;
      this.nodeOverlap = scratch.overlaps[this.stackTop];
      this.slot = links[at + PAGE];
      this.slotEnd = this.slot + links[at + COUNT];
      this.children = links[at + FIRST_CHILD];
    }
  }

  rasteriseSlot(): boolean {
    return this.rasteriseBox(this.tree.slots.slotBounds, this.bodySlot);
  }

  end(): void {}

  private isHiddenAt(boxes: Boxes, k: number): boolean {
    setRelativeBox(this.box, boxes, k * BOX_STRIDE, this.projection.eye);
    return this.isHidden();
  }

  /** Filters the next slots of the current node, and sorts them, the nearest last. */
  private filterSlots(slotBounds: Boxes): void {
    const { scratch, slot } = this;
    const end = Math.min(slot + CHUNK, this.slotEnd);
    scratch.reserveSlots(end - slot);
    const { slots, slotOverlaps, slotDistances } = scratch;
    this.kept = this.query.filterBoxes(slotBounds, slot, end, this.nodeOverlap, slots, slotOverlaps, 0);
    scratch.bodiesTested += end - slot;
    this.slot = end;
    if (this.kept <= MAX_INSERTION_SORT) this.sort(slotBounds, slots, slotOverlaps, slotDistances, 0, this.kept);
  }

  /** Pushes the children of the current node that touch the frustum, the nearest last. */
  private pushChildren(fitted: Boxes): void {
    const { children, stackTop: top, query, nodeOverlap, scratch } = this;
    const { nodes, overlaps, distances } = scratch;
    this.stackTop = query.filterBoxes(fitted, children, children + BLOCK, nodeOverlap, nodes, overlaps, top);
    this.children = 0;
    // Unused children have empty boxes, which a node inside all planes does not reject.
    let kept = top;
    for (let k = top; k < this.stackTop; k++) {
      nodes[kept] = nodes[k];
      overlaps[kept] = overlaps[k];
      kept += Number(fitted[nodes[k] * BOX_STRIDE] <= fitted[nodes[k] * BOX_STRIDE + 3]);
    }
    this.stackTop = kept;
    this.sort(fitted, nodes, overlaps, distances, top, kept);
  }

  /** Sorts boxes by their distances from the eye, the nearest last. Insertion sort: ranges are short. */
  private sort(
    boxes: Boxes,
    items: Int32Array,
    overlaps: Int32Array,
    distances: Float64Array,
    begin: number,
    end: number,
  ): void {
    const { eye } = this.projection;
    for (let k = begin; k < end; k++) {
      const item = items[k];
      const overlap = overlaps[k];
      const distance = distanceSq(boxes, item * BOX_STRIDE, eye);
      let to = k;
      for (; to > begin && distances[to - 1] < distance; to--) {
        items[to] = items[to - 1];
        overlaps[to] = overlaps[to - 1];
        distances[to] = distances[to - 1];
      }
      items[to] = item;
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
