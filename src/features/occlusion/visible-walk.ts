/**
 * One walk for what a camera may see: nearest nodes first, each tested against the frustum, then against the depth
 * buffer. Bodies that are not hidden are results; occluders among them fill the buffer for all that comes after.
 *
 * The order decides how much is found, not what is right: an occluder hides only what is farther away, and a body that
 * was tested before it is only kept without need.
 */

import { BOX_STRIDE, type Boxes } from '../../math/box.ts';
import type { BodyFilter } from '../../octree/queries/query-filter.ts';
import type { FrustumQuery } from '../../octree/queries/frustum-query.ts';
import type { BodyStore } from '../../octree/bodies/body-store.ts';
import {
  ALL_CATEGORIES,
  BLOCK,
  COUNT,
  FIRST_CHILD,
  LINK_STRIDE,
  MAX_INSERTION_SORT,
  PAGE,
  ROOT,
} from '../../tree/layout.ts';
import type { IndexList } from '../../tree/storage/index-list.ts';
import type { Scratch } from '../../tree/traverse/scratch.ts';
import { DepthBuffer } from './depth-buffer.ts';
import type { Occluders } from './occluders.ts';
import { View } from './view.ts';

export class VisibleWalk {
  readonly view = new View();
  readonly buffer = new DepthBuffer();
  occluders!: Occluders;
  /** Least area of an occluder, in cells. */
  minCells = 0;

  // Costs of the last walk.
  nodesTested = 0;
  nodesHidden = 0;
  bodiesHidden = 0;
  occludersTested = 0;
  occludersRasterised = 0;

  private readonly bodyBox = new Float64Array(BOX_STRIDE);

  resetCosts(): void {
    this.nodesTested = 0;
    this.nodesHidden = 0;
    this.bodiesHidden = 0;
    this.occludersTested = 0;
    this.occludersRasterised = 0;
  }

  /**
   * Fills `out` with the bodies that no occluder hides. `query` is the frustum. Returns false if there are more than
   * `limit`: then the list is not complete.
   */
  collect(
    store: BodyStore,
    query: FrustumQuery,
    categories: number,
    filter: BodyFilter,
    limit: number,
    scratch: Scratch,
    out: IndexList,
  ): boolean {
    const { tree } = store;
    out.length = 0;
    scratch.resetCosts();
    this.resetCosts();
    if (!tree.hasRoot) return true;
    query.begin(tree);
    const { buffer } = this;
    const { bodies, nodes, slots } = tree;
    const { links, fitted, categoryMask } = nodes;
    const { slotBounds, body } = slots;
    const { nodes: stack, overlaps, distances } = scratch;
    let top = query.filterBoxes(fitted, ROOT, ROOT + 1, query.rootOverlap, stack, overlaps, 0);
    while (top > 0) {
      const node = stack[--top];
      if (categories !== ALL_CATEGORIES && (categoryMask[node] & categories) === 0) continue;
      if (!buffer.isEmpty) {
        this.nodesTested++;
        buffer.project(fitted, node * BOX_STRIDE);
        if (buffer.isHidden()) {
          this.nodesHidden++;
          continue;
        }
      }
      scratch.nodesVisited++;
      const overlap = overlaps[top];
      const at = node * LINK_STRIDE;
      const count = links[at + COUNT];
      if (count > 0) {
        const page = links[at + PAGE];
        scratch.reserveSlots(count);
        const { slots: kept, slotOverlaps, slotDistances } = scratch;
        const keptCount = query.filterBoxes(slotBounds, page, page + count, overlap, kept, slotOverlaps, 0);
        scratch.bodiesTested += count;
        if (keptCount <= MAX_INSERTION_SORT) {
          this.measure(slotBounds, kept, slotDistances, 0, keptCount);
          sortFarthestFirst(kept, slotOverlaps, slotDistances, 0, keptCount);
        }
        for (let k = keptCount - 1; k >= 0; k--) {
          const index = body[kept[k]];
          if ((bodies.categoryMask[index] & categories) === 0 || !query.touches(bodies, index, slotOverlaps[k]))
            continue;
          if (this.visitBody(store, index, filter)) out.push(index);
        }
        if (out.length > limit) return false;
      }
      const children = links[at + FIRST_CHILD];
      if (children === 0) continue;
      const bottom = top;
      top = query.filterBoxes(fitted, children, children + BLOCK, overlap, stack, overlaps, top);
      this.measure(fitted, stack, distances, bottom, top);
      sortFarthestFirst(stack, overlaps, distances, bottom, top);
    }
    return true;
  }

  /** Whether a body in the frustum is a result. Rasterises it if it is an occluder. */
  private visitBody(store: BodyStore, index: number, filter: BodyFilter): boolean {
    const { buffer, bodyBox, occluders } = this;
    const { bodies } = store.tree;
    const isSphere = bodies.isSphere(index);
    const boxes = isSphere ? bodies.readBox(index, bodyBox) : bodies.bounds;
    const at = isSphere ? 0 : index * BOX_STRIDE;
    if (!buffer.isEmpty) {
      buffer.project(boxes, at);
      if (buffer.isHidden()) {
        this.bodiesHidden++;
        return false;
      }
    }
    if (filter !== null && !filter(index)) return false;
    if (occluders.mayOcclude(index)) this.rasterise(store, index, boxes, at, isSphere);
    return true;
  }

  /** A body that is drawn hides what lies behind its solid boxes, unless the near plane may cut it. */
  private rasterise(store: BodyStore, index: number, bounds: Boxes, at: number, isSphere: boolean): void {
    const { buffer, occluders, view, minCells } = this;
    const handle = store.handles[index];
    if (handle === undefined) return;
    const parts = occluders.read(handle, bounds, at, isSphere);
    if (parts === 0) return;
    this.occludersTested++;
    const { boxes } = occluders;
    const radius = view.nearRadius * (1 + 2 ** -20);
    // Not <=, because a view with a NaN has no occluders.
    if (!(distanceSq(bounds, at, view.eye) > radius * radius)) return;
    let isUsed = false;
    for (let k = 0; k < parts * BOX_STRIDE; k += BOX_STRIDE) {
      buffer.project(boxes, k);
      if (buffer.area < minCells) continue;
      buffer.rasterise(boxes, k);
      isUsed = true;
    }
    if (isUsed) this.occludersRasterised++;
  }

  /** Writes the squared distance of boxes from the eye. */
  private measure(boxes: Boxes, items: Int32Array, distances: Float64Array, begin: number, end: number): void {
    const { eye } = this.view;
    for (let k = begin; k < end; k++) distances[k] = distanceSq(boxes, items[k] * BOX_STRIDE, eye);
  }
}

function distanceSq(boxes: Boxes, at: number, eye: Float64Array): number {
  const x = Math.max(boxes[at] - eye[0], eye[0] - boxes[at + 3], 0);
  const y = Math.max(boxes[at + 1] - eye[1], eye[1] - boxes[at + 4], 0);
  const z = Math.max(boxes[at + 2] - eye[2], eye[2] - boxes[at + 5], 0);
  return x * x + y * y + z * z;
}

/** Insertion sort: ranges are short. */
function sortFarthestFirst(
  items: Int32Array,
  overlaps: Int32Array,
  distances: Float64Array,
  begin: number,
  end: number,
): void {
  for (let k = begin + 1; k < end; k++) {
    const item = items[k];
    const overlap = overlaps[k];
    const distance = distances[k];
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
